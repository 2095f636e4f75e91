import { expect, test } from "vitest"
import { choosePassword } from "./manage-keystore.ts"

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
