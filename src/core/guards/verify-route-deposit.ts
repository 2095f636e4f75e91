import { chainOf } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import type { OrderTerms } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf, type RouteKind } from "#domain/route/route-kind.ts"

/**
 * As `verifyDeposit`, for a route of another kind than HTLCs: no service reports an order, so the
 * deposit itself must name our payee, and promise at least the payout of the terms.
 */
export function verifyRouteDeposit(
  evidence: RouteEvidence,
): { ok: true; deposit: VerifiedDeposit } | { ok: false; reasons: readonly Reason[] } {
  const reasons = [
    ...evidence.decoded.findings.map(({ code, message, expected, found }) => ({
      code,
      message,
      expected,
      found,
    })),
    ...listComparisons(evidence).flatMap(([holds, code, message, expected, found]) =>
      holds ? [] : [{ code: `verify.${code}`, message, expected, found }],
    ),
  ]
  if (reasons.length > 0) return { ok: false, reasons }
  // CAST: mints the brand for the other kinds, reached only when no comparison failed.
  return { ok: true, deposit: evidence.decoded as VerifiedDeposit }
}

/** Whether it holds, its code and words, the expected and the found value. */
type Comparison = readonly [boolean, string, string, string, string]

function listComparisons(evidence: RouteEvidence): readonly Comparison[] {
  const { terms, decoded, kind, dealKey, dealKeyKnown, sameOnDestination } = evidence
  const floorUnits = decoded.floorUnits ?? 0n
  const isRouteOnly = decoded.timelock === 0n && !decoded.isRefundableByUs && !decoded.hasTypedData
  return [
    [
      kindOf(decoded) === kind,
      "route_kind",
      "The deposit is of another kind",
      kind,
      kindOf(decoded),
    ],
    [
      decoded.chain === chainOf(terms.from),
      "deposit_chain",
      "The deposit is for another chain",
      chainOf(terms.from),
      decoded.chain,
    ],
    [
      decoded.asset === terms.from,
      "deposit_asset",
      "The deposit transfers another asset",
      terms.from,
      decoded.asset ?? "none of ours",
    ],
    [
      decoded.units === terms.sourceUnits,
      "deposit_amount",
      "The deposit transfers another amount than asked",
      terms.sourceUnits.toString(),
      decoded.units.toString(),
    ],
    [
      sameOnDestination(decoded.redeemer, terms.destinationOwner),
      "destination_owner",
      "The payout has another payee",
      terms.destinationOwner,
      decoded.redeemer,
    ],
    [
      floorUnits >= terms.destinationUnits,
      "destination_amount",
      "The contracts promise less than the quote",
      terms.destinationUnits.toString(),
      floorUnits.toString(),
    ],
    [
      decoded.secretHash === dealKey,
      "deal_key",
      "The deposit names another order",
      dealKey,
      decoded.secretHash,
    ],
    [
      !dealKeyKnown,
      "deal_key_reused",
      "Another order has the same name in its deposit",
      "a new one",
      dealKey,
    ],
    [
      isRouteOnly && decoded.htlcKind === "contract",
      "route_form",
      "The deposit has parts that only HTLCs have",
      "a contract without lock, refund and typed data",
      `${decoded.htlcKind}, lock ${decoded.timelock}`,
    ],
  ]
}

type RouteEvidence = {
  readonly terms: OrderTerms
  readonly decoded: DecodedDeposit
  readonly kind: RouteKind
  readonly dealKey: string
  /** The key belongs to another order of ours. */
  readonly dealKeyKnown: boolean
  readonly sameOnDestination: (a: string, b: string) => boolean
}
