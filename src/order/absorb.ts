import type { Reason } from "#domain/reason.ts"
import { present } from "#lib/assert.ts"
import type { MinedTransaction, OrderData, TransactionPurpose, TransactionTrack } from "./data.ts"
import type { OrderEvent } from "./events.ts"

/**
 * What an order knows after an event. Pure; decides nothing: which state follows is the machine's business.
 * `active` is the move that the present state is about.
 */
export function absorb(data: OrderData, event: OrderEvent, active: TransactionPurpose | null): OrderData {
  switch (event.type) {
    case "quote.accepted":
      return {
        ...data,
        quote: event.quote,
        value: event.value ?? null,
        prices: event.prices ?? data.prices,
        reasons: [],
      }
    case "quote.outdated":
      return { ...data, reasons: event.reasons, nonce: event.nonce, creations: data.creations + 1 }
    case "order.created":
      return {
        ...data,
        created: event.created,
        terms: event.terms,
        affiliateBps: event.affiliateBps ?? 0,
        reasons: [],
      }
    case "deposit.verified": {
      const { deposit, serviceOrder, sendUntilMs, fromHeights, intent } = event
      const verified = { ...data, deposit, serviceOrder, sendUntilMs, fromHeights, intent, reasons: [] }
      return isStaleApproval(data, event) ? voidApproval(verified) : verified
    }
    case "operator.approved":
      return {
        ...data,
        approvedBy: event.by,
        approvedIntent: event.intent,
        approvedAt: event.at,
        patienceSince: event.at,
      }
    case "operator.rejected":
      return withReason(data, { code: "operator.rejected", message: `Rejected by ${event.by}` })
    case "operator.abandoned":
      return withReason(
        { ...data, ending: "abandoned" },
        { code: "operator.abandoned", message: `Abandoned by ${event.by}` },
      )
    case "approval.expired":
      return withReason(data, { code: "approval.expired", message: "Nobody approved the order in time" })
    case "gasless.signed": {
      const { digest, signature, at: signedAt } = event
      return { ...data, gasless: { digest, signature, submissions: 0, refused: false, signedAt } }
    }
    case "gasless.submitted":
      return countSubmission(data, event.refused)
    case "gasless.initiated":
      return seeInitiation(data, event)
    case "order.observed":
      return observe(data, event)
    case "order.declined":
      return {
        ...data,
        // Whatever the order was closed for stays readable beside the word that nothing was left to take back.
        reasons: event.reasons,
        networkFeeUnits: data.networkFeeUnits + feeOf(data, event.landed),
        ...(event.landed ? { mined: withMined(data, event.landed) } : {}),
        allowanceCleared: data.allowanceCleared || active === "revoke",
      }
    case "order.held":
      return alerted(data, event.reasons)
    case "work.deferred":
      return { ...data, reasons: event.reasons }
    case "gasless.fell_through":
    case "gasless.missing":
    case "gasless.late":
    case "approval.lost":
      return handedOver({ ...data, reasons: event.reasons })
    case "gasless.disarmed":
      return handedOver(alerted(data, event.reasons))
    case "transaction.planned":
    case "transaction.signed":
    case "transaction.sent":
    case "transaction.mined":
    case "transaction.excluded":
      return absorbTransaction(data, event, present(active, "the move of this state"))
    case "transaction.pending":
    case "transaction.stuck":
    case "transaction.unseen":
    case "transaction.late": {
      const kind = present(active, "the move of this state")
      const unsent = event.type === "transaction.late" && event.unsent === true && kind === "approve"
      return { ...notMined(data, kind, event), allowanceCleared: data.allowanceCleared || unsent }
    }
    case "deposit.unsettled":
      // Its void asks for another look, and says nothing else of it.
      return active === "void" ? data : notMined(data, "deposit", event)
    case "transaction.unbumpable": {
      // The wait for the next bump begins anew; else it would be asked for again at once, and for ever.
      const kind = present(active, "the move of this state")
      const waiting = withTrack(data, kind, { ...data.transactions[kind], sentAt: event.at })
      const { reasons } = event
      if (reasons === undefined) return waiting
      return { ...waiting, reasons, alerted: [...new Set([...data.alerted, ...reasons.map(({ code }) => code)])] }
    }
    case "operator.retried":
      return { ...data, ending: "rejected", patienceSince: event.at }
    case "operator.refunded":
    case "allowance.ready":
      return data
  }
}

/** An approval is good for exactly what was approved, and for a while. */
export function isStaleApproval(data: OrderData, event: Extract<OrderEvent, { type: "deposit.verified" }>): boolean {
  if (!event.needsApproval || data.approvedBy === null) return false
  const ageMs = event.at - (data.approvedAt ?? 0)
  return data.approvedIntent !== event.intent.hash || ageMs > data.policy.approvalTtlMs
}

function voidApproval(data: OrderData): OrderData {
  const message = `The approval by ${data.approvedBy} is void: it is too old, or the order is no longer what was approved`
  const approved = data.approvedIntent ?? "unknown"
  const reason = { code: "approval.void", message, approved, found: data.intent?.hash ?? "" }
  return { ...data, approvedBy: null, approvedIntent: null, approvedAt: null, reasons: [reason] }
}

/** Nothing was signed for the order that the service has: it is never funded, and another is asked for. */
export function startOver(data: OrderData, nonce: string): OrderData {
  const none = { created: null, terms: null, serviceOrder: null, deposit: null, sendUntilMs: null, approvedBy: null }
  return { ...data, ...none, nonce, creations: 0 }
}

type TransactionEvent = Extract<
  OrderEvent,
  {
    type:
      | "transaction.planned"
      | "transaction.signed"
      | "transaction.sent"
      | "transaction.mined"
      | "transaction.excluded"
  }
>

function absorbTransaction(data: OrderData, event: TransactionEvent, kind: TransactionPurpose): OrderData {
  const track = data.transactions[kind]
  switch (event.type) {
    case "transaction.planned":
      // Attempt 0 starts a new generation: the engine plans one only when the one before is settled.
      return withTrack(data, kind, {
        ...track,
        plan: event.plan,
        ...(event.plan.attempt === 0 ? { signed: [], sentAt: null, mined: null, settled: false } : {}),
      })
    case "transaction.signed": {
      const attempts = { plan: null, signed: [...track.signed, event.transaction], settled: false }
      const signed = withTrack(data, kind, { ...track, ...attempts })
      return kind === "approve" ? { ...signed, allowanceCleared: false } : signed
    }
    case "transaction.sent":
      return withTrack(data, kind, { ...track, sentAt: event.at })
    case "transaction.mined": {
      const mined = { txid: event.txid, height: event.height, final: event.final }
      const before = event.ok ? data : notMined(data, kind, event)
      const landed = kind === "deposit" && event.ok ? seeInitiation(before, event) : before
      const fees = landed.networkFeeUnits + feeOf(data, event) + feeOf(data, event.landed)
      const failed = event.ok ? landed : withReason(landed, revertedReason(kind, event.txid))
      const sentAt = track.sentAt ?? event.at
      const allowanceCleared = data.allowanceCleared || (event.final && clearsAllowance(kind, event.ok))
      const known = {
        ...failed,
        networkFeeUnits: fees,
        mined: withMined(data, ...landedOf(event), minedOf(event, kind)),
        allowanceCleared,
      }
      return withTrack(known, kind, { ...track, sentAt, mined: event.ok ? mined : null, settled: event.final })
    }
    case "transaction.excluded": {
      const over = notMined(data, kind, event)
      return withReason(
        {
          ...withTrack(over, kind, { ...over.transactions[kind], settled: true }),
          replans: data.replans + (kind === "deposit" ? 1 : 0),
          allowanceCleared: data.allowanceCleared || kind === "approve",
          ...(event.landed ? { mined: withMined(data, event.landed) } : {}),
          networkFeeUnits: data.networkFeeUnits + feeOf(data, event.landed),
        },
        {
          code: `${kind}.excluded`,
          message: `Another transaction used the nonce or input of the ${kind}, so it can never land`,
          by: event.by,
        },
      )
    }
  }
}

/** Counted once, when nothing can undo it any more. */
function feeOf(
  { mined }: OrderData,
  landed: Pick<MinedTransaction, "txid" | "final" | "feeUnits"> | undefined,
): bigint {
  if (landed?.final !== true || mined.some(({ txid, final }) => txid === landed.txid && final)) return 0n
  return landed.feeUnits
}

function minedOf(
  event: Extract<TransactionEvent, { type: "transaction.mined" }>,
  kind: TransactionPurpose,
): MinedTransaction {
  const { txid, ok, height, final, feeUnits, heldUnits = 0n } = event
  return { purpose: kind, txid, ok, height, final, feeUnits, heldUnits }
}

function landedOf({ landed }: { landed?: MinedTransaction }): readonly MinedTransaction[] {
  return landed ? [landed] : []
}

function withMined({ mined, transactions }: OrderData, ...landed: readonly MinedTransaction[]): OrderData["mined"] {
  const resourcesOf = (hash: string): readonly string[] =>
    Object.values(transactions).flatMap(
      ({ signed }) => signed.find((transaction) => transaction.txid === hash)?.plan.resources ?? [],
    )
  const used = landed.flatMap(({ txid }) => resourcesOf(txid))
  // What uses the same nonce or input, an attempt or a void, excludes it: an earlier block's word about that one is over.
  const others = mined.filter(({ txid }) => {
    const isTold = landed.some((ours) => ours.txid === txid)
    return !isTold && !resourcesOf(txid).some((resource) => used.includes(resource))
  })
  return [...others, ...landed]
}

/** A revocation that reverts was tried; one that is excluded is planned anew, and an approval that reverted set nothing. */
function clearsAllowance(kind: TransactionPurpose, ok: boolean): boolean {
  return kind === "revoke" || (kind === "approve" && !ok)
}

/** The chain does not show the move (any more): what an earlier block said of it is taken back. Whatever shows it pending was sent. */
function notMined(data: OrderData, kind: TransactionPurpose, event: OrderEvent): OrderData {
  const track = data.transactions[kind]
  const sentAt = event.type === "transaction.pending" ? (track.sentAt ?? event.at) : track.sentAt
  // An earlier generation's failure is final; of this one's attempts none is in a block now. A deposit that is unsettled is looked at next.
  const gone = event.type === "deposit.unsettled" || event.type === "transaction.mined" ? [] : track.signed
  const left = data.mined.filter(({ txid }) => !gone.some((transaction) => transaction.txid === txid))
  const mined = left.length === data.mined.length ? data.mined : left
  const cleared = withTrack({ ...data, mined }, kind, { ...track, sentAt, mined: null })
  return kind === "deposit" ? { ...cleared, seen: { ...cleared.seen, sourceInitiated: null } } : cleared
}

function seeInitiation(
  data: OrderData,
  event: { txid: string; height: bigint; final: boolean; at: number },
): OrderData {
  const { txid, height, final, at } = event
  return { ...data, seen: { ...data.seen, sourceInitiated: { txid, height, final, at } } }
}

function observe(data: OrderData, event: Extract<OrderEvent, { type: "order.observed" }>): OrderData {
  const reported = event.serviceOrder?.destination.redeemTx != null
  return {
    ...data,
    serviceOrder: event.serviceOrder ?? data.serviceOrder,
    seen: event.seen,
    paidUnits: event.paidUnits ?? data.paidUnits,
    ...(event.moved ?? {}),
    reportedAt: data.reportedAt ?? (reported ? event.at : null),
    reasons: event.alerts,
    alerted: [...new Set([...data.alerted, ...event.alerts.map((alert) => alert.code)])],
  }
}

/**
 * Whoever waited for the relay has handed the signature over, even if nobody lived to write that down; and what the chain showed of it once, it
 * does not show any more.
 */
function handedOver(data: OrderData): OrderData {
  const gasless = present(data.gasless, "the gasless signature")
  const submissions = Math.max(1, gasless.submissions)
  return { ...data, gasless: { ...gasless, submissions }, seen: { ...data.seen, sourceInitiated: null } }
}

function alerted(data: OrderData, reasons: readonly Reason[]): OrderData {
  return { ...data, reasons, alerted: [...new Set([...data.alerted, ...reasons.map(({ code }) => code)])] }
}

function countSubmission(data: OrderData, refused: boolean): OrderData {
  const gasless = present(data.gasless, "the gasless signature")
  return { ...data, gasless: { ...gasless, submissions: gasless.submissions + 1, refused } }
}

function withTrack(data: OrderData, kind: TransactionPurpose, track: TransactionTrack): OrderData {
  return { ...data, transactions: { ...data.transactions, [kind]: track } }
}

function withReason(data: OrderData, reason: Reason): OrderData {
  return { ...data, reasons: [...data.reasons, reason] }
}

function revertedReason(kind: TransactionPurpose, txid: string): Reason {
  return { code: `${kind}.reverted`, message: `The ${kind} transaction was included but failed on chain`, txid }
}
