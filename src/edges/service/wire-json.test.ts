import fc from "fast-check"
import { expect, test } from "vitest"
import { encodeWireJson, parseWireJson } from "./wire-json.ts"

test("numbers that JavaScript would change stay text", () => {
  expect(
    parseWireJson(
      "[1, 9007199254740991, 9007199254740993, 18446744073709551615, 1e21, 0.5, 1.50, -0, " +
        "100000.12]",
    ),
  ).toEqual([
    1,
    9007199254740991,
    "9007199254740993",
    "18446744073709551615",
    "1e21",
    0.5,
    "1.50",
    "-0",
    100000.12,
  ])
})

test("any integer keeps its digits", () => {
  fc.assert(
    fc.property(fc.bigInt(), (integer) => {
      expect(String(parseWireJson(String(integer)))).toBe(String(integer))
    }),
  )
})

test("a bigint is written as a number with all its digits, and read back", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.string(), (integer, text) => {
      const written = encodeWireJson({ nonce: integer, text })
      expect(written.startsWith(`{"nonce":${integer},`)).toBe(true)
      const read = parseWireJson(written)
      expect(read).toMatchObject({ text })
      expect(read).toHaveProperty(
        "nonce",
        expect.toSatisfy((nonce) => String(nonce) === String(integer)),
      )
    }),
  )
})

test("brackets inside strings are not nesting", () => {
  const text = `"${'[{\\"'.repeat(500)}"`
  expect(parseWireJson(text)).toBe(JSON.parse(text))
  expect(() => parseWireJson("[".repeat(65) + "]".repeat(65))).toThrow(SyntaxError)
  expect(parseWireJson("[".repeat(64) + "]".repeat(64))).toBeInstanceOf(Array)
})

test("a text that is no JSON stays none, and a numeral inside a text stays one", () => {
  for (const text of ["01", "-", "1 2", "[1.]", '{"a":-}', "1e", "+1", ".5", "{1.50:2}"])
    expect(() => parseWireJson(text)).toThrow(SyntaxError)
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      const keepDigits = (_key: string, item: unknown, { source = "" } = {}) =>
        typeof item === "number" && !isExact(item, source) ? source : item
      // CAST: the reviver's third parameter is part of ECMAScript 2026.
      expect(parseWireJson(text)).toEqual(JSON.parse(text, keepDigits as never))
    }),
  )
})

function isExact(value: number, source: string): boolean {
  return String(value) === source && (Number.isSafeInteger(value) || !Number.isInteger(value))
}
