import type { OpenOrdersReader } from "../read-open-orders.ts"
import type { All, One, Row, Run } from "../row.ts"

/** The database's statements. `transact` is one step: all of it is written, or nothing. */
export type Access = {
  readonly run: Run
  readonly all: All
  /** As `all`, row by row. */
  readonly each: (...query: Parameters<All>) => Iterable<Row>
  readonly one: One
  readonly transact: (body: () => void) => void
  /** As `transact`, for a record that the next try repeats: a kill after it would test nothing. */
  readonly note: (body: () => void) => void
  readonly memory: OpenOrdersReader
  readonly eventIds: EventIds
}

/**
 * The highest number that an event ever had in this process; its work has the same number. A group
 * that is undone gives its numbers back to the database, and a late result of undone work would
 * count as the result of the work that got its number.
 */
type EventIds = { last: number }
