import { afterEach, beforeEach, expect, it } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { createEsplora, type Esplora } from "#chains/bitcoin/esplora.ts"
import { systemClock } from "#lib/clock.ts"
import { sampleOptions } from "./sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "./start-fake-esplora.ts"

const clock = { ...systemClock, sleep: async () => {} }
const { account } = createBitcoinChain(sampleOptions(["http://127.0.0.1:1"]))
let first: FakeEsplora
let second: FakeEsplora
let esplora: Esplora

beforeEach(async () => {
  first = await startFakeEsplora()
  second = await startFakeEsplora()
  esplora = createEsplora({ endpoints: [`${first.url}/`, second.url], timeoutMs: 200, clock })
})
afterEach(() => Promise.all([first.stop(), second.stop()]))

it("asks only the first endpoint while it answers", async () => {
  first.ledger.mine(5)
  expect(await esplora.fetchHeight()).toBe(105n)
  expect(second.requests).toEqual([])
})

it.each([
  ["refuses connections", async () => await first.stop()],
  ["is silent", async () => void first.faults.set("/", "silent")],
  ["is busy", async () => void first.faults.set("/", { status: 429, body: "" })],
  ["is broken", async () => void first.faults.set("/", { status: 502, body: "<html>Bad Gateway</html>" })],
  ["shows a login page", async () => void first.faults.set("/", { status: 200, body: "<html>Log in</html>" })],
  ["answers JSON of another shape", async () => void first.faults.set("/", { status: 200, body: '{"height":7}' })],
])("switches to the next endpoint when the first %s, and stays there", async (_case, breakFirst) => {
  second.ledger.mine(9)
  await breakFirst()
  expect(await esplora.fetchHeight()).toBe(109n)
  const askedBefore = first.requests.length
  expect(await esplora.fetchHeight()).toBe(109n)
  expect(first.requests.length).toBe(askedBefore)
})

it("fails as transient when an endpoint is busy, and as hold when every answer is invalid", async () => {
  for (const server of [first, second]) server.faults.set("/blocks", { status: 429, body: "" })
  await expect(esplora.fetchHeight()).rejects.toMatchObject({ code: "bitcoin.esplora_busy", disposition: "transient" })
  second.faults.set("/blocks", { status: 200, body: "<html>" })
  await expect(esplora.fetchHeight()).rejects.toMatchObject({ disposition: "transient" })
  first.faults.set("/blocks", { status: 200, body: "<html>" })
  await expect(esplora.fetchHeight()).rejects.toMatchObject({ code: "bitcoin.esplora_answer", disposition: "hold" })
})

it("tries a single endpoint three times", async () => {
  const single = createEsplora({ endpoints: [first.url], timeoutMs: 200, clock })
  first.faults.set("/blocks", { status: 500, body: "" })
  await expect(single.fetchHeight()).rejects.toMatchObject({ disposition: "transient" })
  expect(first.requests).toHaveLength(3)
})

it("does not read an HTML page with status 404 as an unknown transaction", async () => {
  const txid = "ab".repeat(32)
  expect(await esplora.findTx(txid)).toBeNull()
  for (const server of [first, second]) server.faults.set("/tx", { status: 404, body: "<html>Not Found</html>" })
  await expect(esplora.findTx(txid)).rejects.toMatchObject({ disposition: "hold" })
})

it("never turns an unreadable list of coins into an empty one", async () => {
  for (const server of [first, second]) {
    server.faults.set("/address", { status: 404, body: "Not Found" })
  }
  await expect(esplora.listUtxos(account)).rejects.toMatchObject({ disposition: "hold" })
})

it.each(["1.5", "-1", "9007199254740993", '"100"', "null"])("refuses %s as an amount", async (value) => {
  const body = `[{"txid":"${"ab".repeat(32)}","vout":0,"value":${value},"status":{"confirmed":false}}]`
  for (const server of [first, second]) server.faults.set("/address", { status: 200, body })
  await expect(esplora.listUtxos(account)).rejects.toMatchObject({ code: "bitcoin.esplora_answer" })
})

it("sends a transaction to every endpoint", async () => {
  first.faults.set("/tx", { status: 400, body: "dust" })
  second.faults.set("/tx", "silent")
  expect(await esplora.submitTx("00")).toMatchObject([{ status: 400, text: "dust" }, { status: null }])
})
