import { stringify } from "csv-stringify/sync"

/** RFC 4180 with a line of column names: CRLF, and quotes where a value needs them. */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [column in Column]: string }[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  // A lone CR or LF needs quotes too; the library quotes only for the whole record delimiter.
  return stringify(
    lines.map((line) => line.map(disarmFormula)),
    { record_delimiter: "windows", quoted_match: /[\r\n]/ },
  )
}

/**
 * Spreadsheets run text that begins like a formula, so such text gets a leading apostrophe.
 *
 * Written by hand because `escape_formulas` of csv-stringify also changes negative decimals, which
 * are text here.
 */
function disarmFormula(value: string): string {
  return /^[=+@\t\r]|^-(?![\d.])/.test(value) ? `'${value}` : value
}
