import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findDiskFault } from "#daemon/start/find-disk-fault.ts"
import { openJournal, type SqliteJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

let directory: string
let flush: () => void
let failures: unknown[]
let refuses: boolean
let wanted: number
let journal: SqliteJournal
/** A second connection, as another process has it: it sees only what is committed. */
let other: SqliteJournal
beforeEach(() => {
  directory = temporaryFolder("group-commit")
  failures = []
  refuses = false
  wanted = 0
  const file = join(directory, "journal.db")
  journal = openJournal(file, {
    group: {
      schedule: (run, { whenWanted }) => {
        flush = run
        whenWanted(() => wanted++)
      },
      beforeCommit: () => {
        if (refuses) throw new Error("database or disk is full")
      },
      onFailure: (error) => void failures.push(error),
    },
  })
  other = openJournal(file)
})
afterEach(() => {
  journal.close()
  other.close()
})

const ORDER: OrderRow = { ...ORDER_ROW, id: "order" }
const write = (key: string): void => journal.writeFlag(key, "set")
const isSettled = async (promise: Promise<void>): Promise<boolean> => {
  let settled = false
  promise.finally(() => (settled = true)).catch(() => undefined)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

describe("writes of one group", () => {
  test(
    "are seen at once by the process itself, and by others only after the commit that makes " +
      "them durable",
    async () => {
      write("a")
      const durable = journal.durable()
      write("b")
      expect([journal.readFlag("a"), journal.readFlag("b"), other.readFlag("a")]).toEqual([
        "set",
        "set",
        null,
      ])
      expect([journal.isPending(), await isSettled(durable)]).toEqual([true, false])
      flush()
      await durable
      expect([other.readFlag("a"), other.readFlag("b"), journal.isPending()]).toEqual([
        "set",
        "set",
        false,
      ])
    },
  )

  test("are all undone when the disk refuses the group, and whoever waits is told", async () => {
    write("a")
    const durable = journal.durable()
    refuses = true
    flush()
    await expect(durable).rejects.toMatchObject({
      code: "journal.write_failed",
      disposition: "transient",
    })
    expect([journal.readFlag("a"), failures.length, journal.countRefused()]).toEqual([null, 1, 1])
    refuses = false
    write("b")
    const next = journal.durable()
    flush()
    await next
    expect([other.readFlag("a"), other.readFlag("b")]).toEqual([null, "set"])
  })

  test("reach the disk together or not at all: no other process ever sees a part of them", async () => {
    const keys = ["a", "b", "c", "d", "e"]
    for (const key of keys) {
      write(key)
      expect(keys.map((one) => other.readFlag(one))).toEqual(keys.map(() => null))
    }
    const durable = journal.durable()
    refuses = true
    flush()
    await expect(durable).rejects.toMatchObject({ code: "journal.write_failed" })
    for (const one of [journal, other])
      expect(keys.map((key) => one.readFlag(key))).toEqual(keys.map(() => null))
    refuses = false
    for (const key of keys) write(key)
    flush()
    expect(keys.map((key) => other.readFlag(key))).toEqual(keys.map(() => "set"))
  })

  test("release no result before they are on disk, however many calls wait", async () => {
    const waits = ["a", "b", "c"].map((key) => {
      write(key)
      // The other process has the writes by the time that the wait ends.
      return journal.durable().then(() => other.readFlag(key))
    })
    expect(await Promise.all(waits.map((wait) => isSettled(wait.then(() => undefined))))).toEqual([
      false,
      false,
      false,
    ])
    flush()
    expect(await Promise.all(waits)).toEqual(["set", "set", "set"])
  })

  test("tell once that a call waits for them, and tell it for each group anew", async () => {
    write("a")
    expect(wanted).toBe(0)
    const waits = [journal.durable(), journal.durable()]
    expect(wanted).toBe(1)
    flush()
    await Promise.all(waits)
    await journal.durable()
    write("b")
    expect(wanted).toBe(1)
    void journal.durable()
    expect(wanted).toBe(2)
  })

  test(
    "leave no number of work behind for other work: a late result of the undone work changes " +
      "nothing",
    async () => {
      const opened = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
      const open = (work: string): number => {
        journal.openOrder(ORDER, opened, { body: work, dueAtMs: 1 }, null)
        return journal.listDueWork(1, 9, 1)[0]?.id ?? 0
      }
      const undone = open("first")
      refuses = true
      flush()
      refuses = false
      expect(journal.listDueWork(1, 9, 1)).toEqual([])
      expect(open("second")).toBeGreaterThan(undone)
    },
  )

  test("survive a write that throws: it undoes only itself", async () => {
    write("a")
    const occurrence = { id: "o", rule: "r", atMs: 1 }
    journal.settleOccurrence(occurrence, "skipped")
    const event = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
    // The occurrence is taken, so the order and the event that the same call has written must not
    // stay.
    expect(() => journal.openOrder(ORDER, event, null, occurrence)).toThrow("settled before")
    write("b")
    flush()
    await journal.durable()
    expect([
      other.readFlag("a"),
      other.readFlag("b"),
      other.findOccurrence("o")?.settledAtMs,
    ]).toEqual(["set", "set", 1])
    expect([other.findOrder(ORDER.id), other.listEvents(ORDER.id)]).toEqual([null, []])
  })

  test("are lost with a process that dies before the commit", async () => {
    write("a")
    const durable = journal.durable()
    journal.abandon()
    flush()
    expect([journal.readFlag("a"), await isSettled(durable)]).toEqual([null, false])
  })

  test("are on disk after a close", () => {
    write("a")
    journal.close()
    expect(other.readFlag("a")).toBe("set")
    journal = openJournal(":memory:")
  })
})

test("without a group each write is on disk when its call returns", async () => {
  other.writeFlag("a", "set")
  expect([journal.readFlag("a"), other.isPending()]).toEqual(["set", false])
  await other.durable()
})

test.skipIf(process.platform !== "linux")(
  "a group of large steps writes its pages once, into the log",
  () => {
    const event = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
    const commit = (round: number): void => {
      const order = { ...ORDER, snapshot: `${round}`.repeat(300_000) }
      journal.commit({ ...PLAIN_STEP, order, event })
    }
    journal.openOrder({ ...ORDER, snapshot: "0".repeat(300_000) }, event, null, null)
    flush()
    const sizeOfLog = (): number => statSync(join(directory, "journal.db-wal")).size
    const before = { written: readWrittenBytes(), log: sizeOfLog() }
    for (let round = 1; round < 10; round++) commit(round)
    flush()
    const logged = sizeOfLog() - before.log
    expect(logged).toBeGreaterThan(300_000)
    expect(readWrittenBytes() - before.written).toBeLessThan(logged * 1.2)
  },
)

/** The bytes that this thread has written, by the kernel's count. */
function readWrittenBytes(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/thread-self/io", "utf8"))?.[1])
}

test("a lock of another program is told at once, until it ends", () => {
  const holder = new DatabaseSync(join(directory, "journal.db"))
  holder.exec("begin immediate")
  const startMs = performance.now()
  expect(() => journal.writeFlag("note", "1")).toThrow(
    expect.objectContaining({ code: "journal.write_failed", disposition: "transient" }),
  )
  expect(performance.now() - startMs).toBeLessThan(2_000)
  expect(findDiskFault(directory, journal.lastRefusal())).toMatchObject({ code: "system.busy" })
  holder.exec("rollback")
  holder.close()
  journal.writeFlag("note", "1")
  flush()
  expect([journal.lastRefusal(), other.readFlag("note")]).toEqual([null, "1"])
})
