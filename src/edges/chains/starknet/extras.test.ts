import { expect, test } from "vitest"
import { starknetExtras } from "./extras.ts"

const OLD = { orderIds: [], layout: "words", destinationData: null }

test("reads a stored deposit without order id and typed data", () => {
  expect(starknetExtras.parse({})).toEqual({ ...OLD, orderId: null, typedData: null })
})

test("reads the deposit of an order from version 0.2, which had eight words alone", () => {
  const both = { orderId: "ab", typedData: { primaryType: "Initiate" } }
  expect(starknetExtras.parse(both)).toEqual({ ...OLD, ...both })
})

test("reads all parts", () => {
  const all = {
    orderId: "ab",
    orderIds: ["ab", "c"],
    layout: "halves",
    destinationData: ["0"],
    typedData: {},
  }
  expect(starknetExtras.parse(all)).toEqual(all)
})
