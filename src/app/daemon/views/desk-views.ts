import type { Config } from "#config/config.ts"
import { runAtOnce, runSteps } from "#engine/rules/decide/steps.ts"
import type { Clock } from "#lib/clock.ts"
import type { Operations } from "#ops/operations.ts"
import type { Journal } from "#ports/journal.ts"
import type { Turn } from "../money/journal-parts.ts"
import { readFlows } from "../money/read-flows.ts"
import { readSeries } from "../money/read-series.ts"
import { readSummary } from "../money/read-summary.ts"
import { readTotal } from "../money/read-total.ts"
import { createHumaniser } from "./human-units.ts"
import { readAlarmPage } from "./read-alarms.ts"
import { readBooks } from "./view-books.ts"
import { viewSettings } from "./view-settings.ts"

export type DeskViews = Pick<
  Operations,
  "alerts" | "books" | "settings" | "summary" | "series" | "flows"
>

const BOOKS_LIFE_MS = 20_000
const SUMMARY_LIFE_MS = 3_000

/** The parts of the dashboard that come from the journal and the configuration alone. */
export function createDeskViews(sources: {
  readonly journal: Journal
  readonly clock: Clock
  readonly config: () => Config
  /** Absent where the journal is open for a moment only. */
  readonly turn?: Turn
}): DeskViews {
  const { journal, clock, config, turn } = sources
  const run = turn === undefined ? runAtOnce : runSteps
  const sourcesAt = (nowMs: number) => ({ journal, config: config(), nowMs, turn })
  const shareBooks = shareAnswer<ReturnType<DeskViews["books"]>>(clock, BOOKS_LIFE_MS)
  const shareSummary = shareAnswer<ReturnType<DeskViews["summary"]>>(clock, SUMMARY_LIFE_MS)
  const shareFlows = shareAnswer<ReturnType<DeskViews["flows"]>>(clock, BOOKS_LIFE_MS)
  return {
    alerts: (query) => readAlarmPage(journal, clock.now(), createHumaniser(config()), query),
    books: () => shareBooks("", (nowMs) => run(readBooks(sourcesAt(nowMs)))),
    settings: () => viewSettings(config()),
    summary: (since) =>
      shareSummary(since ?? "", (nowMs) => run(readSummary(sourcesAt(nowMs), since))),
    flows: (since) => shareFlows(since ?? "", (nowMs) => run(readFlows(sourcesAt(nowMs), since))),
    series: (asset, since) => {
      const sources = { journal, config: config(), nowMs: clock.now() }
      return asset === "total" ? readTotal(sources, since) : readSeries(sources, asset, since)
    },
  }
}

/** A shared computation takes at most a twentieth of the daemon's time. */
const REST = 20

const MOST_SHARED = 8

/**
 * Some answers change slowly and are long, so several readers of the same one share a computation.
 */
function shareAnswer<Value>(
  clock: Clock,
  lifeMs: number,
): (key: string, read: (nowMs: number) => Value) => Value {
  type Known = { readonly atMs: number; untilMs: number; readonly value: Value }
  const known = new Map<string, Known>()
  return (key, read) => {
    const nowMs = clock.now()
    const found = known.get(key)
    if (found !== undefined && nowMs >= found.atMs && nowMs < found.untilMs) return found.value
    const value = read(nowMs)
    const untilMs = (): number => nowMs + Math.max(lifeMs, REST * (clock.now() - nowMs))
    const answer: Known = { atMs: nowMs, untilMs: untilMs(), value }
    if (value instanceof Promise)
      value.then(
        () => {
          answer.untilMs = untilMs()
        },
        () => known.delete(key),
      )
    known.delete(key)
    for (const oldest of [...known.keys()].slice(0, known.size - MOST_SHARED + 1))
      known.delete(oldest)
    known.set(key, answer)
    return value
  }
}
