import { createHash } from "node:crypto"
import type { ServiceOrder } from "#domain/leg.ts"
import { hasTimeToRedeem, type PayoutLock, REDEEM_WAIT_MS } from "#domain/time-to-redeem.ts"
import { agreedEnd, type OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { Job } from "./job.ts"
import { isPayoutEnding, isTakenBack } from "./time-to-redeem.ts"

type SecretStep = Pick<Extract<OrderEvent, { type: "order.observed" }>, "secret" | "shown">

/** `isShown`: others have the secret. `isDecided`: the journal has the decision to tell it. */
type KnownSecret = {
  readonly lock: PayoutLock
  readonly isShown: boolean
  readonly isDecided: boolean
}

/**
 * The step of an order with our own secret. Before the secret is told, it follows from an
 * observation of the payout alone. From then on it follows from time: an observation can only end
 * the redemption, and one that fails ends nothing. Pure.
 */
export function decideSecretStep(
  { data, nowMs }: Pick<Job, "data" | "nowMs">,
  seen: OrderData["seen"],
  payout: LegObservation | null,
  known: KnownSecret,
): SecretStep {
  const own = data.ownSecret
  if (own == null || own.status === "lost") return {}
  const shown = known.isShown ? { shown: true as const } : {}
  if (own.status === "revealed")
    return { ...shown, ...decideRedemption({ data, own, seen, known, nowMs }, payout) }
  if (isClosed(payout) && payout?.agreed === true) return {}
  if (known.isShown || known.isDecided) return { secret: "told", ...shown }
  return own.status === "unknown" && isRevealable(payout) ? { secret: "reveal" } : {}
}

function decideRedemption(redemption: Redemption, payout: LegObservation | null): SecretStep {
  const { data, known } = redemption
  if (isClosed(payout)) {
    if (payout?.agreed === true) return isTakenBack(payout) ? { secret: "lost" } : {}
    // One endpoint alone may invent the end of the payout. It may be right, so it is asked again
    // for most of the lock. A redemption that must be the first to tell the secret has no such
    // time, and no chain takes a payout back before its lock is over.
    const timelock = data.serviceOrder?.destination.timelock ?? null
    const isFirst = redemption.own.isTold === false
    if (timelock === null || !(isFirst || isPayoutEnding(timelock, known.lock))) return {}
  }
  return isRedeemDue(redemption) ? { secret: "redeem" } : {}
}

function isClosed(payout: LegObservation | null): boolean {
  return payout !== null && (payout.redeemed !== null || payout.refunded !== null)
}

/**
 * A source that is redeemed, or the preimage itself in any report: others have our secret. Pure.
 */
export function findShownSecret(
  { ownSecret }: Pick<OrderData, "ownSecret">,
  service: ServiceOrder | null,
  ...legs: readonly [source: LegObservation | null, destination: LegObservation | null]
): boolean {
  if (ownSecret == null) return false
  const [source] = legs
  // The contract pays only for the preimage. Without agreement one endpoint may have invented the
  // redemption.
  if (source?.agreed === true && source.redeemed !== null) return true
  const reported = [
    service?.source.secret,
    service?.destination.secret,
    ...legs.map((leg) => leg?.redeemed?.secret),
  ]
  return reported.some((secret) => secret != null && opens(secret, ownSecret.hash))
}

function opens(secret: string, hash: string): boolean {
  const bytes = Buffer.from(secret.replace(/^0x/, ""), "hex")
  return createHash("sha256").update(bytes).digest("hex") === hash
}

/** Of a payout without an agreed end. */
function isRevealable(payout: LegObservation | null): boolean {
  return payout?.agreed === true && payout.initiated?.revealable === true
}

type Redemption = {
  readonly data: OrderData
  readonly own: NonNullable<OrderData["ownSecret"]>
  readonly seen: OrderData["seen"]
  readonly known: KnownSecret
  readonly nowMs: number
}

/**
 * The service has had its time, or less than a third of the lock is left, or others have the
 * secret, or only our key can redeem. Near the end of the lock a redemption could lose the race
 * against the solver's refund and only tell the secret: then Ballast redeems only where others know
 * it already.
 */
function isRedeemDue({ data, own, seen, known, nowMs }: Redemption): boolean {
  const leg = data.serviceOrder?.destination
  const isShown = known.isShown || own.isShown === true
  const isSafe = leg !== undefined && hasTimeToRedeem(leg.timelock, known.lock)
  const isOpen = isSafe || own.isTold || isShown || agreedEnd(seen.sourceRedeemed) !== null
  const isEnding = leg !== undefined && isPayoutEnding(leg.timelock, known.lock)
  const hasWaited = own.revealedAt === null || Math.abs(nowMs - own.revealedAt) > REDEEM_WAIT_MS
  return isOpen && (isEnding || hasWaited || isShown || leg?.delegate != null || !own.isTold)
}
