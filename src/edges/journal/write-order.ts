import { AppError } from "#lib/app-error.ts"
import { remember } from "#lib/remember.ts"
import type { EventRow, OrderRow } from "#ports/journal/orders.ts"
import type { NewWork } from "#ports/journal/outbox.ts"
import type { EventPlace } from "./kept-rows.ts"
import type { Counted } from "./open-orders.ts"
import { toCounted } from "./read-open-orders.ts"
import { insertRow, type One, type Run } from "./row.ts"

type NewEvent = {
  readonly seq: number
  readonly order: OrderRow
  readonly event: EventRow
  /** The order's event before this one. */
  readonly previous: number | null
  /** The order's snapshot as a whole, or its change by this step. */
  readonly change: string
}

export function insertEvent(run: Run, { seq, order, event, previous, change }: NewEvent): void {
  insertRow(run, "events", {
    seq,
    order_id: order.id,
    at: event.atMs,
    type: event.type,
    state: event.state,
    body: event.body,
    previous,
    change,
  })
}

export function insertOrder(
  run: Run,
  order: OrderRow,
  { seq, changes }: EventPlace,
  work: NewWork | null,
): void {
  insertRow(run, "orders", {
    id: order.id,
    state: order.state,
    outcome: order.outcome,
    rule: order.rule,
    from_asset: order.from,
    to_asset: order.to,
    source_units: order.sourceUnits.toString(),
    source_fiat: order.sourceFiat?.toString() ?? null,
    fee_fiat: order.feeFiat?.toString() ?? null,
    deposited: Number(order.deposited),
    secret_hash: order.secretHash,
    created_at: order.createdAtMs,
    updated_at: order.updatedAtMs,
    fee_units: order.feeUnits.toString(),
    counted_at: order.countedAtMs,
    service: order.service ?? null,
    payout_tx: order.payoutTx ?? null,
    second_rule: order.secondRule ?? null,
    last_event: seq,
    changes,
    work: work?.body ?? null,
    work_due: work?.dueAtMs ?? null,
  })
}

type RowChange = {
  readonly order: OrderRow
  readonly place: EventPlace
  readonly work: NewWork | null
  /** The order's columns as they are, if it is under way. */
  readonly before: Counted | null
  /** The row changes only while this is its work; `null`: in any case. */
  readonly cause: number | null
}

/**
 * Writes the row of an order; false when `cause` is no longer its work. A column that an index has
 * is written only when it changes: otherwise every step would write every index.
 */
export function updateOrder(
  run: Run,
  one: One,
  { order, place, work, before, cause }: RowChange,
): boolean {
  const after = toCounted(order)
  const indexed = INDEXED.filter(([key]) => before === null || before[key] !== after[key])
  if (indexed.length > 0) refuseKnownSecret(one, order)
  const written = run(
    statementOf(indexed),
    order.state,
    order.sourceFiat?.toString() ?? null,
    order.feeFiat?.toString() ?? null,
    order.sourceUnits.toString(),
    Number(order.deposited),
    order.updatedAtMs,
    order.feeUnits.toString(),
    place.seq,
    place.changes,
    work?.body ?? null,
    work?.dueAtMs ?? null,
    ...indexed.map(([key]) => after[key] ?? null),
    order.id,
    cause,
    cause,
  )
  return written === 1
}

const CHANGING = [
  "state",
  "source_fiat",
  "fee_fiat",
  "source_units",
  "deposited",
  "updated_at",
  "fee_units",
  "last_event",
  "changes",
  "work",
  "work_due",
]
const INDEXED = [
  ["outcome", "outcome"],
  ["secretHash", "secret_hash"],
  ["countedAtMs", "counted_at"],
  ["service", "service"],
  ["payoutTx", "payout_tx"],
] as const satisfies readonly (readonly [keyof Counted, string])[]

/** The summary of an ended order is that of its last step, so each further step removes it. */
function updateOf(indexed: readonly (typeof INDEXED)[number][]): string {
  const columns = [...CHANGING, ...indexed.map(([, column]) => column)].map(
    (column) => `${column} = ?`,
  )
  columns.push("summary = null")
  return (
    `update orders set work_begun = 0, ${columns.join(", ")} where id = ? and (? is null or ` +
    "(last_event = ? and work is not null))"
  )
}

/** The text of each statement is made once. Its key: the columns with an index. */
const statementFor = remember((key: string): string => {
  const names = key.split(" ")
  return updateOf(INDEXED.filter(([name]) => names.includes(name)))
})

function statementOf(indexed: readonly (typeof INDEXED)[number][]): string {
  return statementFor(indexed.map(([name]) => name).join(" "))
}

/**
 * Two orders with one secret get one payout for two deposits. The check is part of the write, so
 * that two orders cannot both pass it.
 */
function refuseKnownSecret(one: One, { id, secretHash }: OrderRow): void {
  if (secretHash === null) return
  if (
    one("select 1 as found from orders where secret_hash = ? and id <> ?", secretHash, id) ===
    undefined
  )
    return
  throw new AppError({
    code: "journal.secret_hash_taken",
    disposition: "refused",
    message: "Another order has the same secret hash; no deposit is made for this one",
    details: { order: id, secretHash },
  })
}
