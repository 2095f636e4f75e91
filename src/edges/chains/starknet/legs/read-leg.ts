import type { z } from "zod"
import { readHintedTxids } from "#domain/route/reported-txids.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { encodeShortString, formatFelt, readAddress } from "../felt.ts"
import { depthsFor, needsL1 } from "../finality.ts"
import {
  type ChainEvent,
  deriveOrderIds,
  HASH_LAYOUTS,
  readInitiated,
  readSecret,
  readTransfer,
  SELECTORS,
} from "../htlc.ts"
import { isOnL1 } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"
import { starknetTraits } from "../traits.ts"
import { htlcsOf, requireAsset, tokenOf, type Wallet } from "../wallet.ts"
import { findStarknetEvents, type Located } from "./find-events.ts"
import { RECEIPT, receiptSchema } from "./observe-transaction.ts"
import { fetchOrder } from "./read-order.ts"

/** One endpoint's sight of a leg at the view's block. */
export type LegReading = {
  readonly initiated: (Place & { readonly units: bigint }) | null
  readonly redeemed:
    | (Place & { readonly paidUnits: bigint | null; readonly secret: string | null })
    | null
  readonly refunded: (Place & { readonly paidUnits: bigint | null }) | null
  readonly refundableAt: bigint | null
  /** The contract that shows it. */
  readonly htlc?: bigint
}

/** `onL1` is read only where the finality asks for it. */
export type Place = {
  readonly txid: string
  readonly height: bigint
  readonly blockHash: string
  readonly onL1: boolean
}

/**
 * Reads one leg by the HTLC's own events. It finds the order by the ids that known contracts derive
 * from the query. If that finds nothing (another contract version, or an incomplete query), it
 * searches for the secret hash in `Initiated`, and then accepts only an order that the same
 * transaction funded. Heights are blocks. Throws `starknet.too_many_events` (hold).
 *
 * The token's `Transfer` events show the payments, so a redeem that pays a stranger has
 * `paidUnits: 0n`.
 */
export async function readStarknetLeg(
  wallet: Wallet,
  view: View,
  query: LegQuery,
  htlcs: readonly bigint[] = listSearched(wallet, query),
): Promise<LegReading> {
  const early = foreseeReceipts(view, query)
  for (const htlc of htlcs) {
    const found = await findOrder(wallet, view, query, htlc)
    if (found) return { ...(await describe(wallet, { ...view, early }, query, found)), htlc }
  }
  return { initiated: null, redeemed: null, refunded: null, refundableAt: null }
}

type Receipt = z.infer<typeof receiptSchema>
type Early = ReadonlyMap<string, Promise<Receipt | null>>
type NamingView = View & { readonly early: Early }

/**
 * Asks for the receipts of the ends that the service names, in one request with the search that
 * must show them. One that does not come is asked for after the search.
 */
function foreseeReceipts(view: View, { hints }: LegQuery): Early {
  const named = [hints.redeemTx, hints.refundTx].flatMap((hint) =>
    readHintedTxids(hint, starknetTraits.txidForm).slice(0, 1),
  )
  return new Map(
    named.map((txid) => [txid, view.ask(RECEIPT, [txid], receiptSchema).catch(() => null)]),
  )
}

type Order = {
  readonly htlc: bigint
  readonly initiated: Located
  readonly units: bigint
  readonly events: readonly Located[]
}

/** Searches configured contracts only, even if the query names another one. */
export function listSearched(wallet: Wallet, query: LegQuery): readonly bigint[] {
  const known = htlcsOf(requireAsset(wallet, query.asset))
  const named = query.htlc === null ? null : readAddress(query.htlc)
  return query.htlc === null ? known : known.filter((htlc) => htlc === named)
}

async function findOrder(
  wallet: Wallet,
  view: View,
  query: LegQuery,
  htlc: bigint,
): Promise<Order | null> {
  const derived = deriveLegIds(wallet, query, htlc)
  const byId = derived.length === 0 ? null : await readOrder(view, query, htlc, derived)
  // Every term is in the id; an order that is found by its events can have another redeemer and
  // timelock.
  if (byId || query.isExact) return byId
  const found = await findInitiation(wallet, view, query, htlc)
  return found === null ? null : readOrder(view, query, htlc, [found])
}

/** The search for an initiation by its secret hash and terms: those of a leg. */
export type InitiationQuery = Pick<
  LegQuery,
  "asset" | "secretHash" | "units" | "initiator" | "redeemer" | "timelock" | "fromHeight"
>

/**
 * Finds the order id of an initiation that is ours, in the contract's own events; `null` if there
 * is none.
 */
export async function findInitiation(
  wallet: Wallet,
  view: View,
  query: InitiationQuery,
  htlc: bigint,
): Promise<bigint | null> {
  const initiations = await findStarknetEvents(view, htlc, [INITIATIONS], query.fromHeight)
  for (const event of initiations) {
    const terms = readInitiated(event, query.secretHash)
    if (terms?.units === query.units && (await isFunded(wallet, view, query, event, terms)))
      return terms.orderId
  }
  return null
}

/** Whether the contract's own event shows this order id with the secret hash and the amount. */
export async function isInitiationOf(
  view: View,
  { secretHash, units, fromHeight }: InitiationQuery,
  htlc: bigint,
  orderId: bigint,
): Promise<boolean> {
  const events = await findStarknetEvents(view, htlc, [INITIATIONS, [orderId]], fromHeight)
  return events.some((event) => {
    const terms = readInitiated(event, secretHash)
    return terms?.orderId === orderId && terms.units === units
  })
}

const INITIATIONS = [SELECTORS.initiatedEvent, SELECTORS.initiatedWithDataEvent]

/**
 * The ids of both layouts: the query does not say which one its contract has, and at most one of
 * them exists.
 */
export function deriveLegIds(wallet: Wallet, query: LegQuery, htlc: bigint): readonly bigint[] {
  const { timelock, units, secretHash } = query
  const [initiator, redeemer] = [query.initiator, query.redeemer].map((text) =>
    text === null ? null : readAddress(text),
  )
  if (!initiator || !redeemer || timelock === null) return []
  const scope = { chainId: encodeShortString(wallet.chainId), initiator, htlc }
  return HASH_LAYOUTS.flatMap((layout) =>
    deriveOrderIds(scope, { redeemer, timelock, units, secretHash }, layout),
  )
}

async function readOrder(
  view: View,
  query: LegQuery,
  htlc: bigint,
  orderIds: readonly bigint[],
): Promise<Order | null> {
  const found = await findStarknetEvents(view, htlc, [[], orderIds], query.fromHeight)
  for (const initiated of found) {
    const terms = readInitiated(initiated, query.secretHash)
    if (!terms || !orderIds.includes(terms.orderId)) continue
    const events = found.filter((event) => event.keys[1] === terms.orderId)
    return { htlc, initiated, units: terms.units, events }
  }
  return null
}

/**
 * A stranger can use our secret hash for another order. The order is ours if the expected initiator
 * paid for it, or if another account paid on the initiator's behalf: then the contract still names
 * the initiator. Such an order can name any redeemer and timelock, so both must be those of the
 * leg.
 */
async function isFunded(
  wallet: Wallet,
  view: View,
  query: InitiationQuery,
  event: Located,
  { orderId, units }: { orderId: bigint; units: bigint },
): Promise<boolean> {
  const initiator = query.initiator === null ? null : readAddress(query.initiator)
  const token = tokenOf(requireAsset(wallet, query.asset))
  const { events } = await readReceipt(view, event.txid)
  const payments = events
    .filter(({ from }) => from === token)
    .map(readTransfer)
    .filter((transfer) => transfer?.to === event.from && transfer.units === units)
  if (initiator === null || payments.some((payment) => payment?.from === initiator))
    return payments.length > 0
  if (payments.length === 0) return false
  const order = await fetchOrder(view, event.from, orderId)
  if (order === null || order === "unreadable" || order.initiator !== initiator) return false
  const redeemer = query.redeemer === null ? null : readAddress(query.redeemer)
  return (
    (redeemer === null || order.redeemer === redeemer) &&
    (query.timelock === null || order.timelock === query.timelock)
  )
}

async function describe(
  wallet: Wallet,
  view: NamingView,
  query: LegQuery,
  order: Order,
): Promise<LegReading> {
  const askL1 = needsL1(depthsFor(wallet.finality, query.stakeFiat))
  const place = async ({ txid, height, blockHash }: Located): Promise<Place> => {
    return { txid, height, blockHash, onL1: askL1 && (await isOnL1(view, { height, blockHash })) }
  }
  const named = (name: bigint): Located | undefined =>
    order.events.find((event) => event.keys[0] === name)
  const redeemed = named(SELECTORS.redeemedEvent)
  const refunded = named(SELECTORS.refundedEvent)
  const paid = async (event: Located): Promise<bigint | null> =>
    readPaid(wallet, view, query, event)
  return {
    initiated: { ...(await place(order.initiated)), units: order.units },
    redeemed: redeemed
      ? {
          ...(await place(redeemed)),
          paidUnits: await paid(redeemed),
          secret: readSecret(redeemed, query.secretHash),
        }
      : null,
    refunded: refunded ? { ...(await place(refunded)), paidUnits: await paid(refunded) } : null,
    // `initiated_at + timelock < block`, strictly, and the transaction lands in a later block than
    // the latest one.
    refundableAt: query.timelock === null ? null : order.initiated.height + query.timelock + 1n,
  }
}

/**
 * Reads the amount that the owner received from this HTLC for this event. The contract pays before
 * it emits, so of several payments in one transaction, those between the HTLC's previous event and
 * this one belong to this event.
 */
async function readPaid(
  wallet: Wallet,
  view: NamingView,
  query: LegQuery,
  event: Located,
): Promise<bigint | null> {
  const owner = readAddress(query.owner)
  const token = tokenOf(requireAsset(wallet, query.asset))
  const early = (await view.early.get(event.txid)) ?? null
  const isEarly =
    early?.block_hash !== undefined && formatFelt(early.block_hash) === event.blockHash
  const { events } = isEarly ? early : await readReceipt(view, event.txid)
  const at = events.findIndex(
    (each) => each.from === event.from && sameFelts(each.keys, event.keys),
  )
  if (at < 0 || owner === null) return null
  const before = events.slice(0, at).findLastIndex((each) => each.from === event.from)
  const transfers = events
    .slice(before + 1, at)
    .filter((each) => each.from === token)
    .map(readTransfer)
  const payments = transfers.filter(
    (transfer) => transfer?.from === event.from && transfer.to === owner,
  )
  return payments.reduce((sum, transfer) => sum + (transfer ? transfer.units : 0n), 0n)
}

function sameFelts(a: readonly bigint[], b: readonly bigint[]): boolean {
  return a.length === b.length && a.every((felt, index) => felt === b[index])
}

async function readReceipt(view: View, txid: string): Promise<{ events: readonly ChainEvent[] }> {
  return view.read(RECEIPT, [txid], receiptSchema)
}
