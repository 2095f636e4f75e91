import type { Transaction } from "bitcoinjs-lib"
import { sameBytes } from "../address.ts"
import type { Esplora } from "../esplora.ts"
import type { Endpoint } from "../nodes/endpoint.ts"
import { txidOf } from "../spend/raw-transaction.ts"
import type { Wallet } from "../wallet.ts"

/** An output that pays an HTLC, in a block. */
type LockedOutput = {
  readonly txid: string
  readonly vout: number
  readonly units: bigint
  readonly height: bigint
}

/**
 * Sorts the outputs of an HTLC: first those of exactly the order's amount, the oldest first, and
 * then the largest. Strangers can pay the address, before and after the order's own payment, so
 * observation, redemption and refund take the first one of this order. Pure.
 */
export function sortOutputs<T extends LockedOutput>(
  outputs: readonly T[],
  units: bigint,
): readonly T[] {
  const rank = ({ units: own }: T): number => (own === units ? 0 : 1)
  return outputs.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compare(b.units, a.units) ||
      compare(a.height, b.height) ||
      compare(a.txid, b.txid) ||
      a.vout - b.vout,
  )
}

/**
 * The same, with our own deposits before payments of strangers that have the same amount: a refund
 * must not leave ours behind. Where only one output has the amount, nothing is read.
 */
export async function sortDeposits<T extends LockedOutput>(
  { esplora, wallet }: { readonly esplora: Esplora; readonly wallet: Pick<Wallet, "script"> },
  outputs: readonly T[],
  units: bigint,
  endpoint?: Endpoint,
): Promise<readonly T[]> {
  const sorted = sortOutputs(outputs, units)
  const exact = sorted.filter((output) => output.units === units)
  if (exact.length < 2) return sorted
  const own: T[] = []
  for (const output of exact.slice(0, MOST_EXACT)) {
    const transaction = await esplora.findRaw(output.txid, endpoint)
    if (transaction !== null && (await spendsFrom(esplora, transaction, wallet.script, endpoint)))
      own.push(output)
  }
  return [...own, ...sorted.filter((output) => !own.includes(output))]
}

/** Each one costs its sender the whole amount. */
export const MOST_EXACT = 10

async function spendsFrom(
  esplora: Esplora,
  transaction: Transaction,
  script: Uint8Array,
  endpoint?: Endpoint,
): Promise<boolean> {
  // Ballast builds no deposit with more inputs than this before it consolidates, and one of them is
  // enough.
  for (const { hash, index } of transaction.ins.slice(0, 3)) {
    const spent = (await esplora.findRaw(txidOf(hash), endpoint))?.outs[index]
    if (spent !== undefined && sameBytes(spent.script, script)) return true
  }
  return false
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1
}
