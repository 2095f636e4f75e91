import { chainOf } from "#domain/asset.ts"
import type { CreatedOrder, DecodedDeposit, Finding, VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { OrderPolicy, OrderTerms, TimelockBounds } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"

/**
 * Compares every field of a decoded deposit and of the order read back with the terms.
 *
 * Returns a `VerifiedDeposit`, the only value that a signer accepts, or *all* mismatches, each with
 * the expected and the found value.
 */
export function verifyDeposit(
  evidence: DepositEvidence,
): { ok: true; deposit: VerifiedDeposit } | Refused {
  const reasons = [
    ...[...evidence.decoded.findings, ...evidence.context.destinationFindings].map(
      ({ code, message, expected, found }) => ({
        code,
        message,
        expected,
        found,
      }),
    ),
    ...compareIdentity(evidence),
    ...compareAmounts(evidence),
    ...compareParties(evidence),
    ...compareDerivation(evidence),
    ...compareSecrets(evidence),
    ...compareOwnSecret(evidence),
    ...compareTimelocks(evidence),
    ...compareProgress(evidence),
  ]
  if (reasons.length > 0) return { ok: false, reasons }
  // CAST: the one place that mints the brand, reached only when no comparison failed.
  return { ok: true, deposit: evidence.decoded as VerifiedDeposit }
}

export type DepositEvidence = {
  readonly terms: OrderTerms
  readonly policy: OrderPolicy
  readonly created: CreatedOrder
  readonly order: ServiceOrder
  readonly decoded: DecodedDeposit
  readonly context: {
    readonly nowMs: number
    /** The deposit must be sent before this time. */
    readonly sendUntilMs: number
    /** This secret hash belongs to another order of ours. */
    readonly secretHashKnown: boolean
    /**
     * We chose the secret: its hash, and our key for a redeem leaf where the destination chain has
     * one. Absent: the service chose it.
     */
    readonly ownSecret?: { readonly hash: string; readonly delegate: string | null }
    readonly sameOnSource: (a: string, b: string) => boolean
    readonly sameOnDestination: (a: string, b: string) => boolean
    /**
     * Whether a text is an address of the source chain: for Bitcoin, services report keys in the
     * fields for addresses.
     */
    readonly isSourceAddress: (text: string) => boolean
    /**
     * The findings of the destination's port about its leg (Bitcoin: an HTLC address that the leg's
     * keys do not derive).
     */
    readonly destinationFindings: readonly Finding[]
  }
}

type Refused = { readonly ok: false; readonly reasons: readonly Reason[] }

function compareIdentity({ terms, created, order, decoded }: DepositEvidence): Reason[] {
  return [
    ...equal(
      "verify.order_id",
      "The order read back is not the order that was created",
      plainHex(created.orderId),
      plainHex(order.orderId),
    ),
    ...equal(
      "verify.source_asset",
      "The order takes another asset",
      terms.from,
      order.source.asset,
    ),
    ...equal(
      "verify.destination_asset",
      "The order pays another asset",
      terms.to,
      order.destination.asset,
    ),
    ...equal(
      "verify.source_chain",
      "The source leg is on another chain",
      chainOf(terms.from),
      order.source.chain,
    ),
    ...equal(
      "verify.destination_chain",
      "The destination leg is on another chain",
      chainOf(terms.to),
      order.destination.chain,
    ),
    ...equal(
      "verify.deposit_chain",
      "The deposit is for another chain",
      chainOf(terms.from),
      decoded.chain,
    ),
    ...equal(
      "verify.deposit_asset",
      "The deposit transfers another asset",
      terms.from,
      decoded.asset ?? "none of ours",
    ),
  ]
}

function compareAmounts({ terms, order, decoded }: DepositEvidence): Reason[] {
  return [
    ...equal(
      "verify.deposit_amount",
      "The deposit transfers another amount than asked",
      terms.sourceUnits,
      decoded.units,
    ),
    ...equal(
      "verify.source_amount",
      "The order's source amount differs from the quote's",
      terms.sourceUnits,
      order.source.units,
    ),
    ...equal(
      "verify.destination_amount",
      "The order's destination amount differs from the quote's",
      terms.destinationUnits,
      order.destination.units,
    ),
  ]
}

function compareParties({ terms, order, decoded, context }: DepositEvidence): Reason[] {
  const isToAddress = decoded.htlcKind !== "contract"
  // We can refund from an address only when the service used our key for the refund leaf; otherwise
  // the service refunds.
  const refundOurs = isToAddress || context.sameOnSource(decoded.refundTo, terms.sourceOwner)
  const initiatorOurs =
    context.sameOnSource(order.source.initiator, terms.sourceOwner) ||
    (isToAddress && !context.isSourceAddress(order.source.initiator))
  const redeemerSame =
    context.sameOnSource(decoded.redeemer, order.source.redeemer) ||
    decoded.redeemer === order.source.redeemer
  const ownerSame = context.sameOnDestination(order.destination.redeemer, terms.destinationOwner)
  return [
    ...holds(
      refundOurs,
      "verify.refund_to",
      "A refund would not come back to us",
      terms.sourceOwner,
      decoded.refundTo,
    ),
    ...holds(
      initiatorOurs,
      "verify.initiator",
      "The order expects another depositor",
      terms.sourceOwner,
      order.source.initiator,
    ),
    ...holds(
      redeemerSame,
      "verify.redeemer",
      "The deposit names another redeemer than the order",
      order.source.redeemer,
      decoded.redeemer,
    ),
    ...holds(
      ownerSame,
      "verify.destination_owner",
      "The destination would pay somebody else",
      terms.destinationOwner,
      order.destination.redeemer,
    ),
  ]
}

/**
 * An address says nothing about its spenders, so Ballast pays only an address that it can derive
 * from the order's keys. A refund key that is not ours is no mismatch: services without that
 * extension keep it themselves, and `isRefundableByUs` shows it.
 */
function compareDerivation({ order, decoded }: DepositEvidence): Reason[] {
  return holds(
    decoded.htlcKind === "contract" || decoded.htlcKind === "derivable-address",
    "verify.htlc_underivable",
    "The deposit address cannot be derived from the order's keys, so its spenders are unknown",
    "redeemer and delegate as public keys, and a lock in blocks",
    `redeemer ${order.source.redeemer}, delegate ${order.source.delegate ?? "none"}, ` +
      `timelock ${order.source.timelock}`,
  )
}

function compareSecrets({ order, decoded, context }: DepositEvidence): Reason[] {
  const wellFormed = /^[0-9a-f]{64}$/.test(decoded.secretHash) && !/^0+$/.test(decoded.secretHash)
  return [
    ...holds(
      wellFormed,
      "verify.secret_hash_form",
      "The secret hash is not 32 bytes",
      "64 hex digits, not all zero",
      decoded.secretHash,
    ),
    ...equal(
      "verify.secret_hash_source",
      "The deposit is locked to another secret than the source leg",
      order.source.secretHash,
      decoded.secretHash,
    ),
    ...equal(
      "verify.secret_hash_legs",
      "The two legs are locked to different secrets",
      order.source.secretHash,
      order.destination.secretHash,
    ),
    ...holds(
      !context.secretHashKnown,
      "verify.secret_hash_reused",
      "The secret hash was used by another order",
      "a new hash",
      decoded.secretHash,
    ),
  ]
}

/**
 * With another hash, or with a redeem leaf of another key, the payout would not be ours to redeem.
 */
function compareOwnSecret({ order, decoded, context: { ownSecret } }: DepositEvidence): Reason[] {
  if (ownSecret === undefined) return []
  const hashes = [decoded.secretHash, order.source.secretHash, order.destination.secretHash]
  const other = hashes.find((hash) => hash !== ownSecret.hash)
  const delegate = order.destination.delegate === null ? null : plainHex(order.destination.delegate)
  return [
    ...holds(
      other === undefined,
      "verify.secret_hash_own",
      "The order is locked to another secret than ours",
      ownSecret.hash,
      other ?? "",
    ),
    ...equal(
      "verify.destination_delegate",
      "The payout's redeem leaf has another key than ours",
      ownSecret.delegate ?? "none",
      delegate ?? "none",
    ),
  ]
}

function compareTimelocks({ policy, order, decoded }: DepositEvidence): Reason[] {
  const { source, destination } = policy.timelocks
  // The solver learns the secret when the destination is redeemed, at the latest when that lock
  // ends, and needs time to redeem the source before our refund. Without the margin no solver fills
  // the order, and our money waits for the refund. To count the source lock as longer than it is,
  // or the destination lock as shorter, would accept such an order; so the source counts with the
  // fastest plausible blocks and the destination with the slowest.
  const sourceSeconds = Number(decoded.timelock) * (source.fastestSeconds ?? source.secondsPerUnit)
  const slowestSeconds = destination.slowestSeconds ?? destination.secondsPerUnit
  const destinationSeconds = Number(order.destination.timelock) * slowestSeconds
  const marginHolds = destinationSeconds * 1.5 <= sourceSeconds
  return [
    ...equal(
      "verify.timelock",
      "The deposit's timelock differs from the order's",
      order.source.timelock,
      decoded.timelock,
    ),
    ...within(
      "verify.timelock_source",
      "The source timelock is outside its bounds",
      decoded.timelock,
      source,
    ),
    ...within(
      "verify.timelock_destination",
      "The destination timelock is outside its bounds",
      order.destination.timelock,
      destination,
    ),
    ...holds(
      marginHolds,
      "verify.timelock_margin",
      "The destination lock leaves no margin before the source lock",
      `at most ${Math.floor(sourceSeconds / 1.5)} s`,
      `${destinationSeconds} s`,
    ),
  ]
}

function compareProgress({ order, context }: DepositEvidence): Reason[] {
  const timeLeft = context.nowMs < context.sendUntilMs
  return [
    ...untouched("source", order.source),
    ...untouched("destination", order.destination),
    ...holds(
      timeLeft,
      "verify.deadline",
      "There is not enough time left to deposit",
      `before ${new Date(context.sendUntilMs).toISOString()}`,
      new Date(context.nowMs).toISOString(),
    ),
  ]
}

/** A fresh order has no funding and no transactions in either leg. */
function untouched(side: string, leg: ReportedLeg): Reason[] {
  const reported = {
    initiate: leg.initiateTx,
    redeem: leg.redeemTx,
    refund: leg.refundTx,
    secret: leg.secret,
  }
  const filled = holds(
    leg.filledUnits === 0n,
    `verify.${side}_filled`,
    `The ${side} leg is already funded`,
    "0",
    leg.filledUnits.toString(),
  )
  const progress = Object.entries(reported).flatMap(([name, value]) =>
    holds(
      value === null,
      `verify.${side}_${name}`,
      `The ${side} leg already shows: ${name}`,
      "none",
      value ?? "",
    ),
  )
  return [...filled, ...progress]
}

function within(code: string, message: string, found: bigint, bounds: TimelockBounds): Reason[] {
  return holds(
    found >= bounds.min && found <= bounds.max,
    code,
    message,
    `${bounds.min} to ${bounds.max}`,
    found.toString(),
  )
}

function equal(
  code: string,
  message: string,
  expected: string | bigint,
  found: string | bigint,
): Reason[] {
  return holds(expected === found, code, message, expected.toString(), found.toString())
}

function holds(
  condition: boolean,
  code: string,
  message: string,
  expected: string,
  found: string,
): Reason[] {
  return condition ? [] : [{ code, message, expected, found }]
}

function plainHex(text: string): string {
  return text.toLowerCase().replace(/^0x/, "")
}
