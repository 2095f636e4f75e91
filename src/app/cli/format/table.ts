import { printableLine } from "#lib/printable.ts"

/**
 * Aligns columns for a terminal. The widest cell of a column sets its width. With `columns`, the
 * widest columns are cut until the table fits; the first one, which names the row, stays whole.
 * Where a word would be cut, or the cells to nothing of use, each row becomes a block of lines.
 *
 * No library replaces these lines: the cells are plain text, and table libraries bring box drawing,
 * colours and dependencies.
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null = null,
): string {
  // Services and nodes chose some of the texts; a line end would break the table.
  const all = [head, ...rows].map((row) => row.map(printableLine))
  const [shown = [], ...body] = all
  const widest = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
  const widths = columns === null ? widest : narrow(widest, columns)
  if (
    widths === null ||
    all.some((row) => row.some((cell, column) => cutsWord(cell, widths[column] ?? 0)))
  )
    return body.map((row) => formatBlock(shown, row)).join("\n")
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd()
  return [line(shown), widths.map((width) => "─".repeat(width)).join(GAP), ...body.map(line)].join(
    "\n",
  )
}

const GAP = "  "
/** A cell that is cut to less shows nothing of use. */
const NARROWEST = 12

/** `null` if the table does not fit. */
function narrow(widths: readonly number[], columns: number): readonly number[] | null {
  const result = [...widths]
  const total = (): number =>
    result.reduce((sum, width) => sum + width, GAP.length * (result.length - 1))
  while (total() > columns) {
    const most = Math.max(...result.slice(1))
    const at = result.indexOf(most, 1)
    if (at < 0 || most <= NARROWEST) return null
    result[at] = most - 1
  }
  return result
}

/** The first cell, and then a line for each other cell that has text. */
function formatBlock(head: readonly string[], [name = "", ...cells]: readonly string[]): string {
  const names = head.slice(1)
  const width = Math.max(...names.map(({ length }) => length))
  const lines = cells.flatMap((cell, at) =>
    cell === "" ? [] : [`  ${(names[at] ?? "").padEnd(width)}  ${cell}`],
  )
  return [name, ...lines].join("\n")
}

/** An id, an address or a path is of no use without its end. */
function cutsWord(cell: string, width: number): boolean {
  return cell.length > width && !cell.includes(" ")
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, Math.max(0, width - 1))}…`
}
