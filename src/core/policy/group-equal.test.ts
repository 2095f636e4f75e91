import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { groupEqual, tellTimes } from "./group-equal.ts"

const ORDER = {
  rules: ["r"],
  from: parseAssetId("a:x"),
  to: parseAssetId("b:y"),
  destination: null,
  amount: "5",
}

test("orders that are equal but for their ids are one line, others have their own", () => {
  const orders = Array.from({ length: 20 }, (_, at) => ({ ...ORDER, outcome: { order: `o${at}` } }))
  const refused = {
    ...ORDER,
    outcome: { refused: [{ code: "limit.order", message: "too large" }] },
  }
  const larger = { ...ORDER, amount: "6", outcome: { order: "o20" } }
  const groups = groupEqual([...orders, refused, larger])
  expect(groups.map(([one, times]) => [one.amount, times])).toEqual([
    ["5", 20],
    ["5", 1],
    ["6", 1],
  ])
  expect(groups.map(([, times]) => tellTimes(times))).toEqual(["20 times ", "", ""])
})
