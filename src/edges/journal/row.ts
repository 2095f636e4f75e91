import type { SQLInputValue, SQLOutputValue } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"

export type Row = Record<string, SQLOutputValue>
export type Run = (sql: string, ...values: SQLInputValue[]) => number
export type One = (sql: string, ...values: SQLInputValue[]) => Row | undefined
export type All = (sql: string, ...values: SQLInputValue[]) => Row[]

/**
 * Inserts a row, whose keys are the columns, so that no value can get into another one's column.
 * `onConflict`: the clause for a row that is already there.
 */
export function insertRow(
  run: Run,
  table: string,
  row: Readonly<Record<string, SQLInputValue>>,
  onConflict = "",
): void {
  const columns = Object.keys(row)
  const places = columns.map(() => "?").join(", ")
  const insert = `insert into ${table} (${columns.join(", ")}) values (${places})`
  run(onConflict === "" ? insert : `${insert} ${onConflict}`, ...Object.values(row))
}

export function mapOne<T>(row: Row | undefined, map: (row: Row) => T): T | null {
  return row === undefined ? null : map(row)
}

export function toText(value: SQLOutputValue | undefined): string {
  if (typeof value === "string") return value
  throw new AppError({
    code: "journal.damaged",
    disposition: "hold",
    message: "A journal row was changed or damaged after Ballast wrote it",
  })
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  return value == null ? null : toText(value)
}
