import type { Brand } from "#lib/brand.ts"
import type { AssetId, ChainId, Family } from "./asset.ts"
import type { RouteKind } from "./route/route-kind.ts"

/**
 * How the service wants to be paid: its answer to `POST /v2/orders`, unproven. Each family defines
 * its own fields beside `family` (`src/edges/chains/<family>/deposit-request.ts`) and is the only
 * reader of them.
 */
export type DepositRequest = { readonly family: Family; readonly [field: string]: unknown }

export type CreatedOrder = { readonly orderId: string; readonly depositRequest: DepositRequest }

/** The deposit as our own code decoded it from the service's answer. One shape for all families. */
export type DecodedDeposit = {
  /**
   * Absent: a deposit into an HTLC. A deposit of another kind has no secret, no timelock (0) and no
   * refund (`isRefundableByUs` false, `refundTo` empty); `redeemer` is the payee of its payout.
   */
  readonly kind?: RouteKind
  readonly chain: ChainId
  readonly family: Family
  /** Contract, program or address that takes the funds. */
  readonly htlc: string
  /**
   * `contract`: a configured contract or program takes the funds and pays a refund to the
   * depositor. `derivable-address`: each order has its own address, and the order's keys, secret
   * hash and timelock make an HTLC address to compare `htlc` with. `underivable-address`: they make
   * none, so the spenders of the funds are unknown.
   */
  readonly htlcKind: "contract" | "derivable-address" | "underivable-address"
  /** Ballast can send the refund: anyone may, or the refund key is ours. */
  readonly isRefundableByUs: boolean
  /** The service offers typed data for a gasless deposit, and the family verified it. */
  readonly hasTypedData: boolean
  /** Why the offered gasless deposit is not signed; absent where there is no fault. */
  readonly gaslessFindings?: readonly Finding[]
  /**
   * The asset that the deposit spends, found by the HTLC or call; `null` when it is not one of
   * ours.
   */
  readonly asset: AssetId | null
  readonly units: bigint
  readonly redeemer: string
  readonly refundTo: string
  /** Lower-case hex, 32 bytes, no `0x`. For kinds without a secret: the order's `dealKey`. */
  readonly secretHash: string
  /** In the chain's own unit. */
  readonly timelock: bigint
  /** Of kinds other than HTLCs: the least that the contracts pay out, in units of the payout. */
  readonly floorUnits?: bigint
  /** The most that they pay out, where no fee is taken; absent: as much as was promised. */
  readonly mostUnits?: bigint
  /**
   * Values that only the family reads later, to sign or refund. JSON-able; the family's `extras.ts`
   * gives the shape and reads it.
   */
  readonly extras: Readonly<Record<string, unknown>>
  /**
   * Family-specific findings, each a reason to refuse: wrong selector, foreign program, typed data
   * that differs, …
   */
  readonly findings: readonly Finding[]
}

export type Finding = {
  readonly code: string
  readonly message: string
  readonly expected: string
  readonly found: string
}

/**
 * A deposit that agrees with the order's terms in every field. Only `core/guards/verify-deposit.ts`
 * makes one.
 */
export type VerifiedDeposit = Brand<DecodedDeposit, "VerifiedDeposit">
