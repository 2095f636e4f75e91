import { AppError } from "#lib/app-error.ts"
import type { Counted } from "./open-orders.ts"
import type { OrderRow } from "./port.ts"
import { toCounted } from "./read-open-orders.ts"
import type { One, Run } from "./row.ts"

export function insertOrder(run: Run, order: OrderRow): void {
  run(
    "insert into orders (id, state, outcome, rule, from_asset, to_asset, source_units, source_fiat, fee_fiat, deposited, secret_hash, created_at, updated_at, snapshot, fee_units, counted_at, service, payout_tx, second_rule) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    order.id,
    order.state,
    order.outcome,
    order.rule,
    order.from,
    order.to,
    order.sourceUnits.toString(),
    order.sourceFiat?.toString() ?? null,
    order.feeFiat?.toString() ?? null,
    Number(order.deposited),
    order.secretHash,
    order.createdAtMs,
    order.updatedAtMs,
    order.snapshot,
    order.feeUnits.toString(),
    order.countedAtMs,
    order.service ?? null,
    order.payoutTx ?? null,
    order.secondRule ?? null,
  )
}

/** A column that an index has is written only when it changes: otherwise every step would write every index. */
export function updateOrder(run: Run, one: One, order: OrderRow, before: Counted | null): void {
  const after = toCounted(order)
  const indexed = INDEXED.filter(([key]) => before === null || before[key] !== after[key])
  if (indexed.length > 0) refuseKnownSecret(one, order)
  const columns = [...CHANGING, ...indexed.map(([, column]) => column)]
  run(
    `update orders set ${columns.map((column) => `${column} = ?`).join(", ")} where id = ?`,
    order.state,
    order.sourceFiat?.toString() ?? null,
    order.feeFiat?.toString() ?? null,
    Number(order.deposited),
    order.updatedAtMs,
    order.snapshot,
    order.feeUnits.toString(),
    ...indexed.map(([key]) => after[key] ?? null),
    order.id,
  )
}

const CHANGING = ["state", "source_fiat", "fee_fiat", "deposited", "updated_at", "snapshot", "fee_units"]
const INDEXED = [
  ["outcome", "outcome"],
  ["secretHash", "secret_hash"],
  ["countedAtMs", "counted_at"],
  ["service", "service"],
  ["payoutTx", "payout_tx"],
] as const satisfies readonly (readonly [keyof Counted, string])[]

/** Two orders with one secret get one payout for two deposits. The check is part of the write, so that two orders cannot both pass it. */
function refuseKnownSecret(one: One, { id, secretHash }: OrderRow): void {
  if (secretHash === null) return
  if (one("select 1 as found from orders where secret_hash = ? and id <> ?", secretHash, id) === undefined) return
  throw new AppError({
    code: "journal.secret_hash_taken",
    disposition: "refused",
    message: "Another order has the same secret hash; no deposit is made for this one",
    details: { order: id, secretHash },
  })
}
