import { beforeEach, describe, expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import { createAgreementWatch } from "#engine/watches/agreement-watch.ts"
import { createRounds } from "#engine/watches/watch.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"

const GOOD: AgreementReport = { endpoints: 2, needed: 2, agreeing: 2, reasons: [] }
const SHORT: AgreementReport = { endpoints: 2, needed: 2, agreeing: 1, reasons: [] }
const SPLIT: AgreementReport = {
  ...SHORT,
  reasons: [
    {
      code: "chain.disagreement",
      message: "Two endpoints show different blocks at height 7",
      "node-a.example": "0xaa",
      "node-b.example": "0xbb",
    },
  ],
}

let world: World
let report: AgreementReport
beforeEach(() => {
  world = createWorld()
  report = GOOD
})

function start(way: "onchain" | "gasless" = "onchain"): Daemon {
  const adaptPort = (port: ChainPort): ChainPort =>
    port.chain === "base_sepolia" ? { ...port, fetchAgreement: async () => report } : port
  return world.start({ adaptPort, policy: { way } })
}

const submit = (daemon: Daemon, from = ETH, to = BTC) =>
  daemon.engine.submit({ from, to, sourceUnits: 10_000n })
const alertsOf = ({ context }: Daemon): readonly string[] =>
  context.journal.listAlerts(50).map(({ reason }) => reason.code)
const reasonsOf = (daemon: Daemon): readonly string[] => daemon.reasons()

describe("with too few agreeing endpoints", () => {
  test.each([
    { name: "the direct deposit", from: WBTC, to: BTC, way: "onchain" },
    { name: "the gasless deposit", from: WBTC, to: BTC, way: "gasless" },
    { name: "a deposit for a payout there", from: BTC, to: ETH, way: "onchain" },
  ] as const)(
    "of a chain $name waits without a signature, and goes on with enough",
    async ({ from, to, way }) => {
      report = SHORT
      const daemon = start(way)
      await world.pass(2_000)
      await submit(daemon, from, to)
      await world.pass(120_000)
      expect(world.signatures).toEqual([])
      expect(reasonsOf(daemon)).toEqual(["chain.agreement_short"])
      report = GOOD
      await daemon.reach("completed", "order-1", 120_000)
    },
  )

  test("an order goes on while exactly enough agree and a further one contradicts them", async () => {
    report = { ...SPLIT, endpoints: 3, agreeing: 2 }
    const daemon = start()
    await world.pass(60_000)
    expect(alertsOf(daemon)).toEqual(["chain.disagreement"])
    await submit(daemon)
    await daemon.reach("completed", "order-1", 120_000)
  })

  test("an order writes nothing while it waits, and ends when its time to deposit is over", async () => {
    report = SHORT
    const daemon = start()
    await world.pass(2_000)
    await submit(daemon)
    await world.pass(60_000)
    const before = daemon.context.journal.listEvents("order-1").length
    await world.pass(120_000)
    expect(daemon.context.journal.listEvents("order-1")).toHaveLength(before)
    await daemon.reach("rejected", "order-1", 2 * 3_600_000)
    expect(world.signatures).toEqual([])
  })

  test("watching and refunds go on", async () => {
    const daemon = start()
    world.serviceActs = false
    await submit(daemon)
    await daemon.reach("funded")
    report = SHORT
    await daemon.reach("refunded")
  })

  test("orders between other chains go on", async () => {
    report = SHORT
    const daemon = start()
    await world.pass(2_000)
    await submit(daemon, BTC, "arbitrum_sepolia:eth" as typeof BTC)
    await daemon.reach("completed", "order-1", 120_000)
  })
})

describe("the alarm", () => {
  test("is raised once for a report that repeats, with both answers, and again after it was over", async () => {
    const daemon = start()
    await world.pass(2_000)
    report = SPLIT
    await world.pass(10 * 60_000)
    expect(alertsOf(daemon).toSorted()).toEqual(["chain.agreement_short", "chain.disagreement"])
    const [alert] = daemon.context.journal
      .listAlerts(50)
      .filter(({ reason }) => reason.code === "chain.disagreement")
    expect(alert?.reason).toMatchObject({
      chain: "base_sepolia",
      "node-a.example": "0xaa",
      "node-b.example": "0xbb",
    })
    daemon.kill()
    const next = start()
    await world.pass(10 * 60_000)
    expect(alertsOf(next)).toHaveLength(2)
    report = GOOD
    await world.pass(60_000)
    report = SPLIT
    await world.pass(60_000)
    expect(alertsOf(next)).toHaveLength(4)
  })

  test("is not raised for one report alone", async () => {
    const daemon = start()
    await world.pass(2_000)
    report = SPLIT
    await world.pass(21_000)
    report = GOOD
    await world.pass(120_000)
    expect(alertsOf(daemon)).toEqual([])
  })

  test("of an invented fee is raised at once, and only once", async () => {
    const daemon = start()
    await world.pass(2_000)
    const fee = { code: "chain.fee_outlier", message: "The endpoint names a fee", endpoint: "a" }
    report = { ...GOOD, reasons: [fee] }
    await world.pass(32_000)
    expect(alertsOf(daemon)).toEqual(["chain.fee_outlier"])
    report = { ...SPLIT, reasons: [...SPLIT.reasons, fee] }
    await world.pass(120_000)
    const all = ["chain.agreement_short", "chain.disagreement", "chain.fee_outlier"]
    expect(alertsOf(daemon).toSorted()).toEqual(all)
    daemon.kill()
    const next = start()
    await world.pass(120_000)
    expect(alertsOf(next).toSorted()).toEqual(all)
  })

  test("keeps the last report of a chain that is silent for less than a minute", async () => {
    const daemon = start()
    await world.pass(2_000)
    world.faults.inject("base.fetchAgreement", { before: failure("transient") }, 100_000)
    const agreeing = () =>
      daemon.engine.trust().find(({ chain }) => chain === "base_sepolia")?.agreeing
    await world.pass(50_000)
    expect([agreeing(), alertsOf(daemon)]).toEqual([2, []])
    await world.pass(60_000)
    expect(agreeing()).toBe(0)
  })

  test("counts the silence of a chain from the correction of a clock that was ahead", async () => {
    const { context } = start()
    const clock = createManualClock(3_600_000)
    const port = { chain: "base_sepolia" as const, fetchAgreement: async () => GOOD }
    // CAST: the watch uses only this part of the port.
    const chains = new Map([["base_sepolia", port]]) as unknown as EngineContext["chains"]
    const agreement = createAgreementWatch({ ...context, clock, chains })
    const rounds = createRounds({ ...context, clock }, [agreement.watch], () => undefined)
    const ask = async (atMs: number): Promise<void> => {
      clock.set(atMs)
      rounds.poll()
      await settle()
    }
    await ask(3_600_000)
    port.fetchAgreement = () => Promise.reject(new Error("down"))
    await ask(0)
    expect(agreement.list()).toMatchObject([{ agreeing: 2 }])
    await ask(100_000)
    expect(agreement.list()).toMatchObject([{ agreeing: 0 }])
  })

  test("tells a chain that gives no report at all", async () => {
    world.faults.inject("base.fetchAgreement", { before: failure("transient") }, 100_000)
    const daemon = start()
    await world.pass(5 * 60_000)
    expect(alertsOf(daemon)).toEqual(["chain.agreement_short"])
    expect(daemon.engine.trust().find(({ chain }) => chain === "base_sepolia")).toMatchObject({
      agreeing: 0,
    })
  })
})
