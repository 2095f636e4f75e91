import { hexToBigInt, isHex, type TransactionReceipt } from "viem"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { nonceOf } from "./build.ts"
import { findNonceUse, type NonceUse } from "./find-nonce-use.ts"
import { countConfirmations, findReceipt, findTransaction, hashOf } from "./read-transaction.ts"
import type { Answer, EvmClient } from "./rpc.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Reports the state of one of our signed transactions, from the answers of all endpoints. Throws `evm.unobserved`
 * (transient).
 *
 * A missing receipt alone never means `excluded`, because a node may lag: the function finds and names the other
 * transaction that used our nonce. If the node no longer has the state for that, every endpoint must have answered and
 * none may know our transaction.
 */
export async function observeEvmTransaction(
  wallet: Wallet,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  const answers = await wallet.rpc.askEach((client) => readEndpoint(wallet, client, transaction))
  const views = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const best = views.filter(({ receipt }) => receipt !== null).sort(byHead)[0]
  if (best?.receipt) return describeMined(wallet, best.receipt, best.head)
  const proof = views.find(({ use }) => use !== null)
  if (proof?.use) return describeUse(wallet, transaction, proof.use, proof.head)
  if (views.some(({ pending }) => pending)) return { status: "pending" }
  if (views.some(({ nonceUsed }) => nonceUsed)) return concludeUnnamed(answers, views)
  if (views.length === 0) throw firstError(answers)
  return { status: "unseen" }
}

/** The answer of one endpoint. `nonceUsed`: the account has used our nonce. */
type EndpointView = {
  readonly head: bigint
  readonly receipt: TransactionReceipt | null
  readonly pending: boolean
  readonly nonceUsed: boolean
  readonly nonceUsedDeep: boolean
  readonly use: NonceUse | null
}

async function readEndpoint(wallet: Wallet, client: EvmClient, transaction: SignedTransaction): Promise<EndpointView> {
  const [hash, nonce, address] = [hashOf(transaction), nonceOf(transaction.plan), wallet.account]
  const head = await client.getBlockNumber()
  // Read the nonce before the receipt: then a transaction mined between the reads is found and not reported as
  // excluded.
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

/** A node without the state of that block gives `false`; a later read or the other proof decides. */
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

/** OP-stack chains (Base) charge for their data on L1 besides gas, and report that fee as `l1Fee`. */
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
  // Our own transaction is in a block, but the node does not return its receipt yet.
  if (use.hash === transaction.txid) return { status: "pending" }
  return { status: "excluded", by: use.hash, final: countConfirmations(head, use.height) >= wallet.confirmations }
}

function concludeUnnamed(
  answers: readonly Answer<EndpointView>[],
  views: readonly EndpointView[],
): TransactionObservation {
  if (views.length < answers.length) throw firstError(answers)
  return { status: "excluded", by: "unknown", final: views.every(({ nonceUsedDeep }) => nonceUsedDeep) }
}

/** An endpoint that failed may answer later, so the error is transient, except for errors that an operator must fix. */
function firstError(answers: readonly Answer<EndpointView>[]): AppError {
  const error = answers.find((answer) => !answer.ok)?.error
  if (error && ["hold", "fatal", "bug"].includes(error.disposition)) return error
  return new AppError({
    code: "evm.unobserved",
    disposition: "transient",
    message: "Not every EVM endpoint answered, and the other answers do not show the state of the transaction",
    details: { found: error?.message ?? "no endpoint" },
    cause: error,
  })
}

function byHead(a: EndpointView, b: EndpointView): number {
  return Number(b.head - a.head)
}
