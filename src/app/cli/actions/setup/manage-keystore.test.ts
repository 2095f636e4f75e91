import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { CommandContext } from "../../define-command.ts"
import { choosePassword, manageKeystore } from "./manage-keystore.ts"

const GOOD = "a long pass phrase"

/**
 * Types these lines, one for each question, and returns the answer with everything that was asked
 * and told.
 */
async function type(lines: readonly string[], terminal: boolean) {
  const asked: string[] = []
  const told: string[] = []
  const context = { env: {}, warn: (text: string) => void told.push(text) }
  const ask = async (prompt: string): Promise<string> => lines[asked.push(prompt) - 1] ?? ""
  const password = choosePassword(context, ask, terminal).catch((error: Error) => error.message)
  return { password: await password, asked, told }
}

test("a new password is typed twice, and the question says how long it must be", async () => {
  const { password, asked } = await type([GOOD, GOOD], true)
  expect(password).toBe(GOOD)
  expect(asked).toEqual(["New password, at least 12 characters", "Again"])
})

test("a terminal asks again after a short password and after two that differ", async () => {
  const { password, told } = await type(["short", GOOD, "another phrase", GOOD, GOOD], true)
  expect(password).toBe(GOOD)
  expect(told).toEqual([
    "a password needs at least 12 characters; try again",
    "the passwords differ; try again",
  ])
})

test("the fifth mistake ends the command", async () => {
  const { password, asked } = await type(["1", "2", "3", "4", "5", GOOD, GOOD], true)
  expect(password).toBe("a password needs at least 12 characters")
  expect(asked).toHaveLength(5)
})

test("a pipe has one try, and types once", async () => {
  expect((await type(["short", GOOD], false)).password).toBe(
    "a password needs at least 12 characters",
  )
  expect((await type([GOOD], false)).password).toBe(GOOD)
})

test("random writes a key of our own secrets to a new file, and shows nothing of it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ballast-random-"))
  const file = join(folder, "swap-secrets")
  const printed: string[] = []
  // CAST: this action prints, and uses no other part of its context.
  const context = {
    json: false,
    print: (text: string) => void printed.push(text),
  } as CommandContext
  const request = { action: "random", file, keystore: null, account: 0, reveal: false } as const
  expect(await manageKeystore(context, request)).toBe(0)
  const text = readFileSync(file, "utf8")
  expect(text).toMatch(/^[0-9a-f]{64}\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(createSecretKeeper(new Secret(text, `file:${file}`), "main").fingerprint).toHaveLength(16)
  expect(printed.join()).toContain(`file:${file}`)
  expect(printed.join()).not.toContain(text.trim())
  await expect(manageKeystore(context, request)).rejects.toMatchObject({ code: "wallet.refused" })
  expect(readFileSync(file, "utf8")).toBe(text)
  rmSync(folder, { recursive: true })
})
