import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { explainCut, prepareFile } from "./find-config-file.ts"

function setUp(): { readonly file: string; readonly dotEnv: string } {
  const dir = mkdtempSync(join(tmpdir(), "ballast-found-"))
  const file = join(dir, "ballast.yaml")
  const dotEnv = join(dir, ".env")
  writeFileSync(file, "", { mode: 0o600 })
  writeFileSync(dotEnv, "EVM_KEY=1\n", { mode: 0o600 })
  return { file, dotEnv }
}

test("sets variables from a .env file of our own, and from none that others can change", () => {
  const { file, dotEnv } = setUp()
  const env: Record<string, string | undefined> = {}
  expect(prepareFile({ config: file, sandbox: false, env })).toBe(file)
  expect(env).toEqual({ EVM_KEY: "1" })
  chmodSync(dotEnv, 0o666)
  const other: Record<string, string | undefined> = {}
  const prepare = () => prepareFile({ config: file, sandbox: false, env: other })
  expect(prepare).toThrow(expect.objectContaining({ code: "config.file_open" }))
  expect(other).toEqual({})
})

test("a .env that is a folder explains a variable that is not set, and nothing else", () => {
  const { file, dotEnv } = setUp()
  rmSync(dotEnv)
  mkdirSync(dotEnv)
  expect(prepareFile({ config: file, sandbox: false, env: {} })).toBe(file)
  const failed = (message: string): AppError =>
    new AppError({ code: "config.invalid", disposition: "fatal", message })
  const missing = failed("env:EVM_KEY is not set; set it, or write it into the file .env")
  expect(explainCut(missing, file)).toMatchObject({
    message: expect.stringContaining(".env is a folder, so it sets no variable"),
  })
  const other = failed("the file has two documents")
  expect(explainCut(other, file)).toBe(other)
})

test("a file that was named may be open; the daemon itself refuses it", () => {
  const { file } = setUp()
  chmodSync(file, 0o666)
  expect(prepareFile({ config: file, sandbox: false, env: {} })).toBe(file)
})
