import { chmodSync, chownSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findForeign } from "./foreign-file.ts"

const file = join(mkdtempSync(join(tmpdir(), "ballast-foreign-file-")), "key")

test.each([0o600, 0o644, 0o755])("a file of ours with mode %o is not foreign", (mode) => {
  writeFileSync(file, "")
  chmodSync(file, mode)
  expect(findForeign(file, "the key")).toBeNull()
})

test.each([0o620, 0o602, 0o666])("a file with mode %o is", (mode) => {
  writeFileSync(file, "")
  chmodSync(file, mode)
  expect(findForeign(file, "the key")).toEqual({
    found: `other users can change the key (mode ${mode.toString(8)})`,
    todo: `run \`chmod go-w ${file}\``,
  })
})

test.skipIf(process.getuid?.() !== 0)("a file of another user is", () => {
  writeFileSync(file, "")
  chmodSync(file, 0o600)
  chownSync(file, 12_345, 12_345)
  expect(findForeign(file, "the key")).toMatchObject({
    found: "the key belongs to user 12345, not to user 0",
  })
})

test("a missing file is judged by its reader", () => {
  expect(findForeign(`${file}.missing`, "the key")).toBeNull()
})
