import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { openDatabase } from "#journal/disk/open-database.ts"

const place = (): string => join(mkdtempSync(join(tmpdir(), "ballast-no-journal-")), "journal.db")

test("an empty file is no new journal, because open orders would be forgotten", () => {
  const file = place()
  writeFileSync(file, "")
  expect(() => openDatabase(file)).toThrow(/is empty \(0 bytes\); put the newest backup/)
  expect(readFileSync(file).length).toBe(0)
})

test("a database of another program is refused, and stays as it is", () => {
  const file = place()
  const other = new DatabaseSync(file)
  other.exec("create table customers (name text)")
  other.close()
  const before = readFileSync(file)
  expect(() => openDatabase(file)).toThrow(/is a database of another program/)
  expect(readFileSync(file)).toEqual(before)
})

test("a database without any table is that of a first start which ended early", () => {
  const file = place()
  const early = new DatabaseSync(file)
  early.exec("pragma journal_mode = wal")
  early.close()
  openDatabase(file).close()
})

test("a folder in the place of the journal is named", () => {
  const file = place()
  mkdirSync(file)
  expect(() => openDatabase(file)).toThrow(/it is a folder and no file: move it away/)
})

test("a socket in the place of the journal is named before it is read, as a pipe is", async () => {
  const file = place()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(file, resolve))
  expect(() => openDatabase(file)).toThrow(/is no file, but a pipe, a socket or a device/)
  server.close()
})

test("a link to a file that is not there is named, and no file is made behind it", () => {
  const file = place()
  const behind = join(dirname(file), "no-such-disk", "journal.db")
  symlinkSync(behind, file)
  expect(() => openDatabase(file)).toThrow(/is a link to a file that does not exist; mount/)
  mkdirSync(dirname(behind))
  expect(() => openDatabase(file)).toThrow(/is a link to a file/)
  expect(existsSync(behind)).toBe(false)
})

test("without a file a new journal begins", () => {
  const file = place()
  openDatabase(file).close()
  openDatabase(file).close()
  expect(readFileSync(file).length).toBeGreaterThan(0)
})
