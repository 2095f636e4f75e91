import { DatabaseSync } from "node:sqlite"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"

const TENTH = "tenth"

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
  const columns = db
    .prepare("select name from pragma_table_info('orders')")
    .all()
    .map(({ name }) => String(name))
  const earlier = (name: string): string => `${name} - n * ${Math.floor(spanMs / count)}`
  const ofRule = (text: string): string =>
    `case n % 10 when 0 then replace(${text}, '"${order.rule}"', '"${TENTH}"') else ${text} end`
  const changed: Readonly<Record<string, string>> = {
    id: "printf('%032x', n)",
    rule: `case n % 10 when 0 then '${TENTH}' else rule end`,
    summary: ofRule("summary"),
    created_at: earlier("created_at"),
    updated_at: earlier("updated_at"),
    counted_at: earlier("counted_at"),
    last_event: "(select max(seq) from events) + n",
    changes: "1",
    secret_hash: "null",
    payout_tx: "null",
  }
  const numbers = `with recursive numbers (n) as (
    select 1 union all select n + 1 from numbers where n < ${count})`
  const snapshot = ofRule("replace(?1, ?2, printf('%032x', n))")
  db.exec("begin")
  db.prepare(
    `insert into orders (${columns.join()}) ${numbers}
      select ${columns.map((name) => changed[name] ?? name).join()} from numbers, orders
      where id = ?`,
  ).run(order.id)
  db.prepare(
    `insert into events (seq, order_id, previous, at, type, state, body, change) ${numbers}
      select (select max(seq) from events) + n, printf('%032x', n), null, ?3, 'test.copied', ?4,
        '{}', ${snapshot} from numbers`,
  ).run(order.snapshot, order.id, order.updatedAtMs, state)
  db.exec("commit")
  db.close()
}
