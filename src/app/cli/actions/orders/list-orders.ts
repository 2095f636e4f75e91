import { decimalsOf } from "#daemon/start/decimals-of.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { txidFormsOf } from "#daemon/start/txid-forms-of.ts"
import { plainJson } from "#lib/json.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { STATE_NAMES } from "#order/states.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import type { OrderRow, OrderStore } from "#ports/journal/orders.ts"
import type { RequestKeys } from "#ports/journal/request-keys.ts"
import { parseDuration } from "#schema/duration.ts"
import type { CommandContext } from "../../define-command.ts"
import { currentReasons } from "../../format/current-reasons.ts"
import { formatTable } from "../../format/table.ts"
import { openTreasury } from "../../open/find-treasury.ts"
import { openExistingJournal } from "../../open/open-journal.ts"
import { usageError } from "../../usage-error.ts"

type Choices = {
  readonly state?: string | null
  readonly rule?: string | null
  readonly since?: string | null
  readonly ids?: boolean
  readonly open: boolean
  readonly limit: number
  readonly "data-dir": string | null
  readonly "idempotency-key"?: string | null
}

/** Lists orders from the journal, newest first. The daemon need not run. */
export async function listOrders(context: CommandContext, choices: Choices): Promise<number> {
  const { open, limit, "data-dir": asked, "idempotency-key": key = null } = choices
  const sinceMs = parseSince(choices.since ?? null, context.clock.now())
  checkState(choices.state ?? null)
  const { dataDir, config } = await openTreasury(context, asked)
  const journal = openExistingJournal({ dataDir })
  const rows = key === null ? findRows(journal, choices, sinceMs) : findKeyed(journal, key)
  const decimals = config === null ? new Map() : decimalsOf(config)
  const txidFormOf = txidFormsOf(config ?? { chains: [] })
  const orders = rows.flatMap((row) => {
    const order = decodeOrNull(row.snapshot)
    return order === null ? [] : [viewOrder(order, decimals, row.updatedAtMs, txidFormOf)]
  })
  const disarmed = open ? countDisarmed(journal) : 0
  const fresh = orders.map((order) => ({ ...order, reasons: currentReasons(journal, order) }))
  const damaged = rows.filter(({ snapshot }) => decodeOrNull(snapshot) === null).map(({ id }) => id)
  journal.close()
  if (choices.ids === true) for (const { id } of rows) context.print(id)
  else if (context.json)
    context.print(plainJson({ orders, ...(damaged.length > 0 ? { damaged } : {}) }, 2))
  else if (key !== null && rows.length === 0) context.print(NO_KEYED)
  else context.print([...formatList(fresh, { open, limit, disarmed }, context.columns)].join("\n"))
  if (damaged.length > 0 && !context.json && choices.ids !== true)
    context.print(
      `Damaged in the journal, see journal.order_damaged in docs/ERRORS.md: ${damaged.join(", ")}`,
    )
  return key !== null && rows.length === 0 ? EXIT.refused : EXIT.ok
}

/** The journal alone cannot tell whether a request is still on its way to the daemon. */
const NO_KEYED =
  "No order has this key in the journal now; to repeat the swap with the same key is safe."

/** A filter looks at all orders of the journal, whose rows come newest first. */
function findRows(
  journal: OrderStore,
  { open, limit, state = null, rule = null }: Choices,
  sinceMs: number | null,
): readonly OrderRow[] {
  if (state === null && rule === null && sinceMs === null)
    return journal.listOrders({ limit, open })
  const isWanted = (row: OrderRow): boolean =>
    (state === null || row.state === state || row.outcome === state) &&
    (rule === null || row.rule === rule || row.secondRule === rule) &&
    (sinceMs === null || row.createdAtMs >= sinceMs)
  return journal.listOrders({ open }).filter(isWanted).slice(0, limit)
}

/** A state with a slip would find nothing, as if all were well. Throws `cli.usage`. */
function checkState(state: string | null): void {
  if (state === null || STATE_NAMES.some((name) => name === state)) return
  const near = nearestName(state, STATE_NAMES)
  const hint = near === null ? "" : ` (did you mean ${near}?)`
  throw usageError(`--state: there is no state ${state}${hint}`)
}

/** A duration back from now, or a date with its time. Throws `cli.usage`. */
function parseSince(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  const spanMs = parseDuration(text)
  const atMs = spanMs === null ? Date.parse(text) : nowMs - spanMs
  if (Number.isFinite(atMs)) return atMs
  throw usageError(`--since: expected a duration such as 2h, or a date, found "${text}"`)
}

function findKeyed(journal: OrderStore & RequestKeys, key: string): readonly OrderRow[] {
  const id = journal.findRequestKey(key)?.orderId ?? null
  const row = id === null ? null : journal.findOrder(id)
  return row === null ? [] : [row]
}

/**
 * The orders that rest until a relay uses their signature: without an outcome, and not in flight.
 */
function countDisarmed(journal: OrderStore): number {
  return journal.listOrders({ limit: MOST_COUNTED }).filter(({ state }) => state === "disarmed")
    .length
}

const MOST_COUNTED = 10_000

type Shown = { readonly open: boolean; readonly limit: number; readonly disarmed: number }

/** The table, and the orders that it leaves out. */
function formatList(
  orders: readonly OrderView[],
  { open, limit, disarmed }: Shown,
  columns: number | null,
): string[] {
  const empty = open ? "No order is in flight." : "No orders yet."
  const resting =
    `${disarmed} disarmed ${disarmed === 1 ? "order is" : "orders are"} not in flight and not ` +
    `listed here; \`ballast orders\` lists them.`
  return [
    orders.length === 0 ? empty : formatOrders(orders, columns),
    ...(disarmed === 0 ? [] : [resting]),
    ...(orders.length < limit ? [] : [`Only the newest ${limit}; --limit N shows more.`]),
  ]
}

/**
 * A terminal shows as much of an id as a person types; a narrow one gets two lines for each order.
 */
function formatOrders(orders: readonly OrderView[], columns: number | null): string {
  const rows = orders.map((order) => [
    columns === null ? order.id : order.id.slice(0, 8),
    order.rule,
    `${order.amount} ${order.from}`,
    `${order.destinationAmount ?? "?"} ${order.to}`,
    order.state,
    order.createdAt.slice(0, 19).replace("T", " "),
    order.reasons.map(({ code }) => code).join(" "),
  ])
  const head = ["order", "rule", "sends", "receives", "state", "created (UTC)", "reasons"]
  const table = formatTable(head, rows)
  const isWide = columns !== null && table.split("\n").some(({ length }) => length > columns)
  return isWide ? rows.map(formatCompact).join("\n") : table
}

function formatCompact([
  id,
  rule,
  sends,
  receives,
  state,
  created,
  reasons,
]: readonly string[]): string {
  const why = reasons === "" ? "" : `  ${reasons}`
  return `${id}  ${rule}  ${state}  ${created}${why}\n  ${sends} -> ${receives}`
}
