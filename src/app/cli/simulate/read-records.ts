import type { RecordedFlow, RecordedQuote } from "#backtest/world/scenario.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, parseUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * Recorded flows: `time,asset,amount`. `time` is ISO 8601 with its zone; `amount` is in the asset's
 * own unit, and negative for an outflow.
 *
 * Throws `simulate.record` (fatal) with every bad line, by its number.
 */
export function parseFlows(text: string, file: string, configs: readonly Config[]): RecordedFlow[] {
  return parseRows(text, file, ["time", "asset", "amount"], (cell) => {
    const asset = toAsset(cell("asset"), configs)
    return {
      atMs: toTime(cell("time")),
      asset: asset.id,
      units: toSigned(cell("amount"), asset.decimals),
    }
  })
}

/**
 * Recorded quotes: `time,from,to,fixed_fiat,bps,from_price,to_price`. Each holds from its time on.
 * Prices are fiat for one whole unit and may be empty.
 */
export function parseQuotes(
  text: string,
  file: string,
  configs: readonly Config[],
): RecordedQuote[] {
  return parseRows(
    text,
    file,
    ["time", "from", "to", "fixed_fiat", "bps", "from_price", "to_price"],
    (cell) => ({
      atMs: toTime(cell("time")),
      from: toAsset(cell("from"), configs).id,
      to: toAsset(cell("to"), configs).id,
      fixedFiat: toFiat(cell("fixed_fiat"), "fixed_fiat"),
      bps: toBps(cell("bps")),
      fromPriceFiat: toPrice(cell("from_price"), "from_price"),
      toPriceFiat: toPrice(cell("to_price"), "to_price"),
    }),
  )
}

type Row<T> = (cell: (name: string) => string) => T

/**
 * Columns may be in any order, and unknown columns are ignored. Returns the rows sorted by time.
 */
function parseRows<T extends { readonly atMs: number }>(
  text: string,
  file: string,
  columns: readonly string[],
  toRow: Row<T>,
): T[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/)
  const head = (lines[0] ?? "").split(",").map((name) => name.trim())
  const missing = columns.filter((name) => !head.includes(name))
  if (missing.length > 0) {
    throw recordError([
      `${file}:1: expected the columns ${columns.join(",")}; ${missing.join(", ")} is missing`,
    ])
  }
  const rows: T[] = []
  const problems: string[] = []
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue
    const cells = line.split(",").map((cell) => cell.trim())
    const problem =
      cells.length === head.length ? null : `expected ${head.length} columns, found ${cells.length}`
    const read =
      problem === null ? readRow(toRow, (name) => cells[head.indexOf(name)] ?? "") : { problem }
    if ("problem" in read) problems.push(`${file}:${index + 1}: ${read.problem}`)
    else rows.push(read.row)
  }
  if (problems.length > 0) throw recordError(problems)
  return rows.sort((a, b) => a.atMs - b.atMs)
}

function readRow<T>(
  toRow: Row<T>,
  cell: (name: string) => string,
): { row: T } | { problem: string } {
  try {
    return { row: toRow(cell) }
  } catch (error) {
    if (error instanceof AppError && error.disposition === "refused")
      return { problem: error.message }
    throw error
  }
}

const SHOWN = 20

function recordError(problems: readonly string[]): AppError {
  const lines = problems.slice(0, SHOWN)
  const rest = problems.length > SHOWN ? `\nand ${problems.length - SHOWN} more` : ""
  const message =
    "the record has " +
    `${problems.length === 1 ? "one bad line" : `${problems.length} bad lines`}; correct the ` +
    `file\n${lines.join("\n")}${rest}`
  return new AppError({
    code: "simulate.record",
    disposition: "fatal",
    message,
    details: { problems: problems.length },
  })
}

/** The time must have a zone; otherwise its meaning would depend on the machine. */
function toTime(text: string): number {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) {
    const atMs = Date.parse(text)
    // The parser reads the 31st of February as a day in March.
    const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
    const real = Number.isFinite(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
    if (real && Number.isFinite(atMs)) return atMs
  }
  throw badCell("time", text, "a time such as 2026-01-31T09:00:00Z")
}

function toAsset(text: string, configs: readonly Config[]): Asset {
  for (const { assets } of configs) for (const asset of assets) if (asset.id === text) return asset
  throw badCell("asset", text, "a configured asset")
}

function toSigned(text: string, decimals: number): bigint {
  return text.startsWith("-") ? -parseUnits(text.slice(1), decimals) : parseUnits(text, decimals)
}

function toFiat(text: string, name: string): bigint {
  if (/^\d{1,30}(\.\d{1,6})?$/.test(text)) return parseUnits(text, FIAT_DECIMALS)
  throw badCell(name, text, "a fiat amount with at most six digits after the point")
}

function toPrice(text: string, name: string): bigint | null {
  if (text === "") return null
  const fiat = toFiat(text, name)
  if (fiat > 0n) return fiat
  throw badCell(name, text, "a price above zero, or nothing")
}

function toBps(text: string): bigint {
  if (/^\d{1,4}$/.test(text)) return BigInt(text)
  throw badCell("bps", text, "whole basis points from 0 to 9999")
}

function badCell(name: string, found: string, expected: string): AppError {
  const message = `${name}: expected ${expected}, found "${found.slice(0, 60)}"`
  return new AppError({ code: "simulate.record", disposition: "refused", message })
}
