import { expect, test } from "vitest"
import { whatChanges } from "./what-changes.ts"

test.each([
  [
    { code: "policy.target_satisfied", message: "…", asset: "a:b", have: "3", min: "1", max: "5" },
    "a:b goes below 1 or above 5",
  ],
  [
    {
      code: "limit.window",
      message: "Orders within 60 s would sell more than allowed (9, at most 8)",
      max: "8",
    },
    "the window is at most 8 smallest units: it empties by itself",
  ],
  [
    {
      code: "limit.window",
      message: "Orders within 60 s would be worth more than allowed (9, at most 8)",
      max: "8",
    },
    "the window is at most 8 usd: it empties by itself",
  ],
  [
    {
      code: "limit.order",
      message: "The order is worth more than one order may be (9, at most 8)",
      max: "8",
    },
    "the order is at most 8 usd, or max_order higher",
  ],
  [
    {
      code: "limit.order",
      message: "The order is larger than one order may be (9, at most 8)",
      max: "8",
    },
    "the order is at most 8 smallest units, or max_order higher",
  ],
  [
    {
      code: "limit.window_fees",
      message: "Fees within 60 s would cost more than allowed (9, at most 8)",
      max: "8",
    },
    "the window's fees are at most 8 usd: it empties by itself",
  ],
  [
    { code: "funds.insufficient", message: "…", haveUnits: "1", needUnits: "2" },
    "the wallet has 2 smallest units instead of 1",
  ],
  [
    { code: "price.cost", message: "…", cost: "90 bps", max: "60 bps" },
    "a quote costs at most 60 bps instead of 90 bps",
  ],
])("$code gets a hint with its numbers", (reason, expected) => {
  expect(whatChanges(reason)).toBe(expected)
})

test("a hint with a missing number is left out, and an unknown code has none", () => {
  expect(whatChanges({ code: "price.cost", message: "…" })).toBeNull()
  expect(whatChanges({ code: "verify.units", message: "…" })).toBeNull()
})
