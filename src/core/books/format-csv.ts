/** RFC 4180 with a line of column names: CRLF, and quotes where a value needs them. */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly { readonly [column in Column]: string }[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((line) => `${line.map(quote).join(",")}\r\n`).join("")
}

function quote(value: string): string {
  const text = disarmFormula(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run text that begins like a formula, so such text gets a leading apostrophe. */
function disarmFormula(value: string): string {
  return /^[=+@\t\r]|^-(?![\d.])/.test(value) ? `'${value}` : value
}
