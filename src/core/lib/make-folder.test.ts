import { existsSync, mkdtempSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeFolder } from "./make-folder.ts"

test("makes the folders above it too, closed to others, and again without an error", () => {
  const path = join(mkdtempSync(join(tmpdir(), "folder-")), "a", "b")
  makeFolder(path)
  makeFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test.each(["/proc/x", "/proc/x/y", "/dev/null/x"])(
  "tells that %s cannot be made, and does not try for ever",
  (path) => {
    expect(() => makeFolder(path)).toThrow(/ENOENT|ENOTDIR|EACCES|EPERM/)
    expect(existsSync(path)).toBe(false)
  },
)

test("a file in its place is left to the one who uses the folder", () => {
  const file = join(mkdtempSync(join(tmpdir(), "folder-")), "file")
  writeFileSync(file, "")
  makeFolder(file)
  expect(() => makeFolder(join(file, "x"))).toThrow(/ENOTDIR/)
})
