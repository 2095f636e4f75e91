import { ACCOUNTS } from "#books/accounts.ts"
import { walletOf } from "#books/entries-of.ts"
import type { ChainId } from "#domain/asset.ts"
import { feeKey, type LedgerEntry, type Posting } from "#domain/ledger.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import {
  type Clocked,
  type Configured,
  type HasChains,
  type HasJournal,
  type HasPrices,
  nativeIdOf,
} from "../context.ts"
import { readReferencePrice } from "../rules/tick/view-prices.ts"

/** The network fee of a transaction that is in no order's data. */
type Fee = {
  readonly txid: string
  readonly purpose: TransactionPurpose
  readonly feeUnits: bigint
  readonly note: string
  readonly orderId: string | null
}

/**
 * Books a fee once, at the price of now. `isStopped` turns true while the price is read; then
 * nothing is written.
 */
export async function bookFee(
  context: HasJournal<Ledger> & HasPrices & HasChains & Configured & Clocked,
  chain: ChainId,
  { txid, purpose, feeUnits, note, orderId }: Fee,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const { journal, clock } = context
  const postings = await readFeePostings(context, chain, {
    account: ACCOUNTS.network(purpose),
    feeUnits,
  })
  // An order's own transaction may have the same bytes, and booked them while the price was read.
  if (isStopped() || feeUnits === 0n || isFeeBooked(context, txid)) return
  const entry: LedgerEntry = { key: feeKey(txid), kind: "fee", tx: txid, note, postings }
  journal.book({ reversedKeys: [], add: [entry] }, { orderId, atMs: clock.now() })
}

/**
 * The postings of a fee in the chain's native coin, which the wallet pays to `account`, with its
 * worth at the price of now where there is one.
 */
export async function readFeePostings(
  context: HasPrices & HasChains & Configured & Clocked,
  chain: ChainId,
  { account, feeUnits }: { readonly account: string; readonly feeUnits: bigint },
): Promise<readonly Posting[]> {
  const native = nativeIdOf(context, chain)
  const price = await readReferencePrice(context, native)
  const decimals = context.settings.assets.get(native)?.decimals
  const isPriced = price !== null && "fiat" in price && decimals !== undefined
  const fiat = isPriced ? (feeUnits * price.fiat) / 10n ** BigInt(decimals) : null
  return [
    {
      account: walletOf(native),
      asset: native,
      units: -feeUnits,
      fiat: fiat === null ? null : -fiat,
    },
    { account, asset: native, units: feeUnits, fiat },
  ]
}

/** The fee of this transaction is booked, and no later entry reverses it. */
export function isFeeBooked({ journal }: HasJournal<Ledger>, txid: string): boolean {
  const entries = journal.listEntries({ key: feeKey(txid) })
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  return entries.some(({ id, reverses }) => reverses === null && !reversed.has(id))
}
