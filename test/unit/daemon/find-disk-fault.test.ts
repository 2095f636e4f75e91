import { expect, test } from "vitest"
import { findDiskFault } from "#daemon/start/find-disk-fault.ts"
import { AppError } from "#lib/app-error.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const dir = temporaryFolder("ballast-disk-fault")

test("a journal whose writes fail is a fault, also where SQLite hides the reason", () => {
  const fields = { code: "ERR_SQLITE_ERROR", errcode: 10 }
  const cause = Object.assign(new Error("disk I/O error"), fields)
  const refusal = new AppError({
    code: "journal.write",
    disposition: "transient",
    message: "The journal could not be written",
    cause,
  })
  expect(findDiskFault(dir, refusal)).toMatchObject({ code: "system.disk_failed" })
  expect(findDiskFault(dir)).toBeNull()
})

test("a refused write is one, also where no trouble of the machine explains it", () => {
  const fields = { code: "ERR_SQLITE_ERROR", errcode: 19 }
  const cause = Object.assign(new Error("constraint failed"), fields)
  const message = "The journal could not be written, so it did not happen; check the disk"
  const refusal = new AppError({
    code: "journal.write_failed",
    disposition: "transient",
    message,
    cause,
  })
  expect(findDiskFault(dir, refusal)).toEqual({
    code: "journal.write_failed",
    message:
      "The journal could not be written, so it did not happen (constraint failed); check the disk",
  })
})
