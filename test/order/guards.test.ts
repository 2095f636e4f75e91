import { describe, expect, test } from "vitest"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { type GuardName, guards } from "#order/guards.ts"
import { NOTHING_SEEN } from "../support/order-sample.ts"
import {
  final,
  funded,
  gaslessOut,
  mined,
  observed,
  seenFunded,
  seenRefunded,
  signed,
  txidOf,
  untouched,
  withTransactions,
} from "../support/order-steps.ts"

/** The time of the event. */
const AT = 10_000
type Untimed = Parameters<typeof withEvent>[0]

function withEvent(event: ReturnType<typeof observed>): OrderEvent {
  return { ...event, at: AT }
}

function holds(name: GuardName, context: OrderData, event: Untimed): boolean {
  // A guard that is not asked may answer with a missing value, which the machine takes for no.
  return Boolean(guards[name]({ context, event: withEvent(event) }))
}

const fresh = withTransactions({})
const landed = (seen: boolean) => ({ txid: txidOf("deposit"), height: 5n, final: false, seen })
const young = (purpose: "deposit" | "refund" | "redeem" | "approve") => ({
  ...signed(purpose),
  mined: { txid: txidOf(purpose), height: 5n, final: false },
})
const look = (over: Parameters<typeof observed>[0] = {}): Untimed => observed(over)
const other: Untimed = { type: "deposit.unsettled" }
const paid = look({ paid: true })
const refunded = look({ refunded: true, seen: seenRefunded("refund") })
const event = { txid: "p", height: 5n, final: true, at: 0 }
const gasless = gaslessOut()

/** One question of the machine: the cases in which the answer is yes, and those in which it is no. */
type Case = readonly [why: string, context: OrderData, event: Untimed]
type Question = readonly [name: GuardName, yes: readonly Case[], no: readonly Case[]]

const mining = (over: object): Untimed => ({ ...mined("deposit", { feeUnits: 1n }), ...over })
const excluded = (by: string): Untimed =>
  // CAST: only the type and the cause are read.
  ({ type: "transaction.excluded", txid: "x", by, why: "" }) as unknown as Untimed
const replannable = { ...fresh, sendUntilMs: AT + 1 }
const earlier = (purpose: "deposit" | "approve" | "refund"): OrderData => {
  const [one] = signed(purpose).signed
  return { ...fresh, earlierSigned: one ? [{ ...one, purpose }] : [] }
}
const revealed = (over: Partial<OrderData>): OrderData =>
  // CAST: only the status is read.
  ({ ...fresh, ...over, ownSecret: { status: "revealed" } }) as unknown as OrderData
const unknown = (over: Partial<OrderData>): OrderData =>
  // CAST: only the status is read.
  ({ ...fresh, ...over, ownSecret: { status: "unknown" } }) as unknown as OrderData
const reported = { ...fresh, reportedAt: AT - fresh.policy.reportPatienceMs - 1 }
const alert = (code: string) => ({ alerts: [{ code, message: "" }] })

const QUESTIONS: readonly Question[] = [
  [
    "isMinedSeen",
    [
      ["final", fresh, mining({})],
      ["deep enough", fresh, mining({ final: false, seen: true })],
    ],
    [
      ["too young", fresh, mining({ final: false, seen: false })],
      ["young, without a depth", fresh, mining({ final: false })],
      ["failed", fresh, mining({ ok: false })],
    ],
  ],
  [
    "isMinedFinally",
    [["final", fresh, mining({})]],
    [
      ["young", fresh, mining({ final: false, seen: true })],
      ["failed", fresh, mining({ ok: false })],
    ],
  ],
  [
    "isRevertedFinally",
    [["failed", fresh, mining({ ok: false })]],
    [
      ["failed in a young block", fresh, mining({ ok: false, final: false })],
      ["a success", fresh, mining({})],
    ],
  ],
  ["isLapsed", [["lapsed", fresh, look({ lapsed: true })]], [["not", fresh, look()]]],
  [
    "isSettling",
    [["settling", fresh, look({ settling: true })]],
    [
      ["not settling", fresh, look({ settling: false })],
      ["not told", fresh, look()],
    ],
  ],
  [
    "wasFinalDepositGone",
    [["the deposit", { ...fresh, reasons: [{ code: "chain.final_fact_gone", message: "", what: "deposit" }] }, other]],
    [
      ["the payout", { ...fresh, reasons: [{ code: "chain.final_fact_gone", message: "", what: "payout" }] }, other],
      ["another reason", { ...fresh, reasons: [{ code: "x", message: "", what: "deposit" }] }, other],
    ],
  ],
  [
    "mayDepositLand",
    [
      ["signed", withTransactions({ deposit: signed("deposit") }), other],
      ["in a young block", withTransactions({ deposit: young("deposit") }), other],
    ],
    [
      ["not signed", fresh, other],
      ["final", withTransactions({ deposit: { ...final("deposit"), settled: false } }), other],
      ["settled", withTransactions({ deposit: { ...signed("deposit"), settled: true } }), other],
    ],
  ],
  [
    "isVoidable",
    [["signed", withTransactions({ deposit: signed("deposit") }), other]],
    [
      ["not signed", fresh, other],
      ["in a block", withTransactions({ deposit: young("deposit") }), other],
      ["a relay has a signature", { ...withTransactions({ deposit: signed("deposit") }), gasless }, other],
    ],
  ],
  [
    "isNothingSigned",
    [["nothing", fresh, other]],
    [
      ["a deposit", withTransactions({ deposit: signed("deposit") }), other],
      ["a relay's deposit", { ...fresh, gasless }, other],
    ],
  ],
  [
    "mayReplanDeposit",
    [
      ["its time is over", replannable, excluded("expired")],
      ["for the third time", { ...replannable, replans: 2 }, excluded("expired")],
    ],
    [
      ["another one took its place", replannable, excluded("rival")],
      ["for the fourth time", { ...replannable, replans: 3 }, excluded("expired")],
      ["no time is left", { ...fresh, sendUntilMs: AT }, excluded("expired")],
      ["no time is known", { ...fresh, sendUntilMs: null }, excluded("expired")],
      ["abandoned", { ...replannable, ending: "abandoned" }, excluded("expired")],
    ],
  ],
  [
    "mayStillDeposit",
    [
      ["time is left", replannable, other],
      ["no end is known", { ...fresh, sendUntilMs: null }, other],
      ["an approval is signed", withTransactions({ approve: signed("approve") }), other],
      ["an approval was replaced", earlier("approve"), other],
    ],
    [
      ["no time is left", { ...fresh, sendUntilMs: AT }, other],
      ["another transaction was replaced", earlier("deposit"), other],
      ["there is no order", { ...replannable, created: null }, other],
    ],
  ],
  [
    "isDepositPlanned",
    [
      [
        "the deposit",
        withTransactions({ deposit: { ...untouched(), plan: signed("deposit").signed[0]?.plan ?? null } }),
        other,
      ],
      [
        "the approval",
        withTransactions({ approve: { ...untouched(), plan: signed("approve").signed[0]?.plan ?? null } }),
        other,
      ],
    ],
    [["nothing", fresh, other]],
  ],
  [
    "wasDepositSigned",
    [
      ["signed", withTransactions({ deposit: signed("deposit") }), other],
      ["replaced", earlier("deposit"), other],
      ["replaced by an earlier version", { ...fresh, replans: 1 }, other],
      ["a relay's", { ...fresh, gasless }, other],
    ],
    [
      ["nothing", fresh, other],
      ["another one", earlier("approve"), other],
    ],
  ],
  ["wasOwnDepositSigned", [["replaced", earlier("deposit"), other]], [["a relay's", { ...fresh, gasless }, other]]],
  [
    "isApprovalPending",
    [
      ["signed", withTransactions({ approve: signed("approve") }), other],
      ["young", withTransactions({ approve: young("approve") }), other],
    ],
    [
      ["final", withTransactions({ approve: final("approve") }), other],
      ["cleared", { ...withTransactions({ approve: signed("approve") }), allowanceCleared: true }, other],
      ["not signed", fresh, other],
    ],
  ],
  [
    "leavesApproval",
    [
      ["signed", withTransactions({ approve: signed("approve") }), other],
      ["replaced", earlier("approve"), other],
    ],
    [
      ["a deposit used it", withTransactions({ approve: signed("approve"), deposit: young("deposit") }), other],
      ["cleared", { ...withTransactions({ approve: signed("approve") }), allowanceCleared: true }, other],
      ["not signed", fresh, other],
    ],
  ],
  [
    "isSignatureSubmitted",
    [["once", { ...fresh, gasless }, other]],
    [
      ["never", { ...fresh, gasless: { ...gasless, submissions: 0 } }, other],
      ["no signature", fresh, other],
    ],
  ],
  [
    "isSignatureUnsubmitted",
    [
      ["never", { ...fresh, gasless: { ...gasless, submissions: 0 } }, other],
      ["no signature", fresh, other],
    ],
    [["once", { ...fresh, gasless }, other]],
  ],
  [
    "isRelayed",
    [["a signature alone", { ...fresh, gasless }, other]],
    [
      ["beside a deposit", { ...withTransactions({ deposit: signed("deposit") }), gasless }, other],
      ["no signature", fresh, other],
    ],
  ],
  [
    "isPaid",
    [["over a final deposit", funded({}), paid]],
    [
      ["not paid", funded({}), look()],
      ["over a young deposit", funded({}), look({ paid: true, seen: seenFunded(false) })],
      ["over no deposit", funded({}), look({ paid: true, seen: NOTHING_SEEN })],
      ["a refund in a young block", funded({ refund: young("refund") }), paid],
      ["a redemption in a young block", funded({ redeem: young("redeem") }), paid],
      ["an approval in a young block", funded({ approve: young("approve") }), paid],
      ["a deposit in a young block", funded({ deposit: young("deposit") }), paid],
    ],
  ],
  [
    "isRefunded",
    [
      ["refunded", funded({ refund: final("refund") }), refunded],
      [
        "this look shows it as final",
        funded({ refund: young("refund") }),
        look({ refunded: true, landed: { ...landedNow("refund"), final: true } }),
      ],
      ["this look excludes it", funded({ refund: young("refund") }), look({ refunded: true, excluded: "refund" })],
    ],
    [
      ["not refunded", funded({ refund: final("refund") }), look()],
      ["in a young block", funded({ refund: young("refund") }), refunded],
      [
        "this look shows another one",
        funded({ refund: young("refund") }),
        look({ refunded: true, landed: { ...landedNow("deposit"), final: true } }),
      ],
      [
        "this look shows it as young",
        funded({ refund: young("refund") }),
        look({ refunded: true, landed: { ...landedNow("refund"), final: false } }),
      ],
    ],
  ],
  [
    "isEndingGone",
    [["neither", fresh, look()]],
    [
      ["a payout", fresh, look({ seen: { ...seenFunded(true), destinationRedeemed: event } })],
      ["a refund", fresh, look({ seen: seenRefunded("another") })],
    ],
  ],
  [
    "isFinalGone",
    [["gone", fresh, look(alert("chain.final_fact_gone"))]],
    [
      ["another alert", fresh, look(alert("alarm.payout_short"))],
      ["no alert", fresh, look()],
      ["another event", fresh, other],
    ],
  ],
  [
    "isSourceTakenWithoutPayout",
    [
      ["a short payout", fresh, look(alert("alarm.payout_short"))],
      ["a short refund", fresh, look(alert("alarm.refund_short"))],
      ["a redeemed source", fresh, look(alert("alarm.source_redeemed"))],
    ],
    [
      ["one endpoint alone", fresh, look({ ...alert("alarm.payout_short"), agreed: false })],
      ["our node may lag", fresh, look({ ...alert("alarm.source_redeemed"), mayLag: true })],
      ["another alert", fresh, look(alert("x"))],
    ],
  ],
  [
    "isNewlyFunded",
    [["for the first time", fresh, look()]],
    [
      ["known before", funded({}), look()],
      ["nothing", fresh, look({ seen: NOTHING_SEEN })],
    ],
  ],
  [
    "isOwnDepositNew",
    [
      ["seen", withTransactions({ deposit: signed("deposit") }), look()],
      ["paid for", withTransactions({ deposit: signed("deposit") }), look({ paid: true, seen: NOTHING_SEEN })],
      ["deeper", withTransactions({ deposit: { ...signed("deposit"), mined: landed(false) } }), look()],
    ],
    [
      ["not seen", withTransactions({ deposit: signed("deposit") }), look({ seen: NOTHING_SEEN })],
      ["known", withTransactions({ deposit: { ...signed("deposit"), mined: landed(true) } }), look()],
      ["not signed", fresh, look()],
    ],
  ],
  [
    "isOwnRefundNew",
    [
      ["ours", funded({ refund: signed("refund") }), refunded],
      ["an earlier one", earlier("refund"), refunded],
    ],
    [
      ["another's", funded({ refund: signed("refund") }), look({ refunded: true, seen: seenRefunded("another") })],
      ["not refunded", funded({ refund: signed("refund") }), look({ seen: seenRefunded("refund") })],
      ["known", funded({ refund: young("refund") }), refunded],
      ["another purpose", earlier("deposit"), look({ refunded: true, seen: seenFunded(true) })],
    ],
  ],
  [
    "isRefundable",
    [["refundable", fresh, look({ refundable: true })]],
    [
      ["not yet", fresh, look()],
      ["mined", funded({ refund: young("refund") }), look({ refundable: true })],
    ],
  ],
  [
    "leavesRefund",
    [
      ["a payout", funded({ refund: signed("refund") }), paid],
      ["a refund", funded({ refund: signed("refund") }), look({ refunded: true })],
    ],
    [
      ["no end", funded({ refund: signed("refund") }), look()],
      ["mined", funded({ refund: { ...young("refund"), mined: { ...event } } }), paid],
      ["no refund", funded({}), paid],
    ],
  ],
  [
    "leavesRedeem",
    [
      ["a payout", funded({ redeem: signed("redeem") }), paid],
      ["a refund", funded({ redeem: signed("redeem") }), look({ refunded: true })],
    ],
    [
      ["no end", funded({ redeem: signed("redeem") }), look()],
      ["mined", funded({ redeem: { ...young("redeem"), mined: { ...event } } }), paid],
      ["no redemption", funded({}), paid],
    ],
  ],
  [
    "mayOperatorRefund",
    [["funded", funded({}), other]],
    [
      ["not funded", fresh, other],
      ["our secret is told", revealed({ seen: seenFunded(true) }), other],
    ],
  ],
  [
    "isRevealDue",
    [["shown", unknown({}), look({ secret: "reveal" })]],
    [
      ["not shown", unknown({}), look()],
      ["told", revealed({}), look({ secret: "reveal" })],
      ["no secret of ours", fresh, look({ secret: "reveal" })],
      ["a refund was signed", unknown(withTransactions({ refund: signed("refund") })), look({ secret: "reveal" })],
      ["a refund was replaced", unknown(earlier("refund")), look({ secret: "reveal" })],
    ],
  ],
  [
    "isRedeemDue",
    [["told", revealed({}), look({ secret: "redeem" })]],
    [
      ["not due", revealed({}), look({ secret: "reveal" })],
      ["not told", unknown({}), look({ secret: "redeem" })],
      ["mined", revealed(withTransactions({ redeem: young("redeem") })), look({ secret: "redeem" })],
    ],
  ],
  [
    "leavesRevoke",
    [
      ["another event", { ...withTransactions({ revoke: signed("revoke") }), gasless }, other],
      ["newly funded", { ...withTransactions({ revoke: signed("revoke") }), gasless }, look()],
    ],
    [
      ["still waiting", { ...withTransactions({ revoke: signed("revoke") }), gasless }, look({ seen: NOTHING_SEEN })],
      ["no revocation", { ...fresh, gasless }, other],
      ["never submitted", withTransactions({ revoke: signed("revoke") }), other],
    ],
  ],
  [
    "isReportUnproven",
    [["long ago", reported, look()]],
    [
      ["just now", { ...reported, reportedAt: AT - fresh.policy.reportPatienceMs }, look()],
      ["never", fresh, look()],
      ["paid", reported, look({ paid: true })],
      ["settling", reported, look({ settling: true })],
      ["one endpoint alone", reported, look({ agreed: false })],
      ["our node may lag", reported, look({ mayLag: true })],
      ["seen before", { ...reported, seen: { ...NOTHING_SEEN, destinationRedeemed: event } }, look()],
    ],
  ],
  ["isAbandoned", [["abandoned", { ...fresh, ending: "abandoned" }, other]], [["not", fresh, other]]],
]

function landedNow(purpose: "deposit" | "refund") {
  return { purpose, txid: txidOf(purpose), ok: true, height: 6n, feeUnits: 1n, heldUnits: 0n }
}

describe.each(QUESTIONS)("the machine's question %s", (name, yes, no) => {
  test.each(yes)("has the answer yes: %s", (_why, context, asked) => {
    expect(holds(name, context, asked)).toBe(true)
  })
  test.each(no)("has the answer no: %s", (_why, context, asked) => {
    expect(holds(name, context, asked)).toBe(false)
  })
})
