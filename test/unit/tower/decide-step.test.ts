import { describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { decideStep } from "#tower/decide-step.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

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
const NOTHING: LegObservation = emptyLeg(100n)
const REDEEMED = { ...ON_CHAIN, paidUnits: 1n, secret: SECRET }
const REFUNDED = { ...ON_CHAIN, paidUnits: 1n }

/** An HTLC with `left` blocks until its refund. */
function open(left: bigint, more: Partial<LegObservation> = {}): LegObservation {
  return {
    ...NOTHING,
    height: 700n - left,
    initiated: { ...ON_CHAIN, units: 5n },
    refundableAt: 700n,
    ...more,
  }
}

function order(isTold: boolean): OrderData {
  const data = sampleData()
  const serviceOrder = mustExist(data.serviceOrder, "an order")
  const destination = { ...serviceOrder.destination, timelock: LOCK }
  const ownSecret = { nonce: "7", hash: "ab", status: "revealed", revealedAt: 1, isTold } as const
  const deposit = { ...mustExist(data.deposit, "a deposit"), timelock: LOCK }
  return { ...data, serviceOrder: { ...serviceOrder, destination }, deposit, ownSecret }
}

const LOCKED = open(500n)

describe("the redemption of a told secret", () => {
  const decide = (payout: LegObservation, deposit = LOCKED) =>
    decideStep(order(true), TOLD, { payout, deposit })

  test.each([
    [600n, "tower.not_due"],
    [240n, "tower.not_due"],
  ])("waits for the daemon while %s of 600 blocks are left", (left, code) => {
    expect(decide(open(left))).toMatchObject({ act: "wait", reason: { code } })
  })

  test.each([
    [239n, null],
    [201n, null],
    // The stake counts with the lock as it is when the next higher fee is due.
    [200n, { left: 175n, timelock: LOCK, worthUnits: 70n }],
    [199n, { left: 174n, timelock: LOCK, worthUnits: 70n }],
    [1n, { left: -24n, timelock: LOCK, worthUnits: 70n }],
    [-50n, { left: -75n, timelock: LOCK, worthUnits: 70n }],
  ])("is due with %s of 600 blocks left, with what the fee may compare to: %o", (left, stake) => {
    expect(decide(open(left))).toEqual({ act: "redeem", stake })
  })

  test(
    "goes on while endpoints contradict each other, because only the secret's solver could win " +
      "by waiting",
    () => {
      expect(decide(open(100n, { agreed: false }))).toMatchObject({ act: "redeem" })
    },
  )

  test("waits while a block shows it, and ends when that block is final", () => {
    const young = open(100n, { redeemed: { ...REDEEMED, final: false } })
    expect(decide(young)).toMatchObject({ reason: { code: "tower.settling" } })
    expect(decide(open(100n, { redeemed: REDEEMED }))).toEqual({
      act: "end",
      outcome: "redeemed",
      txid: "aa",
    })
  })
})

describe("a secret that the daemon decided to tell, and perhaps never told", () => {
  const decide = (payout: LegObservation, deposit = LOCKED, wasSent = false) =>
    decideStep(order(false), { ...TOLD, wasSent }, { payout, deposit })

  test("is told by the tower while a quarter of the lock is left", () => {
    expect(decide(open(150n))).toMatchObject({ act: "redeem" })
  })

  test("is kept later, until the solver knows it or the deposit is back", () => {
    expect(decide(open(149n))).toMatchObject({ act: "wait", reason: { code: "tower.late" } })
    expect(decide(open(149n), open(500n, { redeemed: REDEEMED }))).toMatchObject({ act: "redeem" })
    expect(decide(open(149n), LOCKED, true)).toMatchObject({ act: "redeem" })
  })

  test.each([
    ["without the agreement of enough endpoints", open(200n, { agreed: false })],
    [
      "that is not deep enough",
      open(200n, { initiated: { ...ON_CHAIN, units: 5n, revealable: false } }),
    ],
  ])("is kept from a payout %s", (_name, payout) => {
    expect(decide(payout)).toMatchObject({ act: "wait", reason: { code: "tower.unproven" } })
  })
})

describe("the refund", () => {
  const decide = (deposit: LegObservation, payout = NOTHING, secret: string | null = null) =>
    decideStep(order(true), { ...TOLD, secret }, { payout, deposit })

  test("waits for the lock, and a fiftieth of it longer", () => {
    for (const left of [100n, 0n, -11n])
      expect(decide(open(left))).toMatchObject({ reason: { code: "tower.not_due" } })
    expect(decide(open(-12n))).toEqual({ act: "refund" })
  })

  test(
    "waits after a told secret until enough endpoints show finally that the payout is back " +
      "with the solver",
    () => {
      const young = open(-50n, { refunded: { ...REFUNDED, final: false } })
      for (const payout of [NOTHING, young])
        expect(decide(open(-12n), payout, SECRET)).toMatchObject({
          act: "wait",
          reason: { code: "tower.unproven" },
        })
      expect(decide(open(-12n), open(-50n, { refunded: REFUNDED }), SECRET)).toEqual({
        act: "refund",
      })
    },
  )

  test("is not tried for a deposit that is taken, refunded or not there", () => {
    const code = (deposit: LegObservation) => decide(deposit)
    expect(code(open(-12n, { redeemed: REDEEMED }))).toMatchObject({
      reason: { code: "tower.deposit_taken" },
    })
    expect(code(open(-12n, { refunded: { ...REFUNDED, final: false } }))).toMatchObject({
      reason: { code: "tower.settling" },
    })
    expect(code(open(-12n, { refunded: REFUNDED }))).toEqual({
      act: "end",
      outcome: "refunded",
      txid: "aa",
    })
    expect(code(NOTHING)).toMatchObject({ reason: { code: "tower.unproven" } })
  })

  test(
    "goes on beside a payout whose secret the tower does not have: a solver could hold the " +
      "refund up with it",
    () => {
      expect(decide(open(-12n), open(100n))).toEqual({ act: "refund" })
    },
  )
})

describe("an end that one endpoint alone shows", () => {
  const lone = { agreed: false } as const
  const decide = (payout: LegObservation, deposit: LegObservation, isTold = true) =>
    decideStep(order(isTold), TOLD, { payout, deposit })

  test.each([
    ["redeemed", { redeemed: { ...REDEEMED, final: false } }],
    ["refunded", { refunded: { ...REFUNDED, final: false } }],
  ])("keeps no redemption back where the payout is %s", (_end, shown) => {
    const step = decide(open(50n, { ...lone, ...shown }), LOCKED)
    expect(step).toMatchObject({ act: "redeem" })
  })

  test.each([
    ["redeemed", { redeemed: { ...REDEEMED, final: false } }],
    ["refunded", { refunded: { ...REFUNDED, final: false } }],
  ])("keeps no refund back where the deposit is %s", (_end, shown) => {
    const step = decideStep(
      order(false),
      { ...TOLD, secret: null },
      { payout: NOTHING, deposit: open(-12n, { ...lone, ...shown }) },
    )
    expect(step).toEqual({ act: "refund" })
  })

  test("does not let the tower be the first to tell the secret late", () => {
    const taken = open(500n, { ...lone, redeemed: { ...REDEEMED, final: false } })
    const step = decide(open(50n), taken, false)
    expect(step).toMatchObject({ act: "wait", reason: { code: "tower.late" } })
  })
})

describe("a chain that cannot be read", () => {
  test("keeps no redemption back where it is the source", () => {
    const decide = (isTold: boolean, payout: LegObservation) =>
      decideStep(order(isTold), TOLD, { payout, deposit: null })
    expect(decide(true, open(100n))).toMatchObject({ act: "redeem" })
    expect(decide(true, open(-50n))).toMatchObject({ act: "redeem" })
    expect(decide(false, open(150n))).toMatchObject({ act: "redeem" })
    expect(decide(false, open(149n))).toMatchObject({ reason: { code: "tower.late" } })
    expect(decide(true, open(100n, { redeemed: REDEEMED }))).toMatchObject({ act: "end" })
  })

  test("lets no refund go out without the source", () => {
    const payout = open(-50n, { refunded: REFUNDED })
    const step = decideStep(order(true), TOLD, { payout, deposit: null })
    expect(step).toMatchObject({ act: "wait", reason: { code: "tower.unproven" } })
  })

  test("keeps no refund back where it is the destination", () => {
    const decide = (secret: string | null, deposit: LegObservation) =>
      decideStep(order(secret !== null), { ...TOLD, secret }, { payout: null, deposit })
    expect(decide(null, open(-12n))).toEqual({ act: "refund" })
    expect(decide(null, open(-11n))).toMatchObject({ reason: { code: "tower.not_due" } })
    expect(decide(SECRET, open(-59n))).toMatchObject({ reason: { code: "tower.not_due" } })
    expect(decide(SECRET, open(-60n))).toEqual({ act: "refund" })
    expect(decide(SECRET, open(-60n, { redeemed: REDEEMED }))).toMatchObject({
      reason: { code: "tower.deposit_taken" },
    })
  })
})
