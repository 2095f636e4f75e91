import { createHash } from "node:crypto"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import type { LegObservation, LegQuery, OnChain } from "../port.ts"
import { sameAddress, scriptOf } from "./address.ts"
import type { Esplora, Spender, Tx } from "./esplora.ts"
import type { Wallet } from "./wallet.ts"

export type Observing = { readonly wallet: Wallet; readonly esplora: Esplora; readonly confirmations: number }

/**
 * Reports the state of one of our signed transactions. If a reorganisation removes its block, the transaction shows
 * fewer confirmations, or `unseen` again. Throws only the errors of Esplora reads.
 *
 * `excluded` needs another transaction that spends one of our inputs: positive evidence, never the mere absence of ours.
 */
export async function observeTransaction(
  observing: Observing,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  const { esplora } = observing
  // Read the height first: a block between the reads then yields one confirmation too few, never one too many.
  const tip = await esplora.fetchHeight()
  const tx = await esplora.findTx(transaction.txid)
  if (tx !== null) return observeIncluded(observing, transaction, tx.height, tip)

  const spenders = (
    await Promise.all(transaction.plan.resources.map((outpoint) => esplora.findSpender(parseOutpoint(outpoint))))
  ).filter((spender) => spender !== null)
  const [highest] = spenders.sort(confirmedFirst)
  if (highest === undefined) return { status: "unseen" }
  if (highest.txid === transaction.txid) return observeIncluded(observing, transaction, highest.height, tip)
  const final = highest.height !== null && depthOf(highest.height, tip) >= observing.confirmations
  return { status: "excluded", by: highest.txid, final }
}

/**
 * Reports the state of one HTLC of an order, as our own node shows it. Only confirmed transactions count.
 * `query.fromHeight` has no effect here, because Esplora indexes by address. Heights are blocks, amounts satoshi.
 *
 * The secret tells a redeem from a refund: a redeeming witness carries a preimage of the secret hash.
 */
export async function observeLeg(observing: Observing, query: LegQuery): Promise<LegObservation> {
  const height = await observing.esplora.fetchHeight()
  const funding = await findFunding(observing, query)
  const spend =
    query.htlc === null ? await findHintedRedeem(observing, query) : await findSpend(observing, query, funding)
  const initiated =
    funding === null ? null : { ...onChain(observing, funding.txid, funding.height, height), units: funding.totalUnits }
  const paid = spend === null ? null : describeSpend(observing, query, spend, height)
  return {
    height,
    initiated,
    redeemed: paid !== null && paid.secret !== null ? paid : null,
    refunded: paid !== null && paid.secret === null ? withoutSecret(paid) : null,
    refundableAt: initiated === null || query.timelock === null ? null : initiated.height + query.timelock,
  }
}

type Funding = {
  readonly txid: string
  readonly vout: number
  readonly height: bigint
  readonly units: bigint
  /** The sum of all confirmed outputs to the address. */
  readonly totalUnits: bigint
}

type Spend = { readonly tx: Tx; readonly height: bigint; readonly secret: string | null }

/**
 * Finds the output that represents the HTLC: the one with exactly the order's amount, else the largest. Anyone can send
 * more to the address; such a payment must not make us observe a different output.
 */
async function findFunding({ esplora, wallet }: Observing, query: LegQuery): Promise<Funding | null> {
  const { htlc, hints } = query
  // The service reports the address, and it becomes part of a URL path: ask only for a valid address of this network.
  if (htlc === null || scriptOf(htlc, wallet.network) === null) return null
  const hinted = await Promise.all(txidsIn(hints.initiateTx).map((txid) => esplora.findTx(txid)))
  const listed = await esplora.listTxs(htlc)
  const known = new Map([...hinted, ...listed].flatMap((tx) => (tx === null ? [] : [[tx.txid, tx] as const])))
  const outputs = [...known.values()].flatMap((tx) => outputsTo(tx, htlc, wallet))
  const totalUnits = outputs.reduce((sum, { units }) => sum + units, 0n)
  const [chosen] = outputs.sort(
    (a, b) =>
      byTrue(a.units === query.units, b.units === query.units) || byBig(b.units, a.units) || byBig(a.height, b.height),
  )
  return chosen === undefined ? null : { ...chosen, totalUnits }
}

function outputsTo(tx: Tx, address: string, wallet: Wallet): Omit<Funding, "totalUnits">[] {
  const { txid, height } = tx
  if (height === null) return []
  return tx.outputs.flatMap((output, vout) =>
    output.address !== null && sameAddress(output.address, address, wallet.network)
      ? [{ txid, vout, height, units: output.units }]
      : [],
  )
}

async function findSpend({ esplora }: Observing, query: LegQuery, funding: Funding | null): Promise<Spend | null> {
  if (funding === null) return null
  const spender = await esplora.findSpender(funding)
  if (spender === null || spender.height === null) return null
  const tx = await esplora.findTx(spender.txid)
  const input = tx?.inputs.find(({ txid, vout }) => txid === funding.txid && vout === funding.vout)
  // A reorganisation removed the spend between the two reads. The next observation shows the new state.
  if (tx === null || tx.height === null || input === undefined) return null
  return { tx, height: tx.height, secret: secretIn(input.witness, query.secretHash) }
}

/**
 * If the HTLC itself is unknown, a reported redeem of the destination counts only if it carries the preimage.
 *
 * A known HTLC never uses this hint: the service knows the secret and could show it in any transaction, while the HTLC
 * is still unspent.
 */
async function findHintedRedeem({ esplora }: Observing, query: LegQuery): Promise<Spend | null> {
  const [txid] = txidsIn(query.hints.redeemTx)
  const tx = txid === undefined || query.side === "source" ? null : await esplora.findTx(txid)
  if (tx === null || tx.height === null) return null
  const secret = tx.inputs.map(({ witness }) => secretIn(witness, query.secretHash)).find((found) => found !== null)
  return secret === undefined ? null : { tx, height: tx.height, secret }
}

function describeSpend(observing: Observing, query: LegQuery, { tx, height, secret }: Spend, tip: bigint) {
  const paidUnits = outputsTo(tx, query.owner, observing.wallet).reduce((sum, { units }) => sum + units, 0n)
  return { ...onChain(observing, tx.txid, height, tip), paidUnits, secret }
}

function withoutSecret({ secret: _none, ...refund }: ReturnType<typeof describeSpend>) {
  return refund
}

/** The script accepts a preimage of any length, so only the hash identifies the secret. */
function secretIn(witness: readonly string[], secretHash: string): string | null {
  const hashOf = (hex: string): string => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex")
  return witness.find((item) => hashOf(item) === secretHash) ?? null
}

/**
 * Reads the transaction ids of a hint: `txid:height`, comma-joined for several deposits (field notes of the interface),
 * or bare ids.
 */
function txidsIn(hint: string | null): string[] {
  const ids = (hint ?? "").split(",").map((part) => /^\s*(?:0x)?([0-9a-f]{64})(?![0-9a-f])/i.exec(part)?.[1])
  return [...new Set(ids.flatMap((id) => (id === undefined ? [] : [id.toLowerCase()])))].slice(0, MAX_HINTS)
}

/** The service writes the hints, and a long one must not make us ask for thousands of transactions. */
const MAX_HINTS = 8

/** The plan states the exact fee of our own bytes, because the transaction id fixes inputs and outputs. */
function observeIncluded(
  observing: Observing,
  transaction: SignedTransaction,
  height: bigint | null,
  tip: bigint,
): TransactionObservation {
  if (height === null) return { status: "pending" }
  const { confirmations, final } = onChain(observing, transaction.txid, height, tip)
  return { status: "mined", ok: true, height, confirmations, final, feeUnits: transaction.plan.maxFeeUnits }
}

function onChain({ confirmations: depth }: Observing, txid: string, height: bigint, tip: bigint): OnChain {
  const confirmations = depthOf(height, tip)
  return { txid, height, confirmations, final: confirmations >= depth }
}

/** Counts from 1: the transaction's own block is its first confirmation. */
function depthOf(height: bigint, tip: bigint): number {
  return Number(tip < height ? 1n : tip - height + 1n)
}

function parseOutpoint(outpoint: string): { txid: string; vout: number } {
  return { txid: outpoint.slice(0, outpoint.indexOf(":")), vout: Number(outpoint.slice(outpoint.indexOf(":") + 1)) }
}

/** Lowest block first, the mempool last. */
function confirmedFirst(a: Spender, b: Spender): number {
  return (
    byTrue(a.height !== null, b.height !== null) ||
    (a.height === null || b.height === null ? 0 : byBig(a.height, b.height))
  )
}

function byTrue(a: boolean, b: boolean): number {
  return Number(b) - Number(a)
}

function byBig(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1
}
