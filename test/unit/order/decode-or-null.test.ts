import { expect, test } from "vitest"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { encodeOrder } from "#order/step.ts"
import { funded } from "../../support/order-steps.ts"

test("a damaged order is null, so that it does not hide the others; a sound one is read", () => {
  const order = { state: "funded", data: funded({}) } as const
  expect(decodeOrNull(encodeOrder(order))).toEqual(order)
  for (const damaged of ["", "{}", "null", '{"state":"funded"}'])
    expect(decodeOrNull(damaged), damaged).toBeNull()
})
