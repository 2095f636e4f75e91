import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import { beforeEach, expect, test } from "vitest"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { decodeOrder, encodePieces } from "#order/step.ts"
import type { AccountRow } from "#ports/journal/ledger.ts"
import type { EventRow, OrderCount, OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"
import type { Journal } from "#ports/journal.ts"
import type { SignatureRow } from "#ports/signing-record.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const FOLDER = join(import.meta.dirname, "../../fixtures/journal-20")

type Expected = {
  readonly orders: readonly OrderRow[]
  readonly events: readonly { readonly id: string; readonly events: readonly EventRow[] }[]
  readonly due: readonly WorkRow[]
  readonly counts: readonly OrderCount[]
  readonly reserved: readonly string[]
  readonly signatures: readonly (readonly SignatureRow[])[]
  readonly accounts: readonly AccountRow[]
}

let directory: string
let file: string
let expected: Expected
beforeEach(() => {
  directory = temporaryFolder("schema-20")
  file = join(directory, "journal.db")
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  db.exec(`begin; ${gunzip("open-orders.sql.gz")}; commit`)
  db.close()
  // CAST: written with the journal, and never changed.
  expected = decodeJson(gunzip("expected.json.gz")) as Expected
})

test("a journal of schema 20 with open orders gives the same answers", () => {
  const journal = openJournal(file)
  expect(expected.orders.map(({ state }) => state).toSorted()).toEqual([
    "completed",
    "creating",
    "deposit-sending",
    "funded",
    "funded",
  ])
  expect(journal.listOrders({})).toEqual(expected.orders)
  for (const { id, events } of expected.events) expect(journal.listEvents(id)).toEqual(events)
  expect(journal.listDueWork(Number.MAX_SAFE_INTEGER, 99)).toEqual(expected.due)
  expect(sorted(journal.countOrders())).toEqual(sorted(expected.counts))
  expect([...journal.listReserved("")].sort()).toEqual(expected.reserved)
  expect(expected.orders.map(({ id }) => journal.listOf(id))).toEqual(expected.signatures)
  expect(journal.listAccounts("")).toEqual(expected.accounts)
  journal.close()
})

test("its orders go on: the first step writes the whole snapshot, the next ones their changes", () => {
  let journal = openJournal(file)
  const before = mustExist(
    expected.orders.find(({ state }) => state === "funded"),
    "a funded order",
  )
  for (let tries = 1; tries <= 3; tries++) {
    journal.commit(stepOf(journal, before, tries))
    expect(
      decodeOrder(mustExist(journal.findOrder(before.id), "the order").snapshot).data.tries,
    ).toBe(tries)
  }
  const last = journal.findOrder(before.id)
  journal.close()
  const db = new DatabaseSync(file)
  const stored = db
    .prepare("select changes, change from orders join events on seq = last_event where id = ?")
    .get(before.id)
  db.close()
  expect(stored).toMatchObject({ changes: 3 })
  expect(String(stored?.["change"]).length).toBeLessThan(100)
  journal = openJournal(file)
  expect(journal.findOrder(before.id)).toEqual(last)
  expect(journal.listEvents(before.id)).toHaveLength(
    (expected.events.find(({ id }) => id === before.id)?.events.length ?? 0) + 3,
  )
  journal.close()
})

/** A try of the order's work, as the engine writes it. */
function stepOf(journal: Journal, row: OrderRow, tries: number): StepRow {
  const { state, data } = decodeOrder(row.snapshot)
  const pieces = encodePieces({ state, data: { ...data, tries } })
  const work = journal
    .listDueWork(Number.MAX_SAFE_INTEGER, 99)
    .find(({ orderId }) => orderId === row.id)
  return {
    order: { ...row, snapshot: pieces.join(""), pieces },
    event: { atMs: row.updatedAtMs, type: "order.observed", state, body: "{}" },
    cause: mustExist(work, "its work").id,
    work: { body: work?.body ?? "", dueAtMs: 1 },
    reserve: [],
    release: null,
    signed: null,
    settle: null,
    alerts: [],
    booking: { reversedKeys: [], add: [] },
  }
}

function sorted(counts: readonly OrderCount[]): readonly string[] {
  return counts
    .map((count) => encodeJson([count.state, count.outcome, count.service, count.count]))
    .toSorted()
}

function gunzip(name: string): string {
  return gunzipSync(readFileSync(join(FOLDER, name))).toString()
}
