import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { MIGRATIONS } from "#journal/disk/open-database.ts"
import { openJournal } from "#journal/sqlite-journal.ts"

test("a journal of version 11 has its orders count for the second rule that their decisions name", () => {
  const directory = mkdtempSync(join(tmpdir(), "second-rule-"))
  const old = join(directory, "journal.db")
  const db = new DatabaseSync(old)
  for (const sql of MIGRATIONS.slice(0, 11)) db.exec(sql)
  db.exec("pragma user_version = 11")
  const columns =
    "id, state, outcome, rule, from_asset, to_asset, source_units, deposited, created_at, " +
    "updated_at, snapshot"
  for (const id of ["shared", "alone"])
    db.exec(
      `insert into orders (${columns}) values ('${id}', 'funded', null, 'drain', 'x:y', ` +
        "'x:z', '7', 1, 1000, 2000, '{}')",
    )
  for (const [decision, rule, order] of [
    ["1", "drain", "shared"],
    ["2", "refill", "shared"],
    ["3", "drain", "alone"],
  ]) {
    db.exec(
      `insert into decisions (id, at, rule, verdict, body) values ('${decision}', 1, ` +
        `'${rule}', 'proposed', '{}')`,
    )
    db.exec(`insert into decision_orders (decision, order_id) values ('${decision}', '${order}')`)
  }
  db.close()
  const opened = openJournal(old)
  const second = ["shared", "alone"].map((id) => opened.findOrder(id)?.secondRule)
  expect(second).toEqual(["refill", null])
  expect([
    opened.countInFlight({ rule: "drain" }),
    opened.countInFlight({ rule: "refill" }),
  ]).toEqual([2, 1])
  opened.close()
  rmSync(directory, { recursive: true })
})
