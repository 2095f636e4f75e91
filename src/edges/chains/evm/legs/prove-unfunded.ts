import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { plainJson } from "#lib/json.ts"
import type { LegQuery, UnfundedProof, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import { finalHeight } from "../finality.ts"
import { conclude } from "../nodes/agree.ts"
import { requireHash } from "../observe-leg.ts"
import type { At } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import { createHintedReceipts } from "./hinted-receipts.ts"
import { type Fate, keyOfFate, readFate } from "./observe-transaction.ts"
import { readLeg, searched } from "./read-leg.ts"
import { deriveIds, hasTerms, readOrder } from "./read-orders.ts"

/**
 * Proves that the HTLC never had this order's deposit, from the answers of enough endpoints about
 * one block.
 *
 * The contract's storage lacks every id that follows from the order's terms, in each configured
 * contract and version; a contract never deletes an order, so there was none at any earlier block.
 * No event shows another one, where the endpoint searches events. And no signed deposit can still
 * get in: for each, another transaction of ours used its nonce in a final block, or it reverted in
 * one.
 */
export async function proveEvmUnfunded(
  wallet: Wallet,
  query: UnfundedQuery,
): Promise<UnfundedProof> {
  requireHash(query)
  for (const transaction of query.signed) wallet.signed.note(transaction)
  const deposits = query.signed.filter(
    ({ plan }) => plan.action === "initiate" && plan.chain === wallet.chain,
  )
  const reading = await wallet.rpc.readEach((at) => readProof(at, wallet, query, deposits), {
    tags: true,
  })
  const { status, value, given, doubts } = conclude(wallet.rpc, reading, keyOfProof)
  if (status === "agreed" && value !== null) {
    if (value.leg === "funded") return { status: "funded" }
    const final = finalHeight(wallet.finality, reading.heights)
    const open = findOpen(value, final)
    if (final !== null && open.length === 0)
      return { status: "unfunded", height: final, rivals: rivalsOf(value) }
    return {
      status: "unsure",
      reasons: [...doubts, ...open, ...(final === null ? [notFinal()] : [])],
    }
  }
  const reasons = doubts.length > 0 ? doubts : [short(given.length, wallet.rpc.needed)]
  return { status: "unsure", reasons }
}

/** One endpoint's view. `unreadable`: a contract does not show its orders in a known form. */
type Proof = { readonly leg: "empty" | "funded" | "unreadable"; readonly fates: readonly Fate[] }

function keyOfProof({ leg, fates }: Proof): string {
  return plainJson([leg, ...fates.map(keyOfFate)])
}

async function readProof(
  at: At,
  wallet: Wallet,
  query: UnfundedQuery,
  deposits: readonly SignedTransaction[],
): Promise<Proof> {
  const fates: Fate[] = []
  for (const deposit of deposits) fates.push(await readFate(at, wallet, deposit))
  // A deposit that succeeded is in some order, even if no term of the query shows it.
  if (fates.some((fate) => fate.status === "mined" && fate.rival.ok))
    return { leg: "funded", fates }
  // A route of another kind keeps no orders: its signed deposits are all that could be in it.
  const leg = query.route === undefined ? await readEmptiness(at, wallet, query) : "empty"
  return { leg, fates }
}

async function readEmptiness(at: At, wallet: Wallet, query: LegQuery): Promise<Proof["leg"]> {
  const htlcs = searched(wallet, query)
  const ids = deriveIds(wallet, htlcs, query)
  // Without an id no storage can be empty.
  if (ids.length === 0) return "unreadable"
  const entries = await Promise.all(ids.map(({ htlc, orderId }) => readOrder(at, htlc, orderId)))
  if (entries.some((entry) => typeof entry === "object" && hasTerms(entry, query))) return "funded"
  if (entries.includes("unreadable")) return "unreadable"
  return (await hasEvents(at, wallet, query)) ? "funded" : "empty"
}

/** Events can only add doubt: the storage decides where an endpoint answers no search. */
async function hasEvents(at: At, wallet: Wallet, query: LegQuery): Promise<boolean> {
  const hints = createHintedReceipts(query, searched(wallet, query))
  try {
    return (await readLeg({ at, wallet, query, hints }, requireHash(query))).initiated !== null
  } catch (error) {
    if (isSearchRefused(error)) return false
    throw error
  }
}

/**
 * The endpoint refuses to search that many blocks, or at all. A contradiction between its events
 * and its storage is no refusal.
 */
function isSearchRefused(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!("code" in each)) continue
    if (each.code === "evm.search_too_long") return true
    if (each.code === "evm.rpc" && "details" in each)
      // CAST: an AppError's details.
      return (each.details as { method?: unknown }).method === "eth_getLogs"
  }
  return false
}

/** The deposits that may still land, or whose rival is not final yet. */
function findOpen({ leg, fates }: Proof, final: bigint | null): Reason[] {
  const open = fates.flatMap((fate) => {
    if (fate.status === "absent") return [mayLand()]
    return final !== null && fate.rival.height <= final
      ? []
      : [rivalNotFinal(fate.rival.txid, fate.rival.height)]
  })
  return leg === "unreadable" ? [...open, unreadable()] : open
}

function rivalsOf({ fates }: Proof): readonly string[] {
  return [...new Set(fates.flatMap((fate) => (fate.status === "absent" ? [] : [fate.rival.txid])))]
}

function mayLand(): Reason {
  const message = "A signed deposit may still land, because its nonce is free"
  return { code: "evm.deposit_may_land", message }
}

function rivalNotFinal(txid: string, height: bigint): Reason {
  const message = "The transaction that used a deposit's nonce is not in a final block yet"
  return { code: "evm.rival_not_final", message, txid, height: height.toString() }
}

function notFinal(): Reason {
  const message = "Too few endpoints name a final block, so nothing can be proven as final"
  return { code: "evm.no_final_block", message }
}

function unreadable(): Reason {
  const message =
    "The HTLC contract does not show its orders in a known form, or the order's terms give no id"
  return { code: "evm.orders_unreadable", message }
}

function short(answered: number, needed: number): Reason {
  const message = "Too few endpoints answer for a proof"
  return {
    code: "chain.agreement_short",
    message,
    answered: String(answered),
    needed: String(needed),
  }
}
