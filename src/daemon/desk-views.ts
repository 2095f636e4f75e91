import type { Config } from "#config/config.ts"
import type { Journal } from "#journal/port.ts"
import type { Clock } from "#lib/clock.ts"
import type { Operations } from "#ops/operations.ts"
import { createHumaniser } from "./human-units.ts"
import { readAlarms } from "./read-alarms.ts"
import { type BooksView, readBooks } from "./view-books.ts"
import { viewSettings } from "./view-settings.ts"

export type DeskViews = Pick<Operations, "alerts" | "books" | "settings">

/** The books change slowly and are long, so several readers share one computation. */
const BOOKS_LIFE_MS = 20_000

/** The parts of the dashboard that come from the journal and the configuration alone. */
export function createDeskViews(sources: {
  readonly journal: Journal
  readonly clock: Clock
  readonly config: () => Config
}): DeskViews {
  const { journal, clock, config } = sources
  let known: { readonly atMs: number; readonly books: BooksView } | null = null
  return {
    alerts: (limit) =>
      readAlarms(journal, clock.now(), createHumaniser(config()))
        .slice(0, limit)
        .map(({ atMs, order, reason, closedMs }) => ({
          ...{ at: new Date(atMs).toISOString(), order, reason },
          closed: closedMs === null ? null : new Date(closedMs).toISOString(),
        })),
    books: () => {
      const nowMs = clock.now()
      const isFresh = known !== null && nowMs >= known.atMs && nowMs - known.atMs < BOOKS_LIFE_MS
      if (known === null || !isFresh) known = { atMs: nowMs, books: readBooks(journal, config(), nowMs) }
      return known.books
    },
    settings: () => viewSettings(config()),
  }
}
