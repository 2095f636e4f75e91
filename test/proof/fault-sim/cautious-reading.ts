import type { TransactionObservation } from "#domain/transaction.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"

/*
 * What a port may say about facts on which its endpoints do not agree: enough to watch, void and
 * refund, and nothing final.
 */

/**
 * A deposit that any endpoint shows, and a payout or refund only if all show it. Refundable only if
 * all say so.
 */
export function readLegCautiously(
  legs: readonly LegObservation[],
): Omit<LegObservation, "agreed" | "doubts"> {
  const height = legs.map((leg) => leg.height).reduce((a, b) => (a < b ? a : b))
  const initiated = legs.find((leg) => leg.initiated !== null)?.initiated ?? null
  const common = <Part>(partOf: (leg: LegObservation) => Part | null): Part | null => {
    const parts = legs.map(partOf)
    return parts.every((part) => part !== null) ? (parts[0] ?? null) : null
  }
  const redeemed = common((leg) => leg.redeemed)
  const refunded = common((leg) => leg.refunded)
  const times = legs.map((leg) => leg.refundableAt)
  const latest = times.reduce(
    (a, b) => (a === null || b === null ? null : a > b ? a : b),
    times[0] ?? null,
  )
  return {
    height,
    initiated: initiated && { ...initiated, ...UNSETTLED },
    redeemed: redeemed && { ...redeemed, ...UNSETTLED },
    refunded: refunded && { ...refunded, ...UNSETTLED },
    refundableAt: latest,
  }
}

/**
 * The reading that keeps most money in view: mined before pending, pending before unseen, and
 * excluded only if all say so.
 */
export function readTransactionCautiously(
  answers: readonly TransactionObservation[],
): TransactionObservation {
  const mined = answers.find((answer) => answer.status === "mined" && answer.ok)
  if (mined?.status === "mined") return { ...mined, ...UNSETTLED }
  const excluded = answers[0]
  if (excluded?.status === "excluded" && answers.every(({ status }) => status === "excluded"))
    return { ...excluded, final: false }
  const failed = answers[0]
  if (failed?.status === "mined" && answers.every(({ status }) => status === "mined"))
    return { ...failed, ...UNSETTLED }
  return {
    status: answers.some(({ status }) => status === "pending" || status === "mined")
      ? "pending"
      : "unseen",
  }
}

const UNSETTLED = { seen: false, final: false } as const
