import { createHash } from "node:crypto"
import type { Address, Hex } from "viem"
import { AppError } from "#lib/app-error.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { sameAddress } from "../htlc.ts"
import { isCanonical, readBlock, type TransactionPlace } from "../nodes/read-block.ts"
import type { At } from "../rpc.ts"
import { htlcsOf, requireAsset, type Wallet } from "../wallet.ts"
import { findByOrderId, findBySecretHash, findRefund } from "./find-logs.ts"
import type { HintedReceipts } from "./hinted-receipts.ts"
import { findProvenOrder, identifyOrder } from "./identify-order.ts"
import { type DerivedId, findKnown, planQuestions } from "./known-ids.ts"
import { type HtlcLog, readHtlcLogs } from "./read-htlc-logs.ts"
import { deriveIds, hasTerms, type OrderEntry, readOrder, type StoredOrder } from "./read-orders.ts"
import { type Paying, readPaid } from "./read-paid.ts"

/** One endpoint's view about a leg at one block. */
export type LegView = {
  readonly initiated: { readonly place: TransactionPlace; readonly units: bigint } | null
  readonly redeemed: {
    readonly place: TransactionPlace
    readonly paidUnits: bigint | null
    readonly secret: string | null
  } | null
  readonly refunded: { readonly place: TransactionPlace; readonly paidUnits: bigint | null } | null
  readonly refundableAt: bigint | null
  /** The id that shows it, where it follows from the leg's own terms. */
  readonly id?: DerivedId
}

export const NOTHING: LegView = {
  initiated: null,
  redeemed: null,
  refunded: null,
  refundableAt: null,
}

type LegReading = {
  readonly at: At
  readonly wallet: Wallet
  readonly query: LegQuery
  readonly hints: HintedReceipts
}

/**
 * Reads one leg from one endpoint.
 *
 * The ids that follow from the leg's own terms come first: the contract's storage says whether such
 * an order exists and whether it is closed, and its events must fit. Without a derived id (unknown
 * terms, or a newer contract) the events under the secret hash are judged by the stored terms. The
 * service's hints only shorten the search: an event counts if it belongs to an order that is proven
 * to be the leg's.
 *
 * Throws `evm.logs_missing` (transient) if the endpoint lacks events of an order that its contract
 * stores, `evm.search_too_long` (hold).
 */
export async function readLeg(reading: LegReading, secretHash: Hex): Promise<LegView> {
  const htlcs = searched(reading.wallet, reading.query)
  if (htlcs.length === 0) return NOTHING
  const hintedRead = ignoreUnhandled(readHints(reading, htlcs))
  const recalled = ignoreUnhandled(recallInitiation(reading))
  const search = searchBeside(reading, htlcs, secretHash)
  const stored = await findStored(reading, htlcs)
  // An order with other terms is found by its events, and its refund may be possible earlier than
  // the query's timelock says.
  if (stored === null && reading.query.isExact) return NOTHING
  const hinted = await hintedRead
  const found = { hinted, search, initiated: await recalled }
  const events =
    stored === null
      ? await identifyByEvents(reading, { htlcs, secretHash, ...found })
      : await findEventsOf(reading, stored, found)
  if (events === null) return NOTHING
  const view = await describe(reading, events)
  return stored === null ? view : { ...view, id: stored.id }
}

/**
 * The initiation that an agreed look has shown, while the endpoint still has its block: no event of
 * a block ever changes.
 */
async function recallInitiation({ at, wallet, query }: LegReading): Promise<KnownPlace | null> {
  const known = findKnown(wallet.knownIds, query)
  if (known === null || known.initiated.height > at.height) return null
  const { orderId, htlc, initiated } = known
  at.foresee(initiated.txid)
  const isAtHead = initiated.height === at.height
  const block = isAtHead ? at.block : readBlock(at.client, initiated.height)
  return (await isCanonical(block, initiated)) ? { ...initiated, orderId, htlc } : null
}

type KnownPlace = TransactionPlace & Pick<DerivedId, "orderId" | "htlc">

/** Nearly all nodes search so many blocks in one request. */
const BESIDE_BLOCKS = 500n

/**
 * Where no look has shown the leg and no receipt shows its initiation, its events are searched in
 * the request that asks for the storage: a stored order needs them, and an empty storage is no
 * proof that a newer contract has none. `null`: no such search.
 */
function searchBeside(
  { at, wallet, query, hints }: LegReading,
  htlcs: readonly Address[],
  secretHash: Hex,
): Promise<readonly HtlcLog[]> | null {
  const isLong = at.height - query.fromHeight > BESIDE_BLOCKS
  const isKnown = findKnown(wallet.knownIds, query) !== null
  if (isKnown || isLong || query.isExact || !hints.lacks(at)) return null
  const range = { htlcs, from: query.fromHeight, to: at.height }
  return ignoreUnhandled(findBySecretHash(at.client, range, secretHash))
}

/** Searches configured contracts only, even if the query names another one. */
export function searched(
  wallet: Pick<Wallet, "assets" | "chain">,
  query: LegQuery,
): readonly Address[] {
  const known = htlcsOf(requireAsset(wallet, query.asset))
  return query.htlc === null ? known : known.filter((htlc) => sameAddress(htlc, query.htlc ?? ""))
}

type Stored = { readonly id: DerivedId; readonly order: StoredOrder }

/** A look asks only for the leg's own id once it is known, and for no id that a contract lacks. */
async function findStored(
  { at, wallet, query }: LegReading,
  htlcs: readonly Address[],
): Promise<Stored | null> {
  const questions = planQuestions(wallet.knownIds, query, deriveIds(wallet, htlcs, query))
  for (const ids of questions) {
    const entries = await Promise.all(ids.map(({ htlc, orderId }) => readOrder(at, htlc, orderId)))
    for (const [index, id] of ids.entries()) {
      const order = entries[index]
      if (isStored(order) && hasTerms(order, query)) return { id, order }
    }
  }
  return null
}

function isStored(entry: OrderEntry | undefined): entry is StoredOrder {
  return typeof entry === "object"
}

async function readHints(
  { at, hints }: LegReading,
  htlcs: readonly Address[],
): Promise<readonly HtlcLog[]> {
  const receipts = await hints.read(at)
  const logs = receipts.flatMap((receipt) =>
    receipt === null ? [] : readHtlcLogs(receipt.logs, htlcs),
  )
  return logs.filter(({ height }) => height <= at.height)
}

/** An order that is proven to be the leg's, and the event that closed it. */
type Events = {
  readonly order: Paying["order"] & {
    readonly initiated: TransactionPlace
    readonly timelock: bigint | null
  }
  readonly closing: HtlcLog | null
}

/** The answers that came with the contract's storage. `initiated`: as an earlier look showed it. */
type Found = {
  readonly hinted: readonly HtlcLog[]
  readonly search: Promise<readonly HtlcLog[]> | null
  readonly initiated: KnownPlace | null
}

/** The storage proves the order; its events tell the transactions. */
async function findEventsOf(
  { at, query }: LegReading,
  { id: { htlc, orderId }, order }: Stored,
  found: Found,
): Promise<Events> {
  const isOf = (log: Pick<HtlcLog, "orderId" | "htlc">): boolean =>
    log.orderId === orderId && log.htlc === htlc
  const search = (from: bigint, to: bigint): Promise<readonly HtlcLog[]> =>
    findByOrderId(at.client, { htlcs: [htlc], from, to }, orderId)
  // The search by the order's own id follows where this one fails.
  const beside = (await found.search?.catch(() => null)) ?? []
  const logs: HtlcLog[] = [...found.hinted, ...beside].filter(isOf)
  const recalled = found.initiated !== null && isOf(found.initiated) ? found.initiated : undefined
  const find = (): TransactionPlace | undefined =>
    recalled ?? logs.find(({ name }) => name === "Initiated")
  // The storage tells whether an event closed the order, and the initiation names its own block.
  if (find()) at.noteNamed()
  // Contracts of version 3 count the chain's own blocks, so that one block holds the event.
  const { initiatedAt } = order
  if (!find() && initiatedAt >= query.fromHeight && initiatedAt <= at.height)
    logs.push(...(await search(initiatedAt, initiatedAt)))
  if (!find()) logs.push(...(await search(query.fromHeight, at.height)))
  const initiated = find()
  if (initiated === undefined) throw logsMissing(orderId, "Initiated")
  const { initiator, redeemer, timelock, units } = order
  const known = { initiated, units, initiator, redeemer, timelock }
  if (!order.isFulfilled) return { order: known, closing: null }
  const closing = (): HtlcLog | undefined => logs.find((log) => isClosing(log, query))
  if (!closing()) logs.push(...(await search(initiated.height, at.height)))
  const closed = closing()
  if (closed === undefined) throw logsMissing(orderId, "Redeemed or Refunded")
  return { order: known, closing: closed }
}

/** A secret counts only if it hashes to the secret hash. */
function isClosing(log: HtlcLog, query: LegQuery): boolean {
  return log.name === "Refunded" || (log.name === "Redeemed" && reveals(log, query))
}

function reveals({ secret }: HtlcLog, { secretHash }: LegQuery): boolean {
  if (secret === null) return false
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
}

type Search = Found & { readonly htlcs: readonly Address[]; readonly secretHash: Hex }

/**
 * No derived id is stored. An order of a newer contract, or with other terms than the query knows,
 * has events under the secret hash.
 */
async function identifyByEvents(reading: LegReading, search: Search): Promise<Events | null> {
  const { at, wallet, query } = reading
  const { logs, isWhole } = await findLogs(reading, search)
  const initiations = logs.filter(({ name }) => name === "Initiated")
  const order = await identifyOrder({ at, wallet, query, initiations })
  if (order === null) return null
  const { htlc, orderId, height } = order.initiated
  const entry = await readOrder(at, htlc, orderId)
  if (entry === "empty") throw logsMissing(orderId, "order in the contract's storage")
  const isOf = (log: HtlcLog): boolean => log.orderId === orderId && log.htlc === htlc
  const known = logs.find((log) => isOf(log) && isClosing(log, query)) ?? null
  const isOpen = isStored(entry) && !entry.isFulfilled
  const closing =
    known ??
    (isOpen || !isWhole
      ? null
      : await findRefund(at.client, { htlcs: [htlc], from: height, to: at.height }, orderId))
  if (isStored(entry) && entry.isFulfilled !== (closing !== null))
    throw logsMissing(orderId, "Redeemed or Refunded")
  return { order, closing }
}

/**
 * A hinted initiation that its id proves to be this leg's begins the search, because the order's
 * other events follow it. If the node refuses the search, the events of the hinted transactions
 * still count: they are true, though incomplete.
 */
async function findLogs(
  { at, wallet, query }: LegReading,
  { htlcs, hinted, secretHash, search }: Search,
): Promise<{ readonly logs: readonly HtlcLog[]; readonly isWhole: boolean }> {
  const known = merge(hinted, secretHash)
  const initiations = known.filter(({ name }) => name === "Initiated")
  const proven = findProvenOrder({ wallet, query, initiations })
  try {
    const from = proven === null ? query.fromHeight : proven.initiated.height
    const range = { htlcs, from, to: at.height }
    const found = await (search ?? findBySecretHash(at.client, range, secretHash))
    return { logs: merge([...known, ...found], secretHash), isWhole: true }
  } catch (searchFailure) {
    if (initiations.length > 0) return { logs: known, isWhole: false }
    throw searchFailure
  }
}

/** Keeps each event once. Refunds carry no secret hash; a later step selects them by order id. */
function merge(logs: readonly HtlcLog[], secretHash: Hex): readonly HtlcLog[] {
  const matching = logs.filter((log) => log.secretHash === null || log.secretHash === secretHash)
  return [...new Map(matching.map((log) => [`${log.txid}:${log.index}`, log])).values()]
}

async function describe(
  { at, wallet, query, hints }: LegReading,
  { order, closing }: Events,
): Promise<LegView> {
  const { initiated } = order
  for (const log of closing === null ? [initiated] : [initiated, closing])
    at.requireCanonical(placeOf(log))
  const paying = { at, wallet, query, order, hints }
  const paidUnits = closing === null ? null : await readPaid(paying, closing)
  const timelock = query.timelock ?? order.timelock
  return {
    initiated: { place: placeOf(initiated), units: order.units },
    redeemed:
      closing?.name === "Redeemed"
        ? { place: placeOf(closing), paidUnits, secret: closing.secret }
        : null,
    refunded: closing?.name === "Refunded" ? { place: placeOf(closing), paidUnits } : null,
    // The contract requires `initiatedAt + timelock < block.number`, strictly.
    refundableAt: timelock === null ? null : initiated.height + timelock + 1n,
  }
}

function placeOf({ txid, height, blockHash }: TransactionPlace): TransactionPlace {
  return { txid, height, blockHash }
}

function logsMissing(orderId: Hex, what: string): AppError {
  return new AppError({
    code: "evm.logs_missing",
    disposition: "transient",
    message:
      "The contract's storage and its events contradict each other at this EVM endpoint " +
      `(${what}); its backends differ, or it has pruned events`,
    details: { orderId, what },
  })
}
