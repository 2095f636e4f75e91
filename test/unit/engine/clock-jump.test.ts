import { beforeEach, describe, expect, test } from "vitest"
import type { Limits } from "#guards/limits.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const HOUR_MS = 3_600_000
const UNITS = 10_000n
const LIMITS: Limits = {
  maxOrder: null,
  maxInFlight: 8,
  windows: [
    {
      perMs: 24 * HOUR_MS,
      max: { kind: "units", byAsset: { [ETH]: 20_000n } },
      maxFeesFiat: null,
      maxCount: null,
    },
  ],
}

let world: World
/** By how much the daemon's clock is ahead of the chains. */
let aheadMs: number
beforeEach(() => {
  world = createWorld()
  aheadMs = 0
})

/** The nodes tell the true time, which no jump of the daemon's clock changes. */
function start(slackMs = 120_000): Daemon {
  const blockTime = {
    fetchBlockTime: async () => ({ ms: world.clock.now() - aheadMs - 12_000, slackMs }),
  }
  const adaptPort = (port: ChainPort): ChainPort => ({ ...port, blockTime })
  return world.start({ settings: { limits: LIMITS, cooldownMs: 0 }, adaptPort })
}

function jump(ms: number): void {
  aheadMs += ms
  world.clock.set(world.clock.now() + ms)
}

const submit = (daemon: Daemon) => daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })

async function sell(daemon: Daemon, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const admission = await submit(daemon)
    expect(admission).toMatchObject({ ok: true })
    if (admission.ok) await daemon.reach("completed", admission.id)
  }
}

const codesOf = (answer: Awaited<ReturnType<typeof submit>>): readonly string[] =>
  answer.ok ? [] : answer.reasons.map(({ code }) => code)
const alertsOf = ({ context }: Daemon): readonly string[] =>
  context.journal.listAlerts(50).map(({ reason }) => reason.code)

describe("a forward jump of the clock by 25 hours", () => {
  test("empties no window, neither at once nor later", async () => {
    const daemon = start()
    await sell(daemon, 2)
    jump(25 * HOUR_MS)
    expect(codesOf(await submit(daemon))).toContain("limit.window")
    world.tickMs = 60_000
    await world.pass(HOUR_MS)
    expect(codesOf(await submit(daemon))).toContain("limit.window")
    daemon.kill()
    const next = start()
    expect(codesOf(await submit(next))).toContain("limit.window")
    await world.pass(60_000)
    expect(codesOf(await submit(next))).toContain("limit.window")
  })

  test("empties no window either when no chain has told its time since the first start", async () => {
    for (const port of ["base", "bitcoin", "arbitrum"])
      world.faults.inject(`${port}.fetchBlockTime`, { before: failure("transient") }, 100_000)
    const daemon = start()
    await sell(daemon, 2)
    jump(25 * HOUR_MS)
    expect(codesOf(await submit(daemon))).toContain("limit.window")
  })

  test(
    "holds an order before its deposit with an alarm, and lets it go on when the clock is " +
      "right again",
    async () => {
      const daemon = start()
      await world.pass(2_000)
      jump(25 * HOUR_MS)
      expect(await submit(daemon)).toMatchObject({ ok: true })
      world.tickMs = 10_000
      await world.pass(5 * 60_000)
      world.tickMs = 1_000
      expect(daemon.reasons()).toEqual(["clock.jump"])
      expect(world.signatures).toEqual([])
      expect(alertsOf(daemon)).toEqual(["clock.jump"])
      // The chains show that so much time has really passed.
      aheadMs = 0
      await daemon.reach("completed", "order-1", 10 * 60_000)
      expect(alertsOf(daemon)).toEqual(["clock.jump"])
    },
  )

  test("ends when an operator confirms the clock, also for the time after that", async () => {
    const daemon = start()
    await sell(daemon, 2)
    jump(25 * HOUR_MS)
    world.tickMs = 10_000
    await world.pass(5 * 60_000)
    world.tickMs = 1_000
    daemon.engine.confirmClock()
    expect(await submit(daemon)).toMatchObject({ ok: true })
    await daemon.reach("completed", "order-3")
    world.tickMs = 60_000
    await world.pass(HOUR_MS)
    expect(await submit(daemon)).toMatchObject({ ok: true })
    await daemon.reach("completed", "order-4")
    expect(codesOf(await submit(daemon))).toContain("limit.window")
  })

  test("lets refunds go on", async () => {
    const daemon = start()
    world.serviceActs = false
    await submit(daemon)
    await daemon.reach("funded")
    jump(25 * HOUR_MS)
    await daemon.reach("refunded")
  })
})
