import { expect, test } from "vitest"
import { starknetExtras } from "./extras.ts"

test("reads a stored deposit without order id and typed data", () => {
  expect(starknetExtras.parse({})).toEqual({ orderId: null, typedData: null })
})

test("reads both parts", () => {
  const both = { orderId: "ab", typedData: { primaryType: "Initiate" } }
  expect(starknetExtras.parse(both)).toEqual(both)
})
