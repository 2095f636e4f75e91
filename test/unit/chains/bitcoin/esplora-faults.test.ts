import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { createEsplora, type Esplora } from "#chains/bitcoin/esplora.ts"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import type { ChainPort } from "#ports/chain.ts"
import { btc, sampleOptions } from "../../../chains/bitcoin/sample-order.ts"
import { type FakeEsplora, startFakeEsplora } from "../../../chains/bitcoin/start-fake-esplora.ts"

/** No pause between tries. The wait for slow endpoints is longer than `BRIEF_MS`. */
const clock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms < 200 ? 0 : ms / 20, signal),
}
/** The time-out where an endpoint is silent. */
const BRIEF_MS = 150
const NOBODY: ReadonlySet<string> = new Set()
const { account } = createBitcoinChain(sampleOptions(["http://127.0.0.1:1"]))
let fakes: readonly [FakeEsplora, FakeEsplora, FakeEsplora]
beforeEach(async () => {
  fakes = [await startFakeEsplora(), await startFakeEsplora(), await startFakeEsplora()]
})
afterEach(() => Promise.all(fakes.map((fake) => fake.stop())))

function chainOf(
  servers: readonly FakeEsplora[],
  agree: number | null = null,
  timeoutMs = 500,
): ChainPort {
  return createBitcoinChain(
    sampleOptions(
      servers.map(({ url }) => url),
      { clock, agree, timeoutMs },
    ),
  )
}

function esploraOf(servers: readonly FakeEsplora[], needed = 1): Esplora {
  const endpoints = servers.map(({ url }) => `${url}/`)
  return createEsplora({ endpoints, needed, genesis: GENESIS.regtest, timeoutMs: BRIEF_MS, clock })
}

const BREAKS: readonly (readonly [string, (fake: FakeEsplora) => unknown])[] = [
  ["refuses connections", (fake) => fake.stop()],
  ["is silent", (fake) => fake.faults.set("/", "silent")],
  ["is busy", (fake) => fake.faults.set("/", { status: 429, body: "" })],
  ["is broken", (fake) => fake.faults.set("/", { status: 502, body: "<html>Bad Gateway</html>" })],
  [
    "shows a login page",
    (fake) => fake.faults.set("/", { status: 200, body: "<html>Log in</html>" }),
  ],
  ["forbids it", (fake) => fake.faults.set("/", { status: 403, body: "<html>Forbidden</html>" })],
  [
    "answers JSON of another shape",
    (fake) => fake.faults.set("/", { status: 200, body: '{"height":7}' }),
  ],
  [
    "serves another network",
    (fake) => fake.faults.set("/block-height/0", { status: 200, body: GENESIS.mainnet }),
  ],
]

describe("one read", () => {
  it.each(BREAKS)(
    "goes on with the other endpoints when the first %s",
    async (what, breakFirst) => {
      const timeoutMs = what === "is silent" ? BRIEF_MS : 500
      const [first, second, third] = fakes
      for (const fake of fakes) fake.ledger.fund(account, 10_000n)
      await breakFirst(first)
      const chain = chainOf([first, second, third], null, timeoutMs)
      expect(await chain.fetchHeight()).toBe(101n)
      expect(await chain.fetchBalance(btc, NOBODY)).toMatchObject({ units: 10_000n })
      const { refundUnits } = await chainOf([first, second], 1, timeoutMs).estimateFees(btc)
      expect(refundUnits).toBeGreaterThan(0n)
      const { agreeing, reasons } = await chain.fetchAgreement()
      expect([agreeing, reasons.length]).toEqual([2, 1])
    },
  )

  it.each(BREAKS)("is transient when every endpoint %s", async (what, breakIt) => {
    for (const fake of fakes) await breakIt(fake)
    const chain = chainOf(fakes, null, what === "is silent" ? BRIEF_MS : 500)
    for (const read of [() => chain.fetchHeight(), () => chain.fetchBalance(btc, NOBODY)])
      await expect(read()).rejects.toMatchObject({ disposition: "transient" })
  })

  it("tries a single endpoint three times", async () => {
    const [first] = fakes
    first.faults.set("/block", { status: 500, body: "" })
    await expect(chainOf([first]).fetchHeight()).rejects.toMatchObject({
      code: "bitcoin.esplora_busy",
    })
    expect(first.requests).toHaveLength(3)
  })

  it("leaves an endpoint alone for a while after a time-out, if there are others", async () => {
    const [first, second] = fakes
    first.faults.set("/", "silent")
    const esplora = esploraOf([first, second])
    await esplora.askEach((endpoint) => endpoint.fetchHead())
    const asked = first.requests.length
    await esplora.askEach((endpoint) => endpoint.fetchHead())
    expect(first.requests.length).toBe(asked)
  })

  it("does not read an HTML page with status 404 as an unknown transaction", async () => {
    const txid = "ab".repeat(32)
    const [first] = fakes
    const esplora = esploraOf([first])
    expect(await esplora.findRaw(txid)).toBeNull()
    first.faults.set("/tx", { status: 404, body: "<html>Not Found</html>" })
    await expect(esplora.findRaw(txid)).rejects.toMatchObject({ code: "bitcoin.esplora_answer" })
  })

  it("asks a broken endpoint beside others twice, and a lone one three times", async () => {
    const [first, second] = fakes
    first.faults.set("/blocks/tip", { status: 502, body: "" })
    const heights = () => first.requests.filter((request) => request.includes("/blocks/tip")).length
    await chainOf([first, second], 1).fetchHeight()
    expect(heights()).toBe(2)
    await expect(chainOf([first]).fetchHeight()).rejects.toMatchObject({ disposition: "transient" })
    expect(heights()).toBe(2 + 3)
  })

  it("accepts no transaction with another id than the one asked for", async () => {
    const [first, second] = fakes
    const wanted = first.ledger.fund(account, 10_000n)
    second.ledger.fund(account, 20_000n)
    const other = [...second.ledger.entries.values()][0]?.tx.toHex() ?? ""
    first.faults.set(`/tx/${wanted}/hex`, { status: 200, body: other })
    await expect(esploraOf([first]).findRaw(wanted)).rejects.toMatchObject({
      code: "bitcoin.esplora_answer",
    })
  })

  it("never turns an unreadable list of coins into an empty one", async () => {
    for (const fake of fakes) fake.faults.set("/address", { status: 404, body: "Not Found" })
    await expect(chainOf(fakes).fetchBalance(btc, NOBODY)).rejects.toMatchObject({
      disposition: "transient",
    })
  })

  it.each(["1.5", "-1", "9007199254740993", '"100"', "null"])(
    "refuses %s as an amount",
    async (value) => {
      const [first] = fakes
      const coin = `"txid":"${"ab".repeat(32)}","vout":0,"value":${value}`
      const body = `[{${coin},"status":{"confirmed":false}}]`
      first.faults.set("/address", { status: 200, body })
      const [answer] = await esploraOf([first]).askEach((endpoint) => endpoint.listUtxos(account))
      expect(answer).toMatchObject({ ok: false, error: { code: "bitcoin.esplora_answer" } })
    },
  )
})
