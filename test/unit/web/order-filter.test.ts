import { expect, test } from "vitest"
import {
  ALL,
  addFilter,
  nameFilter,
  parseFilters,
  removeFilter,
} from "../../../web/orders/order-filter.ts"

const DONE = { ...ALL, state: "state=completed", rule: "dca", since: "7 days" }

test("a view is named by what its filter asks for", () => {
  expect(nameFilter(ALL)).toBe("")
  expect(nameFilter(DONE)).toBe("completed · dca · 7 days")
  const pair = "base:wbtc ethereum:eth"
  expect(nameFilter({ ...ALL, state: "open=true", pair, text: " ab " })).toBe(
    "open · WBTC Base → ETH Ethereum · ab",
  )
})

test("views are kept once each, the newest first, at most eight", () => {
  const held = { ...ALL, state: "state=held" }
  expect(addFilter([held, DONE], DONE)).toEqual([DONE, held])
  expect(removeFilter([held, DONE], DONE)).toEqual([held])
  const many = Array.from({ length: 12 }, (_, index) => ({ ...ALL, text: String(index) }))
  expect(many.reduce(addFilter, parseFilters(null))).toEqual(many.slice(4).toReversed())
})

test("a kept text that is damaged or of another version has no view", () => {
  const read = (kept: unknown) => parseFilters(JSON.stringify(kept))
  expect(read([DONE, { state: "" }, null, { ...DONE, rule: 1 }])).toEqual([DONE])
  expect(read({})).toEqual([])
  expect(parseFilters("{")).toEqual([])
})
