import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { describeMachine } from "./describe-machine.ts"
import { STATES } from "./states.ts"

const text = describeMachine()

test("machine.md is what the machine says; if not, run `npm run generate`", () => {
  expect(readFileSync(join(import.meta.dirname, "machine.md"), "utf8")).toBe(text)
})

test("every state has a row without an empty cell", () => {
  for (const name of Object.keys(STATES)) {
    const row = text.split("\n").find((line) => line.startsWith(`| \`${name}\` |`))
    const cells = (row ?? "").split("|").slice(1, -1)
    expect(cells, name).toHaveLength(5)
    expect(cells.filter((cell) => cell.trim() === "")).toEqual([])
  }
})

test("the diagram knows the way from the first state to each end", () => {
  expect(text).toContain("[*] --> quoting")
  expect(text).toContain("quoting --> creating: quote.accepted")
  expect(text).toContain("closing --> rejected")
  for (const end of ["completed", "refunded", "rejected", "abandoned"]) expect(text).toContain(`${end} --> [*]`)
})
