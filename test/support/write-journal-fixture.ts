/**
 * Writes `test/fixtures/journal-20`: a journal of schema 20 with orders under way, as SQL text, and
 * the answers of its version. Run it with the version of Ballast whose journal is wanted, and never
 * again:
 *
 *   node test/support/write-journal-fixture.ts
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync, type SQLOutputValue } from "node:sqlite"
import { gzipSync } from "node:zlib"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeJson } from "#lib/json.ts"
import { BTC, ETH, openWorld, WBTC } from "./fake-world.ts"

const FOLDER = join(import.meta.dirname, "../fixtures/journal-20")
const LATEST = Number.MAX_SAFE_INTEGER

const world = openWorld({ confirmations: 2, journal: "file" })
const daemon = world.start()
const submit = (from: typeof ETH): unknown =>
  daemon.engine.submit({ from, to: BTC, sourceUnits: 10_000n })
const reach = (id: string, state: string): Promise<void> =>
  world.run(() => daemon.state(id) === state)
await submit(ETH)
await reach("order-1", "completed")
world.serviceActs = false
await submit(ETH)
await submit(WBTC)
await reach("order-2", "funded")
await reach("order-3", "funded")
world.faults.inject("base.broadcastTransaction", { hang: true })
await submit(ETH)
await reach("order-4", "deposit-sending")
world.faults.inject("service.submitOrder", { hang: true })
void submit(ETH)
await reach("order-5", "creating")
daemon.kill()

const journal = openJournal(world.journalFile)
const orders = journal.listOrders({})
const expected = {
  orders,
  events: orders.map(({ id }) => ({ id, events: journal.listEvents(id) })),
  due: journal.listDueWork(LATEST, 99),
  counts: journal.countOrders(),
  reserved: [...journal.listReserved("")].sort(),
  signatures: orders.map(({ id }) => journal.listOf(id)),
  accounts: journal.listAccounts(""),
}
journal.close()
mkdirSync(FOLDER, { recursive: true })
write("open-orders.sql.gz", dump(world.journalFile))
write("expected.json.gz", encodeJson(expected))
world.close()

function write(name: string, text: string): void {
  writeFileSync(join(FOLDER, name), gzipSync(text, { level: 9 }))
}

/** The whole database as SQL: tables with their rows first, then indexes and triggers. */
function dump(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const schema = db
    .prepare("select type, name, sql from sqlite_schema where sql is not null order by rowid")
    .all()
  const tables = schema.filter(({ type }) => type === "table")
  const rest = schema.filter(({ type }) => type !== "table").map(({ sql }) => `${sql};`)
  const lines = tables.flatMap(({ name, sql }) => {
    const rows = db.prepare(`select * from ${name}`).all()
    const values = rows.map((row) => Object.values(row).map(toLiteral).join(", "))
    return [`${sql};`, ...values.map((text) => `insert into ${name} values (${text});`)]
  })
  const version = db.prepare("pragma user_version").get()?.["user_version"]
  db.close()
  return [...lines, ...rest, `pragma user_version = ${version};`].join("\n")
}

function toLiteral(value: SQLOutputValue): string {
  if (value === null) return "null"
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)
}
