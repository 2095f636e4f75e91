import type { SQLInputValue, SQLOutputValue } from "node:sqlite"
import { AppError } from "#lib/app-error.ts"

export type Row = Record<string, SQLOutputValue>
export type Run = (sql: string, ...values: SQLInputValue[]) => number
export type One = (sql: string, ...values: SQLInputValue[]) => Row | undefined
export type All = (sql: string, ...values: SQLInputValue[]) => Row[]

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
