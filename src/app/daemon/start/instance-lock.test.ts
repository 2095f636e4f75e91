import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { lockInstance } from "./instance-lock.ts"

const dir = mkdtempSync(join(tmpdir(), "instance-lock-"))

test("a second Ballast on the same folder is told to wait", () => {
  const lock = lockInstance(join(dir, "held"))
  expect(() => lockInstance(join(dir, "held"))).toThrow(
    expect.objectContaining({ code: "daemon.locked", disposition: "transient" }),
  )
  lock.release()
  lockInstance(join(dir, "held")).release()
})

test("a lock that cannot be used is not one that another Ballast holds", () => {
  const refused = expect.objectContaining({ code: "daemon.lock_file", disposition: "fatal" })
  mkdirSync(join(dir, "folder", "instance.lock"), { recursive: true })
  expect(() => lockInstance(join(dir, "folder"))).toThrow(refused)
  mkdirSync(join(dir, "damaged"))
  writeFileSync(join(dir, "damaged", "instance.lock"), "no database ".repeat(1_000))
  expect(() => lockInstance(join(dir, "damaged"))).toThrow(refused)
})
