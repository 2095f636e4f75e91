import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { BTC, ETH, SNBTC, WBTC } from "../../support/fake-world.ts"
import type { Random } from "./random.ts"
import { ROUTES } from "./routes.ts"

/** The wallet's balance of each asset at the start of a run. */
export const START_UNITS = 1_000_000n

/** The rules of the simulated treasury, and the time at which the run starts. */
export type Treasury = {
  readonly startMs: number
  readonly recurring: readonly RecurringRule[]
  readonly standing: readonly StandingTimedRule[]
}

export type StandingTimedRule = Exclude<TimedRule, { kind: "recurring" }>

/** Clock changes of some time zones. Most runs with rules start shortly before one. */
const CLOCK_CHANGES = [
  ["Europe/Zurich", Date.UTC(2026, 2, 29, 1)],
  ["Europe/Zurich", Date.UTC(2026, 9, 25, 1)],
  ["America/New_York", Date.UTC(2026, 2, 8, 7)],
  ["America/New_York", Date.UTC(2026, 10, 1, 6)],
  // These changes are half an hour.
  ["Australia/Lord_Howe", Date.UTC(2026, 3, 4, 15)],
  ["Australia/Lord_Howe", Date.UTC(2026, 9, 3, 15, 30)],
] as const
const ORDINARY_MS = Date.UTC(2026, 2, 2, 8)
const MINUTE_MS = 60_000

/**
 * Dense enough that a run of some minutes meets occurrences; the sparse ones lie in the hours in
 * which clocks change.
 */
const SCHEDULES = [
  "*/5 * * * *",
  "*/7 1-3 * * *",
  "10,40 1,2 * * *",
  "30 2 * * *",
  "*/20 0-23 * * *",
  "45 1 * * *",
] as const
const EVERY_MINUTE = "* * * * *"

export function drawTreasury(random: Random): Treasury {
  if (random.chance(0.35))
    return { startMs: ORDINARY_MS, recurring: [], standing: drawStanding(random) }
  const [timezone, changeMs] = random.pick(CLOCK_CHANGES)
  const startMs = random.chance(0.8)
    ? changeMs - (1 + random.below(random.pick([5, 40]))) * MINUTE_MS
    : ORDINARY_MS
  const count = 1 + random.below(3)
  const recurring = Array.from({ length: count }, (_, index) =>
    drawRule(random, `rule-${index + 1}`, timezone),
  )
  return { startMs, recurring, standing: drawStanding(random) }
}

/**
 * Bounds close to the wallet's first balances, so that orders of all kinds push balances over them.
 */
function drawStanding(random: Random): StandingTimedRule[] {
  const everyMs = random.pick([20_000, MINUTE_MS, 5 * MINUTE_MS])
  const least = BigInt(random.below(4)) * 500n
  const band: StandingTimedRule = {
    id: "band",
    kind: "band",
    asset: WBTC,
    sources: [BTC, SNBTC],
    sinks: [BTC],
    minUnits: START_UNITS - 5_000n,
    targetUnits: START_UNITS,
    maxUnits: START_UNITS + 5_000n,
    everyMs,
    leastUnits: least,
    move: random.pick(["target", "edge"] as const),
  }
  const keepUnits = START_UNITS - 10_000n
  const sweep: StandingTimedRule = {
    id: "sweep",
    kind: "sweep",
    from: ETH,
    keepUnits,
    to: BTC,
    everyMs,
  }
  return [band, sweep].filter(() => random.chance(0.3))
}

function drawRule(random: Random, id: string, timezone: string): RecurringRule {
  const [from, to] = random.pick(ROUTES)
  const catchUp = random.pick(["skip", "once", "all"] as const)
  // `catch_up: all` with an occurrence every minute is slow and tests nothing more.
  const schedule = catchUp !== "all" && random.chance(0.3) ? EVERY_MINUTE : random.pick(SCHEDULES)
  const amount = random.chance(0.7)
    ? ({ kind: "units", units: BigInt(1_000 + random.below(10_000)) } as const)
    : ({ kind: "share", bps: BigInt(50 + random.below(200)) } as const)
  return {
    id,
    kind: "recurring",
    schedule,
    timezone: random.chance(0.8) ? timezone : "UTC",
    from,
    to,
    amount,
    catchUp,
  }
}
