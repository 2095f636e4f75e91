import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { rememberPlace } from "./database-place.ts"

test.each(["", "-wal", "-shm"])("a database without its file%s is not in its place", (one) => {
  const file = join(mkdtempSync(join(tmpdir(), "place-")), "a.db")
  const db = new DatabaseSync(file)
  db.exec("pragma journal_mode = wal; create table a (b); insert into a values (1)")
  const findPlace = rememberPlace(file)
  expect(findPlace()).toBe("in_place")
  rmSync(`${file}${one}`)
  expect(findPlace()).toBe("deleted")
  db.close()
})
