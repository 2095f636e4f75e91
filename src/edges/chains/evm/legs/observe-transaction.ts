import type { Hex } from "viem"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Conclusion } from "#nodes/quorum/conclude.ts"
import { type Depths, isDeep } from "../finality.ts"
import { conclude } from "../nodes/agree.ts"
import type { Endpoint } from "../nodes/endpoint.ts"
import type { At } from "../rpc.ts"
import { nonceOf } from "../spend/unsigned.ts"
import type { Wallet } from "../wallet.ts"
import { findRival, type Rival, readIncluded } from "./find-rival.ts"
import { countConfirmations, findTransaction, hashOf } from "./read-transaction.ts"

/**
 * Reports the state of one of our signed transactions, from the answers of all endpoints about one
 * block. Throws `evm.rival_unnamed` (transient) if our nonce is used and no endpoint shows the
 * transaction that used it.
 *
 * A missing receipt never means `excluded`, because a node may lag or prune: `excluded` names the
 * other transaction that used our nonce, which each endpoint has shown with our signature and in
 * its own chain. Contradictions are read as the transaction that may still land.
 */
export async function observeEvmTransaction(
  wallet: Wallet,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  wallet.signed.note(transaction)
  const ask = (at: At): Promise<Fate> => readFate(at, wallet, transaction)
  const early = (node: Pick<Endpoint, "ask">) => findWaiting(node, wallet, transaction)
  const reading = await wallet.rpc.readEach(ask, { tags: true, early })
  const seen = conclude(wallet.rpc, reading, keyOfFate)
  const observation = describe(wallet, reading.heights, seen)
  if (seen.status === "agreed" && observation.status === "mined")
    wallet.rpc.noteReported(observation.height)
  return observation
}

/** What one endpoint shows at the block of the read. `absent`: the nonce is free there. */
export type Fate =
  | { readonly status: "mined"; readonly rival: Rival; readonly feeUnits: bigint }
  | { readonly status: "excluded"; readonly rival: Rival }
  | { readonly status: "absent"; readonly pending: boolean }

/**
 * In the request of the newest block: a transaction that still waits needs no other. `null` where
 * the endpoint does not show it in its mempool, or counts its nonce as used: some keep replaced
 * transactions for a while.
 */
async function findWaiting(
  { ask }: Pick<Endpoint, "ask">,
  { account: address }: Pick<Wallet, "account">,
  transaction: SignedTransaction,
): Promise<Fate | null> {
  try {
    const [found, count] = await ask((client) =>
      Promise.all([
        findTransaction(client, hashOf(transaction)),
        client.getTransactionCount({ address }),
      ]),
    )
    const isWaiting = found?.blockHash === null && count <= nonceOf(transaction.plan)
    return isWaiting ? { status: "absent", pending: true } : null
  } catch {
    return null // The questions about a block meet the same failure, or are answered.
  }
}

/** The mempools of two nodes differ without a contradiction. */
export function keyOfFate(fate: Fate): string {
  return fate.status === "absent" ? fate.status : plainJson(fate)
}

/** Throws `evm.rival_unnamed` (transient). */
export async function readFate(
  at: At,
  wallet: Pick<Wallet, "account" | "signed">,
  transaction: SignedTransaction,
): Promise<Fate> {
  const txid = hashOf(transaction)
  const nonce = nonceOf(transaction.plan)
  const { client, height: blockNumber } = at
  // They begin together, so they are one request.
  const [count, own] = await Promise.all([
    client.getTransactionCount({ address: wallet.account, blockNumber }),
    readIncluded(at, txid),
  ])
  if (own !== null) {
    const { feeUnits, ...rival } = own
    if (count > nonce) return { status: "mined", rival, feeUnits }
    throw inconsistent(txid)
  }
  if (count <= nonce)
    return { status: "absent", pending: (await findTransaction(client, txid)) !== null }
  const candidates = wallet.signed.listBy(nonce).filter((each) => each !== txid)
  const rival = await findRival(at, wallet, { nonce, candidates })
  if (rival === null || rival.txid === txid) throw unnamed(txid, nonce)
  return { status: "excluded", rival }
}

function describe(wallet: Wallet, heights: Depths, seen: Conclusion<Fate>): TransactionObservation {
  const fate = seen.value ?? mostCautious(seen.given)
  if (fate.status === "absent") return { status: seen.given.some(isPending) ? "pending" : "unseen" }
  const { height, ok, txid } = fate.rival
  const isFinal = seen.status === "agreed" && isDeep(wallet.finality.ending, height, heights)
  if (fate.status === "excluded")
    return {
      status: "excluded",
      by: txid,
      final: isFinal,
      ...(fate.rival.isVoid ? { isVoid: true } : {}),
    }
  const isSeen = seen.status !== "split" && isDeep(wallet.finality.seen, height, heights)
  const confirmations = countConfirmations(heights.head, height)
  const { feeUnits } = fate
  return {
    status: "mined",
    ok,
    height,
    confirmations,
    seen: isSeen || isFinal,
    final: isFinal,
    feeUnits,
    ...(seen.status === "agreed" ? {} : { isAlone: true }),
  }
}

function isPending(fate: Fate): boolean {
  return fate.status === "absent" && fate.pending
}

/**
 * Endpoints contradict each other: what may have moved money counts first, and an exclusion last.
 */
function mostCautious(given: readonly Fate[]): Fate {
  const order: readonly Fate["status"][] = ["mined", "absent", "excluded"]
  const found = order.flatMap((status) => given.filter((fate) => fate.status === status))[0]
  return found ?? { status: "absent", pending: false }
}

function unnamed(txid: Hex, nonce: number): AppError {
  return new AppError({
    code: "evm.rival_unnamed",
    disposition: "transient",
    message:
      "Our nonce is used, and this EVM endpoint shows no transaction that used it: it lags, " +
      "or it has pruned that state. Add an endpoint with an archive if this lasts",
    details: { txid, nonce },
  })
}

/** A receipt of a lagging or leading backend: the count and the receipt are not about one block. */
function inconsistent(txid: Hex): AppError {
  return new AppError({
    code: "evm.reorganised",
    disposition: "transient",
    message:
      "The EVM endpoint shows a transaction in a block, and counts its nonce as free there: " +
      "unequal backends",
    details: { txid },
  })
}
