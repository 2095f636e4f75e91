import { describe, expect, test } from "vitest"
import { formatCoverage, judgePair, listPairs, UNREACHABLE } from "./coverage.ts"

describe("the coverage of transitions", () => {
  test("lists the pairs of the machine", () => {
    expect(listPairs().length).toBeGreaterThan(150)
    expect(Object.keys(UNREACHABLE).filter((pair) => !listPairs().includes(pair))).toEqual([])
  })

  test("names the pairs that no run took", () => {
    const [first = "", ...others] = listPairs().filter((pair) => UNREACHABLE[pair] === undefined)
    expect(formatCoverage(new Set(others))).toContain(`not taken: ${first}`)
    expect(formatCoverage(new Set([first, ...others]))).not.toContain("not taken")
  })

  test("fails if a run takes a pair that is declared unreachable", () => {
    expect(judgePair("quoting order.held", { "quoting order.held": "never" })).toHaveLength(1)
    expect(judgePair("quoting order.held", {})).toEqual([])
  })
})
