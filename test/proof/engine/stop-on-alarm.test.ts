import { beforeEach, describe, expect, test } from "vitest"
import { readPause } from "#domain/pause.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { identityOfCode } from "../../support/fake-chain.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import {
  ARB,
  ASSETS,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"

const UNITS = 10_000n
const MINUTE_MS = 60_000
const EVERYTHING = { kind: "all" } as const

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

const start = (options?: StartOptions): void => {
  daemon = world.start(options)
}
const submit = (from = ETH, to = BTC) => daemon.engine.submit({ from, to, sourceUnits: UNITS })
const pause = () => readPause(daemon.context.journal)
const alarmIds = (): string[] => (pause()?.alarms ?? []).map(({ id }) => id)
const untilPaused = (): Promise<void> => world.run(() => pause() !== null)

/** The solver redeems the deposit and pays nothing. */
async function startWithTheft(options?: StartOptions): Promise<void> {
  world.service.conduct.fills = false
  start(options)
  await submit(ETH, ARB)
}

describe("a taken source", () => {
  test("pauses everything, names itself and its order, and refuses the next order", async () => {
    await startWithTheft()
    await untilPaused()
    const [id = ""] = alarmIds()
    expect(pause()).toMatchObject({
      by: "alarm",
      reason: expect.stringContaining(`alarm ${id}, alarm.source_redeemed of order order-1: `),
      alarms: [{ code: "alarm.source_redeemed", order: "order-1" }],
    })
    expect(await submit(ARB, ETH)).toMatchObject({
      ok: false,
      reasons: [
        {
          code: "paused",
          message: expect.stringContaining(`\`ballast resume --acknowledge ${id}\``),
          alarms: id,
        },
      ],
    })
  })

  test.each(["onchain", "gasless"] as const)(
    "lets no other order sign its deposit (%s), at whichever moment the alarm comes",
    async (way) => {
      let withoutDeposit = 0
      let withDeposit = 0
      for (let ms = 0; ms <= 4_000; ms += 400) {
        world.close()
        world = createWorld()
        for (const method of [
          "base.planTransaction",
          "base.signTypedData",
          "base.findMissingApproval",
        ])
          world.faults.inject(method, { delayMs: 700 }, 1_000)
        await startWithTheft()
        const stolenAt = (): boolean => daemon.order("order-1").data.seen.sourceInitiated !== null
        await world.run(stolenAt)
        await world.pass(ms)
        await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: UNITS, way })
        await untilPaused()
        const { journal } = daemon.context
        const openSignature =
          journal.findOpenClaim("order-2", "deposit") ?? journal.findOpenClaim("order-2", "gasless")
        const signed = world.signatures.length + (openSignature === null ? 0 : 1)
        await world.pass(5 * MINUTE_MS)
        expect(world.signatures.length, `${ms} ms`).toBeLessThanOrEqual(signed)
        if (world.signatures.length === 1) withoutDeposit++
        else withDeposit++
      }
      expect(withoutDeposit, `${withDeposit} had signed before`).toBeGreaterThan(0)
    },
  )

  test("lets an approved order wait", async () => {
    world.service.conduct.takesSource = false
    await startWithTheft()
    await daemon.reach("funded")
    Object.assign(daemon.context.settings, {
      policyFor: (from: never, to: never) => ({
        ...daemon.order("order-1").data.policy,
        approveAbove: { kind: "units", units: 1n },
        from,
        to,
      }),
    })
    await submit(ARB, ETH)
    await daemon.reach("awaiting-approval", "order-2")
    world.service.conduct.takesSource = true
    await untilPaused()
    const signed = world.signatures.length
    expect(daemon.engine.operate("order-2", "approve", "operator")).toMatchObject({ ok: true })
    await world.pass(2 * MINUTE_MS)
    expect(world.signatures).toHaveLength(signed)
  })

  test("is never stored without the pause, whichever write the process dies after", async () => {
    let stored = 0
    for (let at = 1; at < 60 && stored < 3; at++) {
      world.close()
      world = createWorld({ journal: "file" })
      world.service.conduct.fills = false
      start({ dies: { at, when: "after" } })
      await submit(ETH, ARB).catch(() => undefined)
      await world.run(() => !daemon.isAlive(), 60 * MINUTE_MS)
      const journal = openJournal(world.journalFile)
      const isAlarmed = journal
        .listAlerts(10)
        .some(({ reason }) => reason.code === "alarm.source_redeemed")
      if (isAlarmed) stored++
      expect([at, readPause(journal) !== null]).toEqual([at, isAlarmed])
      journal.close()
    }
    expect(stored).toBe(3)
  })

  test("stops no refund of another order", async () => {
    world.service.conduct.takesSource = false
    await startWithTheft()
    await submit(ARB, ETH)
    await world.run(() => ["order-1", "order-2"].every((id) => daemon.state(id) === "funded"))
    const key = `${world.service.orders[0]?.secretHash}/base_sepolia/wallet`
    const action = { kind: "redeem", key, payTo: "solver", shortUnits: 0n } as const
    world.evm.submit({ txid: "theft", fee: 0n, resources: [], action })
    await untilPaused()
    await daemon.reach("refunded", "order-2")
    expect(pause()).not.toBeNull()
    expect(daemon.state("order-1")).toBe("held")
  })

  test("survives a restart, and ends only when the operator acknowledges it", async () => {
    await startWithTheft()
    await untilPaused()
    daemon.kill()
    start()
    const [id = ""] = alarmIds()
    expect(daemon.engine.resume(EVERYTHING)).toMatchObject({
      ok: false,
      reasons: [{ code: "pause.alarm", alarm: id, order: "order-1" }],
    })
    expect(daemon.engine.resume(EVERYTHING, ["999"])).toMatchObject({ ok: false })
    await daemon.engine.pause(EVERYTHING)
    expect(daemon.engine.resume(EVERYTHING)).toMatchObject({ ok: false })
    expect(daemon.engine.resume(EVERYTHING, [id])).toEqual({ ok: true })
    expect(pause()).toBeNull()
    world.service.conduct.fills = true
    expect(await submit(ARB, ETH)).toMatchObject({ ok: true })
  })

  test("only raises the alarm with on_alarm: continue", async () => {
    await startWithTheft({ settings: { onAlarm: "continue" } })
    await world.run(() => daemon.alerts().includes("alarm.source_redeemed"))
    expect(pause()).toBeNull()
    expect(await submit(ARB, ETH)).toMatchObject({ ok: true })
  })
})

describe("the other alarms that pause", () => {
  test("a payout that is too small", async () => {
    world.service.conduct.shortUnits = 100n
    start()
    await submit(ETH, BTC)
    await untilPaused()
    expect(pause()?.alarms).toMatchObject([{ code: "alarm.payout_short" }])
  })

  test("a foreign use of our nonce", async () => {
    start()
    world.autoMine = false
    await submit(ETH, ARB)
    await daemon.reach("deposit-confirming")
    world.evm.dropMempool()
    world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:0"], action: { kind: "void" } })
    world.autoMine = true
    await untilPaused()
    expect(pause()?.alarms).toMatchObject([{ code: "transaction.foreign_rival" }])
  })

  test.each([
    ["before the deposit", "verify.contract_changed", 0],
    ["after the deposit", "alarm.contract_changed", 1],
  ] as const)("a pinned contract that changed %s", async (_when, code, deposits) => {
    const pinned = [{ htlc: HTLC, identity: identityOfCode() }]
    start({
      settings: {
        assets: new Map(
          ASSETS.map((asset) => [asset.id, asset.id === BTC ? asset : { ...asset, pinned }]),
        ),
      },
    })
    world.serviceActs = false
    if (deposits === 0) world.codes.set(HTLC, "other code")
    await submit(ETH, BTC)
    if (deposits > 0) await daemon.reach("funded")
    world.codes.set(HTLC, "other code")
    await untilPaused()
    expect(pause()?.alarms).toMatchObject([{ code, order: "order-1" }])
    expect(daemon.alerts()).toContain(code)
  })
})

test("a pause that comes while contracts are compared stops a gasless signature", async () => {
  const pinned = [{ htlc: HTLC, identity: identityOfCode() }]
  const assets = new Map(
    ASSETS.map((asset) => [asset.id, asset.id === WBTC ? { ...asset, pinned } : asset]),
  )
  start({ settings: { assets }, policy: { way: "gasless" } })
  world.faults.inject("base.fetchContractIdentity", { delayMs: 1_000 }, 100)
  await submit(WBTC)
  await daemon.reach("gasless-signing")
  await world.pass(500)
  const signed = world.signatures.length
  daemon.context.journal.writeFlag("pause", "an alarm of another order")
  await world.pass(10_000)
  expect(world.signatures).toHaveLength(signed)
})

describe("a file that asks for a pause", () => {
  test(
    "pauses before the next deposit is signed; its removal lifts nothing, and resume says why " +
      "it waits",
    async () => {
      let text: string | null = null
      start()
      Object.assign(daemon.context, { readStopFile: () => text })
      world.faults.inject("base.planTransaction", { delayMs: 2_000 }, 10)
      await submit(ETH, ARB)
      await world.run(() => world.faults.countCalls("base.planTransaction") === 1)
      text = "keys may be stolen"
      await world.pass(3_000)
      expect(pause()).toMatchObject({ by: "file", reason: "keys may be stolen", alarms: [] })
      expect(world.signatures).toEqual([])
      expect(daemon.engine.resume(EVERYTHING)).toMatchObject({
        ok: false,
        reasons: [{ code: "pause.file" }],
      })
      text = null
      await world.pass(5_000)
      expect(pause()).not.toBeNull()
      expect(daemon.engine.resume(EVERYTHING)).toEqual({ ok: true })
      await daemon.reach("completed")
    },
  )
})
