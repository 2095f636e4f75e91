import type { OrderView } from "#order/view.ts"

/**
 * One line for each quote that the order was chosen from, with the reasons against it; none where
 * only one service is configured.
 */
export function formatConsidered({
  considered,
  to,
}: Pick<OrderView, "considered" | "to">): string[] {
  return considered.map(({ service, solver, receive, reasons }) => {
    const refused = reasons.map(({ code, message }) => `${message} [${code}]`).join("; ")
    return (
      `${service} (${solver.slice(0, 12)}): ${receive} ` +
      `${to}${refused === "" ? "" : `, refused: ${refused}`}`
    )
  })
}
