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

function chainOf(servers: readonly FakeEsplora[], agree: number | null = null): ChainPort {
  return createBitcoinChain(
    sampleOptions(
      servers.map(({ url }) => url),
      { clock, agree },
    ),
  )
}

function esploraOf(servers: readonly FakeEsplora[], needed = 1): Esplora {
  const endpoints = servers.map(({ url }) => `${url}/`)
  return createEsplora({ endpoints, needed, genesis: GENESIS.regtest, timeoutMs: BRIEF_MS, clock })
}

const _BREAKS: readonly (readonly [string, (fake: FakeEsplora) => unknown])[] = [
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

it("judges an answer in which the endpoint's password stands by chance", async () => {
  const [first] = fakes
  const txid = "00".repeat(32)
  first.faults.set("/tx", { status: 200, body: txid })
  const url = first.url.replace("http://", "http://user:000000@")
  expect(await esploraOf([{ ...first, url }]).submitTx({ raw: "00", txid: "" })).toMatchObject([
    { status: 200, text: txid, shown: expect.not.stringContaining("000000") },
  ])
})

it("sends a transaction to every endpoint", async () => {
  const [first, second] = fakes
  first.faults.set("/tx", { status: 400, body: "dust" })
  second.faults.set("/tx", "silent")
  expect(await esploraOf([first, second]).submitTx({ raw: "00", txid: "" })).toMatchObject([
    { status: 400, text: "dust" },
    { status: null },
  ])
})

describe("the height", () => {
  it("is the one that enough endpoints have reached", async () => {
    const [first, second, third] = fakes
    first.ledger.mine(3)
    second.ledger.mine(1)
    expect(await chainOf([first, second, third]).fetchHeight()).toBe(101n)
    expect(await chainOf([first, second, third], 1).fetchHeight()).toBe(103n)
    expect(await chainOf([first, second, third], 3).fetchHeight()).toBe(100n)
  })

  it.each([1, 2])(
    "never comes from an endpoint far above the others, with agree: %d",
    async (agree) => {
      const [first, second, third] = fakes
      first.faults.set("/blocks/tip/height", { status: 200, body: "1000000000" })
      const chain = chainOf([first, second, third], agree)
      expect(await chain.fetchHeight()).toBe(100n)
      const { agreeing, reasons } = await chain.fetchAgreement()
      expect([agreeing, reasons.map(({ code }) => code)]).toEqual([2, ["chain.head_outlier"]])
    },
  )

  it("is unknown while too few endpoints answer, and the report says which one is missing", async () => {
    const [first, second] = fakes
    await second.stop()
    const chain = chainOf([first, second])
    await expect(chain.fetchHeight()).rejects.toMatchObject({
      code: "bitcoin.agreement_short",
      disposition: "transient",
    })
    const report = await chain.fetchAgreement()
    expect(report).toMatchObject({ endpoints: 2, needed: 2, agreeing: 1 })
    expect(report.reasons).toMatchObject([
      { code: "chain.agreement_short", endpoint: new URL(second.url).host },
    ])
  })

  it("is reported as a disagreement when the endpoints have different blocks", async () => {
    const [first, second] = fakes
    second.ledger.forget(10)
    second.ledger.mine(10)
    const { agreeing, reasons } = await chainOf([first, second]).fetchAgreement()
    expect([agreeing, reasons.map(({ code }) => code)]).toEqual([0, ["chain.disagreement"]])
  })
})

describe("the balance", () => {
  it("is the one that enough endpoints show", async () => {
    for (const fake of fakes.slice(0, 2)) fake.ledger.fund(account, 10_000n)
    expect(await chainOf(fakes).fetchBalance(btc, NOBODY)).toEqual({
      units: 10_000n,
      spendableUnits: 10_000n,
    })
  })

  it("is unknown when two endpoints contradict each other", async () => {
    const [first, second] = fakes
    first.ledger.fund(account, 10_000n)
    second.ledger.fund(account, 20_000n)
    const chain = chainOf([first, second])
    await expect(chain.fetchBalance(btc, NOBODY)).rejects.toMatchObject({
      code: "bitcoin.disagreement",
    })
    await expect(chain.native?.fetchNativeBalance()).rejects.toMatchObject({
      code: "bitcoin.disagreement",
    })
  })
})

describe("a raw block", () => {
  const hash = "ab".repeat(32)
  const path = `/block/${hash}/raw`

  it("is given as the bytes that the server sends", async () => {
    const [first] = fakes
    first.faults.set(path, { status: 200, body: "bytes of a block" })
    const found = await esploraOf([first]).nodes[0]?.findBlock(hash)
    expect(Buffer.from(found ?? []).toString()).toBe("bytes of a block")
  })

  it(
    "that a server lacks, sends too large or does not send costs one request, and the server " +
      "answers the next question",
    async () => {
      const [first] = fakes
      const { nodes } = esploraOf([first])
      const faults = [
        { status: 404, body: "Block not found" },
        { status: 200, body: "x".repeat(4_000_001) },
        "silent",
      ] as const
      for (const fault of faults) {
        first.faults.set(path, fault)
        expect(await nodes[0]?.findBlock(hash)).toBeNull()
      }
      expect(first.requests.filter((request) => request.includes(path))).toHaveLength(3)
      expect(await nodes[0]?.fetchHead()).toMatchObject({ height: 100n })
    },
  )
})
