import { expect, test } from "vitest"
import { formatIdempotencyKey, parseIdempotencyKey } from "./idempotency-key.ts"

test.each([
  ["7f1c", "7f1c"],
  ['"7f1c"', "7f1c"],
  [" 7f1c ", "7f1c"],
  ["nightly 2026-01-01", "nightly 2026-01-01"],
  [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
  ["k".repeat(255), "k".repeat(255)],
])("reads %j as the key %j, and writes it so that it is read again", (header, key) => {
  expect(parseIdempotencyKey(header)).toBe(key)
  expect(parseIdempotencyKey(formatIdempotencyKey(key))).toBe(key)
})

test.each([
  "",
  " ",
  '""',
  '"open',
  '"a"b"',
  String.raw`"a\n"`,
  "k".repeat(256),
  `"${"k".repeat(256)}"`,
  "a\tb",
  "a\u0000b",
  "a\u007fb",
  "größe",
])("refuses %j", (header) => {
  expect(parseIdempotencyKey(header)).toBeNull()
})
