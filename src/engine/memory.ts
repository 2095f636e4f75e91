import type { Pending } from "#books/pending.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import type { KnownHoldings } from "#policy/values/hold-values.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderRef } from "#ports/journal/orders.ts"
import { createKnownOrders, type KnownOrders } from "./orders/known-orders.ts"
import type { Flight } from "./rules/tick/flight.ts"

/**
 * Everything that an engine remembers beside its journal. A restart begins with an empty one: then
 * answers are asked again, and times begin again. The file named with each field alone changes it.
 */
export type EngineMemory = {
  /** The decoded orders that were used last (`orders/known-orders.ts`). */
  readonly orders: KnownOrders
  /** What balances and books count of each order (`orders/order-figures.ts`). */
  figures: KnownFigures | null
  /** Tries that have found nothing new, by order (`orders/unchanged-tries.ts`). */
  readonly tries: Map<string, LastTry>
  /** The reads that have outlived a wait (`orders/observe/read-in-time.ts`). */
  readonly lateReads: Map<string, LateRead>
  /** When both legs of an order were looked at last (`orders/observe/read-legs.ts`). */
  readonly legReads: Map<string, number>
  /** Allowances that were read beside an approval (`orders/deposit/read-allowance.ts`). */
  readonly allowances: Map<string, ForeseenAllowance>
  /** The last answer of each chain (`orders/pay/payout-fee.ts`). */
  readonly payoutFees: Map<ChainId, PayoutFee>
  /** The waits of each route, newest first (`rules/route-waits.ts`). */
  readonly routeWaits: Map<string, readonly number[]>
  /** The holding costs of the day (`policy/values/hold-values.ts`). */
  readonly holdings: KnownHoldings
  /** The orders whose request for approval is not on disk yet: no operator has read it. */
  readonly unreadRequests: Set<string>
  /** Failures of a time that is still to come, with their first sight (`rules/usage.ts`). */
  readonly earlyFailures: Map<string, number>
  /** How long a turn of each account's lane takes (`orders/pay/lane-turns.ts`). */
  readonly laneTurns: Map<ChainId, number>
  /** When a rescue of each order was found to bring nothing (`orders/pay/take-nonce.ts`). */
  readonly paidRescues: Map<string, number>
  /** Orders whose secret this process decided to tell, by chain (`orders/pay/lane-turns.ts`). */
  readonly telling: Map<string, ChainId>
  /** Orders that a journal does not know and the chains show as over (`restore/recover.ts`). */
  readonly over: Set<string>
  /** The legs that cannot be read, by order and side (`watches/unread-legs.ts`). */
  unreadLegs: Map<string, UnreadLeg> | null
  /** The first height of each chain that was read (`watches/first-heights.ts`). */
  readonly firstHeights: Map<ChainId, bigint>
  /** The parts that fail and try again, by name (`watches/part-faults.ts`). */
  readonly faults: Map<string, PartFault>
  /** The last time at which the disk had no space (`watches/journal-space.ts`). */
  fullDiskAtMs: number | null
}

export function createMemory(): EngineMemory {
  return {
    orders: createKnownOrders(),
    figures: null,
    tries: new Map(),
    lateReads: new Map(),
    legReads: new Map(),
    allowances: new Map(),
    payoutFees: new Map(),
    routeWaits: new Map(),
    holdings: new Map(),
    unreadRequests: new Set(),
    earlyFailures: new Map(),
    laneTurns: new Map(),
    paidRescues: new Map(),
    telling: new Map(),
    over: new Set(),
    unreadLegs: null,
    firstHeights: new Map(),
    faults: new Map(),
    fullDiskAtMs: null,
  }
}

/**
 * What balances and books count of one order. It is made again after each step of the order, so it
 * is as exact as the order itself.
 */
export type OrderFigures = {
  /** For each of the few assets that it concerns. A map would take four times the memory. */
  readonly pending: readonly (Pending & { readonly asset: AssetId })[]
  readonly flight: Flight
  /**
   * The highest block of each end in which our own node has shown a transaction of the order; 0
   * without one.
   */
  readonly height: { readonly from: bigint; readonly to: bigint }
}

/**
 * The open orders at one moment, and the figures of each under the same index; `null` for a damaged
 * order.
 */
export type OpenFigures = {
  readonly refs: readonly OrderRef[]
  readonly figures: readonly (OrderFigures | null)[]
}

export type KnownFigures = {
  /** Figures follow from the configured assets and chains too. A reload replaces both. */
  readonly assets: ReadonlyMap<AssetId, Asset>
  /** `null` for a damaged order. */
  readonly byId: Map<string, { readonly revision: number; readonly figures: OrderFigures | null }>
  /** The last answer of `listFigures`. */
  open: OpenFigures
}

/** What tries change although they find nothing new. */
type LastTry = Pick<OrderData, "tries" | "waitMs"> & {
  readonly workId: number
  readonly seen: Pick<OrderData["seen"], "sourceHeight" | "payoutWait" | "payoutLock">
}

/** `missing`: as `findMissingApproval` of the order's own amount, asked at `atMs`. */
type ForeseenAllowance = {
  readonly atMs: number
  readonly missing: ReturnType<ChainPort["findMissingApproval"]>
}

export type LateRead = {
  readonly answer: Promise<unknown>
  readonly startedMs: number
  endedMs: number | null
}

export type PayoutFee = { readonly atMs: number } & (
  | { readonly ok: true; readonly units: bigint }
  | { readonly ok: false; readonly error: AppError }
)

/** `error`: the words of the newest failure. `lastMs`: its time, of a part that ends by itself. */
type PartFault = {
  readonly sinceMs: number
  readonly times: number
  readonly error: string
  readonly lastMs?: number
}

export type UnreadLeg = {
  readonly orderId: string
  readonly side: LegQuery["side"]
  readonly from: AssetId
  readonly to: AssetId
  /** The time of the first of the failed reads. */
  readonly sinceMs: number
  /** The code of the last failure. */
  readonly cause: string
  /** It failed twice in a row, and the journal has it. */
  readonly isKept: boolean
}
