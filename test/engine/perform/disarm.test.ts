import { expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import type { EngineContext } from "#engine/context.ts"
import { observeInitiation } from "#engine/perform/observe-initiation.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"

test("a node below a height that was observed before cannot disarm a signature", async () => {
  expect(await observe(9n)).toMatchObject({ type: "work.deferred" })
  expect(await observe(10n)).toMatchObject({ type: "gasless.disarmed" })
})

async function observe(height: bigint) {
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
    observeLeg: async () => ({
      height,
      agreed: true,
      initiated: null,
      redeemed: null,
      refunded: null,
      refundableAt: null,
    }),
  }
  // CAST: the performer uses only this part of the context.
  const context = {
    chains: new Map([[deposit.chain, chain]]),
    settings: { assets: new Map([[data.request.from, { token: "0xtoken" }]]) },
  } as unknown as EngineContext
  const job = { context, data, repeated: false, paused: false, begin: () => Promise.resolve(), nowMs: 1 }
  return (await observeInitiation(job)).event
}
