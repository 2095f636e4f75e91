import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"

const ROOT = mkdtempSync(join(tmpdir(), "ballast-compiled-"))
afterAll(() => rmSync(ROOT, { recursive: true }))

const LAUNCHER = join(import.meta.dirname, "../../../bin/ballast.cjs")
const newHome = (): string => mkdtempSync(join(ROOT, "home-"))
const runHelp = (env: Record<string, string>) =>
  spawnSync(process.execPath, [LAUNCHER, "--help"], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", ...env },
  })
const folderIn = (home: string): string => join(home, ".cache", "ballast", "compiled")
const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

describe("compiled code that the next start can use", () => {
  test("is kept where only this user can write", () => {
    const home = newHome()
    expect(runHelp({ HOME: home })).toMatchObject({ status: 0, stderr: "" })
    expect(isEmpty(folderIn(home))).toBe(false)
    expect(statSync(folderIn(home)).mode & 0o777).toBe(0o700)
  })

  test.each([
    ["others can write to the folder", (folder: string) => chmodSync(folder, 0o770)],
    [
      "others can write to the folder above",
      (folder: string) => chmodSync(join(folder, ".."), 0o707),
    ],
  ])("is not kept when %s", (_case, open) => {
    const home = newHome()
    mkdirSync(folderIn(home), { recursive: true, mode: 0o700 })
    open(folderIn(home))
    expect(runHelp({ HOME: home })).toMatchObject({ status: 0, stderr: "" })
    expect(isEmpty(folderIn(home))).toBe(true)
  })

  test("is not kept when the folder is a link to another place", () => {
    const home = newHome()
    const elsewhere = newHome()
    mkdirSync(join(home, ".cache", "ballast"), { recursive: true, mode: 0o700 })
    symlinkSync(elsewhere, folderIn(home))
    expect(runHelp({ HOME: home })).toMatchObject({ status: 0, stderr: "" })
    expect(isEmpty(elsewhere)).toBe(true)
  })

  test("is not kept, and no error, without a home", () => {
    expect(runHelp({})).toMatchObject({ status: 0, stderr: "" })
    expect(runHelp({ HOME: "/nonexistent" })).toMatchObject({ status: 0, stderr: "" })
  })
})
