import { expect, test } from "vitest"
import { starknetKeys } from "./config.ts"

test.each([
  ["5", []],
  [`0.${"1".repeat(18)}`, []],
  [`0.${"1".repeat(19)}`, ["expected at most 18 digits after the point"]],
  ["five", [expect.stringContaining("a decimal in the asset's own unit")]],
])("max_fee %s is an amount of STRK, or a problem", (amount, problems) => {
  const { error } = starknetKeys.max_fee.safeParse(amount)
  expect((error?.issues ?? []).map(({ message }) => message)).toEqual(problems)
})
