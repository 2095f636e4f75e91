import { DatabaseSync } from "node:sqlite"
import { beforeEach, expect, test } from "vitest"
import { makeReport, type ReportLine } from "#books/report.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { runSteps } from "#engine/rules/decide/steps.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { readSwaps } from "../../../src/app/daemon/views/read-swaps.ts"
import { type BooksLine, readBooks } from "../../../src/app/daemon/views/view-books.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

const WEEK_MS = 7 * 86_400_000
const COPIES = 5_100
const ALL = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }
let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ journal: "file" })
  daemon = world.start()
})

/**
 * Copies of a real order with its entries: other weeks and rules, some reversed, some without a
 * price.
 */
function copyOrders(db: DatabaseSync, { id, snapshot }: OrderRow, nowMs: number): void {
  db.exec("begin")
  const columns = db
    .prepare("select name from pragma_table_info('orders')")
    .all()
    .map(({ name }) => String(name))
  const shown = columns.map((name) =>
    ["id", "created_at", "rule"].includes(name)
      ? "?"
      : ["secret_hash", "payout_tx", "summary"].includes(name)
        ? "null"
        : name,
  )
  const addOrder = db.prepare(
    `insert into orders (${columns}) select ${shown} from orders where id = '${id}'`,
  )
  const entries = db.prepare("select * from entries where order_id = ? order by id").all(id)
  const addEntry = db.prepare(
    "insert into entries (at, order_id, key, kind, tx, note, reverses) values (?, ?, ?, ?, " +
      "?, ?, ?) returning id",
  )
  const addPostings = db.prepare(
    "insert into postings select ?, line, replace(account, ?, ?), asset, case when ? then " +
      "cast(-cast(units as integer) as text) else units end, case when ? then null when ? then " +
      "cast(-cast(fiat as integer) as text) else fiat end from postings where entry_id = ?",
  )
  const addEvent = db.prepare(
    "insert into events (order_id, at, type, state, body, change) values (?, 0, 'copied', " +
      "'completed', '{}', ?) returning seq",
  )
  const place = db.prepare("update orders set last_event = ?, changes = 1 where id = ?")
  for (let number = 0; number < COPIES; number++) {
    const copy = `copy-${number}`
    const createdMs = nowMs - ((number * 37) % 51) * WEEK_MS
    // The columns in their order: id, rule, created_at.
    addOrder.run(copy, `rule-${number % 3}`, createdMs)
    const text = snapshot
      .replaceAll(id, copy)
      .replaceAll('"rule":"manual"', `"rule":"rule-${number % 3}"`)
    place.run(Number(addEvent.get(copy, text)?.["seq"]), copy)
    for (const { id: entry, at, key, kind, tx, note } of entries) {
      const add = (reverses: number | null, unpriced: boolean): number => {
        const values = [at ?? 0, copy, key ?? "", kind ?? "", tx ?? null, note ?? null, reverses]
        const added = Number(addEntry.get(...values)?.["id"])
        const back = reverses === null ? 0 : 1
        addPostings.run(added, id, copy, back, unpriced ? 1 : 0, back, entry ?? 0)
        return added
      }
      const unpriced = number % 11 === 0 && kind === (number % 2 === 0 ? "fee" : "payout")
      const first = add(null, unpriced)
      if (number % 7 === 0) add(first, unpriced)
      if (number % 14 === 0) add(null, unpriced)
    }
  }
  db.exec("commit")
}

test("sums every week of a year and every rule, with more than 5000 orders, as the report of " +
  "single swaps does", async () => {
  const id = await daemon.accept(ETH, BTC, 100_000n)
  await daemon.reach("completed", id)
  const nowMs = world.clock.now() + 60 * WEEK_MS
  const db = new DatabaseSync(world.journalFile)
  copyOrders(db, mustExist(daemon.context.journal.findOrder(id), "the order"), nowMs)
  db.close()
  // CAST: the books need these parts of a configuration.
  const config = {
    assets: [...daemon.context.settings.assets.values()],
    chains: [],
    service: { name: "main" },
  } as unknown as Config
  const journal = openJournal(world.journalFile)

  let turns = 0
  const turn = async (): Promise<void> => void turns++
  const books = await runSteps(readBooks({ journal, config, nowMs, turn }))
  expect(turns).toBeGreaterThan(5)
  const swaps = [...readSwaps(journal, config, ALL)].filter((swap) => swap.id !== id)
  const created = new Map(journal.listOrders({}).map((row) => [row.id, row.createdAtMs]))
  const mondayOf = (id: string): string => {
    const at = new Date(created.get(id) ?? 0)
    at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
    return at.toISOString().slice(0, 10)
  }
  const decimalsOf = (): number => 8
  const show = (line: ReportLine, group: string): BooksLine => {
    const fiat = (units: bigint): string => formatUnits(units, FIAT_DECIMALS)
    const {
      counts,
      volumeFiat,
      swapCostFiat,
      affiliateCostFiat,
      payoutCostFiat,
      networkFeeFiat,
      unpriced,
    } = line
    return {
      group,
      counts,
      orders: Object.values(counts).reduce((sum, count) => sum + count, 0),
      volume: fiat(volumeFiat),
      swapCost: fiat(swapCostFiat + affiliateCostFiat + payoutCostFiat),
      networkFees: fiat(networkFeeFiat),
      costBps: line.costBps === null ? null : Number(line.costBps),
      unpriced: unpriced.swaps + unpriced.fees,
    }
  }
  expect(books.total).toEqual(show(makeReport(swaps, () => "", decimalsOf).total, "total"))
  expect(books.total).toMatchObject({ orders: COPIES })
  expect(books.total.unpriced).toBeGreaterThan(100)
  expect(Number(books.total.volume)).toBeGreaterThan(0)
  expect(books.rules).toEqual(
    makeReport(swaps, ({ rule }) => rule, decimalsOf).lines.map((line) => show(line, line.group)),
  )
  expect(books.weeks.filter(({ orders }) => orders > 0)).toEqual(
    makeReport(swaps, ({ id }) => mondayOf(id), decimalsOf).lines.map((line) =>
      show(line, line.group),
    ),
  )
  expect(books.weeks).toHaveLength(52)
  journal.close()
}, 120_000)
