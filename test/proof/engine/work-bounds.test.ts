import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createWorld, type Daemon, type World } from "../../support/fake-world.ts"

/* Bounds on the work for one order that do not depend on the machine. */

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ journal: "file" })
  daemon = world.start()
})
afterEach(() => {
  vi.restoreAllMocks()
})

test("the engine decodes no order that it wrote itself", async () => {
  const parse = vi.spyOn(JSON, "parse")
  await completeOrder()
  const snapshots = parse.mock.calls.filter(([text]) => text.startsWith('{"version":'))
  expect(snapshots).toEqual([])
})

test("a completed order takes a bounded number of steps, bytes and calls", async () => {
  const commit = vi.spyOn(daemon.context.journal, "commit")
  await completeOrder()
  const steps = commit.mock.calls.map(([row]) => row)
  expect(steps.length).toBeLessThanOrEqual(11)
  expect(daemon.context.journal.listEvents("order-1")).toHaveLength(steps.length + 1)
  const once = [
    "service.submitOrder",
    "base.planTransaction",
    "base.signTransaction",
    "base.broadcastTransaction",
  ]
  expect(once.map((name) => world.faults.countCalls(name))).toEqual([1, 1, 1, 1])
  const often = ["service.fetchOrder", "base.observeTransaction", "service.fetchQuotes"]
  expect(often.map((name) => world.faults.countCalls(name))).toEqual([4, 2, 1])
})

test("a finished order keeps few bytes for ever, and no snapshot twice", async () => {
  const db = (): DatabaseSync => new DatabaseSync(world.journalFile)
  const sizeOf = (): number => {
    const open = db()
    open.exec("pragma wal_checkpoint(truncate)")
    const pages = Number(open.prepare("select sum(pgsize) size from dbstat").get()?.["size"])
    open.close()
    return pages
  }
  const count = 24
  const before = sizeOf()
  for (let n = 1; n <= count; n++) await completeOrder(`order-${n}`)
  const open = db()
  const kept = open
    .prepare(
      "select length(body) body, length(change) change, " +
        "type from events where order_id = 'order-1'",
    )
    .all()
  open.close()
  const sum = (column: string): number =>
    kept.reduce((bytes, row) => bytes + Number(row[column]), 0)
  // The last look shows the ends of both legs at once.
  expect(sum("body")).toBeLessThanOrEqual(12_700)
  // The snapshot of a finished order has 7 600 bytes. Its events have most of them already.
  expect(sum("change")).toBeLessThanOrEqual(3_600)
  // With its indexes, signature, books and half-full pages. 365 000 orders, a year of 1 000 a day,
  // take less than 11 GB.
  expect((sizeOf() - before) / count).toBeLessThanOrEqual(30_000)
})

async function completeOrder(id = "order-1"): Promise<void> {
  await daemon.accept()
  await daemon.reach("completed", id)
}
