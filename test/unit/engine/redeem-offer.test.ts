import { expect, test } from "vitest"
import { redeemFeeCap } from "#domain/redeem-fee-cap.ts"
import { describeRedeemOffer } from "#engine/orders/pay/redeem-offer.ts"
import type { ChainPort } from "#ports/chain.ts"
import { samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

// CAST: only these parts of the port are read.
const port = {
  traits: { nativeCoin: { symbol: "BTC", decimals: 8, token: null } },
  capRedeemFee: (_asset, stake) => redeemFeeCap(10n, stake),
} as Partial<ChainPort> as ChainPort
const redeem = sampleTransaction({ ...samplePlan("redeem", 0), maxFeeUnits: 7n })
const data = sampleData({ redeem: [redeem] })
const timelock = data.serviceOrder?.destination.timelock ?? 0n
const ownSecret = {
  nonce: "1",
  hash: "ab",
  status: "revealed",
  revealedAt: 5,
  isTold: true,
} as const
const lockAt = (left: bigint) => ({ refundableAt: 1_000n + left, height: 1_000n, readAt: 100 })

function offerWith(left: bigint, nowMs = 100) {
  const seen = { ...data.seen, payoutLock: lockAt(left) }
  return describeRedeemOffer({ ...data, ownSecret, seen }, { port, asset: undefined, nowMs })
}

test("the offer of a redemption is shown with its cap and the end of its lock", () => {
  const early = offerWith(timelock)
  expect(early).toMatchObject({ offerUnits: 7n, capUnits: 10n, worthUnits: null })
  expect(early?.deadlineMs).toBeGreaterThan(100)
  expect(early?.leftMs).toBe((early?.deadlineMs ?? 0) - 100)
  expect(offerWith(timelock / 4n)?.capUnits).toBe(500n)
  expect(offerWith(timelock, 10 ** 15)).toMatchObject({ leftMs: 0, capUnits: 500n })
})

test("an order whose secret was never revealed has none", () => {
  const held = { ...ownSecret, status: "withheld", revealedAt: null } as const
  for (const own of [null, held])
    expect(
      describeRedeemOffer({ ...data, ownSecret: own }, { port, asset: undefined, nowMs: 1 }),
    ).toBeNull()
})
