import { expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import { NOTHING_SEEN, SAMPLE } from "../../../test/support/order-sample.ts"
import type { EngineContext } from "../context.ts"
import { observeInitiation } from "./gasless.ts"

test("a signature is not called useless by a node that is behind what was seen before", async () => {
  expect(await look(9n)).toMatchObject({ type: "work.deferred" })
  expect(await look(10n)).toMatchObject({ type: "gasless.disarmed" })
})

async function look(height: bigint) {
  const { deposit, order: serviceOrder } = SAMPLE
  const data: OrderData = {
    ...createOrderData(SAMPLE.input),
    deposit,
    serviceOrder,
    sendUntilMs: 0,
    gasless: { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false },
    allowanceCleared: true,
    seen: { ...NOTHING_SEEN, sourceHeight: 10n },
  }
  const chain = {
    traits: familyNamed("evm").traits,
    findMissingApproval: async () => null,
    observeLeg: async () => ({ height, initiated: null, redeemed: null, refunded: null, refundableAt: null }),
  }
  // CAST: the performer touches nothing else of the context.
  const context = {
    chains: new Map([[deposit.chain, chain]]),
    settings: { assets: new Map([[data.request.from, { token: "0xtoken" }]]) },
  } as unknown as EngineContext
  const job = { context, data, repeated: false, stopped: false, begin: () => undefined, nowMs: 1 }
  return (await observeInitiation(job)).event
}
