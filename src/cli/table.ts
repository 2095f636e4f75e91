import { printableLine } from "#lib/printable.ts"

/**
 * Aligns columns for a terminal. The widest cell of a column sets its width.
 *
 * No library replaces these lines: the cells are plain text, and table libraries bring box drawing, colours and dependencies.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // Services and nodes chose some of the texts; a line end would break the table.
  const all = [head, ...rows].map((row) => row.map(printableLine))
  const [shown = [], ...body] = all
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  return [line(shown), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)].join("\n")
}
