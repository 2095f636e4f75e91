import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { encodePause, type PauseAlarm, ruleAlarmsFlag } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { CIRCULATION_MS, isCirculationDear, measureCirculation } from "#policy/circulation.ts"
import { findChurn, type Trade } from "#policy/find-churn.ts"
import { everyMsOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import { listOccurrences } from "#policy/schedule/list-occurrences.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type {
  Clocked,
  Configured,
  EngineSettings,
  HasChains,
  HasJournal,
  Logged,
} from "../context.ts"

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

/** Money that went round in a circle: assets, rules and fees, and how it was found. */
type Round = {
  readonly assets: readonly AssetId[]
  readonly rules: readonly string[]
  readonly feesFiat: bigint
  readonly windowMs: number
  readonly found:
    | { readonly times: number }
    | { readonly volumeFiat: bigint; readonly treasuryFiat: bigint }
}

/**
 * Looks for rules that undo each other's work at a loss, and pauses them with an alarm. With
 * `guards.on_alarm: continue` there is only the alarm. An operator acknowledges it:
 * `ballast resume --rule NAME --acknowledge churn-NAME`.
 */
export function watchChurn(
  context: ChurnContext,
  listOrders: (sinceMs: number) => readonly RuleOrder[],
  readTreasury: () => bigint | null,
): void {
  const { journal, clock, log } = context
  const nowMs = clock.now()
  const round =
    findAnyChurn(context, nowMs, listOrders) ??
    findCirculation(
      listKept(context, nowMs, { windowMs: CIRCULATION_MS, listOrders }),
      readTreasury,
    )
  if (round === null) return
  const reason = reasonOf(round)
  log.error({ reason }, "Rules undo each other's work")
  for (const rule of round.rules) {
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
): Round | null {
  const day = listTrades(context, nowMs, { windowMs: WINDOW_MS, listOrders })
  const churn = findChurn(day, MOST_TIMES)
  if (churn !== null) return { ...churn, windowMs: WINDOW_MS, found: churn }
  const newest = day
    .filter(({ createdAtMs }) => createdAtMs >= nowMs - JUST_NOW_MS)
    .map(({ rule }) => windowOf(context, rule, nowMs))
  for (const windowMs of [...new Set(newest)]
    .filter((ms) => ms > WINDOW_MS)
    .sort((a, b) => a - b)) {
    const slow = findChurn(listTrades(context, nowMs, { windowMs, listOrders }), MOST_TIMES)
    if (slow?.rules.some((rule) => windowOf(context, rule, nowMs) >= windowMs))
      return { ...slow, windowMs, found: slow }
  }
  return null
}

const JUST_NOW_MS = 60_000

/**
 * Money that goes round more slowly, or only in part: its fees alone count. The treasury is worth
 * at least the largest of these orders.
 */
function findCirculation(
  trades: readonly RuleOrder[],
  readTreasury: () => bigint | null,
): Round | null {
  const walletsFiat = readTreasury()
  if (walletsFiat === null) return null
  const treasuryFiat = trades.reduce(
    (most, { sourceFiat }) => (sourceFiat != null && sourceFiat > most ? sourceFiat : most),
    walletsFiat + underWayOf(trades),
  )
  // To whom an order pays is in its snapshot, so few are asked.
  if (!isCirculationDear(measureCirculation(trades), treasuryFiat)) return null
  const circulation = measureCirculation(trades.filter(({ isOurs }) => isOurs()))
  if (!isCirculationDear(circulation, treasuryFiat)) return null
  const { volumeFiat } = circulation
  return { ...circulation, windowMs: CIRCULATION_MS, found: { volumeFiat, treasuryFiat } }
}

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

function underWayOf(trades: readonly RuleOrder[]): bigint {
  const open = trades.filter(({ outcome }) => outcome === null)
  return open.reduce((sum, { sourceFiat }) => sum + (sourceFiat ?? 0n), 0n)
}

/**
 * The latest readings of the wallets, at the latest prices. What is unknown is left out; `null`
 * before the first of both.
 */
export function readWalletsFiat({
  journal,
  settings,
  clock,
}: HasJournal<Ledger> & Configured & Clocked): bigint | null {
  const nowMs = clock.now()
  const latest = (series: string): bigint | null =>
    journal.listSamples(series, nowMs).findLast(({ value }) => value !== null)?.value ?? null
  const values = [...settings.assets.values()].flatMap(({ id, decimals }) => {
    const units = latest(`balance/${id}`)
    const price = latest(`price/${id}`)
    return units === null || price === null ? [] : [(units * price) / 10n ** BigInt(decimals)]
  })
  return values.length === 0 ? null : values.reduce((sum, fiat) => sum + fiat, 0n)
}

/** The orders of the daemon's journal that changed since then. */
export function listRuleOrders(
  { journal, chains }: HasJournal<OrderStore> & HasChains,
  sinceMs: number,
): RuleOrder[] {
  return journal
    .listChangedSince(sinceMs)
    .map(({ rule, secondRule = null, snapshot, ...order }) => {
      const isOurs = (): boolean => {
        const owner = decodeOrNull(snapshot)?.data.request.destinationOwner
        const chain = chains.get(chainOf(order.to))
        return owner !== undefined && chain?.sameAddress(owner, chain.account) === true
      }
      const { from, to, sourceFiat, feeFiat, createdAtMs, outcome } = order
      return { rule, secondRule, from, to, sourceFiat, feeFiat, createdAtMs, outcome, isOurs }
    })
}

/**
 * The orders of rules between our own wallets within the window, oldest first, without those of a
 * circle that has its alarm.
 */
function listTrades(context: ChurnContext, nowMs: number, span: Span): RuleOrder[] {
  return listKept(context, nowMs, span)
    .filter(({ isOurs }) => isOurs())
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
}

type Span = {
  readonly windowMs: number
  readonly listOrders: (sinceMs: number) => readonly RuleOrder[]
}

function listKept(
  { journal }: ChurnContext,
  nowMs: number,
  { windowMs, listOrders }: Span,
): RuleOrder[] {
  const sinceMs = nowMs - windowMs
  const orders = listOrders(sinceMs)
  // Two weeks have many orders of few rules.
  const alarmedMs = new Map(
    [...new Set(orders.map(({ rule }) => rule))].map((rule) => [
      rule,
      Number(journal.readFlag(sinceFlag(rule)) ?? 0),
    ]),
  )
  return orders.filter(({ createdAtMs, outcome, rule }) => {
    const afterMs = Math.max(sinceMs, alarmedMs.get(rule) ?? 0)
    const isKept = outcome === null || outcome === "completed"
    return isKept && rule !== "manual" && createdAtMs > afterMs
  })
}

function reasonOf({ assets, rules, feesFiat, windowMs, found }: Round): Reason {
  const circle = [...assets, assets[0]].join(" → ")
  const names = rules.join(", ")
  const fees = fiatText(feesFiat)
  const days = Math.round(windowMs / WINDOW_MS)
  const span = days === 1 ? "a day" : `${days} days`
  const named = { code: "alarm.churn", circle, rules: names, fees }
  if ("volumeFiat" in found) {
    const volume = fiatText(found.volumeFiat)
    const treasury = fiatText(found.treasuryFiat)
    const message =
      `${names} sold the same money round in circles (${circle}): ${volume} within ${span}, at a ` +
      `loss of ${fees} of a treasury of ${treasury}`
    return { ...named, message, volume, treasury }
  }
  const { times } = found
  const message =
    `${names} sold the same money round in a circle ${times} times within ${span} (${circle}), ` +
    `at a loss of ${fees}`
  return { ...named, message, times: String(times) }
}

function fiatText(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}

function sinceFlag(rule: string): string {
  return `churn/since/${rule}`
}
