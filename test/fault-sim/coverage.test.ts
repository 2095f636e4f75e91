import { describe, expect, test } from "vitest"
import { formatCoverage, judgePair, listPairs, UNREACHABLE } from "./coverage.ts"

describe("the count of transitions", () => {
  test("goes by pairs that the machine has", () => {
    expect(listPairs().length).toBeGreaterThan(150)
    expect(Object.keys(UNREACHABLE).filter((pair) => !listPairs().includes(pair))).toEqual([])
  })

  test("names what no run took, and takes nothing else for granted", () => {
    const [first = "", ...others] = listPairs().filter((pair) => UNREACHABLE[pair] === undefined)
    expect(formatCoverage(new Set(others))).toContain(`not taken: ${first}`)
    expect(formatCoverage(new Set([first, ...others]))).not.toContain("not taken")
  })

  test("fails where a pair is seen that was declared unreachable", () => {
    expect(judgePair("quoting order.held", { "quoting order.held": "never" })).toHaveLength(1)
    expect(judgePair("quoting order.held", {})).toEqual([])
  })
})
