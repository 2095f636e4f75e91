import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignatureLife, SignedTransaction } from "#domain/transaction.ts"

/** The HTLCs of orders: as a service asks for them, and as the chain shows them. */
export interface HtlcReader {
  /**
   * Pure: decodes the deposit that the request and the order read back really make. Hostile input
   * becomes findings; it never throws.
   */
  decodeDeposit(request: DepositRequest, order: ServiceOrder, asset: AssetId): DecodedDeposit
  /**
   * Pure: the deposit requests that may have funded a reported order's source leg, one for each
   * contract that it may be in. They are built from the report, and count only after the same
   * verification as a service's own requests.
   */
  rebuildRequests(order: ServiceOrder): readonly DepositRequest[]
  /** Our own node's report of one HTLC of an order. */
  observeLeg(query: LegQuery): Promise<LegObservation>
  /**
   * Reads the HTLC itself, and proves that no deposit of the order is in it, was in it, or can
   * still get into it. An order that signed anything ends without a deposit only with this proof.
   */
  proveUnfunded(query: UnfundedQuery): Promise<UnfundedProof>
  /**
   * Pure: how long a payout of so many units waits for the depth at which a secret may be told
   * (`finality.reveal`). `null` where every block has it.
   */
  revealWait(units: bigint): RevealWait | null
}

export type LegQuery = {
  readonly side: "source" | "destination"
  readonly asset: AssetId
  /**
   * The HTLC contract or program; on Bitcoin the deposit address. `null` searches the asset's
   * configured list.
   */
  readonly htlc: string | null
  readonly secretHash: string
  readonly units: bigint
  /** The address that a redemption (destination) or a refund (source) must pay. */
  readonly owner: string
  readonly initiator: string | null
  readonly redeemer: string | null
  readonly timelock: bigint | null
  /**
   * Transaction hashes that the service reported. The search starts there, and proves them on
   * chain.
   */
  readonly hints: {
    readonly initiateTx: string | null
    readonly redeemTx: string | null
    readonly refundTx: string | null
  }
  /** Logs and history before this height are not searched. */
  readonly fromHeight: bigint
  /**
   * The value at stake, in millionths of the reference currency, for chains whose finality depends
   * on it. `null` or absent: unknown, which counts as high.
   */
  readonly stakeFiat?: bigint | null
  /**
   * Only an HTLC counts whose initiator, redeemer, timelock and amount are proven to be exactly
   * these: a secret is told because of it.
   */
  readonly isExact?: true
  /**
   * An empty answer concludes something, so a node must show it more than once: behind one address
   * may stand nodes of which some lack the blocks of that time.
   */
  readonly provesAbsence?: true
  /** The leg is of a route of another kind than HTLCs, and is read by it alone. */
  readonly route?: LegOfRoute
}

type LegOfRoute = {
  readonly kind: RouteKind
  /** The verified deposit on the source chain. */
  readonly deposit: DecodedDeposit
  /** The transactions that the order signed on this chain; the deposit is one of them. */
  readonly signed: readonly SignedTransaction[]
  /** The payout's voucher, once there is one. */
  readonly voucher: RouteVoucher | null
}

/**
 * `signed`: every transaction that the order ever signed on this chain, each with its plan; its
 * txid is the name of a rival that is ours.
 */
export type UnfundedQuery = LegQuery & {
  readonly signed: readonly SignedTransaction[]
  /** Of a gasless signature that dies by itself: nothing is proven before its end. */
  readonly relayed?: SignatureLife
}

/**
 * `unfunded`: enough endpoints show, about the same final block, that the HTLC never had this
 * order's deposit, and each signed deposit is excluded for ever (`rivals`: the transactions that
 * used its nonce or inputs; empty where the chain expires transactions). `funded`: the HTLC has or
 * had a deposit. `unsure`: the endpoints cannot prove either yet, for `reasons`.
 */
export type UnfundedProof =
  | { readonly status: "unfunded"; readonly height: bigint; readonly rivals: readonly string[] }
  | { readonly status: "funded" }
  | { readonly status: "unsure"; readonly reasons: readonly Reason[] }

/**
 * Blocks or slots on top of the payout's own, the chain's unit of locks; or seconds where the chain
 * itself names the block.
 */
export type RevealWait = { readonly units: bigint } | { readonly seconds: number }

/**
 * Every part is `null` until our own node shows it. `confirmations` counts from 1; `final` by the
 * chain's configured depth.
 */
export type LegObservation = {
  readonly height: bigint
  /**
   * Enough endpoints gave these same facts about the same block. Without agreement the facts serve
   * to watch, to void and to refund, and no part is `final`.
   */
  readonly agreed: boolean
  /**
   * Contradictions between endpoints, with both answers, and endpoints that are missing for an
   * agreement: alerts for the operator.
   */
  readonly doubts?: readonly Reason[]
  readonly initiated:
    | (OnChain & {
        readonly units: bigint
        /** Of a route of another kind: what its voucher is compared with. */
        readonly evidence?: Readonly<Record<string, string>>
      })
    | null
  /**
   * `paidUnits`: the amount that the owner received in the redeeming transaction; `null` when it
   * cannot be read.
   */
  readonly redeemed:
    | (OnChain & {
        readonly paidUnits: bigint | null
        readonly secret: string | null
        readonly releasedUnits?: bigint
      })
    | null
  /**
   * `releasedUnits`: native units beside the amount that the initiator got back as the HTLC closed
   * (Solana's rent).
   */
  readonly refunded:
    | (OnChain & { readonly paidUnits: bigint | null; readonly releasedUnits?: bigint })
    | null
  /** From which height (or slot) on a refund is possible; `null` until initiated. */
  readonly refundableAt: bigint | null
}

export type OnChain = {
  readonly txid: string
  readonly height: bigint
  readonly confirmations: number
  /** Deep enough to go on with the order (`finality.seen`). */
  readonly seen: boolean
  /** Deep enough to tell a secret because of it (`finality.reveal`). */
  readonly revealable: boolean
  /**
   * Deep enough to end an order or to release money by it (`finality.ending`), and enough endpoints
   * agree.
   */
  readonly final: boolean
}
