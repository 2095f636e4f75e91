import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { backUpJournal } from "#journal/disk/back-up-journal.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { SCHEMA_VERSION } from "#journal/schema-version.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const FIXTURE = join(import.meta.dirname, "../../fixtures/journal-0.4/open-order.sql.gz")

let directory: string
let file: string
let writer: DatabaseSync
beforeEach(() => {
  directory = temporaryFolder("older-journal")
  file = join(directory, "journal.db")
  writer = new DatabaseSync(file, { enableForeignKeyConstraints: false })
})
afterEach(() => {
  if (writer.isOpen) writer.close()
})

const OPENERS: readonly (readonly [string, () => unknown])[] = [
  ["a daemon and every command that reads", () => openJournal(file)],
  ["a member of a cluster", () => readReplica(file)],
  ["a backup", () => backUpJournal(file, join(directory, "backup.db"))],
]

/** The ways in which 0.4 leaves its journal. */
const LEFT: readonly (readonly [string, () => void])[] = [
  [
    "killed at its first start, with everything in the log",
    () => {
      writer.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0")
      write()
      expect(readFileSync(file).readUInt32BE(60)).toBe(0)
    },
  ],
  [
    "killed after a checkpoint, with later steps in the log",
    () => {
      writer.exec("pragma journal_mode = wal")
      write()
      writer.exec("pragma wal_checkpoint(restart); insert into flags values ('pause', 'by hand')")
      expect(readFileSync(file).readUInt32BE(60)).toBe(19)
    },
  ],
  [
    "stopped",
    () => {
      writer.exec("pragma journal_mode = wal")
      write()
      writer.close()
      expect(existsSync(`${file}-wal`)).toBe(false)
    },
  ],
  ["restored from a backup", write],
]

describe.each(LEFT)("a journal of 0.4 that was %s", (_how, leave) => {
  test.each(OPENERS)("is refused by %s, and no byte of it changes", (_who, open) => {
    leave()
    setBack()
    const before = listFiles()
    expect(open).toThrow(
      expect.objectContaining({
        code: "journal.version",
        disposition: "fatal",
        message: expect.stringContaining("Finish or refund open orders with 0.4"),
      }),
    )
    expect(listFiles()).toEqual(before)
  })
})

test.each([1, 6, 14, 19])("schema %i is refused", (version) => {
  writer.exec(`create table orders (id text); pragma user_version = ${version}`)
  expect(() => openJournal(file)).toThrow(expect.objectContaining({ code: "journal.version" }))
})

test.each([
  ["a daemon and every command that reads", () => openJournal(file)],
  ["a backup", () => backUpJournal(file, join(directory, "backup.db"))],
])("a journal of a newer version is refused by %s, and no byte of it changes", (_who, open) => {
  writer.exec(`create table orders (id text); pragma user_version = ${SCHEMA_VERSION + 1}`)
  setBack()
  const before = listFiles()
  expect(open).toThrow(
    expect.objectContaining({ code: "journal.future_schema", disposition: "fatal" }),
  )
  expect(listFiles()).toEqual(before)
})

test("a step that the log of a new journal holds without its commit does not count", () => {
  writer.exec("pragma journal_mode = wal; pragma cache_size = 1; begin")
  writer.exec("create table half (x text); pragma user_version = 19")
  for (let row = 0; row < 50; row++) writer.exec("insert into half values (zeroblob(4000))")
  const killed = join(directory, "killed.db")
  for (const suffix of ["", "-wal"]) copyFileSync(`${file}${suffix}`, `${killed}${suffix}`)
  expect(statSync(`${killed}-wal`).size).toBeGreaterThan(50_000)
  openJournal(killed).close()
})

function write(): void {
  writer.exec(`begin; ${gunzipSync(readFileSync(FIXTURE)).toString()}; commit`)
}

/** Every file with its bytes and its time. */
function listFiles(): readonly unknown[] {
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name))
    .map((path) => [path, readFileSync(path).toString("base64"), statSync(path).mtimeMs])
}

/**
 * Gives each file an early time: a write in the same tick of the file system's clock would show
 * nothing.
 */
function setBack(): void {
  const early = Date.UTC(2026, 0, 1) / 1_000
  for (const name of readdirSync(directory)) utimesSync(join(directory, name), early, early)
}
