import { type AssetId, chainOf } from "#domain/asset.ts"
import { cooldownUntil, type Failures } from "#guards/cooldown.ts"
import type { LimitUsage } from "#guards/limits.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"
import type { EngineSettings } from "../context.ts"
import type { EngineMemory } from "../memory.ts"
import { readLimitTime } from "./limit-clock.ts"

const RULE_COOLDOWN_MS = 60_000
/**
 * A cool-down grows to at most this multiple of its base, unless the configuration sets another
 * maximum.
 */
const COOLDOWN_GROWTH = 16

/** The parts of the context that counting needs. A backtest counts its own orders the same way. */
export type CountingContext = {
  readonly journal: Pick<Journal, "sumWindow" | "countInFlight" | "readFailures" | "readFlag">
  readonly settings: Pick<EngineSettings, "limits" | "cooldownMs" | "cooldownMaxMs">
  readonly clock: Pick<Clock, "now">
  readonly memory: Pick<EngineMemory, "earlyFailures">
}

type UsageQuery = {
  readonly from: AssetId
  readonly to: AssetId
  readonly rule: string
  /** The other rule that the order serves. */
  readonly secondRule?: string | null
  /** An order that is judged again does not count against itself. */
  readonly exceptOrder: string | null
}

/**
 * Counts orders in flight and past sales now. Synchronous, so that no write can come between
 * counting and writing.
 */
export function readUsage(context: CountingContext, query: UsageQuery): LimitUsage {
  const { journal, settings, clock } = context
  const { from, to, rule, secondRule = null, exceptOrder } = query
  const nowMs = readLimitTime(journal, clock.now())
  const own = exceptOrder === null ? 0 : 1
  const windows = settings.limits.windows.map(({ perMs }) =>
    journal.sumWindow(perMs === null ? -1 : nowMs - perMs, from, exceptOrder),
  )
  const chains = [...new Set([chainOf(from), chainOf(to)])]
  return {
    inFlight: journal.countInFlight() - own,
    inFlightOf: {
      rule: journal.countInFlight({ rule }) - own,
      ...(secondRule === null
        ? {}
        : {
            secondRule: {
              rule: secondRule,
              count: journal.countInFlight({ rule: secondRule }) - own,
            },
          }),
      pair: journal.countInFlight({ from, to }) - own,
      chains: chains.map((chain) => ({ chain, count: journal.countInFlight({ chain }) - own })),
    },
    cooldownUntilMs: readCooldown(context, query),
    windows,
  }
}

/**
 * The pair and the rules cool down after failures; a rule's failures count for all its pairs.
 * Requests by hand belong to no rule.
 */
function readCooldown(
  { journal, settings, clock, memory }: CountingContext,
  { from, to, rule, secondRule = null }: Pick<UsageQuery, "from" | "to" | "rule" | "secondRule">,
): number | null {
  const manual = rule === "manual"
  const baseMs = settings.cooldownMs ?? (manual ? 0 : RULE_COOLDOWN_MS)
  const longestMs = settings.cooldownMaxMs ?? baseMs * COOLDOWN_GROWTH
  const rules = [...(manual ? [] : [rule]), ...(secondRule === null ? [] : [secondRule])]
  const failures = [{ from, to }, ...rules.map((one) => ({ rule: one }))].map((scope) =>
    notLaterThan(clock.now(), memory.earlyFailures, encodeJson(scope), journal.readFailures(scope)),
  )
  const untils = failures
    .map((one) => cooldownUntil(one, baseMs, longestMs))
    .filter((until) => until !== null)
  return untils.length === 0 ? null : Math.max(...untils)
}

/**
 * A failure whose time is still to come was written while the clock was ahead, and its wait would
 * last as long as the clock was ahead. It counts from the moment at which this process first sees
 * it.
 */
function notLaterThan(
  nowMs: number,
  seen: EngineMemory["earlyFailures"],
  scope: string,
  failures: Failures,
): Failures {
  const { count, lastMs } = failures
  if (lastMs === null || lastMs <= nowMs) return failures
  if (seen.size > MOST_EARLY) seen.clear()
  const key = `${scope} ${count} ${lastMs}`
  const sinceMs = Math.min(seen.get(key) ?? nowMs, nowMs)
  seen.set(key, sinceMs)
  return { count, lastMs: sinceMs }
}

const MOST_EARLY = 1_000
