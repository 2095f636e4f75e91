import { expect, test } from "vitest"
import { isUnsent } from "#engine/orders/is-unsent.ts"
import { samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const FIRST = sampleTransaction(samplePlan("deposit", 0))
const BUMP = sampleTransaction(samplePlan("deposit", 1))
const event = (type: string, txid: string) => ({ type, body: `{"txid":"${txid}"}` })

test.each([
  ["bytes that its events say were sent", false, [FIRST], [event("transaction.sent", FIRST.txid)]],
  ["bytes that no event names", true, [FIRST], []],
  ["other bytes that were sent", true, [FIRST], [event("transaction.sent", BUMP.txid)]],
  ["bytes that were only signed", true, [FIRST], [event("transaction.signed", FIRST.txid)]],
  ["a higher fee", true, [FIRST, BUMP], [event("transaction.sent", BUMP.txid)]],
  ["no bytes", true, [], [event("transaction.sent", FIRST.txid)]],
])("an order has not sent %s: %s", (_name, expected, deposit, events) => {
  // CAST: only the events of the order are read.
  const context = { journal: { listEvents: () => events } } as unknown as Parameters<
    typeof isUnsent
  >[0]
  expect(isUnsent(context, sampleData({ deposit }), "deposit")).toBe(expected)
})
