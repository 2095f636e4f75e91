import { expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { observeInitiation } from "#engine/orders/observe/observe-initiation.ts"
import { systemClock } from "#lib/clock.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import { step } from "#order/step.ts"
import { NOTHING_SEEN, SAMPLE } from "../../../support/order-sample.ts"
import { emptyLeg } from "../../../support/sample-job.ts"

test("a node below a height that was observed before cannot disarm a signature", async () => {
  expect(await observe(9n)).toMatchObject({ type: "work.deferred" })
  expect(await observe(10n)).toMatchObject({ type: "gasless.disarmed" })
})

const RECEIPT = { txid: "paid", units: 9_970n }
const REDEEMED = { txid: "paid", height: 4n, final: false, at: 1, paidUnits: 9_970n }

test("a booked payout that the chain does not show any more is gone with the deposit", async () => {
  expect(await observe(10n, { receipt: RECEIPT }, { redeemed: null })).toMatchObject({
    payoutGone: true,
  })
  expect(await observe(10n, { receipt: RECEIPT }, { redeemed: REDEEMED })).not.toHaveProperty(
    "payoutGone",
  )
  expect(await observe(10n, {}, { redeemed: null })).not.toHaveProperty("payoutGone")
})

test("a payout that enough endpoints do not agree on, or that was final, is not called gone", async () => {
  const destinationRedeemed = { ...REDEEMED, final: true }
  expect(await observe(10n, { receipt: RECEIPT }, { redeemed: null, agreed: false })).toMatchObject(
    {
      type: "work.deferred",
    },
  )
  const seen = { ...NOTHING_SEEN, sourceHeight: 10n, destinationRedeemed }
  expect(await observe(10n, { receipt: RECEIPT, seen }, { redeemed: null })).not.toHaveProperty(
    "payoutGone",
  )
})

test("a disarmed order gives up the booked refund, and the payout that is gone", () => {
  const data = { ...sample(), receipt: RECEIPT, returned: { txid: "back", units: 10_000n } }
  const armed = { state: "gasless-confirming", data } as const
  const disarmed = (gone: object) =>
    step(armed, {
      type: "gasless.disarmed",
      reasons: [{ code: "gasless.disarmed", message: "" }],
      at: 2,
      ...gone,
    })
  expect(disarmed({}).order.data).toMatchObject({ returned: null, receipt: RECEIPT })
  expect(disarmed({ payoutGone: true }).order.data).toMatchObject({ returned: null, receipt: null })
})

function sample(): OrderData {
  const { deposit, order: serviceOrder } = SAMPLE
  return {
    ...createOrderData(SAMPLE.input),
    deposit,
    serviceOrder,
    terms: SAMPLE.terms,
    sendUntilMs: 0,
    gasless: { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false },
    allowanceCleared: true,
    seen: { ...NOTHING_SEEN, sourceHeight: 10n },
  }
}

async function observe(height: bigint, over: Partial<OrderData> = {}, payout: object = {}) {
  const data: OrderData = { ...sample(), ...over }
  const chain = {
    traits: familyNamed("evm").traits,
    findMissingApproval: async () => null,
    observeLeg: async ({ side }: { side: string }) => ({
      ...emptyLeg(height),
      ...(side === "destination" ? payout : {}),
    }),
  }
  // CAST: the performer uses only this part of the context.
  const context = {
    chains: new Map([
      [SAMPLE.deposit.chain, chain],
      [chainOf(data.request.to), chain],
    ]),
    settings: { assets: new Map([[data.request.from, { token: "0xtoken" }]]) },
    journal: { readFlag: () => null },
    clock: systemClock,
    memory: createMemory(),
  } as unknown as EngineContext
  const job = {
    context,
    data,
    repeated: false,
    begin: () => Promise.resolve(),
    nowMs: 1,
  }
  return (await observeInitiation(job)).event
}
