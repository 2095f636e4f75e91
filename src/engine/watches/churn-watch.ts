import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { chainOf } from "#domain/asset.ts"
import { encodePause, type PauseAlarm, ruleAlarmsFlag } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { type Churn, findChurn, type Trade } from "#policy/find-churn.ts"
import { everyMsOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import { listOccurrences } from "#policy/schedule/list-occurrences.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { EngineSettings, HasChains, HasJournal, Logged } from "../context.ts"

/** The time in which rules may not sell the same money round in a circle this often. */
const WINDOW_MS = 24 * 60 * 60_000
const MOST_TIMES = 3
/**
 * A rule with a long interval needs longer for its rounds: two evaluations each, and one more
 * before the first.
 */
const WINDOW_TICKS = 2 * MOST_TIMES + 1
/** A rule with a schedule needs the time of its rounds, and of one more before the first. */
const WINDOW_OCCURRENCES = MOST_TIMES + 1
const LONGEST_WINDOW_MS = 130 * WINDOW_MS

/**
 * An order of a rule, as the journal lists it. `isOurs`: whether it pays our own wallet; only
 * orders that count are asked.
 */
export type RuleOrder = Trade & {
  readonly createdAtMs: number
  readonly outcome: string | null
  readonly isOurs: () => boolean
}

/** The parts of the context that the watch needs. A backtest watches its own orders. */
export type ChurnContext = {
  readonly journal: Pick<Journal, "readFlag" | "writeFlag" | "raiseAlert">
  readonly settings: Pick<EngineSettings, "onAlarm"> & Partial<Pick<EngineSettings, "rules">>
  readonly clock: Pick<Clock, "now">
  readonly log: Pick<Logged["log"], "error">
}

/**
 * Looks for rules that undo each other's work at a loss, and pauses them with an alarm. With
 * `guards.on_alarm: continue` there is only the alarm. An operator acknowledges it:
 * `ballast resume --rule NAME --acknowledge churn-NAME`.
 */
export function watchChurn(
  context: ChurnContext,
  listOrders: (sinceMs: number) => readonly RuleOrder[],
): void {
  const { journal, clock, log } = context
  const nowMs = clock.now()
  const found = findAnyChurn(context, nowMs, listOrders)
  if (found === null) return
  const { churn } = found
  const reason = reasonOf(churn, found.windowMs)
  log.error({ reason }, "Rules undo each other's work")
  for (const rule of churn.rules) {
    // Orders from before the alarm do not count again.
    journal.writeFlag(sinceFlag(rule), String(nowMs))
    if (context.settings.onAlarm === "continue") continue
    const { code, message } = reason
    const alarm: PauseAlarm = {
      id: `churn-${rule}`,
      code,
      order: null,
      message,
      at: new Date(nowMs).toISOString(),
    }
    journal.writeFlag(ruleAlarmsFlag(rule), encodeJson([alarm]))
    journal.writeFlag(`pause/rule/${rule}`, encodePause({ by: "alarm", reason: message }, nowMs))
  }
  journal.raiseAlert(nowMs, reason)
}

/**
 * The circle of the last day, or of the longer window of a slow rule that has just placed an order.
 */
function findAnyChurn(
  context: ChurnContext,
  nowMs: number,
  listOrders: (sinceMs: number) => readonly RuleOrder[],
): { readonly churn: Churn; readonly windowMs: number } | null {
  const day = listTrades(context, nowMs, { windowMs: WINDOW_MS, listOrders })
  const churn = findChurn(day, MOST_TIMES)
  if (churn !== null) return { churn, windowMs: WINDOW_MS }
  const newest = day
    .filter(({ createdAtMs }) => createdAtMs >= nowMs - JUST_NOW_MS)
    .map(({ rule }) => windowOf(context, rule, nowMs))
  for (const windowMs of [...new Set(newest)]
    .filter((ms) => ms > WINDOW_MS)
    .sort((a, b) => a - b)) {
    const slow = findChurn(listTrades(context, nowMs, { windowMs, listOrders }), MOST_TIMES)
    if (slow?.rules.some((rule) => windowOf(context, rule, nowMs) >= windowMs))
      return { churn: slow, windowMs }
  }
  return null
}

const JUST_NOW_MS = 60_000

function windowOf({ settings: { rules = [] } }: ChurnContext, id: string, nowMs: number): number {
  const rule = rules.find((one) => one.id === id)
  const roundsMs = rule === undefined ? 0 : roundsMsOf(rule, nowMs)
  return Math.max(WINDOW_MS, Math.min(LONGEST_WINDOW_MS, roundsMs))
}

function roundsMsOf(rule: TimedRule, nowMs: number): number {
  const schedule = scheduleOf(rule)
  if (schedule === null) return WINDOW_TICKS * (everyMsOf(rule) ?? 0)
  let count = 0
  for (const atMs of listOccurrences(schedule, nowMs)) {
    count += 1
    if (count === WINDOW_OCCURRENCES) return atMs - nowMs
  }
  return 0
}

/** The orders of the daemon's journal that changed since then. */
export function listRuleOrders(
  { journal, chains }: HasJournal<OrderStore> & HasChains,
  sinceMs: number,
): RuleOrder[] {
  return journal
    .listChangedSince(sinceMs)
    .map(({ rule, secondRule = null, from, to, feeFiat, createdAtMs, outcome, snapshot }) => {
      const isOurs = (): boolean => {
        const owner = decodeOrNull(snapshot)?.data.request.destinationOwner
        const chain = chains.get(chainOf(to))
        return owner !== undefined && chain?.sameAddress(owner, chain.account) === true
      }
      return { rule, secondRule, from, to, feeFiat, createdAtMs, outcome, isOurs }
    })
}

/**
 * The orders of rules between our own wallets within the window, oldest first, without those of a
 * circle that has its alarm.
 */
function listTrades(
  { journal }: Pick<ChurnContext, "journal">,
  nowMs: number,
  {
    windowMs,
    listOrders,
  }: { readonly windowMs: number; readonly listOrders: (sinceMs: number) => readonly RuleOrder[] },
): RuleOrder[] {
  const sinceMs = nowMs - windowMs
  return listOrders(sinceMs)
    .filter(({ createdAtMs, outcome, rule }) => {
      const afterMs = Math.max(sinceMs, Number(journal.readFlag(sinceFlag(rule)) ?? 0))
      const isKept = outcome === null || outcome === "completed"
      return isKept && rule !== "manual" && createdAtMs > afterMs
    })
    .filter(({ isOurs }) => isOurs())
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
}

function reasonOf({ assets, rules, times, feesFiat }: Churn, windowMs: number): Reason {
  const circle = [...assets, assets[0]].join(" → ")
  const names = rules.join(", ")
  const fees = formatUnits(feesFiat, FIAT_DECIMALS)
  const days = Math.round(windowMs / WINDOW_MS)
  const span = days === 1 ? "a day" : `${days} days`
  const message =
    `${names} sold the same money round in a circle ${times} times within ${span} (${circle}), ` +
    `at a loss of ${fees}`
  return { code: "alarm.churn", message, circle, rules: names, times: String(times), fees }
}

function sinceFlag(rule: string): string {
  return `churn/since/${rule}`
}
