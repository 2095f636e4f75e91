import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { describeMachine, exportMachine } from "./describe-machine.ts"
import { STATE_NAMES } from "./states.ts"

const text = describeMachine()

test("machine.md describes the machine as it is; if not, run `npm run generate`", () => {
  expect(read("machine.md")).toBe(text)
})

test("machine.json is the machine as it is; if not, run `npm run generate`", () => {
  expect(read("machine.json")).toBe(exportMachine())
})

test("every state has a row without an empty cell", () => {
  for (const name of STATE_NAMES) {
    const row = text.split("\n").find((line) => line.startsWith(`| \`${name}\` |`))
    const cells = (row ?? "").split("|").slice(1, -1)
    expect(cells, name).toHaveLength(5)
    expect(cells.filter((cell) => cell.trim() === "")).toEqual([])
  }
})

test(
  "the diagram shows the way from the first state to each end, and the steps of a transaction " +
    "in their frame",
  () => {
    expect(text).toContain("[*] --> quoting")
    expect(text).toContain("quoting --> creating: quote.accepted")
    expect(text).toContain('  state deposit {\n    state "deposit-planning" as deposit_planning')
    expect(text).toContain("  deposit --> held: order.held")
    expect(text).toContain("deposit_confirming --> funded: transaction.mined")
    expect(text).toContain("closing --> rejected")
    expect(text).toContain("proving_unfunded --> rejected: order.unfunded")
    for (const end of ["completed", "refunded", "rejected", "abandoned"])
      expect(text).toContain(`${end} --> [*]`)
  },
)

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8")
}
