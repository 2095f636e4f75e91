import { describe, expect, test } from "vitest"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { type GuardName, guards } from "#order/guards.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
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
} from "../../support/order-steps.ts"

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
const shows = (over: Parameters<typeof observed>[0] = {}): Untimed => observed(over)
const other: Untimed = { type: "deposit.unsettled" }
const paid = shows({ paid: true })
const refunded = shows({ refunded: true, seen: seenRefunded("refund") })
const event = { txid: "p", height: 5n, final: true, at: 0 }
const gasless = gaslessOut()

/**
 * One question of the machine: the cases in which the answer is yes, and those in which it is no.
 */
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
  ["isLapsed", [["lapsed", fresh, shows({ lapsed: true })]], [["not", fresh, shows()]]],
  [
    "isSettling",
    [["settling", fresh, shows({ settling: true })]],
    [
      ["not settling", fresh, shows({ settling: false })],
      ["not told", fresh, shows()],
    ],
  ],
  [
    "wasFinalDepositGone",
    [
      [
        "the deposit",
        { ...fresh, reasons: [{ code: "chain.final_fact_gone", message: "", what: "deposit" }] },
        other,
      ],
    ],
    [
      [
        "the payout",
        { ...fresh, reasons: [{ code: "chain.final_fact_gone", message: "", what: "payout" }] },
        other,
      ],
      [
        "another reason",
        { ...fresh, reasons: [{ code: "x", message: "", what: "deposit" }] },
        other,
      ],
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
      [
        "a relay has a signature",
        { ...withTransactions({ deposit: signed("deposit") }), gasless },
        other,
      ],
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
        withTransactions({
          deposit: { ...untouched(), plan: signed("deposit").signed[0]?.plan ?? null },
        }),
        other,
      ],
      [
        "the approval",
        withTransactions({
          approve: { ...untouched(), plan: signed("approve").signed[0]?.plan ?? null },
        }),
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
      ["lost by the journal", { ...fresh, replans: 1 }, other],
      ["a relay's", { ...fresh, gasless }, other],
    ],
    [
      ["nothing", fresh, other],
      ["another one", earlier("approve"), other],
    ],
  ],
  [
    "wasOwnDepositSigned",
    [["replaced", earlier("deposit"), other]],
    [["a relay's", { ...fresh, gasless }, other]],
  ],
  [
    "isApprovalPending",
    [
      ["signed", withTransactions({ approve: signed("approve") }), other],
      ["young", withTransactions({ approve: young("approve") }), other],
    ],
    [
      ["final", withTransactions({ approve: final("approve") }), other],
      [
        "cleared",
        { ...withTransactions({ approve: signed("approve") }), allowanceCleared: true },
        other,
      ],
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
      [
        "a deposit used it",
        withTransactions({ approve: signed("approve"), deposit: young("deposit") }),
        other,
      ],
      [
        "cleared",
        { ...withTransactions({ approve: signed("approve") }), allowanceCleared: true },
        other,
      ],
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
      ["not paid", funded({}), shows()],
      ["over a young deposit", funded({}), shows({ paid: true, seen: seenFunded(false) })],
      ["over no deposit", funded({}), shows({ paid: true, seen: NOTHING_SEEN })],
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
        "this observation shows it as final",
        funded({ refund: young("refund") }),
        shows({ refunded: true, landed: { ...landedNow("refund"), final: true } }),
      ],
      [
        "this observation excludes it",
        funded({ refund: young("refund") }),
        shows({ refunded: true, excluded: "refund" }),
      ],
    ],
    [
      ["not refunded", funded({ refund: final("refund") }), shows()],
      ["in a young block", funded({ refund: young("refund") }), refunded],
      [
        "this observation shows another one",
        funded({ refund: young("refund") }),
        shows({ refunded: true, landed: { ...landedNow("deposit"), final: true } }),
      ],
      [
        "this observation shows it as young",
        funded({ refund: young("refund") }),
        shows({ refunded: true, landed: { ...landedNow("refund"), final: false } }),
      ],
    ],
  ],
  [
    "isEndingGone",
    [["neither", fresh, shows()]],
    [
      ["a payout", fresh, shows({ seen: { ...seenFunded(true), destinationRedeemed: event } })],
      ["a refund", fresh, shows({ seen: seenRefunded("another") })],
    ],
  ],
  [
    "isFinalGone",
    [["gone", fresh, shows(alert("chain.final_fact_gone"))]],
    [
      ["another alert", fresh, shows(alert("alarm.payout_short"))],
      ["no alert", fresh, shows()],
      ["another event", fresh, other],
    ],
  ],
  [
    "isSourceTakenWithoutPayout",
    [
      ["a short payout", fresh, shows(alert("alarm.payout_short"))],
      ["a short refund", fresh, shows(alert("alarm.refund_short"))],
      ["a redeemed source", fresh, shows(alert("alarm.source_redeemed"))],
    ],
    [
      ["one endpoint alone", fresh, shows({ ...alert("alarm.payout_short"), agreed: false })],
      ["our node may lag", fresh, shows({ ...alert("alarm.source_redeemed"), mayLag: true })],
      ["another alert", fresh, shows(alert("x"))],
    ],
  ],
  [
    "isNewlyFunded",
    [["for the first time", fresh, shows()]],
    [
      ["known before", funded({}), shows()],
      ["nothing", fresh, shows({ seen: NOTHING_SEEN })],
    ],
  ],
  [
    "isOwnDepositNew",
    [
      ["seen", withTransactions({ deposit: signed("deposit") }), shows()],
      [
        "paid for",
        withTransactions({ deposit: signed("deposit") }),
        shows({ paid: true, seen: NOTHING_SEEN }),
      ],
      [
        "deeper",
        withTransactions({ deposit: { ...signed("deposit"), mined: landed(false) } }),
        shows(),
      ],
    ],
    [
      ["not seen", withTransactions({ deposit: signed("deposit") }), shows({ seen: NOTHING_SEEN })],
      [
        "known",
        withTransactions({ deposit: { ...signed("deposit"), mined: landed(true) } }),
        shows(),
      ],
      ["not signed", fresh, shows()],
    ],
  ],
  [
    "isOwnRefundNew",
    [
      ["ours", funded({ refund: signed("refund") }), refunded],
      ["an earlier one", earlier("refund"), refunded],
    ],
    [
      [
        "another's",
        funded({ refund: signed("refund") }),
        shows({ refunded: true, seen: seenRefunded("another") }),
      ],
      [
        "not refunded",
        funded({ refund: signed("refund") }),
        shows({ seen: seenRefunded("refund") }),
      ],
      ["known", funded({ refund: young("refund") }), refunded],
      ["another purpose", earlier("deposit"), shows({ refunded: true, seen: seenFunded(true) })],
    ],
  ],
  [
    "isRefundable",
    [["refundable", fresh, shows({ refundable: true })]],
    [
      ["not yet", fresh, shows()],
      ["mined", funded({ refund: young("refund") }), shows({ refundable: true })],
    ],
  ],
  [
    "leavesRefund",
    [
      ["a payout", funded({ refund: signed("refund") }), paid],
      ["a refund", funded({ refund: signed("refund") }), shows({ refunded: true })],
    ],
    [
      ["no end", funded({ refund: signed("refund") }), shows()],
      ["mined", funded({ refund: { ...young("refund"), mined: { ...event } } }), paid],
      ["no refund", funded({}), paid],
    ],
  ],
  [
    "leavesRedeem",
    [
      ["a payout", funded({ redeem: signed("redeem") }), paid],
      ["a refund", funded({ redeem: signed("redeem") }), shows({ refunded: true })],
    ],
    [
      ["no end", funded({ redeem: signed("redeem") }), shows()],
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
    [["shown", unknown({}), shows({ secret: "reveal" })]],
    [
      ["not shown", unknown({}), shows()],
      ["told", revealed({}), shows({ secret: "reveal" })],
      ["no secret of ours", fresh, shows({ secret: "reveal" })],
      [
        "a refund was signed",
        unknown(withTransactions({ refund: signed("refund") })),
        shows({ secret: "reveal" }),
      ],
      ["a refund was replaced", unknown(earlier("refund")), shows({ secret: "reveal" })],
    ],
  ],
  [
    "isRedeemDue",
    [["told", revealed({}), shows({ secret: "redeem" })]],
    [
      ["not due", revealed({}), shows({ secret: "reveal" })],
      ["not told", unknown({}), shows({ secret: "redeem" })],
      [
        "mined",
        revealed(withTransactions({ redeem: young("redeem") })),
        shows({ secret: "redeem" }),
      ],
    ],
  ],
  [
    "leavesRevoke",
    [
      ["another event", { ...withTransactions({ revoke: signed("revoke") }), gasless }, other],
      ["newly funded", { ...withTransactions({ revoke: signed("revoke") }), gasless }, shows()],
    ],
    [
      [
        "still waiting",
        { ...withTransactions({ revoke: signed("revoke") }), gasless },
        shows({ seen: NOTHING_SEEN }),
      ],
      ["no revocation", { ...fresh, gasless }, other],
      ["never submitted", withTransactions({ revoke: signed("revoke") }), other],
    ],
  ],
  [
    "isReportUnproven",
    [["long ago", reported, shows()]],
    [
      ["just now", { ...reported, reportedAt: AT - fresh.policy.reportPatienceMs }, shows()],
      ["never", fresh, shows()],
      ["paid", reported, shows({ paid: true })],
      ["settling", reported, shows({ settling: true })],
      ["one endpoint alone", reported, shows({ agreed: false })],
      ["our node may lag", reported, shows({ mayLag: true })],
      [
        "seen before",
        { ...reported, seen: { ...NOTHING_SEEN, destinationRedeemed: event } },
        shows(),
      ],
    ],
  ],
  [
    "isAbandoned",
    [["abandoned", { ...fresh, ending: "abandoned" }, other]],
    [["not", fresh, other]],
  ],
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
