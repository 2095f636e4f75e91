import { mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { openSignatureLog } from "./signature-log.ts"

const PAGE_BYTES = 4_096

/** A record of many pages. */
function filled(): string {
  const file = join(mkdtempSync(join(tmpdir(), "record-")), "signatures.db")
  const log = openSignatureLog(file)
  log.addAll(
    Array.from({ length: 300 }, (_, at) => ({
      atMs: at,
      order: `order ${at}`,
      chain: "toy",
      account: "us",
      action: "gasless" as const,
      digest: `digest ${at}`,
      resources: [`nonce/${at}`],
      secretHash: null,
      group: `group ${at}`,
      charges: new Map(),
    })),
  )
  log.close()
  return file
}

test("a whole record opens again, with every claim", () => {
  const log = openSignatureLog(filled())
  expect(log.find("toy", "digest 299")).toMatchObject({ order: "order 299" })
  log.close()
})

test.each([
  ["a page in the middle", 9],
  ["the head", 0],
])("a record with damage of %s is named with its remedy, and does not open", (_where, page) => {
  const file = filled()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xa5, page * PAGE_BYTES, (page + 1) * PAGE_BYTES))
  expect(() => openSignatureLog(file)).toThrow(
    expect.objectContaining({
      code: "signer.damaged_file",
      disposition: "fatal",
      message: expect.stringContaining("keep a copy"),
    }),
  )
})

test("a database of another program is refused, and stays as it is", () => {
  const file = join(mkdtempSync(join(tmpdir(), "record-")), "signatures.db")
  const other = new DatabaseSync(file)
  other.exec("create table customers (name text)")
  other.close()
  const before = readFileSync(file)
  expect(() => openSignatureLog(file)).toThrow(/signatures\.db is a database of another program/)
  expect(readFileSync(file)).toEqual(before)
})

test("a link to a file that is not there is named", () => {
  const dir = mkdtempSync(join(tmpdir(), "record-"))
  symlinkSync(join(dir, "no-such-disk", "signatures.db"), join(dir, "signatures.db"))
  expect(() => openSignatureLog(join(dir, "signatures.db"))).toThrow(/mount its disk/)
})

test("a record that is deleted or replaced under the signer is noticed", () => {
  const file = filled()
  const log = openSignatureLog(file)
  expect(log.findPlace()).toBe("in_place")
  renameSync(file, `${file}.away`)
  expect(log.findPlace()).toBe("deleted")
  writeFileSync(file, "other")
  expect(log.findPlace()).toBe("replaced")
  log.close()
})
