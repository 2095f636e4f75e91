import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import fc from "fast-check"
import { beforeEach, expect, test } from "vitest"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { plantSnapshot } from "../../support/plant-snapshot.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

/*
 * Each step stores the change of its snapshot. The order that is read back has the snapshot of its
 * last step, letter by letter.
 */

let directory: string
beforeEach(() => {
  directory = temporaryFolder("stored-changes")
})

const FIELDS = 6
const value = fc.oneof(fc.string({ maxLength: 9 }), fc.string({ minLength: 30, maxLength: 60 }))
const actions = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("step" as const), field: fc.nat(FIELDS), value }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("fail" as const), field: fc.nat(FIELDS), value }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "commit" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "abandon" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
)

test("the snapshot of each step is read back after restarts, failed steps and undone groups", () => {
  let changes = 0
  let steps = 0
  fc.assert(
    fc.property(fc.array(actions, { minLength: 20, maxLength: 90 }), (given) => {
      const file = join(mkdtempSync(join(directory, "run-")), "journal.db")
      const group = { schedule: () => undefined, onFailure: () => undefined }
      let journal = openJournal(file, { group })
      let now = Array<string>(FIELDS + 1).fill("x".repeat(40))
      journal.openOrder(rowOf(now), eventOf(now, 0), { body: "{}", dueAtMs: 1 }, null)
      let stored = now
      const restart = (): void => {
        journal.close()
        journal = openJournal(file, { group })
      }
      restart()
      for (const action of given) {
        if (action.do === "abandon") {
          journal.abandon()
          now = stored
        } else if (action.do === "commit" || action.do === "restart") {
          restart()
          stored = now
        } else {
          const next = now.with(action.field, action.value)
          const step = stepOf(next, action.field)
          if (action.do === "fail") expect(() => journal.commit({ ...step, cause: -1 })).toThrow()
          else {
            journal.commit(step)
            now = next
          }
        }
        expect(journal.findOrder("a")).toEqual(read(now))
      }
      restart()
      expect(journal.findOrder("a")).toEqual(read(now))
      expect(journal.listOrders({})).toEqual([read(now)])
      journal.close()
      changes += countChanges(file)
      steps += countOf(file, "select count(*) - 1 n from events")
    }),
    { numRuns: 25 },
  )
  // About six in ten steps draw a change that is shorter than the snapshot.
  expect(changes).toBeGreaterThan(steps / 3)
}, 60_000)

test("a whole snapshot is written after 32 changes, so that a read takes few events", () => {
  const file = join(directory, "journal.db")
  const journal = openJournal(file)
  const fields = Array<string>(FIELDS + 1).fill("x".repeat(40))
  journal.openOrder(rowOf(fields), eventOf(fields, 0), { body: "{}", dueAtMs: 1 }, null)
  const most = Array.from({ length: 70 }, (_, n) => {
    journal.commit(stepOf(fields.with(1, String(n)), 1))
    return changesOf(file)
  })
  expect(Math.max(...most)).toBe(32)
  expect(journal.findOrder("a")?.snapshot).toContain('"69"')
  journal.close()
})

test("a row that a person repaired is read as it is, and the next step follows from it", () => {
  const file = join(directory, "journal.db")
  const journal: Journal = openJournal(file)
  const fields = Array<string>(FIELDS + 1).fill("x".repeat(40))
  journal.openOrder(rowOf(fields), eventOf(fields, 0), { body: "{}", dueAtMs: 1 }, null)
  journal.commit(stepOf(fields.with(1, "1"), 1))
  const other = new DatabaseSync(file)
  plantSnapshot(other, "a", "repaired")
  other.close()
  expect(journal.findOrder("a")?.snapshot).toBe("repaired")
  journal.commit(stepOf(fields.with(1, "2"), 1))
  journal.commit(stepOf(fields.with(1, "3"), 1))
  journal.close()
  const opened = openJournal(file)
  expect(opened.findOrder("a")).toEqual(read(fields.with(1, "3")))
  opened.close()
})

test("the row of an order under way is in memory, and that of an order that has ended is not", () => {
  const journal = openJournal(join(directory, "journal.db"))
  const fields = Array<string>(FIELDS + 1).fill("x".repeat(40))
  journal.openOrder(rowOf(fields), eventOf(fields, 0), { body: "{}", dueAtMs: 1 }, null)
  expect(journal.findOrder("a")).toBe(journal.findOrder("a"))
  const step = stepOf(fields.with(1, "1"), 1)
  const ended = { state: "completed", outcome: "completed" } as const
  journal.commit({ ...step, order: { ...step.order, ...ended }, work: null })
  expect(journal.findOrder("a")).toEqual({ ...read(fields.with(1, "1")), ...ended })
  expect(journal.findOrder("a")).not.toBe(journal.findOrder("a"))
  journal.close()
})

test("pieces of another text of the same length change nothing: the snapshot itself is stored", () => {
  const file = join(directory, "journal.db")
  const journal = openJournal(file)
  const fields = Array<string>(FIELDS + 1).fill("x".repeat(40))
  journal.openOrder(rowOf(fields), eventOf(fields, 0), { body: "{}", dueAtMs: 1 }, null)
  const told = fields.with(1, "1")
  const other = fields.with(1, "2")
  const step = stepOf(told, 1)
  journal.commit({ ...step, order: { ...step.order, pieces: rowOf(other).pieces ?? [] } })
  journal.close()
  const opened = openJournal(file)
  expect(opened.findOrder("a")).toEqual(read(told))
  opened.close()
})

function read(fields: readonly string[]): OrderRow {
  const { pieces: _pieces, ...row } = rowOf(fields)
  return row
}

function rowOf(fields: readonly string[]): OrderRow {
  const pieces = [
    '{"id":"a"',
    ...fields.map((field, n) => `,"f${n}":${JSON.stringify(field)}`),
    "}",
  ]
  return { ...ORDER_ROW, id: "a", snapshot: pieces.join(""), pieces }
}

/** An event that tells the new value, as most events do. */
function eventOf(fields: readonly string[], field: number): StepRow["event"] {
  return {
    atMs: 1,
    type: "test.event",
    state: "quoting",
    body: JSON.stringify({ value: fields[field] }),
  }
}

function stepOf(fields: readonly string[], field: number): StepRow {
  return {
    ...PLAIN_STEP,
    order: rowOf(fields),
    event: eventOf(fields, field),
    work: { body: "{}", dueAtMs: 1 },
  }
}

function countChanges(file: string): number {
  return countOf(file, "select count(*) n from events where change like '[%'")
}

function changesOf(file: string): number {
  return countOf(file, "select max(changes) n from orders")
}

function countOf(file: string, sql: string): number {
  const db = new DatabaseSync(file)
  const count = Number(db.prepare(sql).get()?.["n"])
  db.close()
  return count
}
