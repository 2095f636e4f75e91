import type { Config } from "#config/config.ts"
import type { Clock } from "#lib/clock.ts"
import type { Operations } from "#ops/operations.ts"
import type { Journal } from "#ports/journal.ts"
import { createHumaniser } from "./human-units.ts"
import { readAlarms, viewAlarm } from "./read-alarms.ts"
import { type BooksView, readBooks } from "./view-books.ts"
import { viewSettings } from "./view-settings.ts"

export type DeskViews = Pick<Operations, "alerts" | "books" | "settings">

/**
 * The books change slowly and are long, so several readers share one computation. It takes at most
 * a twentieth of the daemon's time.
 */
const BOOKS_LIFE_MS = 20_000
const BOOKS_REST = 20

/** The parts of the dashboard that come from the journal and the configuration alone. */
export function createDeskViews(sources: {
  readonly journal: Journal
  readonly clock: Clock
  readonly config: () => Config
}): DeskViews {
  const { journal, clock, config } = sources
  let known: { readonly atMs: number; readonly lifeMs: number; readonly books: BooksView } | null =
    null
  return {
    alerts: (limit) =>
      readAlarms(journal, clock.now(), createHumaniser(config())).slice(0, limit).map(viewAlarm),
    books: () => {
      const nowMs = clock.now()
      const isFresh = known !== null && nowMs >= known.atMs && nowMs - known.atMs < known.lifeMs
      if (known !== null && isFresh) return known.books
      const books = readBooks(journal, config(), nowMs)
      const tookMs = clock.now() - nowMs
      known = { atMs: nowMs, lifeMs: Math.max(BOOKS_LIFE_MS, BOOKS_REST * tookMs), books }
      return known.books
    },
    settings: () => viewSettings(config()),
  }
}
