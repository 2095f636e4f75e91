import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"

/** The chain's head, and the wallet's funds. */
export interface Balances {
  fetchHeight(): Promise<bigint>
  /**
   * Reports how many endpoints answer and agree now. New deposits and endings wait while fewer than
   * needed do.
   */
  fetchAgreement(): Promise<AgreementReport>
  /**
   * `units`: everything that the wallet owns, change that waits for a block included.
   * `spendableUnits`: the part that a deposit could use now, which is confirmed and not one of the
   * `reserved` resources (Bitcoin outpoints).
   */
  fetchBalance(
    asset: AssetId,
    reserved: ReadonlySet<string>,
  ): Promise<{ units: bigint; spendableUnits: bigint }>
  /**
   * The allowance to set before `units` of `asset` can be deposited into `spender`; `null` when the
   * present one is exact or none is needed.
   */
  findMissingApproval(
    asset: AssetId,
    spender: string,
    units: bigint,
  ): Promise<{ setUnits: bigint } | null>
  /**
   * A cautious upper estimate of native units for a deposit of this asset and, where there is one,
   * its refund. No signing. `kind`: of the deposit's route; absent: an HTLC.
   */
  estimateFees(
    asset: AssetId,
    kind?: RouteKind,
  ): Promise<{ depositUnits: bigint; refundUnits: bigint }>
}

/**
 * `needed` of `endpoints` must give the same answer. `reasons`: silent endpoints, outliers and
 * contradictions, each with its answer.
 */
export type AgreementReport = {
  readonly endpoints: number
  readonly needed: number
  readonly agreeing: number
  readonly reasons: readonly Reason[]
  /** Of each endpoint in the order of the configuration; absent where the port does not tell. */
  readonly tips?: readonly (HeadTip | null)[]
}

/**
 * One endpoint's newest block, as the port has just read it; `null` in its place for an endpoint
 * that failed, stalled or was far off. `timeMs`: by the block's own clock, where the read tells it.
 */
export type HeadTip = {
  readonly endpoint: string
  readonly height: bigint
  readonly timeMs: number | null
  readonly tookMs: number
}
