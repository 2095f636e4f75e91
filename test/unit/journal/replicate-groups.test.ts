import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { readReplica, replayGroups } from "#journal/disk/replay-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { LoggedGroup } from "#ports/journal/durability.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ORDER: OrderRow = { ...ORDER_ROW, id: "o1" }

let directory: string
let flush: () => void
let refuses: boolean
let groups: LoggedGroup[]
let answers: PromiseWithResolvers<void>[]
let journal: Journal
beforeEach(() => {
  directory = temporaryFolder("replicate")
  ;[groups, answers, refuses] = [[], [], false]
  journal = open("journal.db")
})
afterEach(() => journal.close())

test("a write is durable only when the log has it too", async () => {
  journal.writeFlag("a", "1")
  let isDurable = false
  const durable = journal.durable().then(() => {
    isDurable = true
  })
  flush()
  await new Promise(setImmediate)
  expect([isDurable, journal.isPending()]).toEqual([false, true])
  answers[0]?.resolve()
  await durable
  expect([isDurable, journal.isPending()]).toEqual([true, false])
})

test("after the log's refusal nothing becomes durable any more", async () => {
  journal.writeFlag("a", "1")
  flush()
  answers[0]?.reject(new Error("the lease is lost"))
  await expect(journal.durable()).rejects.toThrow("the lease is lost")
  expect(journal.isPending()).toBe(true)
})

describe("the last acknowledgement", () => {
  const acknowledged = (): number | undefined =>
    readReplica(join(directory, "journal.db"))?.acknowledged?.seq
  const acknowledge = async (group: number): Promise<void> => {
    answers[group - 1]?.resolve()
    await new Promise(setImmediate)
  }

  test("is written down when no group takes it along, and not before it came", async () => {
    writeFlags(["a", "1"])
    journal.noteAcknowledged()
    expect(acknowledged()).toBeUndefined()
    await acknowledge(1)
    journal.noteAcknowledged()
    expect(acknowledged()).toBe(1)
  })

  test("goes along with an open group, and stays when that one is undone", async () => {
    writeFlags(["a", "1"])
    await acknowledge(1)
    journal.writeFlag("a", "2")
    journal.noteAcknowledged()
    refuses = true
    flush()
    expect(acknowledged()).toBeUndefined()
    refuses = false
    journal.noteAcknowledged()
    expect([acknowledged(), groups.length]).toEqual([1, 1])
    writeFlags(["a", "3"])
    expect(readReplica(join(directory, "journal.db"))).toMatchObject({
      position: { seq: 2 },
      acknowledged: { seq: 1 },
    })
  })

  test("is written down at the end of the journal", async () => {
    writeFlags(["a", "1"])
    await acknowledge(1)
    journal.close()
    expect(acknowledged()).toBe(1)
    journal = open("journal.db")
  })
})

test("a copy that replays the groups has the same rows", () => {
  const copy = copyOf()
  writeFlags(["a", "1"], ["b", "2"], ["a", "3"], ["b", null])
  replayGroups(copy, groups)
  expect(flagsIn(copy)).toEqual(flagsIn(join(directory, "journal.db")))
  expect(readReplica(copy)?.position).toEqual(readReplica(join(directory, "journal.db"))?.position)
})

test("a copy that replays the groups knows the keys of requests, and their orders", () => {
  const copy = copyOf()
  const event = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
  const requestKey = { key: "nightly-1", request: "hash" }
  journal.openOrder(ORDER, event, null, null, { requestKey })
  journal.withdrawRequestKey("late-1", 2)
  flush()
  replayGroups(copy, groups)
  const follower = openJournal(copy)
  expect(follower.findRequestKey("nightly-1")).toEqual({
    ...requestKey,
    answer: null,
    orderId: ORDER.id,
  })
  expect(follower.findRequestKey("late-1")).toMatchObject({ orderId: null })
  follower.close()
})

test("a group that the disk refused is not in the log, and the next one follows the one before", () => {
  const copy = copyOf()
  writeFlags(["a", "1"])
  refuses = true
  writeFlags(["a", "2"])
  refuses = false
  writeFlags(["a", "3"])
  expect(groups.map(({ seq }) => seq)).toEqual([1, 2])
  replayGroups(copy, groups)
  expect(flagsIn(copy)).toEqual({ a: "3" })
})

test("a group without changes is not sent", () => {
  writeFlags(["a", "1"], ["a", "1"], ["b", null])
  expect(groups).toHaveLength(1)
})

test("a gap, another content and another state are refused, and change nothing", () => {
  const copy = copyOf()
  writeFlags(["a", "1"], ["a", "2"], ["a", "3"])
  const [first, second, third] = groups as [LoggedGroup, LoggedGroup, LoggedGroup]
  const diverged = { code: "journal.replica_diverged" }
  expect(() => replayGroups(copy, [first, third])).toThrow(expect.objectContaining(diverged))
  expect(() => replayGroups(copy, [{ ...first, changeset: second.changeset }])).toThrow(
    expect.objectContaining(diverged),
  )
  expect(flagsIn(copy)).toEqual({})
  replayGroups(copy, [first])
  const db = new DatabaseSync(copy)
  db.exec("update flags set value = '9' where key = 'a'")
  db.close()
  expect(() => replayGroups(copy, [second])).toThrow(expect.objectContaining(diverged))
  expect(flagsIn(copy)).toEqual({ a: "9" })
})

test("every table that holds something is in the changesets", () => {
  const db = new DatabaseSync(join(directory, "journal.db"), { readOnly: true })
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
  const unkeyed = tables
    .map(({ name }) => String(name))
    .filter(
      (name) =>
        db.prepare(`select 1 from pragma_table_info('${name}') where pk > 0`).get() === undefined,
    )
  db.close()
  expect(unkeyed).toEqual(["replica"])
})

function open(name: string): Journal {
  return openJournal(join(directory, name), {
    group: {
      schedule: (run) => {
        flush = run
      },
      beforeCommit: () => {
        if (refuses) throw new Error("database or disk is full")
      },
      onFailure: () => undefined,
    },
    groupLog: {
      append: (group) => {
        groups.push(group)
        const answer = Promise.withResolvers<void>()
        answers.push(answer)
        return answer.promise
      },
      urge: () => undefined,
    },
  })
}

function copyOf(): string {
  const copy = join(directory, "copy.db")
  journal.close()
  copyFileSync(join(directory, "journal.db"), copy)
  journal = open("journal.db")
  return copy
}

function writeFlags(...flags: [string, string | null][]): void {
  for (const [key, value] of flags) {
    journal.writeFlag(key, value)
    flush()
  }
}

function flagsIn(file: string): Record<string, unknown> {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare("select key, value from flags order by key").all()
  db.close()
  return Object.fromEntries(rows.map((row) => [row["key"], row["value"]]))
}
