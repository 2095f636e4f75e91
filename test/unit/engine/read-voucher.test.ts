import { beforeEach, describe, expect, test } from "vitest"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { findOwnPayout, findSilence, readVoucher } from "#engine/orders/route/read-voucher.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { VoucherReport } from "#ports/route.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../support/sample-job.ts"

const AT = { txid: "a", height: 5n, final: true, seen: true, at: 1 }
// CAST: only these facts of a leg count.
const leg = (over: object): LegObservation => ({ ...emptyLeg(9n), ...over }) as LegObservation
const BURNT = leg({ initiated: AT })
const QUOTE = { ...SAMPLE.quote, kind: "cctp" } as const
const GIVEN: RouteVoucher = { kind: "cctp", nonce: "7", fields: { message: "m" } }
const reason = (code: string): Reason => ({ code, message: code })
const error = (disposition: "transient" | "refused"): AppError =>
  new AppError({ code: "route.silent", disposition, message: "silent" })

let report: VoucherReport | Error
let foreign: readonly Reason[]
let faults: readonly Reason[]
let isOver: boolean
let calls: string[]
beforeEach(() => {
  report = { status: "ready", voucher: GIVEN }
  foreign = []
  faults = []
  isOver = false
  calls = []
})

function read(
  over: Partial<OrderData> = {},
  source: LegObservation | null = BURNT,
  payout: LegObservation | null = null,
) {
  const data = sampleData({}, { quote: QUOTE, ...over })
  const route = {
    readVoucher: async () => {
      calls.push("ask")
      if (report instanceof Error) throw report
      return report
    },
    renewVoucher: async () => void calls.push("renew"),
  }
  const destination = {
    checkVoucher: async () => {
      calls.push("check")
      return foreign
    },
    checkPayout: async (owed: { owner: string }) => {
      calls.push(`payout to ${owed.owner}`)
      return faults
    },
    isOver: async () => isOver,
  }
  const port = { routeLegs: new Map([["cctp", destination]]) }
  const chains = new Map(["base_sepolia", "bitcoin_testnet"].map((chain) => [chain, port]))
  // CAST: only these parts are used.
  const context = { chains, routes: new Map([["cctp", route]]) } as unknown as Parameters<
    typeof readVoucher
  >[0]["context"]
  return readVoucher({ context, data }, source, payout)
}

const NOTHING = { alerts: [] }
const USABLE = { voucher: GIVEN, alerts: [], redeemable: true }
const PAYOUT = `payout to ${SAMPLE.input.request.destinationOwner}`

describe("the voucher of a deposit", () => {
  test("is checked against the deposit and the payout, and then opens the payout", async () => {
    expect(await read()).toEqual(USABLE)
    expect(calls).toEqual(["ask", "check", PAYOUT])
  })

  test("that is kept is not checked against the deposit again", async () => {
    expect(await read({ voucher: GIVEN })).toEqual(USABLE)
    expect(calls).toEqual(["ask", PAYOUT])
    calls = []
    report = { status: "ready", voucher: { ...GIVEN, fields: { message: "renewed" } } }
    expect(await read({ voucher: GIVEN })).toMatchObject({ redeemable: true })
    expect(calls).toEqual(["ask", "check", PAYOUT])
  })

  test("of another nonce never replaces the first one, which opens the payout", async () => {
    const first = { ...GIVEN, nonce: "6" }
    const changed = { code: "alarm.voucher_changed", known: "6", given: "7" }
    const { alerts, ...kept } = await read({ voucher: first })
    expect([alerts, kept]).toMatchObject([[changed], { voucher: first, redeemable: true }])
    expect(calls).toEqual(["ask", "check", PAYOUT])
    faults = [reason("payout.paused")]
    calls = []
    const unpaid = await read({ voucher: first })
    expect(unpaid.alerts).toMatchObject([changed, ...faults])
    expect([unpaid.redeemable, calls]).toEqual([undefined, ["ask", "check", PAYOUT]])
  })

  test("of another nonce replaces one that is over, unpaid for good", async () => {
    isOver = true
    expect(await read({ voucher: { ...GIVEN, nonce: "6" } })).toEqual(USABLE)
    expect(calls).toEqual(["ask", "check", PAYOUT])
    faults = [reason("payout.paused")]
    await read({ voucher: { ...GIVEN, nonce: "6" } })
    expect(calls.at(-1)).toBe("renew")
  })

  test("of another deposit is not kept", async () => {
    foreign = [reason("voucher.foreign")]
    expect(await read()).toEqual({ alerts: foreign })
    expect(calls).toEqual(["ask", "check"])
  })

  test("that would not be paid now is kept and asked for anew", async () => {
    faults = [reason("payout.paused")]
    expect(await read()).toEqual({ voucher: GIVEN, alerts: faults })
    expect(calls).toEqual(["ask", "check", PAYOUT, "renew"])
  })

  test.each<[string, VoucherReport, readonly Reason[]]>([
    ["waits", { status: "waiting", reasons: [] }, []],
    ["is late", { status: "late", reasons: [reason("route.late")] }, [reason("route.late")]],
    [
      "is broken",
      { status: "broken", reasons: [reason("route.broken")] },
      [reason("route.broken")],
    ],
  ])("that %s opens nothing", async (_name, given, alerts) => {
    report = given
    expect(await read()).toEqual({ alerts })
    expect(calls).toEqual(["ask"])
  })

  test("that waits for a reason tells it, without an alarm", async () => {
    report = { status: "waiting", reasons: [reason("route.waiting")] }
    expect(await read()).toEqual({ alerts: [], notes: [reason("route.waiting")] })
  })

  test.each<[string, Partial<OrderData>, LegObservation | null, LegObservation | null]>([
    ["of an HTLC", { quote: SAMPLE.quote }, BURNT, null],
    ["whose payout is taken", {}, BURNT, leg({ redeemed: AT })],
    ["whose payout we took", { transactions: minedRedeem() }, BURNT, null],
    ["that no node shows", {}, null, null],
    ["that is not there", {}, leg({}), null],
    ["that one endpoint alone shows", {}, { ...BURNT, agreed: false }, null],
    ["that is not deep", {}, leg({ initiated: { ...AT, seen: false } }), null],
  ])("is not asked for: of a deposit %s", async (_name, over, source, payout) => {
    expect(await read(over, source, payout)).toEqual(NOTHING)
    expect(calls).toEqual([])
  })

  test("that is kept opens the payout while the source cannot be read, or the route is silent", async () => {
    expect(await read({ voucher: GIVEN }, null, leg({}))).toEqual(USABLE)
    expect(calls).toEqual([PAYOUT])
    report = error("transient")
    expect(await read({ voucher: GIVEN })).toEqual(USABLE)
    await expect(read()).rejects.toBe(report)
    report = error("refused")
    await expect(read({ voucher: GIVEN })).rejects.toBe(report)
    report = new Error("a bug")
    await expect(read({ voucher: GIVEN })).rejects.toBe(report)
  })
})

function minedRedeem(): OrderData["transactions"] {
  const { transactions } = sampleData()
  const mined = { txid: "ours", height: 9n, seen: true, final: false }
  return { ...transactions, redeem: { ...transactions.redeem, mined } }
}

const SIX_HOURS = 6 * 3_600_000
test.each<[string, boolean, Partial<OrderData>, number, RouteVoucher?]>([
  ["for less than six hours", false, {}, SIX_HOURS - 1],
  ["for six hours", true, {}, SIX_HOURS],
  ["for twice its worst time", true, { quote: { ...QUOTE, worstSeconds: 20_000 } }, 40_000_000],
  ["for less than that", false, { quote: { ...QUOTE, worstSeconds: 20_000 } }, 39_999_999],
  ["with a voucher before", false, { voucher: GIVEN }, SIX_HOURS],
  ["with a voucher now", false, {}, SIX_HOURS, GIVEN],
  ["of an HTLC", false, { quote: SAMPLE.quote }, SIX_HOURS],
  ["of no deposit", false, { seen: NOTHING_SEEN }, SIX_HOURS],
  [
    "of a paid deposit",
    false,
    { seen: { ...NOTHING_SEEN, sourceInitiated: AT, destinationRedeemed: AT } },
    SIX_HOURS,
  ],
])("an issuer is silent %s: %s", (_name, expected, over, passedMs, given) => {
  const seen = { ...NOTHING_SEEN, sourceInitiated: { ...AT, at: 1_000 } }
  const data = sampleData({}, { quote: QUOTE, seen, ...over })
  const found = findSilence({ data, nowMs: 1_000 + passedMs }, given).map(({ code }) => code)
  expect(found).toEqual(expected ? ["alarm.issuer_silent"] : [])
})

test.each<[string, boolean, LegObservation | null, RouteVoucher | undefined, object[]]>([
  ["counts once", false, leg({ redeemed: AT }), GIVEN, [{ id: "other", nonce: "7" }]],
  ["of another voucher counts", true, leg({ redeemed: AT }), GIVEN, [{ id: "other", nonce: "8" }]],
  ["of this order counts", true, leg({ redeemed: AT }), GIVEN, [{ id: "order-1", nonce: "7" }]],
  ["without a voucher counts", true, leg({ redeemed: AT }), undefined, [{ id: "other" }]],
  ["that is not there is none", true, leg({}), GIVEN, [{ id: "other", nonce: "7" }]],
  ["that cannot be read is none", true, null, GIVEN, [{ id: "other", nonce: "7" }]],
])("a payout that another order has counted %s", (_name, stays, payout, voucher, rows) => {
  const data = sampleData({}, voucher === undefined ? {} : { voucher })
  // CAST: the rows stand for orders that the memory decodes.
  const job = sampleJob(data, { journal: { listPaidBy: () => rows as never } })
  Object.assign(job.context.memory, {
    orders: { read: ({ nonce }: { nonce?: string }) => ({ data: { voucher: { nonce } } }) },
  })
  const found = findOwnPayout(job, payout)
  expect(found.leg).toEqual(stays ? payout : leg({}))
  expect(found.alerts.map(({ code, other }) => [code, other])).toEqual(
    stays ? [] : [["alarm.voucher_reused", "other"]],
  )
})
