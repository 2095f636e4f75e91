import fc from "fast-check"
import { expect, test } from "vitest"
import { shortenAmounts } from "./short-amounts.ts"

test.each([
  ["99.99958496424177717 ETH", "99.9995 ETH"],
  ["0.000000123456789 btc", "0.000000123456 btc"],
  ["1234567.891 usd", "1234567 usd"],
  ["1.2000005 usd", "1.2 usd"],
  ["12.34 usd and 5", "12.34 usd and 5"],
  ["-0.12345678", "-0.12345678"],
  ["10.0000001%", "10%"],
  ["version 0.5.0, 127.0.0.1:8080, 2026-11-28T10:00:00.1234567Z, 1.23456789abc", null],
])("%s", (text, short) => {
  expect(shortenAmounts(text)).toBe(short ?? text)
})

test("the columns of a table stay where they are", () => {
  expect(shortenAmounts("a:eth  0.123456789  0xab\nb:btc  1.5          0xcd")).toBe(
    "a:eth  0.123456     0xab\nb:btc  1.5          0xcd",
  )
})

test("an amount never looks larger, and is never off by more than its sixth digit", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 1, max: 18 }), (units, decimals) => {
      const digits = units.toString().padStart(decimals + 1, "0")
      const exact = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
      const short = Number(shortenAmounts(exact))
      expect(short).toBeLessThanOrEqual(Number(exact))
      expect(Number(exact) - short).toBeLessThanOrEqual(Number(exact) / 100_000)
    }),
  )
})
