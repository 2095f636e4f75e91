import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import {
  endCapOf,
  findLateRedemption,
  isPayoutEnding,
  isTakenBack,
  orderWorth,
  readRedeemStake,
  unlessOver,
} from "#engine/orders/observe/time-to-redeem.ts"
import { noteLegUnread } from "#engine/watches/unread-legs.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { KIND } from "../../../support/fake-burn-leg.ts"
import { failure } from "../../../support/faults.ts"
import {
  NOTHING_SEEN,
  SAMPLE,
  samplePlan,
  sampleTransaction,
} from "../../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../../support/sample-job.ts"

const NOW = 50_000_000
const HEIGHT = 1_000n
const TIMELOCK = sampleData().serviceOrder?.destination.timelock ?? 0n
const MOMENT = { txid: "x", height: 5n, final: true, seen: true, paidUnits: 1n }
// CAST: an end of a leg is read for these parts alone.
const leg = (over: object): LegObservation => ({ ...emptyLeg(HEIGHT), ...over }) as LegObservation
// CAST: and a secret for whether it is told.
const secret = (over: object) =>
  ({ status: "revealed", ...over }) as unknown as OrderData["ownSecret"]
const lockOf = (left: bigint, ago = 0) => ({
  refundableAt: HEIGHT + left,
  height: HEIGHT,
  readAt: NOW - ago,
})

type Scene = {
  readonly data?: Partial<OrderData>
  /** `null`: it cannot be read. */
  readonly payout?: LegObservation | null
  readonly deposit?: LegObservation | null
  /** Of the chain; as of the legs by default. */
  readonly height?: bigint
}

function jobOf({
  data = {},
  payout = emptyLeg(HEIGHT),
  deposit = emptyLeg(HEIGHT),
  height,
}: Scene) {
  const asked: string[] = []
  const node = (side: "source" | "destination", shown: LegObservation | null) => ({
    traits: familyNamed(side === "source" ? "evm" : "bitcoin").traits,
    observeLeg: async () => {
      asked.push(side)
      if (shown === null) throw failure("transient", "test.unreachable")
      return shown
    },
    fetchHeight: async () => height ?? HEIGHT,
  })
  // CAST: nothing else is asked of a chain.
  const source = node("source", deposit) as never
  const job = sampleJob(sampleData({}, data), { chain: source }, { nowMs: NOW })
  const to = chainOf(job.data.request.to)
  const chains = new Map(job.context.chains)
  // CAST: as above.
  chains.set(to, { chain: to, ...node("destination", payout) } as never)
  return { asked, job: { ...job, context: { ...job.context, chains } } }
}

test("a payout is ending with a third of its lock left, and never without a known end", () => {
  const of = (left: bigint | null) =>
    isPayoutEnding(300n, { refundableAt: left === null ? null : HEIGHT + left, height: HEIGHT })
  expect([of(100n), of(101n), of(null)]).toEqual([true, false, false])
})

test("a payout is taken back by an agreed final refund alone", () => {
  const back = { ...emptyLeg(HEIGHT), refunded: MOMENT }
  const found = [
    leg({ refunded: MOMENT }),
    leg({ ...back, agreed: false }),
    leg({ ...back, redeemed: MOMENT }),
    leg({ refunded: { ...MOMENT, final: false } }),
    leg({}),
  ].map(isTakenBack)
  expect(found).toEqual([true, false, false, false, false])
})

describe("a redemption", () => {
  const told = { ownSecret: secret({ isTold: true }) }
  const gone = { ...NOTHING_SEEN, payoutLock: lockOf(0n) }
  const open = { ...NOTHING_SEEN, payoutLock: lockOf(1n) }
  const back = leg({ initiated: MOMENT, refunded: MOMENT })
  const plan: TransactionPlan = samplePlan("redeem", 1)
  const planned = (over: object): OrderData["transactions"] => {
    const { transactions } = sampleData()
    return { ...transactions, redeem: { ...transactions.redeem, plan, signed: [], ...over } }
  }
  const old = { transactions: planned({}), stateSince: NOW - 10_001 }
  const mint = { ...old, quote: { ...SAMPLE.quote, kind: KIND } }
  const paid = leg({ initiated: MOMENT, redeemed: MOMENT })

  test.each<[string, boolean, readonly string[], Scene, TransactionPurpose?]>([
    ["goes on while the lock is open", false, [], { data: { ...told, seen: open }, payout: back }],
    [
      "ends once the solver took the payout back",
      true,
      ["destination"],
      {
        data: { ...told, seen: gone },
        payout: back,
      },
    ],
    [
      "goes on after the lock while the payout is there",
      false,
      ["destination"],
      {
        data: { ...told, seen: gone },
        payout: leg({ initiated: MOMENT }),
      },
    ],
    [
      "goes on after the lock where the payout cannot be read",
      false,
      ["destination"],
      {
        data: { ...told, seen: gone },
        payout: null,
      },
    ],
    [
      "asks nothing while its secret is ours alone",
      false,
      [],
      {
        data: { seen: gone },
        payout: back,
      },
    ],
    ["asks nothing without a known lock", false, [], { data: told, payout: back }],
    [
      "ends where an old plan finds the payout with us",
      true,
      ["destination"],
      {
        data: old,
        payout: paid,
      },
    ],
    [
      "goes on with a fresh plan",
      false,
      [],
      {
        data: { ...old, stateSince: NOW - 10_000 },
        payout: paid,
      },
    ],
    [
      "asks too where the clock was set back",
      true,
      ["destination"],
      {
        data: { ...old, stateSince: NOW + 10_001 },
        payout: paid,
      },
    ],
    [
      "goes on where the payout is open",
      false,
      ["destination"],
      {
        data: old,
        payout: leg({ initiated: MOMENT }),
      },
    ],
    [
      "goes on where endpoints do not agree",
      false,
      ["destination"],
      {
        data: old,
        payout: { ...paid, agreed: false },
      },
    ],
    ["goes on where nothing is read", false, ["destination"], { data: old, payout: null }],
    ["waits as a mint where nothing is read", true, ["destination"], { data: mint, payout: null }],
    ["goes on as a mint of an open payout", false, ["destination"], { data: mint }],
    [
      "goes on as a mint with a fresh plan",
      false,
      [],
      { data: { ...mint, stateSince: NOW }, payout: null },
    ],
    [
      "asks nothing without a plan",
      false,
      [],
      {
        data: { ...old, transactions: planned({ plan: null }) },
        payout: paid,
      },
    ],
    [
      "asks nothing once it is signed",
      false,
      [],
      {
        data: { ...old, transactions: planned({ signed: [sampleTransaction(plan)] }) },
        payout: paid,
      },
    ],
    [
      "of another kind goes on",
      false,
      [],
      { data: { ...told, seen: gone }, payout: back },
      "refund",
    ],
  ])("%s", async (_name, isOver, asks, scene, purpose = "redeem") => {
    const { job, asked } = jobOf(scene)
    const performed = { event: { type: "transaction.sent" } } as never
    const { event } = await unlessOver(job, purpose, async () => performed)
    expect(event.type).toBe(isOver ? "transaction.late" : "transaction.sent")
    expect([...new Set(asked)]).toEqual(asks)
  })

  test("asks no node twice: a mint whose payout was not read a moment ago waits", async () => {
    const { job, asked } = jobOf({ data: mint })
    noteLegUnread(job.context, job.data, "destination", failure("transient", "test.unreachable"))
    const performed = { event: { type: "transaction.sent" } } as never
    const { event } = await unlessOver(job, "redeem", async () => performed)
    expect([event.type, asked]).toEqual(["transaction.late", []])
  })
})

describe("a redemption that would be the first to tell the secret", () => {
  const own = { ownSecret: secret({ isTold: false }) }
  const left = (units: bigint, over: object = {}) =>
    leg({ initiated: MOMENT, refundableAt: HEIGHT + units, ...over })
  const late = left(TIMELOCK / 4n - 1n)
  const sent = (): OrderData["transactions"] => {
    const { transactions } = sampleData()
    return { ...transactions, redeem: { ...transactions.redeem, sentAt: 1 } }
  }
  const known = (units: bigint) => ({
    ...own,
    seen: { ...NOTHING_SEEN, payoutLock: lockOf(units) },
  })

  test.each<[string, boolean, Scene]>([
    ["waits with less than a quarter of the lock", true, { data: own, payout: late }],
    ["leaves with a quarter", false, { data: own, payout: left(TIMELOCK / 4n) }],
    [
      "waits where the solver has it back",
      true,
      {
        data: own,
        payout: left(TIMELOCK, { refunded: MOMENT }),
      },
    ],
    [
      "leaves where one endpoint alone says so, with time left",
      false,
      {
        data: known(TIMELOCK),
        payout: left(TIMELOCK, { refunded: MOMENT, agreed: false }),
      },
    ],
    [
      "waits where one endpoint alone shows time, and the known lock has none",
      true,
      {
        data: known(0n),
        payout: left(TIMELOCK, { agreed: false }),
      },
    ],
    ["waits where nothing is known", true, { data: own, payout: null }],
    [
      "leaves where the secret is told",
      false,
      {
        data: { ownSecret: secret({ isTold: true }) },
        payout: late,
      },
    ],
    [
      "leaves where the service chose the secret",
      false,
      { data: { ownSecret: null }, payout: late },
    ],
    [
      "leaves again where it was sent",
      false,
      { data: { ...own, transactions: sent() }, payout: late },
    ],
    [
      "leaves for an order that was not read back",
      false,
      {
        data: { ...own, serviceOrder: null },
        payout: late,
      },
    ],
    [
      "leaves where the solver was shown the secret",
      false,
      {
        data: { ownSecret: secret({ isTold: false, isShown: true }) },
        payout: late,
      },
    ],
    [
      "leaves where the deposit is taken",
      false,
      {
        data: own,
        payout: late,
        deposit: leg({ initiated: MOMENT, redeemed: MOMENT }),
      },
    ],
    [
      "waits where one endpoint alone shows that",
      true,
      {
        data: own,
        payout: late,
        deposit: leg({ initiated: MOMENT, redeemed: MOMENT, agreed: false }),
      },
    ],
    [
      "leaves where the deposit is back for good",
      false,
      {
        data: own,
        payout: late,
        deposit: leg({ initiated: MOMENT, refunded: MOMENT }),
      },
    ],
    [
      "waits where it may not be back for good",
      true,
      {
        data: own,
        payout: late,
        deposit: leg({ initiated: MOMENT, refunded: { ...MOMENT, final: false } }),
      },
    ],
    ["waits where the deposit cannot be read", true, { data: own, payout: late, deposit: null }],
  ])("%s", async (_name, isLate, scene) => {
    const found = await findLateRedemption(jobOf(scene).job)
    expect(found?.code).toBe(isLate ? "secret.late" : undefined)
  })
})

test("the stake of a redemption is the rest of the lock, a bump later, and none without an order", async () => {
  const payout = leg({ initiated: MOMENT, refundableAt: HEIGHT + 90n })
  expect(await readRedeemStake(jobOf({ payout }).job)).toEqual({
    left: 90n - TIMELOCK / 24n,
    timelock: TIMELOCK,
    worthUnits: null,
  })
  expect(await readRedeemStake(jobOf({ payout, data: { serviceOrder: null } }).job)).toBeNull()
})

test("at the end of the lock a redemption may pay what its chain allows then", () => {
  const { job } = jobOf({})
  const asked: unknown[] = []
  const capRedeemFee = (...of: readonly unknown[]) => {
    asked.push(of)
    return 7n
  }
  expect(endCapOf(job, { capRedeemFee })).toBe(7n)
  const stake = { left: 0n - TIMELOCK / 24n, timelock: TIMELOCK, worthUnits: null }
  expect(asked).toEqual([[job.data.request.to, stake]])
  const lost = { ...job, context: { ...job.context, chains: new Map() } }
  expect(orderWorth(lost)).toBeNull()
})
