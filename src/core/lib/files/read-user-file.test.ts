import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { readUserFile } from "./read-user-file.ts"

const dir = mkdtempSync(join(tmpdir(), "file-"))
const server = createServer()
afterAll(() => server.close())

test("a file is read, also behind a link, and the errors of the system stay", () => {
  writeFileSync(join(dir, "key"), "0x12")
  symlinkSync(join(dir, "key"), join(dir, "link"))
  expect(readUserFile(join(dir, "link")).toString("utf8")).toBe("0x12")
  expect(() => readUserFile(join(dir, "none"))).toThrow(/ENOENT/)
})

test("a socket and a device are refused before a read that has no end", async () => {
  await new Promise<void>((resolve) => server.listen(join(dir, "socket"), resolve))
  symlinkSync("/dev/zero", join(dir, "zero"))
  expect(() => readUserFile(join(dir, "socket"))).toThrow(/it is a socket, and a file is expected/)
  expect(() => readUserFile(join(dir, "zero"))).toThrow(/it is a device/)
  expect(readUserFile("/dev/null").toString("utf8")).toBe("")
})
