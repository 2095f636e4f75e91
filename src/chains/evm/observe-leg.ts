import { createHash } from "node:crypto"
import type { Address, Hex } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery, OnChain } from "../port.ts"
import { findBySecretHash, findRefund, type LogSearch } from "./find-logs.ts"
import { sameAddress } from "./htlc.ts"
import { findProvenOrder, identifyOrder, type KnownOrder } from "./identify-order.ts"
import { type HtlcLog, readHtlcLogs } from "./read-htlc-logs.ts"
import { readPaid } from "./read-paid.ts"
import { countConfirmations, findReceipt } from "./read-transaction.ts"
import type { EvmClient } from "./rpc.ts"
import { htlcsOf, requireAsset, type Wallet } from "./wallet.ts"

/**
 * Observes one leg by the events of the configured contracts. It reads no storage, because the layouts of
 * `orders(bytes32)` differ between contract versions.
 *
 * Heights are blocks as the node numbers them. On Arbitrum these are its own blocks, and contracts of version 3 count the same ones there
 * (`ArbSys.arbBlockNumber`). An older contract would count blocks of Ethereum: its refund reverts until then, and is tried again.
 *
 * The service's hints come first, by receipt, which works even if a provider restricts `eth_getLogs`; only events of a
 * configured contract count. A secret counts only if it hashes to the secret hash. Throws `evm.secret_hash` and
 * `evm.search_too_long` (hold).
 */
export async function observeEvmLeg(wallet: Wallet, query: LegQuery): Promise<LegObservation> {
  const secretHash = requireHash(query)
  return wallet.rpc.read(async (client) => {
    const head = await client.getBlockNumber()
    const search = { htlcs: searched(wallet, query), from: query.fromHeight, to: head }
    if (search.htlcs.length === 0) return nothing(head)
    const events = await findEvents({ client, wallet, query, search }, secretHash)
    const initiations = events.logs.filter(({ name }) => name === "Initiated")
    const order = await identifyOrder({ client, wallet, query, initiations })
    return order === null ? nothing(head) : describe({ client, wallet, query, head, search, events }, order)
  })
}

type Events = { readonly logs: readonly HtlcLog[]; readonly searchFailure: unknown }

type LegReading = {
  readonly client: EvmClient
  readonly wallet: Wallet
  readonly query: LegQuery
  readonly head: bigint
  readonly search: LogSearch
  readonly events: Events
}

/** Searches configured contracts only, even if the query names another one. */
function searched(wallet: Wallet, query: LegQuery): readonly Address[] {
  const known = htlcsOf(requireAsset(wallet, query.asset))
  return query.htlc === null ? known : known.filter((htlc) => sameAddress(htlc, query.htlc ?? ""))
}

function nothing(height: bigint): LegObservation {
  return { height, initiated: null, redeemed: null, refunded: null, refundableAt: null }
}

/**
 * A hinted initiation that its id proves to be this leg's begins the search, because the order's other events follow it. If the node refuses
 * the search, the events of the hinted transactions still count: they are true, though incomplete.
 */
async function findEvents(
  { client, wallet, query, search }: Pick<LegReading, "client" | "wallet" | "query" | "search">,
  secretHash: Hex,
): Promise<Events> {
  const hinted = merge(await readHints(client, search, query), secretHash)
  const initiations = hinted.filter(({ name }) => name === "Initiated")
  const proven = findProvenOrder({ wallet, query, initiations })
  try {
    const from = proven === null ? search.from : proven.initiated.height
    const found = await findBySecretHash(client, { ...search, from }, secretHash)
    return { logs: merge([...hinted, ...found], secretHash), searchFailure: null }
  } catch (searchFailure) {
    if (initiations.length > 0) return { logs: hinted, searchFailure }
    throw searchFailure
  }
}

async function readHints(client: EvmClient, { htlcs }: LogSearch, { hints }: LegQuery): Promise<readonly HtlcLog[]> {
  const texts = [hints.initiateTx, hints.redeemTx, hints.refundTx].flatMap((hint) => hint?.split(",") ?? [])
  const hashes = texts.map(readHash).filter((hash) => hash !== null)
  const distinct = [...new Set(hashes)].slice(0, MAX_HINTS)
  const receipts = await Promise.all(distinct.map((hash) => findReceipt(client, hash)))
  return receipts.flatMap((receipt) => (receipt === null ? [] : readHtlcLogs(receipt.logs, htlcs)))
}

/** The service writes the hints, and a long one must not make us ask for thousands of transactions. */
const MAX_HINTS = 8

function readHash(text: string): Hex | null {
  const digits = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(text)?.[1]
  return digits === undefined ? null : `0x${digits.toLowerCase()}`
}

/** Keeps each event once. Refunds carry no secret hash; a later step selects them by order id. */
function merge(logs: readonly HtlcLog[], secretHash: Hex): readonly HtlcLog[] {
  const matching = logs.filter((log) => log.secretHash === null || log.secretHash === secretHash)
  return [...new Map(matching.map((log) => [`${log.txid}:${log.index}`, log])).values()]
}

async function describe(reading: LegReading, order: KnownOrder): Promise<LegObservation> {
  const { client, wallet, query, head, events } = reading
  const locate = ({ txid, height }: HtlcLog): OnChain => {
    const confirmations = countConfirmations(head, height)
    return { txid, height, confirmations, final: confirmations >= wallet.confirmations }
  }
  const { initiated } = order
  const redeemed = events.logs.find((log) => log.name === "Redeemed" && isOf(order, log) && reveals(log, query)) ?? null
  const refunded = redeemed === null ? await findRefunded(reading, order) : null
  const paid = (log: HtlcLog): Promise<bigint | null> => readPaid({ client, wallet, query, order }, log)
  const timelock = query.timelock ?? order.timelock
  return {
    height: head,
    initiated: { ...locate(initiated), units: order.units },
    redeemed: redeemed && { ...locate(redeemed), paidUnits: await paid(redeemed), secret: redeemed.secret },
    refunded: refunded && { ...locate(refunded), paidUnits: await paid(refunded) },
    // The contract requires `initiatedAt + timelock < block.number`, strictly.
    refundableAt: timelock === null ? null : initiated.height + timelock + 1n,
  }
}

async function findRefunded({ client, search, events }: LegReading, order: KnownOrder): Promise<HtlcLog | null> {
  const known = events.logs.find((log) => log.name === "Refunded" && isOf(order, log))
  if (known || events.searchFailure !== null) return known ?? null
  const { htlc, height, orderId } = order.initiated
  return findRefund(client, { htlcs: [htlc], from: height, to: search.to }, orderId)
}

function isOf({ initiated }: KnownOrder, log: HtlcLog): boolean {
  return log.orderId === initiated.orderId && log.htlc === initiated.htlc
}

function reveals({ secret }: HtlcLog, { secretHash }: LegQuery): boolean {
  if (secret === null) return false
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
}

function requireHash({ secretHash }: LegQuery): Hex {
  if (/^[0-9a-f]{64}$/.test(secretHash)) return `0x${secretHash}`
  throw new AppError({
    code: "evm.secret_hash",
    disposition: "hold",
    message: "The order's secret hash is not 32 bytes of lower-case hex; Ballast cannot search for it on chain",
    details: { secretHash: secretHash.slice(0, 80) },
  })
}
