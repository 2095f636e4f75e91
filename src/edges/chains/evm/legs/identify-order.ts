import type { Address } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { decodeInitiation, deriveOrderIds, readAddress, sameAddress, type Terms } from "../htlc.ts"
import type { At } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import { hashesIn } from "./hints.ts"
import type { HtlcLog } from "./read-htlc-logs.ts"
import { type OrderEntry, readOrder } from "./read-orders.ts"
import { findTransaction } from "./read-transaction.ts"

/**
 * An order on chain with its proven terms: proven by its id, which hashes the terms, or by the call
 * that opened it.
 */
export type KnownOrder = {
  readonly initiated: HtlcLog
  readonly units: bigint
  readonly initiator: Address | null
  readonly redeemer: Address | null
  readonly timelock: bigint | null
}

type Identifying = {
  readonly at: At
  readonly wallet: Wallet
  readonly query: LegQuery
  readonly initiations: readonly HtlcLog[]
}

/**
 * Finds the initiate under a secret hash that belongs to the leg. A secret hash is public, so
 * strangers can open orders under it, and in version 3 also in our name. A source leg accepts only
 * an order of the expected initiator with the leg's amount, redeemer and timelock. A destination
 * leg accepts only an order of at least the expected amount that is not known to pay another
 * account. Order ids decide; if they cannot (version 1 or an unknown version), the terms that the
 * contract stores decide, and for a contract that shows none, the decoded calls.
 */
export async function identifyOrder(identifying: Identifying): Promise<KnownOrder | null> {
  return findProvenOrder(identifying) ?? chooseByTerms(identifying, rankOrders(identifying))
}

/** Finds the order whose id alone proves that it belongs to the leg; `null` if no id does. Pure. */
export function findProvenOrder(identifying: Omit<Identifying, "at">): KnownOrder | null {
  for (const order of rankOrders(identifying)) {
    const proven = proveById(identifying, order)
    if (proven) return proven
  }
  return null
}

function rankOrders({ query, initiations }: Omit<Identifying, "at">): readonly KnownOrder[] {
  const orders = initiations.flatMap((initiated) =>
    initiated.units === null ? [] : [{ initiated, units: initiated.units, ...UNKNOWN }],
  )
  return orders.filter(({ units }) => hasAmount(query, units)).sort(byFit(query))
}

function hasAmount({ side, units: expected }: LegQuery, units: bigint): boolean {
  return side === "source" ? units === expected : units >= expected
}

const UNKNOWN = { initiator: null, redeemer: null, timelock: null } as const

/** Sorts by exact amount, then by the service's hint, then by age. */
function byFit({ units, hints }: LegQuery): (a: KnownOrder, b: KnownOrder) => number {
  const hinted: readonly string[] = hashesIn(hints.initiateTx)
  const score = (order: KnownOrder): number =>
    (order.units === units ? 2 : 0) + (hinted.includes(order.initiated.txid) ? 1 : 0)
  return (a, b) => score(b) - score(a) || Number(a.initiated.height - b.initiated.height)
}

/**
 * Ids of version 2 and 3 hash every term, so a match proves them all, independent of the function
 * that opened the order.
 */
function proveById(
  { wallet, query }: Omit<Identifying, "at">,
  order: KnownOrder,
): KnownOrder | null {
  const terms = expectedTerms(query, order)
  if (terms === null) return null
  const ids = deriveOrderIds(terms, { chainId: wallet.chainId, htlc: order.initiated.htlc })
  const { orderId } = order.initiated
  if (orderId !== ids.v2 && orderId !== ids.v3) return null
  const { initiator, redeemer, timelock } = terms
  return { ...order, initiator, redeemer, timelock }
}

function expectedTerms(
  query: LegQuery,
  { units }: KnownOrder,
): (Terms & { initiator: Address }) | null {
  const initiator = expectedInitiator(query)
  const redeemer = expectedRedeemer(query)
  if (initiator === null || redeemer === null || query.timelock === null) return null
  return { initiator, redeemer, timelock: query.timelock, units, secretHash: query.secretHash }
}

function expectedInitiator({ side, initiator, owner }: LegQuery): Address | null {
  return readAddress(initiator ?? (side === "source" ? owner : ""))
}

function expectedRedeemer({ side, redeemer, owner }: LegQuery): Address | null {
  return readAddress(side === "destination" ? owner : (redeemer ?? ""))
}

/**
 * A stranger can open any number of orders under our secret hash, so we read only this many of
 * them, the likeliest first.
 */
const MAX_ORDERS = 20

async function chooseByTerms(
  identifying: Identifying,
  ranked: readonly KnownOrder[],
): Promise<KnownOrder | null> {
  let unknown: KnownOrder | null = null
  for (const candidate of ranked.slice(0, MAX_ORDERS)) {
    const entry = await readOrder(
      identifying.at,
      candidate.initiated.htlc,
      candidate.initiated.orderId,
    )
    if (entry === "empty") throw logsAhead(candidate)
    const order =
      entry === "unreadable" ? await readCall(identifying, candidate) : withStored(candidate, entry)
    const fit = order === null ? "foreign" : judgeOrder(identifying, order)
    if (fit === "ours") return order
    if (fit === "unknown") unknown ??= order
  }
  return unknown
}

/** `null`: the contract stores another amount than the event says. */
function withStored(order: KnownOrder, stored: Exclude<OrderEntry, string>): KnownOrder | null {
  const { initiator, redeemer, timelock, units } = stored
  return units === order.units ? { ...order, initiator, redeemer, timelock } : null
}

/**
 * The event is in a block up to that of the read, and the contract's storage at that block lacks
 * the order.
 */
function logsAhead({ initiated }: KnownOrder): AppError {
  return new AppError({
    code: "evm.reorganised",
    disposition: "transient",
    message:
      "The EVM endpoint shows an initiation whose order the contract does not store: unequal " +
      "backends",
    details: { txid: initiated.txid, orderId: initiated.orderId },
  })
}

async function readCall(
  { at: { client }, query }: Identifying,
  order: KnownOrder,
): Promise<KnownOrder> {
  const { txid, htlc } = order.initiated
  const tx = await findTransaction(client, txid)
  const call = tx?.to && sameAddress(tx.to, htlc) ? decodeInitiation(tx) : null
  if (call === null || call.secretHash !== query.secretHash || call.units !== order.units)
    return order
  const { initiator, redeemer, timelock } = call
  return {
    ...order,
    initiator: readAddress(initiator ?? ""),
    redeemer: readAddress(redeemer),
    timelock,
  }
}

function judgeOrder(identifying: Identifying, order: KnownOrder): "ours" | "foreign" | "unknown" {
  const { query } = identifying
  if (query.side === "destination") {
    // The redeem shows the paid amount later; this only excludes an order that is known to pay
    // another account.
    if (order.redeemer === null) return "unknown"
    return order.redeemer === expectedRedeemer(query) ? "ours" : "foreign"
  }
  // A relayed call of version 1 names redeemer and timelock; a call through another contract names
  // nothing.
  const sameTerms =
    mayEqual(order.redeemer, expectedRedeemer(query)) && mayEqual(order.timelock, query.timelock)
  if (order.initiator === null)
    return sameTerms && isFirstVersion(identifying, order) ? "ours" : "foreign"
  return order.initiator === expectedInitiator(query) && sameTerms ? "ours" : "foreign"
}

/** Two terms that are equal, or of which one is unknown. */
function mayEqual<T>(a: T | null, b: T | null): boolean {
  return a === null || b === null || a === b
}

/**
 * The id of version 1 proves only the initiator. For an order opened through another contract there
 * is no other proof.
 */
function isFirstVersion({ wallet, query }: Identifying, { initiated, units }: KnownOrder): boolean {
  const initiator = expectedInitiator(query)
  if (initiator === null) return false
  const terms = {
    initiator,
    redeemer: initiator,
    timelock: 0n,
    units,
    secretHash: query.secretHash,
  }
  return (
    deriveOrderIds(terms, { chainId: wallet.chainId, htlc: initiated.htlc }).v1 ===
    initiated.orderId
  )
}
