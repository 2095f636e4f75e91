import { kindOf } from "#domain/route/route-kind.ts"
import type { OrderView } from "#order/view.ts"
import { formatTable } from "../format/table.ts"

const STAGES = ["wallet", "deposit", "funded", "paid out"] as const

/**
 * The live table: one line per order, with a progress bar. Each line fits `columns`, because a line
 * that the terminal breaks would spoil the redrawing; a narrow terminal shows fewer columns.
 */
export function formatProgress(
  orders: readonly OrderView[],
  title: string,
  columns: number,
): string {
  const all = [
    ["order", ...orders.map(({ id }) => id.slice(0, 8))],
    ["sends", ...orders.map(({ amount, from }) => `${amount} ${from}`)],
    ["receives", ...orders.map(({ destinationAmount, to }) => `${destinationAmount ?? "…"} ${to}`)],
    ["over", ...orders.map(({ route }) => kindOf(route ?? null))],
    ["deposit", ...orders.map(({ deposit }) => deposit)],
    ["progress", ...orders.map(bar)],
    ["state", ...orders.map(({ state }) => state)],
    ["time", ...orders.map((order) => `${secondsOf(order)} s`)],
  ]
  const leaves = ["over", "deposit", "progress", "sends"].map((_, at, all) => all.slice(0, at + 1))
  const tables = [[], ...leaves].map((left) =>
    formatColumns(all.filter(([name = ""]) => !left.includes(name))),
  )
  const fits = (text: string): boolean => text.split("\n").every(({ length }) => length <= columns)
  const narrowest = (tables.at(-1) ?? "").split("\n").map((line) => line.slice(0, columns))
  return `${title.slice(0, columns)}\n\n${tables.find(fits) ?? narrowest.join("\n")}\n`
}

function formatColumns(columns: readonly (readonly string[])[]): string {
  const [head = [], ...rows] = (columns[0] ?? []).map((_, row) =>
    columns.map((cells) => cells[row] ?? ""),
  )
  return formatTable(head, rows)
}

type SummaryLine = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly received: string | null
  readonly state: string
  /** The kind of route. */
  readonly over: string
  readonly deposit: "onchain" | "gasless"
  readonly seconds: number
  readonly costBps: number | null
  readonly stages: {
    readonly deposit: number | null
    readonly fill: number | null
    readonly payout: number | null
  }
}

export function summariseDemo(order: OrderView): SummaryLine {
  const start = Date.parse(order.createdAt)
  const at = (name: string): number | null => {
    const seen = order.seen[name]
    return seen ? (Date.parse(seen.at) - start) / 1000 : null
  }
  const { id, from, to, amount, destinationAmount, state, deposit, costBps, route } = order
  const stages = {
    deposit: at("sourceInitiated"),
    fill: at("destinationInitiated"),
    payout: at("destinationRedeemed"),
  }
  return {
    id,
    from,
    to,
    amount,
    received: destinationAmount,
    state,
    over: kindOf(route ?? null),
    deposit,
    seconds: secondsOf(order),
    costBps,
    stages,
  }
}

/**
 * Route, amounts, cost, and the seconds from acceptance until our node observed each stage on
 * chain.
 */
export function formatSummary(lines: readonly SummaryLine[]): string {
  const stage = (seconds: number | null): string => (seconds === null ? "–" : seconds.toFixed(1))
  const rows = lines.map((line) => [
    line.id.slice(0, 8),
    line.from,
    line.to,
    line.amount,
    line.received ?? "–",
    line.over,
    line.deposit,
    line.state,
    line.costBps === null ? "–" : String(line.costBps),
    stage(line.stages.deposit),
    stage(line.stages.fill),
    stage(line.stages.payout),
    String(line.seconds),
  ])
  const head = [
    "order",
    "from",
    "to",
    "sent",
    "received",
    "over",
    "deposit",
    "state",
    "cost bps",
    "deposited s",
    "filled s",
    "paid s",
    "total s",
  ]
  return formatTable(head, rows)
}

function secondsOf(order: OrderView): number {
  return Math.round((Date.parse(order.updatedAt) - Date.parse(order.createdAt)) / 100) / 10
}

function bar(order: OrderView): string {
  const reached =
    order.outcome === "completed"
      ? 4
      : order.seen["destinationInitiated"]
        ? 3
        : order.deposited
          ? 2
          : order.depositTx
            ? 1
            : 0
  return STAGES.map((_, index) => (index < reached ? "■" : "□")).join("")
}
