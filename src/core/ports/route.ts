import type { AssetId } from "#domain/asset.ts"
import type {
  CreatedOrder,
  DecodedDeposit,
  DepositRequest,
  VerifiedDeposit,
} from "#domain/deposit.ts"
import type { OrderTerms } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import type { OnChain } from "./chain/htlc-reader.ts"
import type { PlanOptions, Transactions } from "./chain/transactions.ts"
import type { QuoteRequest } from "./service.ts"

/**
 * A kind of route whose deposit a contract turns into a payout by itself: a deposit on the source
 * chain, evidence of it that some party makes, and a payout on the destination chain that takes the
 * evidence. Implemented in `edges/routes/<kind>/`; what touches a chain is a `RouteLeg` in
 * `edges/chains/<family>/<kind>/`. A swap service is a `ServicePort` instead.
 *
 * Reads throw `transient` or `refused`.
 */
export interface RoutePort {
  readonly kind: RouteKind
  /**
   * All quotes for the amount, with `kind`, and `guarantee: "contract"` where the contracts pay at
   * least `destinationUnits`. Empty for a pair that the route does not join.
   */
  fetchQuotes(request: QuoteRequest): Promise<readonly Quote[]>
  /** What the order will sign. Pure: it asks nobody, so it may be repeated. */
  open(request: RouteRequest): CreatedOrder
  /** What speaks against a deposit now, beside the checks of both legs; empty: nothing. */
  checkDeposit(deposit: DecodedDeposit): Promise<readonly Reason[]>
  /** Where the evidence of a deposit stands. Nothing in it is proven. */
  readVoucher(deposit: DecodedDeposit, seen: SeenDeposit): Promise<VoucherReport>
}

export type RouteRequest = {
  readonly orderId: string
  /** 32 bytes, hex without `0x`: the order's own name in its deposit (`dealKey`). */
  readonly dealKey: string
  readonly terms: OrderTerms
  readonly quote: Quote
}

/**
 * `waiting`: nothing is wrong yet. `late`: longer than the worst time of the quote. `broken`: what
 * was given is not for this deposit, or not signed as it must be; the voucher is not used.
 */
export type VoucherReport =
  | { readonly status: "waiting" | "late" | "broken"; readonly reasons: readonly Reason[] }
  | { readonly status: "ready"; readonly voucher: RouteVoucher }

/** Our deposit as our own node shows it. `evidence`: what the voucher is compared with. */
export type SeenDeposit = OnChain & {
  readonly units: bigint
  readonly evidence: Readonly<Record<string, string>>
}

/** The part of one route kind on one chain. Every answer is of our own nodes. */
export interface RouteLeg {
  readonly kind: RouteKind
  /**
   * Pure: decodes the deposit that the request really makes. Hostile input becomes findings; it
   * never throws.
   */
  decodeDeposit(request: DepositRequest, asset: AssetId): DecodedDeposit
  /** Source: reads what must hold before the deposit is signed; each fault is a reason. */
  checkDeposit(deposit: DecodedDeposit): Promise<readonly Reason[]>
  /** Source: the deposit in a block, by the transactions that the order signed. */
  observeDeposit(query: RouteLegQuery): Promise<DepositObservation>
  /**
   * Destination: whether a voucher would be paid now, and pays the owner. Also asked before the
   * deposit, with `voucher: null`.
   */
  checkPayout(query: PayoutQuery): Promise<readonly Reason[]>
  /** Destination: the payout in a block, whoever sent it. */
  observePayout(query: PayoutQuery): Promise<PayoutObservation>
  /** The highest network fee of the transaction that takes a payout, in the native coin. */
  estimateRedeemFee(asset: AssetId): Promise<bigint>
  /** As `planTransaction` of the chain, with the action `initiate`. */
  planDeposit(request: RouteDeposit, reserved: ReadonlySet<string>, options?: PlanOptions): Planned
  /** As `planTransaction` of the chain, with the action `redeem`; it pays the payee alone. */
  planRedemption(query: PayoutQuery, reserved: ReadonlySet<string>, options?: PlanOptions): Planned
}

/** `isPaired`: the exact approval is not mined yet, and has the nonce before the deposit. */
export type RouteDeposit = {
  readonly asset: AssetId
  readonly deposit: VerifiedDeposit
  readonly isPaired?: true
}

type Planned = ReturnType<Transactions["planTransaction"]>

export type RouteLegQuery = {
  readonly asset: AssetId
  readonly deposit: DecodedDeposit
  /** Every deposit that the order ever signed. */
  readonly signed: readonly SignedTransaction[]
  /** Logs and history before this height are not searched. */
  readonly fromHeight: bigint
}

export type PayoutQuery = {
  readonly asset: AssetId
  readonly deposit: DecodedDeposit
  /** The address that must be paid: our own. */
  readonly owner: string
  /** The voucher, once there is one. */
  readonly voucher: RouteVoucher | null
  readonly fromHeight: bigint
}

/** As a `LegObservation`: without `agreed` nothing is concluded and nothing is final. */
export type DepositObservation = {
  readonly height: bigint
  readonly agreed: boolean
  readonly doubts?: readonly Reason[]
  readonly deposit: SeenDeposit | null
}

export type PayoutObservation = {
  readonly height: bigint
  readonly agreed: boolean
  readonly doubts?: readonly Reason[]
  /** `feeUnits`: what the route took from the amount. */
  readonly payout: (OnChain & { readonly paidUnits: bigint; readonly feeUnits: bigint }) | null
}
