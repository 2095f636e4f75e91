import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { lockInstance } from "./instance-lock.ts"
import { writeRuntimeFile } from "./runtime-file.ts"

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

test("a data_dir that is a link to nowhere is named", () => {
  symlinkSync(join(dir, "no-such-disk"), join(dir, "lost"))
  expect(() => lockInstance(join(dir, "lost"))).toThrow(
    /data_dir .*lost is a link to a folder that does not exist; make that folder/,
  )
})

test.runIf(existsSync("/proc/self/stat"))(
  "a daemon whose lock was deleted still has the folder",
  () => {
    const folder = join(dir, "deleted")
    mkdirSync(folder)
    const daemon = {
      socket: null,
      url: null,
      treasury: "x",
      version: "1",
      startedAt: "",
      config: "",
    }
    writeRuntimeFile(folder, { ...daemon, pid: process.ppid })
    expect(() => lockInstance(folder)).toThrow(
      expect.objectContaining({ code: "daemon.locked", disposition: "transient" }),
    )
    // The process of a daemon that ended, with a later one in its place.
    const file = join(folder, "runtime.json")
    const other = { ...JSON.parse(readFileSync(file, "utf8")), pidStart: "1" }
    writeFileSync(file, JSON.stringify(other))
    lockInstance(folder).release()
    writeRuntimeFile(folder, { ...daemon, pid: process.pid })
    lockInstance(folder).release()
  },
)
