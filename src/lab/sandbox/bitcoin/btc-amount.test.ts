import { expect, test } from "vitest"
import { formatBtc, parseRpcJson } from "./btc-amount.ts"

test.each([
  [0n, "0.00000000"],
  [1n, "0.00000001"],
  [1_000_000n, "0.01000000"],
  [2_099_999_997_690_000n, "20999999.97690000"],
  [-1n, "-0.00000001"],
  [-123_456_789n, "-1.23456789"],
])("writes %s satoshis as %s and reads them back", (units, text) => {
  expect(formatBtc(units)).toBe(text)
  expect(parseRpcJson(`{"value":${text}}`)).toEqual({ value: units })
})

test("reads amounts that a double cannot distinguish", () => {
  expect(parseRpcJson("[90071992.54740993,90071992.54740992]")).toEqual([
    9_007_199_254_740_993n,
    9_007_199_254_740_992n,
  ])
})

test("does not change other numbers, nor texts that look like amounts", () => {
  const text =
    '{"blocks":150,"difficulty":4.656542373906925e-10,"progress":1.5,"label":"0.01000000","none":null}'
  expect(parseRpcJson(text)).toEqual(JSON.parse(text))
})
