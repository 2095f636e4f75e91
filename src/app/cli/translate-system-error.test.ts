import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { translateSystemError } from "./translate-system-error.ts"

const dir = mkdtempSync(join(tmpdir(), "system-error-"))
writeFileSync(join(dir, "file"), "")

function caught(act: () => void): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return null
}

test.each([
  [
    "a missing folder",
    () => readFileSync(join(dir, "nowhere", "x")),
    "there is no such file or folder (ENOENT)",
  ],
  [
    "a file in the place of a folder",
    () => mkdirSync(join(dir, "file", "data")),
    "a part of the path is a file, not a folder; name a folder, or move the file away (ENOTDIR)",
  ],
  [
    "a folder in the place of a file",
    () => readFileSync(dir),
    "it is a folder, and a file is expected (EISDIR)",
  ],
])("%s is the user's, and the message has the remedy", (_name, act, message) => {
  const known = translateSystemError(caught(act))
  expect(known).toMatchObject({ code: "cli.system", disposition: "fatal" })
  expect(known?.message).toContain(message)
})

test("a port that another program uses is the user's", async () => {
  const listen = (port: number): Promise<{ server: Server; error: unknown }> =>
    new Promise((resolve) => {
      const server = createServer()
      server.once("error", (error) => resolve({ server, error }))
      server.listen(port, "127.0.0.1", () => resolve({ server, error: null }))
    })
  const first = await listen(0)
  const address = first.server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  const { error } = await listen(port)
  first.server.close()
  expect(translateSystemError(error)?.message).toBe(
    `127.0.0.1:${port}: another program uses the address (EADDRINUSE)`,
  )
})

test("a mistake of the program stays a bug", () => {
  expect(translateSystemError(new TypeError("x is not a function"))).toBeNull()
  expect(
    translateSystemError(Object.assign(new Error("no system call"), { code: "ENOENT" })),
  ).toBeNull()
  expect(translateSystemError("text")).toBeNull()
})

function noSpace(): Error {
  return Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" })
}

test("a full disk passes, also behind an error that would end with 70 or 78", () => {
  expect(translateSystemError(noSpace())).toMatchObject({ code: "system.disk_full" })
  for (const disposition of ["fatal", "bug"] as const) {
    const init = { code: "x.y", disposition, message: "it failed", cause: noSpace() }
    const known = translateSystemError(new AppError({ ...init, details: { file: "/srv/x.db" } }))
    expect(known).toMatchObject({ code: "system.disk_full", disposition: "transient" })
    expect(known?.message).toMatch(/^\/srv\/x\.db: no space is left on the disk mounted at \//)
  }
})

test("an error that says more keeps its own words", () => {
  const init = { code: "tower.memory", message: "nothing is sent", cause: noSpace() }
  expect(translateSystemError(new AppError({ ...init, disposition: "hold" }))).toBeNull()
  expect(
    translateSystemError(new AppError({ code: "x.y", disposition: "fatal", message: "m" })),
  ).toBeNull()
})

test("a damaged journal keeps its code behind an error of ours", () => {
  const sqlite = Object.assign(new Error("database disk image is malformed"), { errcode: 11 })
  const bug = new AppError({ code: "x.y", disposition: "bug", message: "m", cause: sqlite })
  for (const error of [sqlite, bug])
    expect(translateSystemError(error)).toMatchObject({
      code: "journal.damaged_file",
      disposition: "fatal",
    })
})
