import type { OrderView } from "#order/view.ts"
import { formatProgress } from "./show-orders.ts"

const MAX_ROWS = 20

/**
 * A function that shows the progress of the demo's orders. On a terminal it redraws a table in
 * place; elsewhere it prints one line per change. `columns` is `null` where there is no terminal,
 * and `total` if the demo has no end.
 */
export function createDisplay(
  columns: number | null,
  total: number | null,
  say: (text: string) => void,
): (orders: readonly OrderView[]) => void {
  let drawnLines = 0
  let lastLine = ""
  return (orders) => {
    const completed = orders.filter(({ outcome }) => outcome === "completed").length
    const progress = `${completed}${total === null ? "" : ` of ${total}`} completed`
    const shown = orders.slice(0, MAX_ROWS).toReversed()
    if (columns !== null) {
      const table = formatProgress(
        shown,
        `Ballast on the sandbox: ${progress} (Ctrl-C ends)`,
        columns,
      )
      process.stdout.write(`${drawnLines > 0 ? `\u001b[${drawnLines}A\u001b[J` : ""}${table}`)
      drawnLines = table.split("\n").length - 1
      return
    }
    const open = shown.filter(({ outcome }) => outcome === null)
    const line = [progress, open.map(({ id, state }) => `${id.slice(0, 8)} ${state}`).join(", ")]
      .filter((part) => part !== "")
      .join("; ")
    if (line !== lastLine) say(line)
    lastLine = line
  }
}
