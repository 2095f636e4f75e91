import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, test } from "vitest"
import { AppError } from "./app-error.ts"
import { findEnvironmentFault, throwFault } from "./environment-fault.ts"

const dir = mkdtempSync(join(tmpdir(), "environment-fault-"))
const file = join(dir, "journal.db")

function systemError(code: string, fields: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(`${code}: as the system says it`), {
    code,
    syscall: "open",
    ...fields,
  })
}

function sqliteError(errcode: number): Error {
  return Object.assign(new Error("as SQLite says it"), { code: "ERR_SQLITE_ERROR", errcode })
}

function caught(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return null
}

describe("an error of the operating system", () => {
  test.each([
    ["ENOSPC", "system.disk_full", "no space is left on the disk mounted at /"],
    ["EDQUOT", "system.disk_full", "this user's quota is used up on the disk mounted at /"],
    ["EROFS", "system.disk_read_only", " is read-only (EROFS); mount it writable"],
    ["EIO", "system.disk_failed", " reports an error (EIO); check the disk"],
    ["ESTALE", "system.disk_failed", " reports an error (ESTALE)"],
    [
      "EMFILE",
      "system.exhausted",
      "this process has too many open files (EMFILE); raise `ulimit -n`",
    ],
    ["EFBIG", "system.exhausted", "this process may write no larger file (EFBIG); raise the limit"],
    ["ENFILE", "system.exhausted", "this machine has too many open files (ENFILE)"],
    ["ENOMEM", "system.exhausted", "this machine has no memory left for it (ENOMEM)"],
    ["ENOBUFS", "system.exhausted", "this machine has no memory left for it (ENOBUFS)"],
    ["EAGAIN", "system.exhausted", "this machine has no resources left for it (EAGAIN)"],
  ])("%s passes: the message has the path, the disk and the next step", (code, expected, says) => {
    const fault = findEnvironmentFault(systemError(code), file)
    expect(fault).toMatchObject({ code: expected, disposition: "transient" })
    expect(fault?.message).toContain(`${file}: `)
    expect(fault?.message).toContain(says)
    expect(fault?.message).toContain("Then try again; a supervisor does so by itself")
    expect(fault?.details).toMatchObject({ path: file, fault: code })
  })

  test.each([
    "ENOENT",
    "EACCES",
    "EPERM",
    "EISDIR",
    "ENOTDIR",
    "EEXIST",
    "ENAMETOOLONG",
    "EADDRINUSE",
  ])("%s is a mistake that no restart corrects", (code) => {
    expect(findEnvironmentFault(systemError(code), file)).toBeNull()
  })

  test("names its own file or address where the caller names none", () => {
    const ofFile = findEnvironmentFault(systemError("ENOSPC", { path: "/srv/x/token" }))
    expect(ofFile?.message).toMatch(/^\/srv\/x\/token: no space is left on the disk mounted at \//)
    const ofAddress = findEnvironmentFault(
      systemError("EMFILE", { address: "127.0.0.1", port: 70 }),
    )
    expect(ofAddress?.message).toMatch(/^127\.0\.0\.1:70: /)
    const ofNothing = findEnvironmentFault(systemError("ENOSPC"), "standard output")
    expect(ofNothing?.message).toMatch(/^standard output: no space is left on its disk \(ENOSPC\)/)
  })

  test("is found behind other errors, and stays itself once it is translated", () => {
    const cause = systemError("ENOSPC", { path: file })
    const outer = new AppError({ code: "x.y", disposition: "fatal", message: "it failed", cause })
    const fault = findEnvironmentFault(outer)
    expect(fault).toMatchObject({ code: "system.disk_full", details: { path: file } })
    expect(findEnvironmentFault(fault)).toBe(fault)
  })

  test("is one of the system only with the name of a system call", () => {
    expect(findEnvironmentFault(Object.assign(new Error("no"), { code: "ENOSPC" }))).toBeNull()
    expect(findEnvironmentFault("ENOSPC")).toBeNull()
  })
})

describe("an error of SQLite", () => {
  test("passes for a full disk and for a lock that another connection holds", () => {
    const db = new DatabaseSync(join(dir, "real.db"))
    db.exec("pragma max_page_count = 4; create table kept (zeros blob)")
    const full = caught(() => db.exec("insert into kept values (zeroblob(65536))"))
    expect(findEnvironmentFault(full, file)).toMatchObject({ code: "system.disk_full" })

    db.exec("begin immediate")
    const second = new DatabaseSync(join(dir, "real.db"), { timeout: 0 })
    const busy = caught(() => second.exec("begin immediate"))
    expect(findEnvironmentFault(busy, file)).toMatchObject({ code: "system.busy" })
    second.close()
    db.close()
  })

  test.each([
    [7, "system.exhausted", "no memory"],
    [3082, "system.exhausted", "no memory"],
    [10, "system.disk_failed", "reports an error (SQLITE_IOERR 10)"],
    [4874, "system.disk_failed", "reports an error (SQLITE_IOERR 4874)"],
  ])("with the result code %i passes", (errcode, code, says) => {
    const fault = findEnvironmentFault(sqliteError(errcode), file)
    expect(fault).toMatchObject({ code, disposition: "transient" })
    expect(fault?.message).toContain(says)
  })

  test("is a mistake for a damaged file, and for one that this user may not use", () => {
    for (const errcode of [11, 26])
      expect(findEnvironmentFault(sqliteError(errcode), file)).toBeNull()
    // The system itself has no complaint, so that SQLite's own refusal lasts.
    for (const errcode of [8, 14])
      expect(findEnvironmentFault(sqliteError(errcode), file)).toBeNull()
    // Here the system names the reason: a folder is in the place of the file.
    for (const errcode of [8, 10, 14])
      expect(findEnvironmentFault(sqliteError(errcode), dir)).toBeNull()
    expect(findEnvironmentFault(sqliteError(14), join(dir, "nowhere", "x.db"))).toBeNull()
  })

  test("leaves the file as it was when the system is asked again", () => {
    writeFileSync(file, "content")
    findEnvironmentFault(sqliteError(14), file)
    expect(readFileSync(file, "utf8")).toBe("content")
  })
})

test("throwFault throws the fault, or the error itself", () => {
  const other = new TypeError("x is not a function")
  expect(caught(() => throwFault(other, file))).toBe(other)
  expect(caught(() => throwFault(systemError("EROFS"), file))).toMatchObject({
    code: "system.disk_read_only",
  })
})
