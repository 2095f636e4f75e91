import { DatabaseSync } from "node:sqlite"
import { formatSpan } from "../../src/core/health/format-span.ts"

export type Posting = {
  readonly order: string
  readonly outcome: string | null
  readonly kind: string
  readonly account: string
  readonly asset: string
  readonly units: number
  readonly fiat: number
}

export type BookedOrder = {
  readonly id: string
  readonly outcome: string | null
  readonly rule: string
  readonly service: string
  readonly from: string
  readonly to: string
  readonly askedMs: number
  readonly changedMs: number
  readonly events: number
  /** What its fees may be, as the guards count them. */
  readonly feeFiat: number
}

/** The rows of a journal, without the sums and views that the page is made from. */
export type Rows = {
  readonly postings: readonly Posting[]
  readonly orders: readonly BookedOrder[]
  /** The runs of schedules that opened no order, by rule. */
  readonly missed: ReadonlyMap<string, number>
  /** The decisions of a rule, by rule. */
  readonly decided: ReadonlyMap<string, number>
}

export function readRows(file: string): Rows {
  const journal = new DatabaseSync(file, { readOnly: true })
  const all = (sql: string) => journal.prepare(sql).all()
  const postings = all(
    `select o.id, o.outcome, e.kind, p.account, p.asset, p.units, p.fiat
      from orders o join entries e on e.order_id = o.id join postings p on p.entry_id = e.id`,
  ).map((row) => ({
    order: String(row["id"]),
    outcome: textOf(row["outcome"]),
    kind: String(row["kind"]),
    account: String(row["account"]),
    asset: String(row["asset"]),
    units: Number(row["units"]),
    fiat: Number(row["fiat"] ?? Number.NaN) / 1e6,
  }))
  const orders = all(
    `select o.*, (select count(*) from events e where e.order_id = o.id) events
      from orders o order by created_at desc`,
  ).map((row) => ({
    id: String(row["id"]),
    outcome: textOf(row["outcome"]),
    rule: String(row["rule"]),
    service: textOf(row["service"]) ?? "none yet",
    from: String(row["from_asset"]),
    to: String(row["to_asset"]),
    askedMs: Number(row["created_at"]),
    changedMs: Number(row["updated_at"]),
    events: Number(row["events"]),
    feeFiat: Number(row["fee_fiat"] ?? 0) / 1e6,
  }))
  const counts = (sql: string): ReadonlyMap<string, number> =>
    new Map(all(sql).map((row) => [String(row["rule"]), Number(row["count"])]))
  const missed = counts(
    "select rule, count(*) count from occurrences where order_id is null group by rule",
  )
  const decided = counts("select rule, sum(times) count from decisions group by rule")
  journal.close()
  return { postings, orders, missed, decided }
}

/** What some of the orders moved, cost and took. */
export type Sums = {
  readonly orders: number
  readonly completed: number
  readonly moved: number
  readonly cost: number
  readonly network: number
  readonly bps: number | null
  /** Ascending. */
  readonly spans: readonly number[]
}

export function sumsOf(
  { postings, orders }: Pick<Rows, "postings" | "orders">,
  is: (order: BookedOrder) => boolean = () => true,
): Sums {
  const chosen = orders.filter(is)
  const ids = new Set(chosen.map(({ id }) => id))
  const sum = (isOne: (one: Posting) => boolean): number =>
    postings
      .filter((one) => ids.has(one.order) && isOne(one))
      .reduce((total, { fiat }) => total + fiat, 0)
  const moved = sum(
    ({ outcome, kind, account }) =>
      outcome === "completed" && kind === "deposit" && account.startsWith("assets:in-transit:"),
  )
  const network = sum(({ account }) => account.startsWith("expenses:network:"))
  const swaps = sum(({ account }) => /^expenses:(swap|payout|affiliate)$/.test(account))
  const completed = chosen.filter(({ outcome }) => outcome === "completed")
  return {
    orders: chosen.length,
    completed: completed.length,
    moved,
    cost: swaps + network,
    network,
    bps: moved === 0 ? null : Math.ceil(((swaps + network) * 10_000) / moved - 1e-6),
    spans: completed.map(({ changedMs, askedMs }) => changedMs - askedMs).sort((a, b) => a - b),
  }
}

/** In words, as the page has it: within it at least `percent` of these spans ended. */
export function sayWithin({ spans }: Pick<Sums, "spans">, percent: number): string {
  const within = spans.find(
    (most) => 100 * spans.filter((ms) => ms <= most).length >= percent * spans.length,
  )
  return within === undefined ? "–" : formatSpan(within)
}

function textOf(value: unknown): string | null {
  return value === null ? null : String(value)
}
