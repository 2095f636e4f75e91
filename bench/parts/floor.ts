import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Part, Row } from "../row.ts"
import { readWrittenBytes } from "../run-orders.ts"

/** As many steps and bytes as an order has (`writes` measures both). */
const STEPS = 10
const EVENT_BYTES = 770
const SNAPSHOT_BYTES = 7_200
const KEPT_BYTES = STEPS * EVENT_BYTES + SNAPSHOT_BYTES
const AT_ONCE = 256

/**
 * What SQLite alone asks for the bytes that an order keeps: no engine, no checks, no index but the
 * keys. The same durability, and 256 orders in a commit.
 */
export const floor: Part = async (quick) => {
  const groups = quick ? 4 : 16
  return [
    ...measure("raw inserts of the same bytes", groups, false),
    ...measure("raw inserts, and the whole snapshot again at each step", groups, true),
  ]
}

/** The processor time of an order's raw inserts, in milliseconds. */
export function measureRawInserts(): number {
  const [, cpu] = measure("raw inserts", 4, false)
  return cpu?.value ?? Number.NaN
}

function measure(what: string, groups: number, rewrites: boolean): Row[] {
  const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-"))
  const db = new DatabaseSync(join(folder, "floor.db"))
  db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000")
  db.exec("create table orders (id integer primary key, snapshot text) strict")
  db.exec("create table events (seq integer primary key, order_id integer, body text) strict")
  const open = db.prepare("insert into orders values (?, ?)")
  const change = db.prepare("update orders set snapshot = ? where id = ?")
  const note = db.prepare("insert into events (order_id, body) values (?, ?)")
  const event = "e".repeat(EVENT_BYTES)
  const before = { written: readWrittenBytes(), cpu: process.cpuUsage() }
  for (let group = 0; group < groups; group++) {
    for (let step = 1; step <= STEPS; step++) {
      db.exec("begin immediate")
      for (let order = group * AT_ONCE; order < (group + 1) * AT_ONCE; order++) {
        const size = Math.floor((SNAPSHOT_BYTES * step) / STEPS)
        if (step === 1) open.run(order, rewrites ? "s".repeat(size) : "s".repeat(SNAPSHOT_BYTES))
        else if (rewrites) change.run("s".repeat(size), order)
        note.run(order, event)
      }
      db.exec("commit")
    }
  }
  db.close()
  const { user, system } = process.cpuUsage(before.cpu)
  const written = readWrittenBytes() - before.written
  const orders = groups * AT_ONCE
  rmSync(folder, { recursive: true })
  return [
    {
      what: `${what}: written for each byte kept`,
      value: written / orders / KEPT_BYTES,
      unit: "×",
      goal: null,
    },
    {
      what: `${what}: processor time of an order`,
      value: (user + system) / 1_000 / orders,
      unit: "ms",
      goal: null,
    },
  ]
}
