import type { PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery, OnChain } from "../port.ts"
import { deriveSwapAccount, type HtlcCall, type InitiateTerms } from "./htlc.ts"
import { type FoundTransaction, SIGNATURE_PAGE, type SignatureEntry, type SolanaNode } from "./node.ts"
import { type FinalityRule, isFinal } from "./observe-transaction.ts"
import { gainOf, readSwapCalls } from "./read-swap-calls.ts"
import { parseAddress, type Wallet } from "./wallet.ts"

/**
 * Reports the state of one HTLC as our own node shows it, from the successful transactions of its swap account. Amounts
 * are lamports, heights slots.
 *
 * The initiator and the secret hash determine the swap account, so this needs no search and no hints of the service. If
 * the initiator or the hash is unreadable, no such account exists and every part is `null`. An initiate with another
 * redeemer or another lock does not belong to this leg. Throws `solana.history_incomplete` (transient) if the account
 * contradicts the history, and `solana.history_too_long` (hold).
 */
export async function observeLeg(query: LegQuery, wallet: Wallet, options: LegOptions): Promise<LegObservation> {
  const height = await options.node.fetchSlot()
  const nothing: LegObservation = { height, initiated: null, redeemed: null, refunded: null, refundableAt: null }
  const initiator = parseAddress(query.initiator ?? (query.side === "source" ? wallet.account : ""))
  if (initiator === null || !/^[0-9a-f]{64}$/.test(query.secretHash)) return nothing
  for (const program of programsOf(query, wallet)) {
    const swapAccount = deriveSwapAccount(program, initiator, Buffer.from(query.secretHash, "hex")).toBase58()
    const calls = await readHistory(swapAccount, program.toBase58(), query.fromHeight, options.node)
    await assertComplete(swapAccount, program, calls, options.node)
    const leg = calls.reduce((leg, call) => applyCall(leg, call, query, options), nothing)
    if (leg.initiated !== null) return leg
  }
  return nothing
}

export type LegOptions = FinalityRule & { readonly node: SolanaNode }

/** One call of the swap account, in a transaction that succeeded. */
type PastCall = {
  readonly entry: SignatureEntry
  readonly transaction: FoundTransaction
  readonly call: HtlcCall
}

const MOST_PAGES = 3

function programsOf(query: LegQuery, wallet: Wallet): PublicKey[] {
  const asset = wallet.assets.find((candidate: Asset) => candidate.id === query.asset)
  const names = query.htlc === null ? (asset?.htlc ?? []) : [query.htlc]
  return names.flatMap((name) => parseAddress(name) ?? [])
}

/** Reads all calls of a swap account, oldest first. */
async function readHistory(
  swapAccount: string,
  program: string,
  fromHeight: bigint,
  node: SolanaNode,
): Promise<PastCall[]> {
  const entries = await findEntries(swapAccount, fromHeight, node)
  const calls: PastCall[] = []
  for (const entry of entries.toReversed().filter((candidate) => candidate.err === null)) {
    const transaction = await node.fetchTransaction(entry.signature)
    if (transaction === null)
      throw incomplete(swapAccount, `transaction ${entry.signature} is listed but its content is missing`)
    for (const call of readSwapCalls(transaction, program, swapAccount)) calls.push({ entry, transaction, call })
  }
  return calls
}

async function findEntries(swapAccount: string, fromHeight: bigint, node: SolanaNode): Promise<SignatureEntry[]> {
  const entries: SignatureEntry[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const found = await node.findSignatures(swapAccount, entries.at(-1)?.signature ?? null)
    entries.push(...found)
    const oldest = found.at(-1)
    if (found.length < SIGNATURE_PAGE || oldest === undefined || oldest.slot < fromHeight) {
      return entries.filter((entry) => entry.slot >= fromHeight)
    }
  }
  throw new AppError({
    code: "solana.history_too_long",
    disposition: "hold",
    message:
      "the swap account has more transactions than an HTLC can need, which suggests spam; inspect it in an explorer",
    details: { swapAccount, entries: entries.length },
  })
}

/**
 * The node's index lags if the account exists without a call, or is closed without a redeem or refund. Such a history
 * must not count as "nothing happened".
 */
async function assertComplete(
  swapAccount: string,
  program: PublicKey,
  calls: readonly PastCall[],
  node: SolanaNode,
): Promise<void> {
  const last = calls.at(-1)?.call.kind ?? null
  if (last !== null && last !== "initiate") return
  const account = await node.fetchAccount(swapAccount)
  const open = account?.owner === program.toBase58()
  if (open && last === null) throw incomplete(swapAccount, "the account is open, but the history shows no initiate")
  if (!open && last === "initiate")
    throw incomplete(swapAccount, "the account is closed, but the history shows neither redeem nor refund")
}

function applyCall(known: LegObservation, past: PastCall, query: LegQuery, options: LegOptions): LegObservation {
  const { call } = past
  const onChain = locate(past.entry, known.height, options)
  if (call.kind === "initiate") {
    if (!isOfLeg(call.terms, query)) return known
    const refundableAt = past.transaction.slot + call.terms.slots + 1n
    return { ...known, initiated: { ...onChain, units: call.terms.units }, refundableAt }
  }
  if (known.initiated === null) return known
  const released = releasedTo(query.initiator, past, known.initiated?.units ?? 0n)
  const paid = (side: LegQuery["side"]): bigint | null =>
    query.side === side ? paidTo(query.owner, past, known.initiated?.units ?? null) : null
  if (call.kind === "redeem")
    return { ...known, redeemed: { ...onChain, ...released, paidUnits: paid("destination"), secret: call.secret } }
  return { ...known, refunded: { ...onChain, ...released, paidUnits: paid("source") } }
}

function isOfLeg(terms: InitiateTerms, query: LegQuery): boolean {
  const redeemer = terms.redeemer.toBase58()
  if (query.redeemer !== null && redeemer !== query.redeemer) return false
  if (query.side === "destination" && redeemer !== query.owner) return false
  return query.timelock === null || terms.slots === query.timelock
}

/**
 * The program pays exactly the amount. A larger gain has other sources (rent, a second payment); a smaller gain is
 * reported as it is.
 */
function paidTo(owner: string, past: PastCall, units: bigint | null): bigint | null {
  const gain = gainOf(past.transaction, owner)
  return gain !== null && units !== null && gain > units ? units : gain
}

/** Native units that the initiator received as the account closed: its rent, without the amount of a refund. */
function releasedTo(initiator: string | null, past: PastCall, units: bigint): { releasedUnits?: bigint } {
  const gain = initiator === null ? null : gainOf(past.transaction, initiator)
  return gain === null ? {} : { releasedUnits: past.call.kind === "redeem" ? gain : gain - units }
}

function locate(entry: SignatureEntry, height: bigint, rule: FinalityRule): OnChain {
  const confirmations = height < entry.slot ? 1 : Number(height - entry.slot) + 1
  const final = isFinal(entry.confirmationStatus, confirmations, rule)
  return { txid: entry.signature, height: entry.slot, confirmations, final }
}

function incomplete(swapAccount: string, problem: string): AppError {
  return new AppError({
    code: "solana.history_incomplete",
    disposition: "transient",
    message: `the node's history of a swap account is incomplete (${problem}); Ballast asks again; use a node with full history if this lasts`,
    details: { swapAccount, problem },
  })
}
