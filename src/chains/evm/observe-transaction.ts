import { hexToBigInt, isHex, type TransactionReceipt } from "viem"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { nonceOf } from "./build.ts"
import { findNonceUse, type NonceUse } from "./find-nonce-use.ts"
import { countConfirmations, findReceipt, findTransaction, hashOf } from "./read-transaction.ts"
import type { Answer, EvmClient } from "./rpc.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Where a signed move of ours stands, by all endpoints together.
 *
 * `excluded` is never concluded from one missing receipt, because a node may lag: the other transaction that used our nonce is looked for and
 * named; where the node no longer has the state for that, every endpoint must have answered and none may know ours.
 */
export async function observeEvmTransaction(
  wallet: Wallet,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  const answers = await wallet.rpc.askEach((client) => look(wallet, client, transaction))
  const sights = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const best = sights.filter(({ receipt }) => receipt !== null).sort(byHead)[0]
  if (best?.receipt) return describeMined(wallet, best.receipt, best.head)
  const proof = sights.find(({ use }) => use !== null)
  if (proof?.use) return describeUse(wallet, transaction, proof.use, proof.head)
  if (sights.some(({ pending }) => pending)) return { status: "pending" }
  if (sights.some(({ nonceUsed }) => nonceUsed)) return concludeUnnamed(answers, sights)
  if (sights.length === 0) throw firstError(answers)
  return { status: "unseen" }
}

/** What one endpoint shows. `nonceUsed`: the account is past our nonce. */
type Sight = {
  readonly head: bigint
  readonly receipt: TransactionReceipt | null
  readonly pending: boolean
  readonly nonceUsed: boolean
  readonly nonceUsedDeep: boolean
  readonly use: NonceUse | null
}

async function look(wallet: Wallet, client: EvmClient, transaction: SignedTransaction): Promise<Sight> {
  const [hash, nonce, address] = [hashOf(transaction), nonceOf(transaction.plan), wallet.account]
  const head = await client.getBlockNumber()
  // The nonce is read before the receipt: a transaction mined in between is then found, and not taken for excluded.
  const nonceUsed = (await client.getTransactionCount({ address, blockTag: "latest" })) > nonce
  const nothing = { head, receipt: null, pending: false, nonceUsed, nonceUsedDeep: false, use: null }
  const receipt = await findReceipt(client, hash)
  if (receipt !== null) return { ...nothing, receipt }
  const pending = (await findTransaction(client, hash)) !== null
  if (!nonceUsed) return { ...nothing, pending }
  const depth = head - BigInt(wallet.confirmations) + 1n
  const nonceUsedDeep = await wasUsed(client, address, nonce, depth)
  return { ...nothing, pending, nonceUsedDeep, use: await findNonceUse(client, { address, nonce, head }) }
}

/** A node without the state of that block says nothing; a later read, or the other proof, will. */
async function wasUsed(
  client: EvmClient,
  address: `0x${string}`,
  nonce: number,
  blockNumber: bigint,
): Promise<boolean> {
  if (blockNumber < 0n) return false
  const count = await client.getTransactionCount({ address, blockNumber }).catch(() => null)
  return count !== null && count > nonce
}

function describeMined(wallet: Wallet, receipt: TransactionReceipt, head: bigint): TransactionObservation {
  const confirmations = countConfirmations(head, receipt.blockNumber)
  return {
    status: "mined",
    ok: receipt.status === "success",
    height: receipt.blockNumber,
    confirmations,
    final: confirmations >= wallet.confirmations,
    feeUnits: receipt.gasUsed * receipt.effectiveGasPrice + readL1Fee(receipt),
  }
}

/** OP-stack chains (Base) charge for their data on L1 beside the gas, and say so in `l1Fee`. */
function readL1Fee(receipt: TransactionReceipt): bigint {
  const l1Fee: unknown = "l1Fee" in receipt ? receipt.l1Fee : undefined
  return isHex(l1Fee) ? hexToBigInt(l1Fee) : 0n
}

function describeUse(
  wallet: Wallet,
  transaction: SignedTransaction,
  use: NonceUse,
  head: bigint,
): TransactionObservation {
  // Our own transaction is in a block, and its receipt is still to come.
  if (use.hash === transaction.txid) return { status: "pending" }
  return { status: "excluded", by: use.hash, final: countConfirmations(head, use.height) >= wallet.confirmations }
}

function concludeUnnamed(answers: readonly Answer<Sight>[], sights: readonly Sight[]): TransactionObservation {
  if (sights.length < answers.length) throw firstError(answers)
  return { status: "excluded", by: "unknown", final: sights.every(({ nonceUsedDeep }) => nonceUsedDeep) }
}

/** Whatever kept an endpoint from answering, it may answer later; only a wrong chain is for a person. */
function firstError(answers: readonly Answer<Sight>[]): AppError {
  const error = answers.find((answer) => !answer.ok)?.error
  if (error && ["hold", "fatal", "bug"].includes(error.disposition)) return error
  return new AppError({
    code: "evm.unobserved",
    disposition: "transient",
    message: "Not every EVM endpoint answered, and the others do not tell what became of the transaction",
    details: { found: error?.message ?? "no endpoint" },
    cause: error,
  })
}

function byHead(a: Sight, b: Sight): number {
  return Number(b.head - a.head)
}
