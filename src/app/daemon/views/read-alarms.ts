import { readPause, ruleAlarmsFlag } from "#domain/pause.ts"
import { findClockAlarm } from "#engine/rules/limit-clock.ts"
import type { AlarmReading } from "#health/readings.ts"
import { WATCH_CODES } from "#health/watch-alarms.ts"
import { decodeJson } from "#lib/json.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { AlertRow, NoticeStore } from "#ports/journal/notices.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { PageQuery } from "#schema/requests.ts"
import { readWatchAlarms } from "../watch/watched.ts"
import { type Humanise, humaniseReason } from "./human-units.ts"

const MOST_READ = 200
const DAY_MS = 24 * 3_600_000

/**
 * The alarms of the journal, newest first, each with the end of its cause where that is known. An
 * alarm of an order lasts as long as the order, or until an operator acknowledges it. One without
 * an end of its own lasts for a day.
 */
export function readAlarms(
  journal: FlagStore & Ledger & NoticeStore & OrderStore,
  nowMs: number,
  humanise: Humanise,
): readonly AlarmReading[] {
  const alarms = [
    ...readOwnAlarms(journal),
    ...describeAlerts(journal, journal.listAlerts(MOST_READ), nowMs, humanise),
  ]
  return alarms.toSorted((a, b) => b.atMs - a.atMs)
}

/** The alarms of the watches, which know the end of their causes. */
function readOwnAlarms(journal: FlagStore): readonly AlarmReading[] {
  return readWatchAlarms(journal).map(({ reason, atMs, closedMs }) => ({
    atMs,
    order: null,
    reason,
    closedMs,
  }))
}

function describeAlerts(
  journal: FlagStore & Ledger & OrderStore,
  rows: readonly AlertRow[],
  nowMs: number,
  humanise: Humanise,
): readonly AlarmReading[] {
  const watch = readWatchAlarms(journal)
  return rows
    .filter(
      ({ reason, atMs }) =>
        !(WATCH_CODES.includes(reason.code) && watch.some((one) => one.atMs === atMs)),
    )
    .map((row) => {
      const order = row.orderId === null ? null : journal.findOrder(row.orderId)
      const reason = humaniseReason(humanise, row.reason, order)
      return { atMs: row.atMs, order: row.orderId, reason, closedMs: endOf(journal, row, nowMs) }
    })
}

/**
 * A page of the alarms; `null` for a cursor that no page has given. A cursor is the number of the
 * journal's alerts behind the page, because new ones come in front.
 */
export function readAlarmPage(
  journal: FlagStore & Ledger & NoticeStore & OrderStore,
  nowMs: number,
  humanise: Humanise,
  { limit, cursor }: PageQuery,
): Pick<AnswerOf<"Alerts">, "alerts" | "next"> | null {
  const count = journal.countAlerts()
  const rest = cursor === undefined ? count : parseCount(cursor)
  if (rest === null || rest > count) return null
  const rows = journal.listAlerts(count - rest + limit).slice(count - rest)
  const own = cursor === undefined ? readOwnAlarms(journal) : []
  const alarms = [...own, ...describeAlerts(journal, rows, nowMs, humanise)]
  const behind = rest - rows.length
  return {
    alerts: alarms.toSorted((a, b) => b.atMs - a.atMs).map(viewAlarm),
    next: behind > 0 ? String(behind) : null,
  }
}

function parseCount(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Times are ISO 8601. */
export function viewAlarm({
  atMs,
  order,
  reason,
  closedMs,
}: AlarmReading): AnswerOf<"Alerts">["alerts"][number] {
  const closed = closedMs === null ? null : new Date(closedMs).toISOString()
  return { at: new Date(atMs).toISOString(), order, reason, closed }
}

/** `null` while the cause lasts. */
function endOf(
  journal: FlagStore & Ledger & OrderStore,
  { atMs, orderId, reason }: AlertRow,
  nowMs: number,
): number | null {
  const { code } = reason
  if (WATCH_CODES.includes(code)) return atMs
  if (isUnacknowledged(journal, code, orderId)) return null
  if (orderId !== null) {
    const order = journal.findOrder(orderId)
    return order === null || order.outcome === null ? null : order.updatedAtMs
  }
  if (code === "clock.jump") return findClockAlarm(journal, nowMs) === null ? atMs : null
  if (code === "books.difference") return isDifferent(journal, reason["asset"] ?? "") ? null : atMs
  const flag =
    code === "prices.peg_broken" ? "pegs/alarmed" : `agreement/${reason["chain"] ?? ""}/alarmed`
  const isWatched = code.startsWith("chain.") || reason["watch"] === "agreement"
  if (code === "prices.peg_broken" || isWatched) return isListed(journal, flag, code) ? null : atMs
  return nowMs - atMs < DAY_MS ? null : atMs + DAY_MS
}

function isUnacknowledged(
  journal: FlagStore & OrderStore,
  code: string,
  order: string | null,
): boolean {
  const rules = order === null ? [] : [journal.findOrder(order)?.rule ?? ""]
  const paused = readPause(journal)?.alarms ?? []
  const held = rules.some((rule) =>
    (journal.readFlag(ruleAlarmsFlag(rule)) ?? "").includes(`"${code}"`),
  )
  return held || paused.some((alarm) => alarm.code === code && alarm.order === order)
}

function isDifferent(journal: Ledger, asset: string): boolean {
  return journal
    .listReconciliations()
    .some((row) => row.asset === asset && row.state === "difference")
}

function isListed(journal: FlagStore, flag: string, code: string): boolean {
  const text = journal.readFlag(flag)
  if (text === null) return false
  // CAST: the watches of the engine wrote a list of texts.
  return code === "prices.peg_broken" || (decodeJson(text) as readonly string[]).includes(code)
}
