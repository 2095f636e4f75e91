import { expect, test } from "vitest"
import { money, shareOf, shortAmount, shortenAmounts, signed } from "../../../web/format.ts"

test.each([
  ["99.99958496424177717", "99.9995"],
  ["0.000123456789", "0.000123456"],
  ["0.1", "0.1"],
  ["0", "0"],
  ["246276.5", "246 276"],
  ["1234567.89", "1.23456 M"],
  ["12345678901", "12 345.6 M"],
  ["-0.00013845", "−0.00013845"],
  ["100000", "100 000"],
])("shows %s with at most six digits as %s, and never rounds up", (amount, shown) => {
  expect(shortAmount(amount)).toBe(shown)
})

test.each([
  ["784952.4", "$784,952"],
  ["-6190.76", "−$6,191"],
  ["215.756", "$215.76"],
  ["0.0034", "$0.0034"],
  ["0", "$0.00"],
  ["1001009.4", "$1.001 M"],
  ["12345678.9", "$12.3456 M"],
])("shows %s in the reference currency as %s", (fiat, shown) => {
  expect(money(fiat)).toBe(shown)
})

test.each([
  ["97.999265685685131443 ETH left (391997.062742 usd).", "97.9992 ETH left (391 997 usd)."],
  ["Version 0.4.0 on 127.0.0.1:8545 at 10:04:05.1234567", null],
])("amounts within a sentence are short: %s", (sentence, short) => {
  expect(shortenAmounts(sentence)).toBe(short ?? sentence)
})

test("a change has its sign, and a share at most three digits", () => {
  expect(signed("12")).toBe("+$12.00")
  expect(signed("-12")).toBe("−$12.00")
  expect(signed("0")).toBe("$0.00")
  expect(shareOf("-6190.76", "784952")).toBe("−0.79%")
  expect(shareOf("193964", "784952")).toBe("24.7%")
  expect(shareOf("1", "0")).toBe("0.00%")
  expect(shareOf("-9.1", "1397991")).toBe("less than 0.01%")
})
