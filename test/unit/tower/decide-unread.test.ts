import { describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { type Blind, decideStep, decideUnread } from "#tower/decide-step.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

/* The tower acts by its file alone, while a leg cannot be read. */

const SECRET = "5e".repeat(32)
const TOLD = { secret: SECRET, wasSent: false, worthUnits: 70n }
const LOCK = 600n
const ON_CHAIN = {
  txid: "aa",
  height: 100n,
  confirmations: 9,
  seen: true,
  revealable: true,
  final: true,
}
const REDEEMED = { ...ON_CHAIN, paidUnits: 1n, secret: SECRET }
const LOCKED: LegObservation = {
  ...emptyLeg(200n),
  initiated: { ...ON_CHAIN, units: 5n },
  refundableAt: 700n,
}
/** Too few endpoints show it as empty. */
const EMPTY: LegObservation = { ...emptyLeg(200n), agreed: false }

function order(isTold: boolean, seen: Partial<OrderData["seen"]> = {}): OrderData {
  const data = sampleData()
  const serviceOrder = mustExist(data.serviceOrder, "an order")
  const destination = { ...serviceOrder.destination, timelock: LOCK }
  const ownSecret = { nonce: "7", hash: "ab", status: "revealed", revealedAt: 1, isTold } as const
  const deposit = { ...mustExist(data.deposit, "a deposit"), timelock: LOCK }
  const payoutLock = { refundableAt: 700n, height: 110n, readAt: 0 }
  return {
    ...data,
    serviceOrder: { ...serviceOrder, destination },
    deposit,
    ownSecret,
    seen: { ...data.seen, payoutLock, ...seen },
  }
}

const at = (payoutHead: bigint | null, depositHead: bigint | null = null, nowMs = 0): Blind => ({
  nowMs,
  payoutHead,
  depositHead,
})

describe("a payout that cannot be read", () => {
  const decide = (blind: Blind, isTold = true, more: object = {}) =>
    decideUnread(order(isTold), TOLD, { payout: null, deposit: LOCKED, blind, ...more })

  test("is redeemed once two fifths of its lock are left, and dearly at the end", () => {
    expect(decide(at(460n))).toBeNull()
    expect(decide(at(461n))).toEqual({ act: "redeem", stake: null })
    const stake = { left: 75n, timelock: LOCK, worthUnits: 70n }
    expect(decide(at(600n))).toEqual({ act: "redeem", stake })
  })

  test("is redeemed by the time alone where not even the head can be read", () => {
    const { secondsPerUnit, fastestSeconds = secondsPerUnit } =
      order(true).policy.timelocks.destination
    const blocks = (count: number) => at(null, null, count * fastestSeconds * 1_000)
    expect(decide(blocks(350))).toBeNull()
    expect(decide(blocks(351))).toMatchObject({ act: "redeem" })
  })

  test("is redeemed where one endpoint alone shows it as empty, and waits otherwise", () => {
    expect(decide(at(500n), true, { payout: EMPTY })).toMatchObject({ act: "redeem" })
    const { refundableAt: _, ...shown } = LOCKED
    const endless = { ...shown, refundableAt: null, agreed: false }
    expect(decide(at(500n), true, { payout: endless })).toMatchObject({ act: "redeem" })
    expect(decide(at(500n), true, { payout: emptyLeg(200n) })).toBeNull()
  })

  test("tells no secret that may still be ours", () => {
    expect(decide(at(500n), false)).toBeNull()
    const sent = { ...TOLD, wasSent: true }
    const legs = { payout: null, deposit: LOCKED, blind: at(500n) }
    expect(decideUnread(order(false), sent, legs)).toMatchObject({ act: "redeem" })
    const taken = { ...LOCKED, redeemed: REDEEMED }
    expect(decide(at(500n), false, { deposit: taken })).toMatchObject({ act: "redeem" })
    const alone = { ...taken, agreed: false }
    expect(decide(at(500n), false, { deposit: alone })).toBeNull()
  })

  test("is not guessed where the file does not know its lock", () => {
    const data = order(true)
    const { payoutLock: _, ...seen } = data.seen
    const legs = { payout: null, deposit: LOCKED, blind: at(500n) }
    expect(decideUnread({ ...data, seen }, TOLD, legs)).toBeNull()
  })
})

describe("a deposit that cannot be read", () => {
  const sourceInitiated = { txid: "aa", height: 100n, final: true, at: 0 }
  const decide = (depositHead: bigint | null, more: object = {}, seen: object = {}) =>
    decideUnread(
      order(true, { sourceInitiated, refundableAtHeight: 700n, ...seen }),
      { ...TOLD, secret: null, ...more },
      { payout: emptyLeg(9n), deposit: null, blind: at(null, depositHead) },
    )

  test("is refunded by the head of its chain, as late as one that is read", () => {
    expect([decide(null), decide(711n)]).toEqual([null, null])
    expect(decide(712n)).toEqual({ act: "refund" })
    const known = { refundableAtHeight: null }
    expect([decide(712n, {}, known), decide(713n, {}, known)]).toEqual([null, { act: "refund" }])
  })

  test("waits where none was ever shown, and beside a told secret", () => {
    expect(decide(712n, {}, { sourceInitiated: null })).toBeNull()
    expect(decide(712n, { secret: SECRET })).toBeNull()
    const lost = { ...emptyLeg(9n), refunded: { ...ON_CHAIN, paidUnits: 1n } }
    const legs = { payout: lost, deposit: EMPTY, blind: at(null, 712n) }
    const data = order(true, { sourceInitiated, refundableAtHeight: 700n })
    expect(decideUnread(data, TOLD, legs)).toEqual({ act: "refund" })
    const young = { ...lost, refunded: { ...ON_CHAIN, final: false, paidUnits: 1n } }
    expect(decideUnread(data, TOLD, { ...legs, payout: young })).toBeNull()
  })
})

test("an order whose legs are read is decided by them alone", () => {
  const legs = { payout: LOCKED, deposit: LOCKED }
  expect(decideUnread(order(true), TOLD, { ...legs, blind: at(690n, 900n) })).toBeNull()
  expect(decideStep(order(true), TOLD, { ...legs, payout: EMPTY })).toMatchObject({
    act: "wait",
    reason: { code: "tower.not_due" },
  })
})
