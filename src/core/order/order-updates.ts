import { decideApprovers } from "#guards/requires-approval.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData, OwnSecret } from "./data.ts"
import type { OrderEvent } from "./events.ts"
import { countApprovals, isStaleApproval } from "./guards.ts"
import {
  feeOf,
  isFollowed,
  withExclusion,
  withLanded,
  withMined,
  withOutlivedNews,
} from "./mined.ts"
import {
  type EventOf,
  isPayoutOpen,
  recordRetry,
  updateOn,
  withAlerts,
  withCodes,
  withInitiation,
  withReason,
  withTrack,
} from "./update.ts"

/**
 * Data changes of everything but our own transactions; those are in `transaction-updates.ts`. The
 * machine refers to them by name.
 */
export const orderUpdates = {
  acceptQuote: updateOn(
    ["quote.accepted"],
    (data, { quote, value, prices, service, considered, payoutFeeUnits }) => {
      const chosen = {
        service: service ?? null,
        considered: considered ?? [],
        payoutFeeUnits: payoutFeeUnits ?? 0n,
      }
      const { request } = data
      return {
        ...data,
        request:
          request.exactOut === undefined ? request : { ...request, sourceUnits: quote.sourceUnits },
        quote,
        ...chosen,
        value: value ?? null,
        prices: prices ?? data.prices,
        reasons: [],
      }
    },
  ),

  dropQuote: updateOn(["quote.outdated"], (data, { reasons, nonce, serviceChoosesSecret }) => {
    const dropped = { ...data, service: null, reasons, nonce, creations: data.creations + 1 }
    return serviceChoosesSecret
      ? { ...dropped, ...NO_SERVICE_ORDER, serviceChoosesSecret }
      : dropped
  }),

  storeCreated: updateOn(["order.created"], (data, { created, terms, affiliateBps, ownSecret }) => {
    const known = { ...data, created, terms, affiliateBps: affiliateBps ?? 0, reasons: [] }
    if (ownSecret === undefined)
      return data.ownSecret == null ? known : { ...known, ownSecret: null }
    return {
      ...known,
      ownSecret: { ...ownSecret, status: "unknown", revealedAt: null, isTold: false },
    }
  }),

  storeVerifiedDeposit: updateOn(["deposit.verified"], (data, event) => {
    const { deposit, serviceOrder, sendUntilMs, fromHeights, intent } = event
    const verified = {
      ...data,
      deposit,
      serviceOrder,
      sendUntilMs,
      fromHeights,
      intent,
      reasons: [],
    }
    return isStaleApproval(data, event) ? dropApproval(verified) : verified
  }),

  recordApproval: updateOn(["operator.approved"], recordApproval),

  recordRejection: updateOn(["operator.rejected"], (data, { by }) => {
    return withReason(data, { code: "operator.rejected", message: `Rejected by ${by}` })
  }),

  recordAbandonment: updateOn(["operator.abandoned"], (data, { by }) => {
    return withReason(
      { ...data, ending: "abandoned" },
      { code: "operator.abandoned", message: `Abandoned by ${by}` },
    )
  }),

  recordRetry: updateOn(["operator.retried"], recordRetry),

  /**
   * Nothing was signed for the service's order, so it is never funded; the order asks for another
   * one.
   */
  startOver: updateOn(["operator.retried"], (data, event) => {
    const none = { ...NO_SERVICE_ORDER, service: null, sendUntilMs: null, approvedBy: null }
    return { ...recordRetry(data, event), ...none, nonce: event.nonce, creations: 0 }
  }),

  /**
   * A claimed signature belongs to the service's present order. Nothing may sign it for an order
   * that watches another HTLC.
   */
  endStale: updateOn(["operator.retried"], (data, event) => {
    const message =
      "The time of the service's order is over, and a transaction for it may be signed: the " +
      "order ends without a deposit; submit a new one"
    return withReason(recordRetry(data, event), { code: "order.stale_plan", message })
  }),

  recordExpiry: updateOn(["approval.expired"], (data) => {
    return withReason(data, {
      code: "approval.expired",
      message: "No operator approved the order in time",
    })
  }),

  storeTypedSignature: updateOn(["gasless.signed"], (data, { digest, signature, life, at }) => {
    const fresh = { digest, signature, submissions: 0, refused: false, signedAt: at }
    return { ...data, gasless: life === undefined ? fresh : { ...fresh, life } }
  }),

  countSubmission: updateOn(["gasless.submitted"], (data, { refused }) => {
    const gasless = mustExist(data.gasless, "the gasless signature")
    return { ...data, gasless: { ...gasless, submissions: gasless.submissions + 1, refused } }
  }),

  storeInitiation: updateOn(["gasless.initiated"], withInitiation),

  giveUpRelay: updateOn(
    ["gasless.fell_through", "gasless.missing", "gasless.late", "approval.lost"],
    (data, event) => submitted({ ...data, reasons: event.reasons }),
  ),

  /** The source HTLC shows no deposit, so a refund that was booked is gone with it. */
  disarm: updateOn(["gasless.disarmed"], (data, { reasons, payoutGone }) => {
    const { seen } = data
    const booked = {
      returned: null,
      rentReturned: null,
      ...(payoutGone ? { receipt: null, paidUnits: null } : {}),
    }
    const shown = {
      ...seen,
      sourceRefunded: null,
      ...(payoutGone ? { destinationRedeemed: null } : {}),
    }
    return submitted(withAlerts({ ...data, ...booked, seen: shown }, reasons))
  }),

  storeObservation: updateOn(["order.observed"], storeObservation),

  /** The reasons for holding or disarming the order stay readable for as long as it rests there. */
  storeObservationKeepReasons: updateOn(["order.observed"], (data, event) =>
    keepReasons(data, storeObservation(data, event)),
  ),

  storeReveal: updateOn(["secret.revealed"], (data, { at, told: isTold, reasons }) => {
    const own = mustExist(data.ownSecret, "our own secret")
    return {
      ...data,
      reasons,
      ownSecret: { ...own, status: "revealed", revealedAt: own.revealedAt ?? at, isTold },
    }
  }),

  storeWithholding: updateOn(["secret.withheld"], (data, { reasons }) => {
    const own = mustExist(data.ownSecret, "our own secret")
    return { ...withAlerts(data, reasons), ownSecret: { ...own, status: "withheld" } }
  }),

  keepSecret: updateOn(["secret.kept"], (data, { reasons, alerts = [] }) => ({
    ...data,
    reasons,
    alerted: withCodes(data.alerted, alerts),
  })),

  decline: updateOn(["order.declined"], decline),

  declineRevoke: updateOn(["order.declined"], (data, event) => ({
    ...decline(data, event),
    allowanceCleared: true,
  })),

  hold: updateOn(["order.held"], (data, { reasons, excluded }) =>
    withAlerts(excluded === undefined ? data : withExclusion(data, excluded), reasons),
  ),

  storeReasons: updateOn(["work.deferred", "gasless.fell_through"], (data, { reasons }) => ({
    ...data,
    reasons,
  })),

  /** A final block had shown the opposite. The known facts stay as they are. */
  alarm: updateOn(["deposit.unsettled"], (data, { reasons = [] }) => withAlerts(data, reasons)),

  alarmKeepReasons: updateOn(["deposit.unsettled"], (data, { reasons = [] }) =>
    keepReasons(data, withAlerts(data, reasons)),
  ),

  /** The reasons for which the order ends stay readable. */
  storeMissingProof: updateOn(["order.unproven"], (data, { alerts }) => {
    // It was told of silent endpoints before, which kept the order from its end.
    const open = alerts.find(isPayoutOpen)
    const reasons = data.reasons.map((one) => (open?.code === one.code ? open : one))
    return {
      ...keepReasons({ ...data, reasons }, { ...data, reasons: alerts }),
      alerted: withCodes(data.alerted, alerts),
    }
  }),

  addReasons: updateOn(["work.deferred"], (data, { reasons }) =>
    keepReasons(data, { ...data, reasons }),
  ),
} as const

/** Nothing was signed for the service's order, so it is never funded. */
const NO_SERVICE_ORDER = { created: null, terms: null, serviceOrder: null, deposit: null }

function dropApproval(data: OrderData): OrderData {
  const message =
    `The approval by ${data.approvedBy} no longer counts: it is too old, or the order has ` +
    "changed since"
  const approved = data.approvedIntent ?? "unknown"
  const reason = { code: "approval.void", message, approved, found: data.intent?.hash ?? "" }
  const none = { approvals: [], approvedBy: null, approvedIntent: null, approvedAt: null }
  return { ...data, ...none, reasons: [reason] }
}

/** The order counts as approved since the first of its approvals. */
function recordApproval(
  data: OrderData,
  { by, intent, at }: Extract<OrderEvent, { type: "operator.approved" }>,
): OrderData {
  const approvals = countApprovals(data, { by, intent, at })
  if (approvals.length < decideApprovers(data)) return { ...data, approvals }
  return {
    ...data,
    ...(data.approvals === undefined && approvals.length < 2 ? {} : { approvals }),
    approvedBy: approvals.map((one) => one.by).join(", "),
    approvedIntent: intent,
    approvedAt: Math.min(...approvals.map((one) => one.at)),
    patienceSince: at,
  }
}

/**
 * The reasons for closing replace the earlier ones, so that they stay readable when the revocation
 * turns out to be needless.
 */
function decline(
  before: OrderData,
  { reasons, landed, excluded }: EventOf<"order.declined">,
): OrderData {
  const data = excluded === undefined ? before : withExclusion(before, excluded)
  const networkFeeUnits = data.networkFeeUnits + feeOf(data, landed)
  return {
    ...data,
    reasons,
    networkFeeUnits,
    ...(landed ? { mined: withMined(data, landed) } : {}),
  }
}

function storeObservation(before: OrderData, event: EventOf<"order.observed">): OrderData {
  const kept = event.excluded === undefined ? before : withExclusion(before, event.excluded)
  const data = (event.outlived ?? []).reduce(withOutlivedNews, kept)
  const isReported = event.serviceOrder?.destination.redeemTx != null
  const known = withOwnEnding(withOwnEnding(data, event, "refund"), event, "redeem")
  return {
    ...(event.landed === undefined ? known : withLanded(known, event.landed)),
    serviceOrder: event.serviceOrder ?? data.serviceOrder,
    seen: event.seen,
    paidUnits: event.paidUnits ?? data.paidUnits,
    ...(event.moved ?? {}),
    ...(event.voucher === undefined ? {} : { voucher: event.voucher }),
    ...(data.ownSecret == null ? {} : { ownSecret: observeSecret(data.ownSecret, event) }),
    reportedAt: data.reportedAt ?? (isReported ? event.at : null),
    reasons: [...event.alerts, ...(event.notes ?? [])],
    alerted: withCodes(data.alerted, event.alerts),
  }
}

function observeSecret(own: OwnSecret, { secret, shown }: EventOf<"order.observed">): OwnSecret {
  const known = shown === true && own.isShown !== true ? { ...own, isShown: shown } : own
  return secret === "lost" ? { ...known, status: "lost" } : known
}

/**
 * The HTLC shows a refund or redemption of ours that counted as excluded, or that a later one had
 * replaced: its track gets it back, so that the order observes it until its fee is booked. An
 * outlived one is observed as it is.
 */
function withOwnEnding(
  data: OrderData,
  { refunded, paid, seen }: EventOf<"order.observed">,
  purpose: "refund" | "redeem",
): OrderData {
  const { earlierSigned = [], transactions } = data
  const track = transactions[purpose]
  const [isEnded, end] =
    purpose === "refund" ? [refunded, seen.sourceRefunded] : [paid, seen.destinationRedeemed]
  if (!isEnded || track.mined !== null) return data
  if (purpose === "redeem" && track.signed.some(({ txid }) => txid === end?.txid))
    return withTrack(data, purpose, { ...track, settled: false })
  const shown = earlierSigned.find((one) => one.purpose === purpose && one.txid === end?.txid)
  if (shown === undefined || isFollowed(data, shown)) return data
  const { purpose: _, ...transaction } = shown
  return withTrack(
    { ...data, earlierSigned: earlierSigned.filter((one) => one !== shown) },
    purpose,
    { ...track, signed: [transaction, ...track.signed], settled: false },
  )
}

function keepReasons(before: OrderData, after: OrderData): OrderData {
  const fresh = after.reasons.filter(
    ({ code }) => !before.reasons.some((reason) => reason.code === code),
  )
  return { ...after, reasons: [...before.reasons, ...fresh] }
}

/**
 * An order that waited for the relay has submitted its signature, even if a crash prevented the
 * record of it. The chain does not show an initiation (any more).
 */
function submitted(data: OrderData): OrderData {
  const gasless = mustExist(data.gasless, "the gasless signature")
  const submissions = Math.max(1, gasless.submissions)
  return {
    ...data,
    gasless: { ...gasless, submissions },
    seen: { ...data.seen, sourceInitiated: null },
  }
}
