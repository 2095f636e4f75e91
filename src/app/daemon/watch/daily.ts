import { line } from "#alerts/format-text.ts"
import type { AlertsConfig, NoteText } from "#alerts/port.ts"
import type { Config } from "#config/config.ts"
import type { Reason } from "#domain/reason.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import { readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import type { Problem } from "#health/problem.ts"
import { listOccurrences } from "#policy/schedule/list-occurrences.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { formatSince } from "../money/format-since.ts"
import { readSummary } from "../money/read-summary.ts"
import { listNewDecisions } from "./list-changes.ts"

/** What happened since a time, and the problems that wait for a person now. */
export type Daily = {
  readonly summary: AnswerOf<"Summary">
  /** The decisions against an order, by their first reason, the most frequent one first. */
  readonly refusals: readonly { readonly code: string; readonly times: number }[]
  readonly waiting: readonly string[]
}

/** The newest time of the daily message after `lastMs`; `null` while it is not due. */
export function findDailyMs(
  { at, timezone }: AlertsConfig["daily"],
  lastMs: number,
  nowMs: number,
): number | null {
  const [hour, minute] = at.split(":").map(Number)
  let dueMs: number | null = null
  const daily = { schedule: `${minute} ${hour} * * *`, timezone }
  for (const atMs of listOccurrences(daily, Math.max(lastMs, nowMs - WEEK_MS))) {
    if (atMs > nowMs) return dueMs
    dueMs = atMs
  }
  return dueMs
}

const WEEK_MS = 7 * 24 * 3_600_000

export function readDaily(
  sources: { readonly journal: Journal; readonly config: Config; readonly nowMs: number },
  problems: readonly Problem[],
  sinceMs: number,
): Daily {
  const counts = new Map<string, number>()
  for (const { verdict, body } of listNewDecisions(sources.journal, sinceMs)) {
    const [reason] = verdict === "declined" ? listReasons(body) : []
    if (reason !== undefined) counts.set(reason.code, (counts.get(reason.code) ?? 0) + 1)
  }
  const refusals = [...counts].map(([code, times]) => ({ code, times }))
  return {
    summary: runAtOnce(readSummary(sources, new Date(sinceMs).toISOString())),
    refusals: refusals.toSorted((a, b) => b.times - a.times),
    waiting: problems
      .filter(({ needsPerson, level }) => needsPerson || level === "trouble")
      .map(({ sentence }) => sentence),
  }
}

function listReasons(body: string): readonly Reason[] {
  const read = readDecisionBody(body)
  return read === null ? [] : reasonsIn(read)
}

/** With title, first sentence and command a chat gets 20 lines. */
const MOST_LINES = 16
const MOST_REFUSALS = 3

/** Pure. */
export function describeDaily({ summary, refusals, waiting }: Daily): NoteText {
  const { orders, volumeFiat } = summary.swaps
  const sentence =
    waiting.length > 0
      ? `${waiting.length} ${waiting.length === 1 ? "thing waits" : "things wait"} for a person`
      : "all is well"
  const refused = refusals.slice(0, MOST_REFUSALS).map(({ code, times }) => `${times} ${code}`)
  const told = [
    ...formatSince(summary).map((one) => one.trim()),
    ...(summary.inFlight.orders > 0 ? [`in flight ${summary.inFlight.orders} orders`] : []),
    ...(refused.length > 0 ? [`refused ${refused.join(", ")}`] : []),
    ...waiting.map((one) => `waits   ${one}`),
  ]
  const lines =
    told.length <= MOST_LINES
      ? told
      : [...told.slice(0, MOST_LINES - 1), `and ${told.length - MOST_LINES + 1} more lines`]
  return {
    sentence: line(`Last night: ${orders} orders, ${volumeFiat} usd; ${sentence}`),
    lines: lines.map(line),
    command: waiting.length > 0 ? "ballast status" : null,
    link: null,
  }
}
