import type { AssetId } from "#domain/asset.ts"
import type { CreatedOrder } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { MayLeave } from "#domain/may-leave.ts"
import type { Quote } from "#domain/quote.ts"
import type { AffiliateFee } from "#domain/route/affiliate-fee.ts"
import type {
  ListedAsset,
  ListedChain,
  Listing,
  RoutePolicy,
} from "#domain/route/service-listing.ts"
import type { Secret } from "#lib/secret.ts"

/**
 * The swap service (service interface §4). Reads throw `transient` or `refused`; a lost answer to a
 * write is `uncertain`.
 */
export interface ServicePort {
  /**
   * All quotes, best net destination amount first; empty when no solver quotes. Throws
   * `service.no_pair` (refused).
   */
  fetchQuotes(request: QuoteRequest): Promise<readonly Quote[]>
  /**
   * Not idempotent: a lost answer throws `uncertain`, and the same request must not be sent again.
   */
  submitOrder(request: OrderRequest): Promise<CreatedOrder>
  fetchOrder(orderId: string): Promise<ServiceOrder>
  /**
   * Orders of one depositor, newest first; `null` where the service has no listing (404, 405, or
   * not the known shape), or gave an incomplete one.
   */
  findOrders(sourceOwner: string, wanted?: WantedOrders): Promise<readonly ServiceOrder[] | null>
  /**
   * Gasless initiation. Repeating the same signature is safe: the contract refuses a second
   * initiation.
   */
  submitSignature(
    orderId: string,
    signature: string,
    mayLeave?: MayLeave,
  ): Promise<{ readonly answer: string }>
  /**
   * Gives the service the secret of an order with our own secret hash, so that it redeems the
   * payout to us. Repeating it is safe: an HTLC is redeemed once, and it pays its redeemer.
   */
  revealSecret(
    orderId: string,
    secret: Secret,
    mayLeave?: MayLeave,
  ): Promise<{ readonly answer: string }>
  /**
   * The assets of the service, of all chain families. The lists are outside of the service
   * interface: a service without them gives `service.not_found`.
   */
  listAssets(): Promise<Listing<ListedAsset>>
  listChains(): Promise<Listing<ListedChain>>
  listPolicy(): Promise<RoutePolicy>
}

/** A list may be long, so the orders that the service calls settled are not kept. */
export type WantedOrders = {
  /** Takes those of one page; the next page waits for it. `false`: no more are wanted. */
  readonly onSettled: (orders: readonly ServiceOrder[]) => Promise<boolean>
  /** Called once with the number of settled orders that were not taken. */
  readonly onLeftOut: (count: number) => void
}

export type QuoteRequest = {
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  /** The exact payout, in place of `sourceUnits`. */
  readonly exactUnits?: bigint
  /** The sum of the affiliate entries in basis points; 0 leaves the parameter out. */
  readonly affiliateBps: number
}

export type OrderRequest = {
  readonly quote: Quote
  readonly sourceOwner: string
  readonly destinationOwner: string
  /** Family-specific additions to `source`, such as Bitcoin's `delegate`. */
  readonly sourceExtras: Readonly<Record<string, string>>
  /**
   * The hash of our own secret, hex without `0x`, with the additions to `destination` that it
   * needs. Absent: the service chooses the secret.
   */
  readonly ownSecret?: {
    readonly hash: string
    readonly destinationExtras: Readonly<Record<string, string>>
  }
  /**
   * Their sum must equal the basis points of the quote's request; `service.affiliate_sum` (refused)
   * otherwise.
   */
  readonly affiliateFees: readonly AffiliateFee[]
  /** Our u64 as decimal text; it identifies the request if its answer is lost. */
  readonly nonce: string
}
