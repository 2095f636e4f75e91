import type { Order } from "../answers.ts"

const COLUMNS = {
  id: ({ id }) => id,
  requested: ({ createdAt }) => createdAt,
  changed: ({ updatedAt }) => updatedAt,
  state: ({ state }) => state,
  rule: ({ rule }) => rule,
  service: ({ service }) => service,
  sent: ({ amount }) => amount,
  sent_asset: ({ from }) => from,
  received: ({ destinationAmount }) => destinationAmount,
  received_asset: ({ to }) => to,
  value_usd: ({ fiat }) => fiat,
  cost_usd: ({ costFiat }) => costFiat,
  cost_bps: ({ costBps }) => costBps,
  deposit_tx: ({ depositTx }) => depositTx,
  payout_tx: ({ destinationTx }) => destinationTx,
} as const satisfies Record<string, (order: Order) => string | number | null>

/** RFC 4180 with a line of names. Text that a spreadsheet would run gets an apostrophe. */
export function formatOrders(orders: readonly Order[]): string {
  const lines = [
    Object.keys(COLUMNS),
    ...orders.map((order) => Object.values(COLUMNS).map((of) => String(of(order) ?? ""))),
  ]
  return lines.map((line) => `${line.map(quote).join(",")}\r\n`).join("")
}

function quote(value: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
