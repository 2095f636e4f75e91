import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { writeNewFile } from "./write-new-file.ts"

const dir = mkdtempSync(join(tmpdir(), "write-new-file-"))

test("writes a file for this user alone, and never over another one", () => {
  const file = join(dir, "new")
  writeNewFile(file, "first")
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(() => writeNewFile(file, "second")).toThrow("EEXIST")
  expect(readFileSync(file, "utf8")).toBe("first")
})

test("passes on what the system says of a wrong path, and leaves nothing behind", () => {
  writeFileSync(join(dir, "file"), "")
  const before = readdirSync(dir)
  expect(() => writeNewFile(join(dir, "file", "x"), "text")).toThrow("ENOTDIR")
  expect(() => writeNewFile(join(dir, "nowhere", "x"), "text")).toThrow("ENOENT")
  expect(readdirSync(dir)).toEqual(before)
})
