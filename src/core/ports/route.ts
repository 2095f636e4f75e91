import type { AssetId } from "#domain/asset.ts"
import type { CreatedOrder, DecodedDeposit, DepositRequest } from "#domain/deposit.ts"
import type { OrderTerms } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import type { LegObservation, LegQuery, UnfundedProof, UnfundedQuery } from "./chain/htlc-reader.ts"
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
  /**
   * Why the latest question for this pair got fewer quotes than the kind has, or none. `null` for a
   * pair that the route does not join. Absent: not known.
   */
  explainNone?(pair: Pick<QuoteRequest, "from" | "to">): readonly Reason[] | null
  /** The service of the kind's issuer. Absent: the chains alone make a payout. */
  readonly life?: SignOfLife
  /** What the order will sign. Pure: it asks nobody, so it may be repeated. */
  open(request: RouteRequest): CreatedOrder
  /**
   * Pure: the order of a deposit that our own node shows and no journal knows. Absent: a lost
   * journal was the only one that knew its deposits.
   */
  reopen?(found: FoundDeposit): ReopenedOrder | { readonly refused: Reason }
  /** What speaks against a deposit now, beside the checks of both legs; empty: nothing. */
  checkDeposit(deposit: DecodedDeposit): Promise<readonly Reason[]>
  /**
   * Asks for another voucher of the same deposit where `faults` of the destination say that this
   * one is over. The next `readVoucher` gives it. Absent: a voucher never ends.
   */
  renewVoucher?(voucher: RouteVoucher, faults: readonly Reason[]): Promise<void>
  /** Where the evidence of a deposit stands. Nothing in it is proven. */
  readVoucher(deposit: DecodedDeposit, seen: SeenDeposit): Promise<VoucherReport>
}

/** `ask`: a question that changes nothing; it throws where no answer comes. */
type SignOfLife = { readonly host: string; ask(): Promise<void> }

export type RouteRequest = {
  readonly orderId: string
  /** 32 bytes, hex without `0x`: the order's own name in its deposit (`dealKey`). */
  readonly dealKey: string
  readonly terms: OrderTerms
  readonly quote: Quote
}

/** `dealKey`: as of a new order, and the same one at each run. */
export type ReopenedOrder = {
  readonly quote: Quote
  readonly depositRequest: DepositRequest
  readonly dealKey: string
}

/**
 * `waiting`: nothing is wrong yet. `late`: longer than the worst time of the quote. `broken`: what
 * was given is not for this deposit, or not signed as it must be; the voucher is not used.
 */
export type VoucherReport =
  | { readonly status: "waiting" | "late" | "broken"; readonly reasons: readonly Reason[] }
  | { readonly status: "ready"; readonly voucher: RouteVoucher }

/** Our deposit as our own node shows it. `evidence`: what the voucher is compared with. */
export type SeenDeposit = NonNullable<LegObservation["initiated"]>

/**
 * The part of one route kind on one chain. Every answer is of our own nodes. The chain's port sends
 * it the queries and requests with its kind.
 */
export interface RouteLeg {
  readonly kind: RouteKind
  /**
   * Pure: decodes the deposit that the request really makes. Hostile input becomes findings; it
   * never throws.
   */
  decodeDeposit(request: DepositRequest, asset: AssetId): DecodedDeposit
  /** Source: reads what must hold before the deposit is signed; each fault is a reason. */
  checkDeposit(deposit: DecodedDeposit): Promise<readonly Reason[]>
  /**
   * Destination: whether the payout would be made now, to its payee. `voucher`: `null` before the
   * deposit.
   */
  checkPayout(payout: RoutePayout, voucher: RouteVoucher | null): Promise<readonly Reason[]>
  /**
   * Destination: what shows that the voucher is not the deposit's own, such as other bytes or a
   * signature that the contract refuses. Only its own voucher is kept, for it names the payout.
   */
  checkVoucher(deposit: DecodedDeposit, voucher: RouteVoucher): Promise<readonly Reason[]>
  /**
   * Destination: final blocks show that this voucher was never paid and never will be, as it is.
   * Absent: a voucher never ends.
   */
  isOver?(deposit: DecodedDeposit, voucher: RouteVoucher): Promise<boolean>
  /**
   * As `observeLeg` of the chain. `initiated` of the source is the deposit, `redeemed` of the
   * destination the payout, whoever sent it; the other parts stay `null`.
   */
  observeLeg(query: LegQuery): Promise<LegObservation>
  /** As `proveUnfunded` of the chain. */
  proveUnfunded(query: UnfundedQuery): Promise<UnfundedProof>
  /** Absent: deposits cannot be found without the transactions that were signed. */
  readonly history?: LegHistory
  /**
   * What a deposit would cost at most now, in the native coin, with a rent that stays. Absent: as
   * much as that of an HTLC.
   */
  estimateDepositFee?(): Promise<bigint>
  /** What the transaction that takes a payout would cost at most now, in the native coin. */
  estimateRedeemFee(asset: AssetId): Promise<bigint>
  /** As `planTransaction` of the chain, with the action `initiate`. */
  planDeposit(
    request: DepositPlanning,
    reserved: ReadonlySet<string>,
    options?: PlanOptions,
  ): Planned
  /** As `planTransaction` of the chain, with the action `redeem`; it pays the payee alone. */
  planRedemption(
    payout: RoutePayout,
    voucher: RouteVoucher,
    reserved: ReadonlySet<string>,
    options?: PlanOptions,
  ): Planned
}

/** The deposits of our account that the chain itself shows. */
export type LegHistory = {
  /** A height that the chain had about at this time, or an earlier one. */
  heightBefore(ms: number): Promise<bigint>
  /** Source: each of them in the blocks from this height on, minted or not. */
  findDeposits(fromHeight: bigint): Promise<readonly FoundDeposit[]>
  /**
   * Why some of them may be missing, such as blocks that an endpoint has dropped. Absent: then
   * `findDeposits` throws.
   */
  findGaps?(fromHeight: bigint): Promise<readonly Reason[]>
}

export type FoundDeposit = { readonly asset: AssetId } & Pick<SeenDeposit, "txid" | "evidence">

export type RoutePayout = {
  readonly asset: AssetId
  /** The deposit on the source chain. */
  readonly deposit: DecodedDeposit
  /** The address that must be paid: our own. */
  readonly owner: string
}

type DepositPlanning = Extract<TransactionRequest, { action: "initiate" }>
type Planned = ReturnType<Transactions["planTransaction"]>
