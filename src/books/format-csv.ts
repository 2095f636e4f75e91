/** RFC 4180 with a line of column names: CRLF, and quotes where a value needs them. */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [column in Column]: string }[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((line) => `${line.map(quote).join(",")}\r\n`).join("")
}

/** A spreadsheet takes text that begins like a formula for one; a sign before a number is left alone. */
function quote(value: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
