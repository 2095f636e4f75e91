import { expect, test } from "vitest"
import { findCommands } from "../../../web/shell/find-commands.ts"

const act = (): void => undefined
const COMMANDS = ["Orders", "Rule keep-base", "Rule refill", "Pause everything"].map((name) => ({
  name,
  act,
}))
const names = (text: string): readonly string[] =>
  findCommands(COMMANDS, text, act).map(({ name }) => name)

test("finds what has each of the words, in any order", () => {
  expect(names("")).toHaveLength(4)
  expect(names("RULE")).toEqual(["Rule keep-base", "Rule refill"])
  expect(names("base rule")).toEqual(["Rule keep-base"])
  expect(names("nothing of it")).toEqual([])
})

test("leads to an order by its whole id", () => {
  const id = "0f".repeat(16)
  expect(names(` ${id} `)).toEqual([`Order ${id}`])
  expect(names(id.slice(1))).toEqual([])
})
