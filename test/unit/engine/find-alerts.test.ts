import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import {
  findAlerts,
  findEmptyRefund,
  findEndingPayout,
  findShortPayout,
  findUnreadAlarms,
} from "#engine/orders/observe/find-alerts.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../support/sample-job.ts"

const HEIGHT = 1_000n
const MOMENT = { height: HEIGHT, txid: "a", final: true, at: 1 }
const { serviceOrder } = sampleData()
const quarter = (serviceOrder?.destination.timelock ?? 0n) / 4n
// CAST: the alarm reads only this part of a secret.
const revealed = { status: "revealed" } as OrderData["ownSecret"]
// CAST: and of an observed HTLC only whether it has these.
const leg = (over: object): LegObservation => ({ ...emptyLeg(HEIGHT), ...over }) as LegObservation
const open = leg({ initiated: MOMENT })

function minedOf(purpose: "refund" | "redeem"): OrderData["transactions"] {
  const { transactions } = sampleData()
  // CAST: the block is all that counts.
  const mined = { height: 77n } as OrderData["transactions"]["refund"]["mined"]
  return { ...transactions, [purpose]: { ...transactions[purpose], mined } }
}

test.each<[string, string | null, Partial<OrderData>, LegObservation | null, bigint | null]>([
  ["with a quarter of its lock left", "alarm", {}, open, quarter],
  ["that cannot be read", "alarm", {}, null, quarter],
  ["with more of its lock left", null, {}, open, quarter + 1n],
  ["without a known end", null, {}, open, null],
  ["that is not there any more", null, {}, leg({}), quarter],
  ["that is redeemed", null, {}, leg({ initiated: MOMENT, redeemed: MOMENT }), quarter],
  ["with our redemption in a block", null, { transactions: minedOf("redeem") }, open, quarter],
  ["of an order not read back", null, { serviceOrder: null }, open, quarter],
  ["before our secret is told", null, { ownSecret: null }, open, quarter],
])("a payout %s: %s", (_name, expected, over, destination, left) => {
  const data = sampleData({}, { ownSecret: revealed, ...over })
  const lock = { refundableAt: left === null ? null : HEIGHT + left, height: HEIGHT }
  const found = findEndingPayout(sampleJob(data, {}), destination, lock).map(({ code }) => code)
  expect(found).toEqual(expected === null ? [] : ["alarm.payout_unredeemed"])
})

const NOW = 10_000_000
const NOT_OURS = { ...SAMPLE.deposit, isRefundableByUs: false }
const seenAt = (ago: number) => ({ txid: "a", height: 5n, final: true, at: NOW - ago })
const PATIENCE = sampleData().policy.reportPatienceMs
const SOURCE_LOCK = SAMPLE.deposit.timelock

type World = {
  readonly data?: Partial<OrderData>
  readonly seen?: Partial<OrderData["seen"]>
  readonly reported?: string
  readonly family?: "evm" | "bitcoin"
}

/** An order at NOW, whose destination chain is of this family. */
function jobOf({ data: over = {}, family = "evm" }: World) {
  const data = sampleData({}, over)
  const job = sampleJob(data, {}, { nowMs: NOW })
  const { traits } = familyNamed(family)
  const chain = chainOf(data.request.to)
  // CAST: an alarm asks nothing else of the chain.
  const port = { chain, traits } as NonNullable<ReturnType<typeof job.context.chains.get>>
  const chains = new Map([...job.context.chains, [chain, port]])
  return { ...job, context: { ...job.context, chains } }
}

function alertsOf(
  world: World,
  legs: { readonly source?: null; readonly destination?: LegObservation | null },
  lapsed = false,
  unreadLegs: UnreadLegs = new Map(),
) {
  const { destination = leg({}) } = legs
  const order = { ...SAMPLE.order.destination, redeemTx: world.reported ?? null }
  const job = jobOf(world)
  job.context.memory.unreadLegs = new Map(unreadLegs)
  return findAlerts(job, {
    serviceOrder: { ...SAMPLE.order, destination: order },
    seen: { ...NOTHING_SEEN, ...world.seen },
    source: legs.source === null ? null : leg({}),
    destination,
    lock: { refundableAt: null, height: HEIGHT },
    lapsed,
  })
}

type UnreadLegs = NonNullable<ReturnType<typeof jobOf>["context"]["memory"]["unreadLegs"]>
const codesOf = (...args: Parameters<typeof alertsOf>): string[] =>
  alertsOf(...args).map(({ code }) => code)

describe("a source that was taken", () => {
  const taken = (ago: number, over: Partial<OrderData["seen"]> = {}): World => ({
    seen: { sourceRedeemed: seenAt(ago), ...over },
  })
  const funded = { destinationInitiated: seenAt(0) }
  test.each<[string, boolean, World, LegObservation | null]>([
    ["ten seconds ago, with no payout", true, taken(10_000), leg({})],
    ["a moment ago, with no payout", false, taken(9_999), leg({})],
    ["ten seconds ago, with an unread payout", false, taken(10_000), null],
    ["ten seconds ago, with a payout", false, taken(10_000, funded), open],
    ["with a payout that went back", true, taken(0, funded), leg({ refunded: MOMENT })],
    ["long ago, with a payout", true, taken(PATIENCE + 1, funded), open],
    ["not quite so long ago", false, taken(PATIENCE, funded), open],
    [
      "long ago, with a redeemed payout",
      false,
      taken(PATIENCE + 1, { destinationRedeemed: seenAt(0) }),
      open,
    ],
    ["never", false, {}, leg({ refunded: MOMENT })],
  ])("%s: %s", (_name, expected, world, destination) => {
    expect(codesOf(world, { destination }).includes("alarm.source_redeemed")).toBe(expected)
  })
})

describe("a reported redemption that no node shows", () => {
  const since = (ago: number, more: World = {}): World => ({
    data: { reportedAt: NOW - ago },
    ...more,
  })
  test.each<[string, boolean, World, LegObservation | null]>([
    ["of no payout, for half a minute", false, since(30_000), leg({})],
    ["of no payout, for longer", true, since(30_001), leg({})],
    ["of a payout, for a while", false, since(PATIENCE), open],
    ["of a payout, for longer", true, since(PATIENCE + 1), open],
    ["of an unread payout, for a while", false, since(30_001), null],
    [
      "of no payout where both wait for a block",
      false,
      since(30_001, { family: "bitcoin" }),
      leg({}),
    ],
    [
      "of a redeemed payout",
      false,
      since(PATIENCE + 1, { seen: { destinationRedeemed: seenAt(0) } }),
      open,
    ],
    ["that is new", false, { reported: "aa" }, leg({})],
    ["that there is none", false, {}, leg({})],
  ])("%s: %s", (_name, expected, world, destination) => {
    expect(codesOf(world, { destination }).includes("alarm.report_unproven")).toBe(expected)
  })
})

describe("a deposit that was not filled", () => {
  const left = (units: bigint, over: Partial<OrderData["seen"]> = {}): World => ({
    seen: {
      sourceInitiated: seenAt(0),
      sourceHeight: 100n,
      refundableAtHeight: 100n + units,
      ...over,
    },
  })
  const quarterLeft = SOURCE_LOCK / 4n
  // CAST: the kind of a quote is all that counts.
  const burn = { ...SAMPLE.quote, kind: "cctp" } as OrderData["quote"]
  test.each<[string, boolean, World, boolean?]>([
    ["a quarter of its lock is left", true, left(quarterLeft)],
    ["more of it is left", false, left(quarterLeft + 1n)],
    ["more of it is left, and the order lapsed", true, left(quarterLeft + 1n), true],
    ["its end is not known", false, left(0n, { refundableAtHeight: null })],
    ["no height is known", false, left(0n, { sourceHeight: null })],
    ["it was never made", false, left(0n, { sourceInitiated: null }), true],
    ["it came back", false, left(0n, { sourceRefunded: seenAt(0) })],
    ["it was taken", false, left(0n, { sourceRedeemed: seenAt(0) })],
    ["its payout is there", false, left(0n, { destinationRedeemed: seenAt(0) })],
    ["it was not verified", false, { ...left(0n), data: { deposit: null } }],
    ["it is a burn", false, { ...left(0n), data: { quote: burn } }],
  ])("%s: %s", (_name, expected, world, lapsed) => {
    expect(codesOf(world, {}, lapsed).includes("alarm.refund_watch")).toBe(expected)
  })
})

test.each<[RegExp, Partial<OrderData>, null?]>([
  [/height 9, and Ballast sends it itself/, {}],
  [/Ballast tries it then although it cannot read/, {}, null],
  [/none is sent while our secret is told/, { ownSecret: revealed }, null],
  [/only the service can: the refund key is not ours/, { deposit: NOT_OURS, ownSecret: revealed }],
])("the alarm of an ending lock says what happens: %s", (says, data, source) => {
  const seen = { sourceInitiated: seenAt(0), refundableAtHeight: 9n }
  expect(alertsOf({ data, seen }, source === null ? { source } : {}, true)[0]?.message).toMatch(
    says,
  )
})

test("an unread leg with money at stake is one of the alerts", () => {
  const world = { data: { reportedAt: NOW } }
  const unread = {
    ...jobOf(world).data.request,
    orderId: "order-1",
    side: "destination",
    cause: "x",
  } as const
  const legs = new Map([["order-1/destination", { ...unread, sinceMs: 0, isKept: true }]])
  expect(codesOf(world, {}, false, legs)).toEqual(["alarm.leg_unreadable"])
})

test.each([
  ["main", []],
  ["gone", ["config.service_missing"]],
  [null, []],
])("an order of the service %s: %o", (service, expected) => {
  expect(codesOf({ data: { service } }, {})).toEqual(expected)
})

test("a payout is short by its amount, or when it stays unreadable for long", () => {
  const found = (paid: bigint | null, ago: number) =>
    findShortPayout(jobOf({}), { ...NOTHING_SEEN, destinationRedeemed: seenAt(ago) }, paid, 9n)
  expect(found(4n, 0)).toMatchObject([
    { code: "alarm.payout_short", expected: "9", found: "4", redeemTx: "a" },
  ])
  expect(found(null, PATIENCE)).toEqual([])
  expect(found(null, PATIENCE + 1)).toMatchObject([{ found: "an unreadable amount" }])
  expect(findShortPayout(jobOf({}), NOTHING_SEEN, null, 9n)).toEqual([])
  const back = { ...NOTHING_SEEN, sourceRefunded: seenAt(0) }
  const expected = sampleData().request.sourceUnits.toString()
  expect(findEmptyRefund(jobOf({}), back)).toMatchObject([{ refundTx: "a", expected, found: "0" }])
})

describe("an unread leg tells what can be done", () => {
  const burn = { ...SAMPLE.quote, kind: "cctp" } as OrderData["quote"]
  const payoutLock = {
    refundableAt: 1_300n,
    height: 1_000n,
    readAt: 0,
  }
  const endless = { ...NOTHING_SEEN, sourceInitiated: seenAt(0) }
  const dated = { ...endless, refundableAtHeight: 55n }
  test.each<["source" | "destination", RegExp, Partial<OrderData>, boolean?]>([
    ["source", /possible from height 55, and is tried.*ballast refund/, { seen: dated }],
    ["source", /possible from an unknown height, and is tried/, { seen: endless }],
    ["source", /only the service can send it/, { seen: dated, deposit: NOT_OURS }],
    ["source", /Our refund is in block 77/, { seen: dated, transactions: minedOf("refund") }],
    ["source", /Nothing returns the deposit/, { seen: dated, quote: burn }],
    ["source", /the payout comes first/, { seen: dated, ownSecret: revealed }],
    ["destination", /cannot redeem the payout/, { seen: NOTHING_SEEN, reportedAt: 1 }],
    [
      "destination",
      /Our redemption is in block 77/,
      { ownSecret: revealed, transactions: minedOf("redeem") },
    ],
    [
      "destination",
      /ends at an unknown time, and is tried.*ballast redeem/,
      { ownSecret: revealed },
      true,
    ],
    [
      "destination",
      /ends about 1970-01-01T00:05:00.000Z \(height 1300\), and/,
      { ownSecret: revealed, seen: { ...NOTHING_SEEN, payoutLock } },
      true,
    ],
  ])("%s: %s", (side, says, data, hides = false) => {
    const job = jobOf({ data })
    const { from, to } = job.data.request
    const known = {
      orderId: job.data.id,
      side,
      from,
      to,
      sinceMs: NOW - 40_000,
      cause: "x",
      isKept: true,
    }
    job.context.memory.unreadLegs = new Map([[`${known.orderId}/${side}`, known]])
    const [alarm, ...others] = findUnreadAlarms(job, job.data.seen)
    expect(others).toEqual([])
    expect(alarm).toMatchObject({ code: "alarm.leg_unreadable", side })
    expect(alarm?.message).toMatch(says)
    expect(alarm !== undefined && "hides" in alarm).toBe(hides)
  })
})
