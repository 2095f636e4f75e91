import { mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, expect, test } from "vitest"
import { findDamage } from "./find-damage.ts"
import { openDatabase } from "./open-database.ts"

const dir = mkdtempSync(join(tmpdir(), "ballast-damage-"))
afterAll(() => rmSync(dir, { recursive: true }))

test("a sound journal, one in use and no journal have no damage", () => {
  const file = join(dir, "sound.db")
  expect(findDamage(file)).toBeNull()
  const db = openDatabase(file)
  expect(findDamage(file)).toBeNull()
  db.close()
  expect(findDamage(file)).toBeNull()
  expect(readdirSync(dir)).toEqual(["sound.db"])
})

test.each(["orders", "decisions", "alerts", "flags"])("a damaged page of %s is found", (table) => {
  const file = join(dir, `${table}.db`)
  openDatabase(file).close()
  damagePage(file, table)
  expect(findDamage(file)).toMatchObject({
    code: "journal.damaged_file",
    disposition: "fatal",
    details: { file },
  })
})

test("a file that is no database any more refuses the start by its true cause", () => {
  const file = join(dir, "header.db")
  openDatabase(file).close()
  overwrite(file, 0)
  expect(() => openDatabase(file)).toThrow(
    expect.objectContaining({ code: "journal.damaged_file" }),
  )
  writeFileSync(file, "no database")
  expect(findDamage(file)).toMatchObject({ code: "journal.damaged_file" })
})

function damagePage(file: string, table: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  const row = db.prepare("select rootpage n from sqlite_schema where name = ?").get(table)
  const size = Number(db.prepare("pragma page_size").get()?.["page_size"])
  db.close()
  overwrite(file, (Number(row?.["n"]) - 1) * size)
}

function overwrite(file: string, offset: number): void {
  writeSync(openSync(file, "r+"), Buffer.alloc(2_000, 0xff), 0, 2_000, offset)
}
