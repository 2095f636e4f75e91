import { beforeEach, describe, expect, test } from "vitest"
import { findClockJump, readLimitTime } from "#engine/rules/limit-clock.ts"
import type { Limits } from "#guards/limits.ts"
import { encodeJson } from "#lib/json.ts"
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

describe("the time of the limits", () => {
  /**
   * Base tells the true time; Bitcoin's newest block is half an hour old, and its time may be two
   * hours off.
   */
  const withSlowBitcoin = (port: ChainPort): ChainPort => {
    const slowMs = port.chain === "bitcoin_testnet" ? 30 * 60_000 : 0
    const slackMs = slowMs > 0 ? 2 * HOUR_MS : 120_000
    const fetchBlockTime = async () => ({ ms: world.clock.now() - aheadMs - slowMs, slackMs })
    return { ...port, blockTime: { fetchBlockTime } }
  }
  const settings = { limits: LIMITS, cooldownMs: 0 }

  test("follows no jump that only the slack of a slow chain allows", async () => {
    const daemon = world.start({ settings, adaptPort: withSlowBitcoin })
    await world.pass(2_000)
    const before = readLimitTime(daemon.context.journal, world.clock.now())
    jump(HOUR_MS)
    await world.pass(60_000)
    expect(readLimitTime(daemon.context.journal, world.clock.now()) - before).toBeLessThan(
      2 * 60_000,
    )
  })

  test("follows two chains while the clock is behind, so that a sale counts at its true time", async () => {
    const daemon = start()
    const behindMs = 10 * HOUR_MS
    aheadMs = -behindMs
    await world.pass(60_000)
    await sell(daemon, 2)
    // The clock is right again, and 20 hours after the sales they still count.
    aheadMs = 0
    world.clock.set(world.clock.now() + behindMs + 20 * HOUR_MS)
    await world.pass(60_000)
    expect(codesOf(await submit(daemon))).toContain("limit.window")
  })

  test("does not follow one chain alone into the future", async () => {
    const invented = (port: ChainPort): ChainPort => {
      const aheadMs = port.chain === "bitcoin_testnet" ? 25 * HOUR_MS : 0
      const fetchBlockTime = async () => ({ ms: world.clock.now() + aheadMs, slackMs: 120_000 })
      return { ...port, blockTime: { fetchBlockTime } }
    }
    const daemon = world.start({ settings, adaptPort: invented })
    await sell(daemon, 2)
    world.tickMs = 60_000
    await world.pass(HOUR_MS)
    expect(codesOf(await submit(daemon))).toContain("limit.window")
  })

  test("is the clock again when no configured chain tells its time any more", async () => {
    const told = start()
    await world.pass(2_000)
    told.kill()
    const daemon = world.start({ settings })
    world.tickMs = 20_000
    await world.pass(20 * 60_000)
    world.tickMs = 1_000
    expect(await submit(daemon)).toMatchObject({ ok: true })
    await daemon.reach("completed", "order-1", 10 * 60_000)
    expect(alertsOf(daemon)).toEqual([])
  })
})

test("a day without Ballast is no jump: the chains tell the same time", async () => {
  const daemon = start()
  await sell(daemon, 2)
  daemon.kill()
  world.clock.set(world.clock.now() + 25 * HOUR_MS)
  const next = start()
  await world.pass(5_000)
  await sell(next, 1)
  expect(alertsOf(next)).toEqual([])
})

test(
  "a clock that nobody confirms for five minutes holds deposits until a chain tells its time " +
    "again",
  async () => {
    const daemon = start()
    await world.pass(2_000)
    for (const port of ["base", "bitcoin", "arbitrum"])
      world.faults.inject(`${port}.fetchBlockTime`, { before: failure("transient") }, 100_000)
    world.tickMs = 10_000
    await world.pass(10 * 60_000)
    world.tickMs = 1_000
    await submit(daemon)
    await world.pass(60_000)
    expect(daemon.reasons()).toEqual(["clock.jump"])
    for (const port of ["base", "bitcoin", "arbitrum"]) world.faults.clear(`${port}.fetchBlockTime`)
    await daemon.reach("completed", "order-1", 10 * 60_000)
  },
)

test(
  "a sale under a clock that was set back by 25 hours still counts after the clock is right " +
    "again",
  async () => {
    const daemon = start()
    // Before the clock was set back, the chains confirmed this time.
    const rightMs = world.clock.now() + 25 * HOUR_MS
    daemon.context.journal.writeFlag(
      "limits/clock",
      encodeJson({ ms: rightMs, byOperator: false, alarmed: false }),
    )
    await sell(daemon, 2)
    world.clock.set(rightMs)
    await world.pass(60_000)
    expect(codesOf(await submit(daemon))).toContain("limit.window")
  },
)

test("limits follow a clock that is five minutes ahead, and no further; one that is behind stays behind", () => {
  const confirmed = { ms: 1_000_000, byOperator: false, alarmed: false }
  const journal = { readFlag: () => encodeJson(confirmed) }
  const timeAt = (nowMs: number) => readLimitTime(journal, nowMs)
  expect([999_999, 1_000_001, 1_300_000, 1_300_001].map(timeAt)).toEqual([
    1_000_000, 1_000_001, 1_300_000, 1_000_000,
  ])
  expect(readLimitTime({ readFlag: () => null }, 5)).toBe(5)
  const codeAt = (nowMs: number) => findClockJump(journal, nowMs)?.code ?? null
  expect([1_300_000, 1_300_001].map(codeAt)).toEqual([null, "clock.jump"])
})
