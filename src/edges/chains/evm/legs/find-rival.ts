import { type Hex, isAddressEqual, type Transaction } from "viem"
import type { At } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import { findNonceUse } from "./find-nonce-use.ts"
import { findReceipt, findTransaction, isSignedWith } from "./read-transaction.ts"

/**
 * The transaction that used one of our nonces, fetched and checked. `ok`: false if it reverted.
 * `isVoid`: it sends nothing, to ourselves.
 */
export type Rival = {
  readonly txid: Hex
  readonly height: bigint
  readonly blockHash: Hex
  readonly ok: boolean
  readonly isVoid?: true
}

/**
 * Finds the transaction that used `nonce` at or before the block of the read. It must be in a block
 * of the endpoint's own chain, and its fields must give its hash, our signature and this nonce.
 *
 * Candidates come first: transactions that Ballast signed itself with this nonce. They are found by
 * hash, also where a node no longer keeps the old states that the search by transaction counts
 * needs. `null` if no transaction shows the use: the node has pruned it, or the nonce was used
 * without a transaction of ours (an EIP-7702 authorisation). That proves nothing.
 */
export async function findRival(
  at: At,
  wallet: Pick<Wallet, "account">,
  { nonce, candidates }: { readonly nonce: number; readonly candidates: readonly Hex[] },
): Promise<Rival | null> {
  for (const txid of candidates) {
    const rival = await readRival(at, wallet, txid, nonce)
    if (rival !== null) return rival
  }
  const use = await findNonceUse(at.client, { address: wallet.account, nonce, head: at.height })
  return use === null ? null : readRival(at, wallet, use.hash, nonce)
}

async function readRival(
  at: At,
  { account }: Pick<Wallet, "account">,
  txid: Hex,
  nonce: number,
): Promise<Rival | null> {
  const included = await readIncluded(at, txid)
  if (included === null) return null
  const transaction = await findTransaction(at.client, txid)
  if (transaction === null || !(await isSignedWith(transaction, account, nonce))) return null
  return isVoid(transaction, account) ? { ...included, isVoid: true } : included
}

/** Another type could do more: an EIP-7702 transaction sets the account's code. */
function isVoid({ type, to, value, input }: Transaction, account: Hex): boolean {
  return (
    type === "eip1559" &&
    to !== null &&
    isAddressEqual(to, account) &&
    value === 0n &&
    input === "0x"
  )
}

/**
 * The block of a transaction, as far as the block of the read is concerned: `null` if it has no
 * receipt there. The read fails if that block is not on the endpoint's own chain.
 */
export async function readIncluded(
  at: At,
  txid: Hex,
): Promise<(Rival & { feeUnits: bigint }) | null> {
  at.foresee(txid)
  const receipt = await findReceipt(at.client, txid)
  if (receipt === null || receipt.blockNumber > at.height) return null
  const { blockNumber: height, blockHash, status, gasUsed, effectiveGasPrice } = receipt
  at.requireCanonical({ txid, height, blockHash })
  const feeUnits = gasUsed * effectiveGasPrice + readL1Fee(receipt)
  // CAST: lower case changes no digit.
  return {
    txid,
    height,
    blockHash: blockHash.toLowerCase() as Hex,
    ok: status === "success",
    feeUnits,
  }
}

/**
 * OP-stack chains (Base) charge for their data on L1 besides gas, and report that fee as `l1Fee`.
 */
function readL1Fee(receipt: object): bigint {
  const l1Fee: unknown = "l1Fee" in receipt ? receipt.l1Fee : undefined
  return typeof l1Fee === "string" && /^0x[0-9a-f]{1,64}$/i.test(l1Fee) ? BigInt(l1Fee) : 0n
}
