import { expect, test } from "vitest"
import { createOrder } from "#engine/orders/deposit/create-order.ts"
import type { WorkResult } from "#engine/orders/stepper.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const MALFORMED = new AppError({
  code: "service.malformed",
  disposition: "uncertain",
  message: "The service did not create the order: its result is no order",
})

test("a service whose answers to an order request can never be read gets four requests", async () => {
  const asked = [0, 1, 2, 3].map((creations) => perform({ creations }))
  const codes = await Promise.all(asked.map((one) => one.catch(({ code }: AppError) => code)))
  expect(codes.slice(0, 3)).toEqual(["service.malformed", "service.malformed", "service.malformed"])
  expect(codes[3]).toMatchObject({
    event: { type: "order.declined", reasons: [{ code: "service.malformed" }] },
  })
})

test("the reason of a new request is the answer that could not be read", async () => {
  const { code, message } = MALFORMED
  const again = await perform({ reasons: [{ code, message }] }, { repeated: true, nowMs: 1_000 })
  expect(again).toMatchObject({
    event: {
      type: "quote.outdated",
      reasons: [{ code: "create.unknown", message: expect.stringContaining("is no order") }],
    },
  })
})

function perform(
  over: Partial<OrderData>,
  at: { readonly repeated?: boolean; readonly nowMs?: number } = {},
): Promise<WorkResult> {
  const data = sampleData({}, { quote: SAMPLE.quote, stateSince: 0, patienceSince: 0, ...over })
  const submitOrder = async (): Promise<never> => {
    throw MALFORMED
  }
  const durable = async (): Promise<void> => undefined
  const journal = { durable, durableHere: durable, isPendingHere: () => false }
  const { context, ...job } = sampleJob(data, { service: { submitOrder }, journal }, at)
  return createOrder({ ...job, context: { ...context, newNonce: () => "2" } })
}
