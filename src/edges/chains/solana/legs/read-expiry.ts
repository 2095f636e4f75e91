import { SystemProgram, VersionedMessage } from "@solana/web3.js"
import type { Reason } from "#domain/reason.ts"
import type { SignatureLife, SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { SIGNATURE_PAGE, type SolanaNode } from "../node.ts"
import type { Endpoint } from "../nodes/endpoints.ts"
import { swapAccountOf } from "../spend/assemble.ts"

/** `expired`: the endpoint proves that the transaction is in no block and can never enter one. */
type Expiry = { readonly expired: true } | { readonly expired: false; readonly why: Reason | null }

/**
 * Asks one endpoint whether a transaction that it does not know can never land. No other
 * transaction excludes one on Solana, so the proof is the end of its blockhash's life, and a
 * history in which the transaction is missing. The endpoint must show all of this:
 *
 * - Its finalized block height is above the last valid one, and its finalized bank refuses the
 *   blockhash. The second does not depend on the height that the planning endpoint named. Slots
 *   enough have passed since the planning that this bank has known the blockhash.
 * - It does not know the transaction after that, in all blocks that it has.
 * - It has all blocks since the planning: the wallet's own signatures reach further back in one
 *   answer, or its first block is older each time that it is asked, in turns with the search, in
 *   case a load balancer changes between nodes.
 * - The deposit's swap account does not exist at a finalized slot, or another transaction opened
 *   it.
 *
 * `minSlot` is the agreed finalized slot. Throws `solana.history_incomplete` (transient) where the
 * endpoint contradicts itself.
 */
export async function readExpiry(
  { plan, txid }: SignedTransaction,
  endpoint: Endpoint,
  minSlot: bigint,
): Promise<Expiry> {
  const { expiresAtHeight, fromHeight } = plan
  if (expiresAtHeight === null) return ALIVE
  const { recentBlockhash: blockhash } = VersionedMessage.deserialize(
    Buffer.from(plan.unsigned, "base64"),
  )
  const life = { blockhash, fromHeight, expiresAtHeight }
  const deadSlot = await findDeadSlot(life, endpoint, minSlot)
  if (deadSlot === null) return ALIVE
  const later = endpoint.node({ commitment: "finalized", minSlot: deadSlot })
  const firstBefore = await later.fetchFirstSlot()
  if ((await later.fetchStatus(txid)).status !== null) return ALIVE
  const isOpen = await isOpenedByUs(plan, txid, later)
  const reaches = await reachesBack(plan.account, txid, fromHeight, later)
  if (!reaches) {
    const first =
      firstBefore > fromHeight ? firstBefore : await searchInTurns(txid, fromHeight, later)
    if (first === null) return ALIVE
    if (first > fromHeight)
      return { expired: false, why: describePruned(endpoint.host, first, fromHeight) }
  }
  if (isOpen) return { expired: false, why: describeOpen(endpoint.host, swapAccountOf(plan) ?? "") }
  return { expired: true }
}

/**
 * A finalized slot in which no block takes the signature any more; `null` while one might. The bank
 * refuses the blockhash too, so that no false height is enough.
 */
export async function findDeadSlot(
  { blockhash, fromHeight, expiresAtHeight }: SignatureLife,
  endpoint: Endpoint,
  minSlot: bigint,
): Promise<bigint | null> {
  if (minSlot < fromHeight + SETTLED_AFTER_SLOTS) return null
  const node = endpoint.node({ commitment: "finalized", minSlot })
  if ((await node.fetchBlockHeight()) <= expiresAtHeight) return null
  const bank = await node.fetchBlockhashState(blockhash)
  return bank.isValid ? null : bank.slot
}

const ALIVE: Expiry = { expired: false, why: null }

/** A load balancer that sends each request to one of two nodes errs once in 2^16 proofs. */
export const ABSENCE_ROUNDS = 8

/**
 * The endpoint's first slot; `null` when it knows the transaction. An address may have a full node
 * and a pruned one behind it, so that one does not know the transaction and the other one has all
 * blocks. So both questions are asked in turns, and each answer counts.
 */
async function searchInTurns(
  txid: string,
  fromHeight: bigint,
  node: SolanaNode,
): Promise<bigint | null> {
  let first = 0n
  for (let round = 0; round < ABSENCE_ROUNDS && first <= fromHeight; round++) {
    first = await node.fetchFirstSlot()
    if ((await node.fetchStatus(txid)).status !== null) return null
  }
  return first
}

/**
 * A blockhash lives for 150 blocks, which are at least as many slots. The rest covers the distance
 * between the agreed slot of the planning and the newest block at that moment: a bank that does not
 * know the blockhash yet refuses it as well.
 */
const SETTLED_AFTER_SLOTS = 200n

const MOST_PAGES = 3

/**
 * Whether one answer after the other lists the wallet's transactions without a gap from the newest
 * back to before `fromHeight`.
 */
async function reachesBack(
  account: string,
  txid: string,
  fromHeight: bigint,
  node: SolanaNode,
): Promise<boolean> {
  let before: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const entries = await node.findSignatures(account, before)
    if (entries.some(({ signature }) => signature === txid))
      throw contradicts(txid, "the wallet's history lists it")
    const oldest = entries.at(-1)
    if (oldest === undefined) return false
    if (oldest.slot < fromHeight) return true
    if (entries.length < SIGNATURE_PAGE) return false
    before = oldest.signature
  }
  return false
}

/**
 * Whether the deposit's swap account is open, and no other transaction explains it. A system
 * account at that address only holds lamports that strangers may send there.
 */
async function isOpenedByUs(
  plan: SignedTransaction["plan"],
  txid: string,
  node: SolanaNode,
): Promise<boolean> {
  const swapAccount = swapAccountOf(plan)
  if (swapAccount === null) return false
  const account = await node.fetchAccount(swapAccount)
  const entries = await node.findSignatures(swapAccount, null)
  if (entries.some(({ signature }) => signature === txid))
    throw contradicts(txid, "the swap account's history lists it")
  if (account === null || account.owner === SystemProgram.programId.toBase58()) return false
  return !entries.some(({ err }) => err === null)
}

function contradicts(txid: string, problem: string): AppError {
  return new AppError({
    code: "solana.history_incomplete",
    disposition: "transient",
    message:
      `the node does not know a transaction, but ${problem}; Ballast asks again; use a node ` +
      "with full history if this lasts",
    details: { txid, problem },
  })
}

export function describePruned(endpoint: string, firstSlot: bigint, fromHeight: bigint) {
  return {
    code: "solana.history_pruned",
    message:
      `The endpoint ${endpoint} has no blocks before slot ${firstSlot}, so it cannot show what ` +
      `happened since slot ${fromHeight}; use a node with a longer history`,
    endpoint,
    firstSlot: `${firstSlot}`,
    fromHeight: `${fromHeight}`,
  } satisfies Reason
}

function describeOpen(endpoint: string, swapAccount: string): Reason {
  return {
    code: "solana.swap_account_open",
    message:
      `The endpoint ${endpoint} does not know the deposit, but shows its swap account as open; ` +
      "use a node with a longer history",
    endpoint,
    swapAccount,
  }
}
