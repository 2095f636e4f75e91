import { expect, test } from "vitest"
import { MissingPrice, parsePriceAnswer } from "./parse-price-answer.ts"

function read(text: string, timePath: string | null = null): bigint {
  try {
    return parsePriceAnswer(text, { path: "data.price", timePath, maxAgeMs: 60_000 }, 1_000_000)
  } catch (error) {
    throw error instanceof MissingPrice ? error.tell((said) => said.replace("key", "…")) : error
  }
}

test.each([
  [
    '{"status":{"error_code":429,"error_message":"You\'ve exceeded the Rate Limit."}}',
    "nothing at data.price; it says: You've exceeded the Rate Limit.",
  ],
  ['{"error":["EQuery:Unknown"],"reason":"no such pair"}', /; it says: no such pair$/],
  ['{"error":"red\\nline"}', /; it says: red.{1,6}line$/],
  ['{"code":-1121,"msg":"Invalid symbol."}', "it says: Invalid symbol."],
  ['{"error":"no key here"}', "it says: no … here"],
  ['{"errors":7,"data":{}}', "nothing at data.price"],
  [`{"message":"${"x".repeat(500)}"}`, /it says: x{120}$/],
])("a body without a price is told in its own words: %s", (text, words) => {
  expect(() => read(text)).toThrow(words)
})

test("a body without the time at time_path is named by it", () => {
  expect(() => read('{"data":{"price":3000}}', "data.at")).toThrow("no time at data.at")
  expect(read('{"data":{"price":3000,"at":1000}}', "data.at")).toBe(3_000_000_000n)
})
