import { formatUnits } from "#domain/amount.ts"
import { type BookQuote, type Market, USD_SCALE } from "./quote-book.ts"
import type { LegEvent, LegSeen, StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * `contract` follows service-interface.md exactly; `2026` has the added and renamed fields of newer
 * deployments (field-notes.md).
 */
export type Dialect = "contract" | "2026"

/**
 * Encodes an Order (service interface §2) with its fields in the order of the document. Dialect
 * 2026 adds `deadline` (unix seconds), `slippage` (basis points), `updated_at` and `deleted_at`,
 * and has null for a block that was not seen.
 */
export function encodeOrder(order: StoredOrder, dialect: Dialect): WireOrder {
  return {
    created_at: isoTime(order.createdAtMs),
    source_swap: encodeSwap(order, order.source, dialect),
    destination_swap: encodeSwap(order, order.destination, dialect),
    nonce: order.nonce,
    order_id: order.id,
    affiliate_fees: order.affiliateFees,
    ...(order.integrator === null && dialect === "contract"
      ? {}
      : { integrator: order.integrator ?? INTEGRATOR }),
    version: order.version ?? "v2",
    ...(dialect === "2026"
      ? { slippage: order.slippageBps ?? 0, deadline: Math.floor(order.deadlineMs / 1000) }
      : {}),
  }
}

/** Encodes a Quote (service interface §2). */
export function encodeQuote(
  quote: BookQuote,
  options: { dialect: Dialect; fixedFeeUsd: string; slippageBps?: number | undefined },
): WireQuote {
  const { source, destination } = quote.pair
  const contract = {
    source: encodeSide(source, quote.sourceUnits, quote.sourceUsd),
    destination: encodeSide(destination, quote.destinationUnits, quote.destinationUsd),
    solver_id: quote.solverId,
  }
  if (options.dialect === "contract") return contract
  const estimated_time = source.chain.family === "bitcoin" ? 600 : 20
  const { slippageBps: slippage = 50 } = options
  return {
    ...contract,
    estimated_time,
    fee: quote.feeBps,
    fixed_fee: options.fixedFeeUsd,
    slippage,
  }
}

/**
 * The name on orders without an affiliate, in dialect 2026: live deployments name an integrator on
 * every order.
 */
const INTEGRATOR = "sandbox"

type WireSide = {
  readonly asset: string
  readonly amount: string
  readonly display: string
  readonly value: string
}

export type WireQuote = {
  readonly source: WireSide
  readonly destination: WireSide
  readonly solver_id: string
  readonly estimated_time?: number
  readonly fee?: number
  readonly fixed_fee?: string
  readonly slippage?: number
}

type WireOrder = {
  readonly created_at: string
  readonly source_swap: WireSwap
  readonly destination_swap: WireSwap
  readonly nonce: string
  readonly order_id: string
  readonly affiliate_fees: readonly unknown[]
  readonly integrator?: string
  readonly version: string
  readonly slippage?: number
  readonly deadline?: number
}

type WireSwap = {
  readonly created_at: string
  readonly updated_at?: string
  readonly deleted_at?: null
  readonly swap_id: string
  readonly chain: string
  readonly asset: string
  readonly initiator: string
  readonly redeemer: string
  readonly delegate?: string
  readonly timelock: number
  readonly filled_amount: string
  readonly asset_price: number
  readonly amount: string
  readonly secret_hash: string
  readonly secret: string
  readonly instant_refund_tx?: string
  readonly initiate_tx_hash: string
  readonly redeem_tx_hash: string
  readonly refund_tx_hash: string
  readonly initiate_block_number: string | null
  readonly redeem_block_number: string | null
  readonly refund_block_number: string | null
  readonly required_confirmations: number
  readonly current_confirmations: number
  readonly initiate_timestamp: string | null
  readonly redeem_timestamp: string | null
  readonly refund_timestamp: string | null
}

function encodeSwap(order: StoredOrder, leg: StoredLeg, dialect: Dialect): WireSwap {
  const { swap, seen } = leg
  return {
    created_at: isoTime(order.createdAtMs),
    ...(dialect === "2026"
      ? { updated_at: isoTime(updatedAtMs(order, leg)), deleted_at: null }
      : {}),
    swap_id: swap.swapId,
    chain: swap.chain,
    asset: swap.asset,
    initiator: swap.initiator,
    redeemer: swap.redeemer,
    ...(swap.delegate === undefined ? {} : { delegate: swap.delegate }),
    timelock: swap.timelock,
    filled_amount: seen.initiated?.filledUnits ?? "0",
    asset_price: Number(leg.price),
    amount: swap.units,
    secret_hash: swap.secretHash,
    // A sent redemption makes the secret public; before that the service does not show it.
    secret: seen.redeemed ? order.secret : "",
    ...(swap.instantRefundTx === undefined ? {} : { instant_refund_tx: swap.instantRefundTx }),
    ...encodeEvents(seen, dialect),
    required_confirmations: leg.requiredConfirmations,
    current_confirmations: seen.initiated?.confirmations ?? 0,
    initiate_timestamp: timeText(seen.initiated),
    redeem_timestamp: timeText(seen.redeemed),
    refund_timestamp: timeText(seen.refunded),
  }
}

type WireEvents = Pick<
  WireSwap,
  | "initiate_tx_hash"
  | "redeem_tx_hash"
  | "refund_tx_hash"
  | "initiate_block_number"
  | "redeem_block_number"
  | "refund_block_number"
>

function encodeEvents({ initiated, redeemed, refunded }: LegSeen, dialect: Dialect): WireEvents {
  const unseen = dialect === "2026" ? null : "0"
  return {
    initiate_tx_hash: initiated?.tx ?? "",
    redeem_tx_hash: redeemed?.tx ?? "",
    refund_tx_hash: refunded?.tx ?? "",
    initiate_block_number: initiated?.block ?? unseen,
    redeem_block_number: redeemed?.block ?? unseen,
    refund_block_number: refunded?.block ?? unseen,
  }
}

function encodeSide(market: Market, units: bigint, usd: bigint): WireSide {
  return {
    asset: market.asset.id,
    amount: units.toString(),
    display: fixedDecimals(units, market.asset.decimals),
    value: formatUnits(usd, USD_SCALE),
  }
}

/** Prints all decimals of the asset, as live deployments do: `0.00050000`. */
function fixedDecimals(units: bigint, decimals: number): string {
  const [whole, fraction = ""] = formatUnits(units, decimals).split(".")
  return decimals === 0 ? `${whole}` : `${whole}.${fraction.padEnd(decimals, "0")}`
}

/** The time of the leg's last transaction, or of the order's creation. */
function updatedAtMs(order: StoredOrder, { seen }: StoredLeg): number {
  const times = [seen.initiated, seen.redeemed, seen.refunded].map((event) => event?.atMs ?? 0)
  return Math.max(order.createdAtMs, ...times)
}

function timeText(event: LegEvent | null): string | null {
  return event === null || event.atMs === null ? null : isoTime(event.atMs)
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
