import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery, OnChain } from "../port.ts"
import { encodeShortString, formatFelt, readAddress } from "./felt.ts"
import {
  type ChainEvent,
  deriveOrderIds,
  HASH_LAYOUTS,
  readInitiated,
  readSecret,
  readTransfer,
  SELECTORS,
} from "./htlc.ts"
import { countConfirmations, receiptSchema } from "./observe-transaction.ts"
import { feltSchema, fetchBlockNumber, fetchOrder } from "./read-chain.ts"
import { htlcsOf, requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * Observes one leg by the HTLC's own events. It finds the order by the ids that known contracts derive from the query.
 * If that finds nothing (another contract version, or an incomplete query), it searches for the secret hash in `Initiated`, and then
 * accepts only an order that the same transaction funded. Heights are blocks. Throws `starknet.secret_hash` and
 * `starknet.too_many_events` (hold).
 *
 * The token's `Transfer` events show the payments, so a redeem that pays a stranger has `paidUnits: 0n`.
 */
export async function observeStarknetLeg(wallet: Wallet, query: LegQuery): Promise<LegObservation> {
  requireHash(query)
  const height = await fetchBlockNumber(wallet.rpc)
  const nothing = { height, initiated: null, redeemed: null, refunded: null, refundableAt: null }
  if (query.fromHeight > height) return nothing
  for (const htlc of searched(wallet, query)) {
    const found = await findOrder(wallet, query, htlc)
    if (found) return describe(wallet, query, found, height)
  }
  return nothing
}

type Located = ChainEvent & { readonly txid: string; readonly height: bigint }
type Order = {
  readonly htlc: bigint
  readonly initiated: Located
  readonly units: bigint
  readonly events: readonly Located[]
}

/** Searches configured contracts only, even if the query names another one. */
function searched(wallet: Wallet, query: LegQuery): readonly bigint[] {
  const known = htlcsOf(requireAsset(wallet, query.asset))
  const named = query.htlc === null ? null : readAddress(query.htlc)
  return query.htlc === null ? known : known.filter((htlc) => htlc === named)
}

async function findOrder(wallet: Wallet, query: LegQuery, htlc: bigint): Promise<Order | null> {
  const derived = deriveIds(wallet, query, htlc)
  const byId = derived.length === 0 ? null : await readOrder(wallet, query, htlc, derived)
  if (byId) return byId
  const found = await findInitiation(wallet, query, htlc)
  return found === null ? null : readOrder(wallet, query, htlc, [found])
}

/** The search for an initiation by its secret hash and terms: those of a leg. */
export type InitiationQuery = Pick<
  LegQuery,
  "asset" | "secretHash" | "units" | "initiator" | "redeemer" | "timelock" | "fromHeight"
>

/** Finds the order id of an initiation that is ours, in the contract's own events; `null` if there is none. */
export async function findInitiation(wallet: Wallet, query: InitiationQuery, htlc: bigint): Promise<bigint | null> {
  const initiations = await findEvents(wallet, htlc, [INITIATIONS], query.fromHeight)
  for (const event of initiations) {
    const terms = readInitiated(event, query.secretHash)
    if (terms?.units === query.units && (await isFunded(wallet, query, event, terms))) return terms.orderId
  }
  return null
}

/** Whether the contract's own event shows this order id with the secret hash and the amount. */
export async function isInitiationOf(
  wallet: Wallet,
  { secretHash, units, fromHeight }: InitiationQuery,
  htlc: bigint,
  orderId: bigint,
): Promise<boolean> {
  const events = await findEvents(wallet, htlc, [INITIATIONS, [orderId]], fromHeight)
  return events.some((event) => {
    const terms = readInitiated(event, secretHash)
    return terms?.orderId === orderId && terms.units === units
  })
}

const INITIATIONS = [SELECTORS.initiatedEvent, SELECTORS.initiatedWithDataEvent]

/** The ids of both layouts: the query does not say which one its contract has, and at most one of them exists. */
function deriveIds(wallet: Wallet, query: LegQuery, htlc: bigint): readonly bigint[] {
  const { timelock, units, secretHash } = query
  const [initiator, redeemer] = [query.initiator, query.redeemer].map((text) =>
    text === null ? null : readAddress(text),
  )
  if (!initiator || !redeemer || timelock === null) return []
  const scope = { chainId: encodeShortString(wallet.chainId), initiator, htlc }
  return HASH_LAYOUTS.flatMap((layout) => deriveOrderIds(scope, { redeemer, timelock, units, secretHash }, layout))
}

async function readOrder(
  wallet: Wallet,
  query: LegQuery,
  htlc: bigint,
  orderIds: readonly bigint[],
): Promise<Order | null> {
  const found = await findEvents(wallet, htlc, [[], orderIds], query.fromHeight)
  for (const initiated of found) {
    const terms = readInitiated(initiated, query.secretHash)
    if (!terms || !orderIds.includes(terms.orderId)) continue
    const events = found.filter((event) => event.keys[1] === terms.orderId)
    return { htlc, initiated, units: terms.units, events }
  }
  return null
}

/**
 * A stranger can use our secret hash for another order. The order is ours if the expected initiator paid for it, or if another account
 * paid on the initiator's behalf: then the contract still names the initiator. Such an order can name any redeemer and timelock, so both
 * must be those of the leg.
 */
async function isFunded(
  wallet: Wallet,
  query: InitiationQuery,
  event: Located,
  { orderId, units }: { orderId: bigint; units: bigint },
): Promise<boolean> {
  const initiator = query.initiator === null ? null : readAddress(query.initiator)
  const token = tokenOf(requireAsset(wallet, query.asset))
  const { events } = await readReceipt(wallet, event.txid)
  const payments = events
    .filter(({ from }) => from === token)
    .map(readTransfer)
    .filter((transfer) => transfer?.to === event.from && transfer.units === units)
  if (initiator === null || payments.some((payment) => payment?.from === initiator)) return payments.length > 0
  if (payments.length === 0) return false
  const order = await fetchOrder(wallet.rpc, event.from, orderId)
  if (order === null || order === "unreadable" || order.initiator !== initiator) return false
  const redeemer = query.redeemer === null ? null : readAddress(query.redeemer)
  return (
    (redeemer === null || order.redeemer === redeemer) && (query.timelock === null || order.timelock === query.timelock)
  )
}

async function describe(wallet: Wallet, query: LegQuery, order: Order, head: bigint): Promise<LegObservation> {
  const locate = ({ txid, height }: Located): OnChain => {
    const confirmations = countConfirmations(head, height)
    return { txid, height, confirmations, final: confirmations >= wallet.confirmations }
  }
  const named = (name: bigint): Located | undefined => order.events.find((event) => event.keys[0] === name)
  const [redeemed, refunded] = [named(SELECTORS.redeemedEvent), named(SELECTORS.refundedEvent)]
  const paid = async (event: Located): Promise<bigint | null> => readPaid(wallet, query, event)
  return {
    height: head,
    initiated: { ...locate(order.initiated), units: order.units },
    redeemed: redeemed
      ? { ...locate(redeemed), paidUnits: await paid(redeemed), secret: readSecret(redeemed, query.secretHash) }
      : null,
    refunded: refunded ? { ...locate(refunded), paidUnits: await paid(refunded) } : null,
    // `initiated_at + timelock < block`, strictly, and the transaction lands in a later block than the latest one.
    refundableAt: query.timelock === null ? null : order.initiated.height + query.timelock + 1n,
  }
}

/**
 * Reads the amount that the owner received from this HTLC for this event. The contract pays before it emits, so of
 * several payments in one transaction, those between the HTLC's previous event and this one belong to this event.
 */
async function readPaid(wallet: Wallet, query: LegQuery, event: Located): Promise<bigint | null> {
  const owner = readAddress(query.owner)
  const token = tokenOf(requireAsset(wallet, query.asset))
  const { events } = await readReceipt(wallet, event.txid)
  const at = events.findIndex((each) => each.from === event.from && sameFelts(each.keys, event.keys))
  if (at < 0 || owner === null) return null
  const before = events.slice(0, at).findLastIndex((each) => each.from === event.from)
  const transfers = events
    .slice(before + 1, at)
    .filter((each) => each.from === token)
    .map(readTransfer)
  const payments = transfers.filter((transfer) => transfer?.from === event.from && transfer.to === owner)
  return payments.reduce((sum, transfer) => sum + (transfer ? transfer.units : 0n), 0n)
}

function sameFelts(a: readonly bigint[], b: readonly bigint[]): boolean {
  return a.length === b.length && a.every((felt, index) => felt === b[index])
}

async function readReceipt(wallet: Wallet, txid: string): Promise<{ events: readonly ChainEvent[] }> {
  return wallet.rpc.read("starknet_getTransactionReceipt", [txid], receiptSchema)
}

const CHUNK = 1_000
/** A search that needs more pages fails with an error instead of a partial answer. */
const MAX_PAGES = 100

const pageSchema = z.object({
  events: z.array(
    z.object({
      from_address: feltSchema,
      keys: z.array(feltSchema),
      data: z.array(feltSchema),
      transaction_hash: z.string(),
      block_number: z.int().nonnegative().optional(),
    }),
  ),
  continuation_token: z.string().optional(),
})

/** Finds all events of one contract in accepted blocks; `keys` lists the allowed values of each key. */
async function findEvents(
  wallet: Wallet,
  htlc: bigint,
  keys: readonly (readonly bigint[])[],
  fromHeight: bigint,
): Promise<readonly Located[]> {
  const located: Located[] = []
  const filter = {
    address: formatFelt(htlc),
    from_block: { block_number: Number(fromHeight) },
    to_block: "latest",
    keys: keys.map((choices) => choices.map(formatFelt)),
    chunk_size: CHUNK,
  }
  let token: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const request = token === undefined ? filter : { ...filter, continuation_token: token }
    const chunk = await wallet.rpc.read("starknet_getEvents", [request], pageSchema)
    for (const { from_address: from, keys: found, data, transaction_hash: txid, block_number } of chunk.events) {
      if (from === htlc && block_number !== undefined) {
        located.push({ from, keys: found, data, txid, height: BigInt(block_number) })
      }
    }
    if (chunk.continuation_token === undefined) return located
    token = chunk.continuation_token
  }
  throw tooMany(htlc, fromHeight)
}

function tooMany(htlc: bigint, fromHeight: bigint): AppError {
  return new AppError({
    code: "starknet.too_many_events",
    disposition: "hold",
    message: "The HTLC has more events than one search reads; inspect this order by hand",
    details: { htlc: formatFelt(htlc), fromHeight, limit: CHUNK * MAX_PAGES },
  })
}

function requireHash({ secretHash }: LegQuery): void {
  if (/^[0-9a-f]{64}$/.test(secretHash)) return
  throw new AppError({
    code: "starknet.secret_hash",
    disposition: "hold",
    message: "The order's secret hash is not 32 bytes of lower-case hex; Ballast cannot search for it on chain",
    details: { secretHash: secretHash.slice(0, 80) },
  })
}
