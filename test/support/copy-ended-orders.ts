import { DatabaseSync } from "node:sqlite"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"

/**
 * Fills a closed journal with copies of its newest order in this state, as if each had been
 * requested at its own time in the span before the newest order, each tenth by the rule `tenth`.
 * No daemon may have it open.
 */
export function copyEndedOrders(file: string, state: string, count: number, spanMs: number): void {
  const journal = openJournal(file)
  const [row] = journal.listOrders({ limit: 1, state })
  const order = mustExist(row, `an order that is ${state}`)
  journal.close()
  const db = new DatabaseSync(file)
  const step = Math.max(1, Math.floor(spanMs / count))
  const columns = db
    .prepare("select name from pragma_table_info('orders')")
    .all()
    .map(({ name }) => String(name))
  const changed: Readonly<Record<string, string>> = {
    id: "printf('%032x', n)",
    rule: "case n % 10 when 0 then 'tenth' else rule end",
    created_at: `created_at - n * ${step}`,
    updated_at: `updated_at - n * ${step}`,
    counted_at: `counted_at - n * ${step}`,
    last_event: "(select max(seq) from events) + n",
    changes: "1",
    secret_hash: "null",
    payout_tx: "null",
  }
  const numbers = `with recursive numbers (n) as (
    select 1 union all select n + 1 from numbers where n < ${count})`
  db.exec("begin")
  db.prepare(
    `insert into orders (${columns.join()}) ${numbers}
      select ${columns.map((name) => changed[name] ?? name).join()} from numbers, orders where id = ?`,
  ).run(order.id)
  db.prepare(
    `insert into events (seq, order_id, previous, at, type, state, body, change) ${numbers}
      select (select max(seq) from events) + n, printf('%032x', n), null, ?, 'test.copied', ?, '{}',
        replace(?, ?, printf('%032x', n)) from numbers`,
  ).run(order.updatedAtMs, state, order.snapshot, order.id)
  db.exec("commit")
  db.close()
}
