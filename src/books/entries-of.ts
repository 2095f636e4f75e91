import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { LedgerEntry, Posting } from "#domain/ledger.ts"
import type { MinedTransaction, OrderData } from "#order/data.ts"
import { ACCOUNTS } from "./accounts.ts"
import { createValuation, type Valuation } from "./valuation.ts"

/**
 * Everything that is to be in the ledger of one order by what the order knows now. Pure, and told from knowledge alone: what a block showed is
 * booked, what a reorganisation took back is not there any more, and nothing can be booked twice.
 */
export function entriesOf(data: OrderData, house: Wallets): readonly LedgerEntry[] {
  const books = openBooks(data, house)
  return [
    ...data.mined.flatMap((transaction) => bookFee(books, transaction)),
    ...bookDeposit(books),
    ...bookPayout(books),
    ...bookReturn(books),
    ...bookRent(books),
  ]
}

/** What the books must know of the wallets. */
export type Wallets = {
  readonly assets: readonly Asset[]
  /** The coin in which the chain takes network fees: the configured asset, else `<chain>:native`. */
  readonly nativeOf: (chain: ChainId) => AssetId
  /** The chain takes the network fee of a refund out of the refunded amount. */
  readonly takesRefundFeeFromAmount: (chain: ChainId) => boolean
  /** Is this address the wallet on the asset's chain? */
  readonly isOurs: (asset: AssetId, address: string) => boolean
}

type Books = {
  readonly data: OrderData
  readonly native: AssetId
  readonly value: Valuation
  readonly house: Wallets
}

function openBooks(data: OrderData, house: Wallets): Books {
  const native = house.nativeOf(chainOf(data.request.from))
  const decimalsOf = (id: AssetId): number | null => house.assets.find((asset) => asset.id === id)?.decimals ?? null
  return { data, native, value: createValuation(data, native, decimalsOf), house }
}

/** A transaction that failed on chain has cost its fee all the same. */
function bookFee({ native, value, house }: Books, { purpose, txid, ok, feeUnits }: MinedTransaction): LedgerEntry[] {
  // A fee that the chain takes out of the refunded amount is booked with the refund.
  const fromHtlc = purpose === "refund" && house.takesRefundFeeFromAmount(chainOf(native))
  if (feeUnits === 0n || fromHtlc) return []
  const postings = transfer(value, native, feeUnits, walletOf(native), ACCOUNTS.network(purpose))
  return [{ key: `fee:${txid}`, kind: "fee", tx: txid, note: ok ? purpose : `${purpose}, failed on chain`, postings }]
}

/** Into the HTLC: by our own transaction, or by a relay's with our signature, which costs us no network fee. */
function bookDeposit({ data, native, value }: Books): LedgerEntry[] {
  const own = data.mined.find(({ purpose, ok }) => purpose === "deposit" && ok)
  const relayed = data.gasless === null ? null : data.seen.sourceInitiated
  const txid = own?.txid ?? relayed?.txid
  if (txid === undefined) return []
  const { from, sourceUnits } = data.request
  const heldUnits = own?.heldUnits ?? 0n
  return [
    {
      key: `deposit:${txid}`,
      kind: "deposit",
      tx: txid,
      note: own ? null : "relayed",
      postings: [
        ...transfer(value, from, sourceUnits, walletOf(from), ACCOUNTS.inTransit(data.id)),
        ...transfer(value, native, heldUnits, walletOf(native), ACCOUNTS.rent(data.id)),
      ],
    },
  ]
}

/**
 * The exchange: source units out of transit, destination units into the wallet. What of the source's value did not arrive by the quote is the
 * cost of service and solver, the affiliates' part by itself.
 */
function bookPayout({ data, value, house }: Books): LedgerEntry[] {
  if (data.receipt === null || data.terms === null) return []
  const { from, to, sourceUnits, destinationUnits } = data.terms
  const { txid, units } = data.receipt
  const cost = splitCost(data)
  // A sweep may pay to somebody else's address: then it is as if we had been paid and had sent it on.
  const payee = house.isOurs(to, data.terms.destinationOwner) ? walletOf(to) : ACCOUNTS.outside
  return [
    {
      key: `payout:${txid}`,
      kind: "payout",
      tx: txid,
      note: null,
      postings: [
        value.post(ACCOUNTS.inTransit(data.id), from, -sourceUnits),
        value.post(ACCOUNTS.swap, from, cost.swapUnits),
        value.post(ACCOUNTS.affiliate, from, cost.affiliateUnits),
        value.post(ACCOUNTS.exchange, from, sourceUnits - cost.swapUnits - cost.affiliateUnits),
        value.post(ACCOUNTS.exchange, to, -destinationUnits),
        value.post(ACCOUNTS.payout, to, destinationUnits - units),
        value.post(payee, to, units),
      ].filter(isSomething),
    },
  ]
}

/** In units of the source asset, by the quote's values; nothing where the quote had none: then all of it is in the exchange. */
export function splitCost({ quote, terms, affiliateBps }: OrderData): { swapUnits: bigint; affiliateUnits: bigint } {
  const { sourceFiat, destinationFiat } = quote ?? { sourceFiat: null, destinationFiat: null }
  if (terms === null || sourceFiat === null || destinationFiat === null || sourceFiat === 0n) {
    return { swapUnits: 0n, affiliateUnits: 0n }
  }
  const costUnits = (terms.sourceUnits * (sourceFiat - destinationFiat)) / sourceFiat
  const asked = (terms.sourceUnits * BigInt(affiliateBps)) / 10_000n
  const affiliateUnits = costUnits <= 0n ? 0n : asked < costUnits ? asked : costUnits
  return { swapUnits: costUnits - affiliateUnits, affiliateUnits }
}

/** Out of the HTLC again. What came back less is the refund's own network fee where we sent it, and a cost of the swap otherwise. */
function bookReturn({ data, value }: Books): LedgerEntry[] {
  if (data.returned === null) return []
  const { from, sourceUnits } = data.request
  const { txid, units } = data.returned
  const ours = data.transactions.refund.signed.some((transaction) => transaction.txid === txid)
  // Paid out and returned: the solver's loss, and none of the order's own money is in transit any more.
  const origin = data.receipt === null ? ACCOUNTS.inTransit(data.id) : ACCOUNTS.exchange
  const postings = [
    value.post(origin, from, -sourceUnits),
    value.post(walletOf(from), from, units),
    value.post(ours ? ACCOUNTS.network("refund") : ACCOUNTS.swap, from, sourceUnits - units),
  ].filter(isSomething)
  return [{ key: `refund:${txid}`, kind: "refund", tx: txid, note: ours ? null : "sent by somebody else", postings }]
}

/** Never more than was lent: anything beyond is somebody else's money. */
function bookRent({ data, native, value }: Books): LedgerEntry[] {
  if (data.rentReturned === null) return []
  const heldUnits = data.mined.find(({ purpose, ok }) => purpose === "deposit" && ok)?.heldUnits ?? 0n
  const { txid } = data.rentReturned
  const units = data.rentReturned.units < heldUnits ? data.rentReturned.units : heldUnits
  if (units <= 0n) return []
  const postings = transfer(value, native, units, ACCOUNTS.rent(data.id), walletOf(native))
  return [{ key: `rent:${txid}`, kind: "rent", tx: txid, note: null, postings }]
}

/** The rent of an order that had ended when its HTLC was closed. */
export function closingRent(data: OrderData, house: Wallets, released: { txid: string; units: bigint }): LedgerEntry[] {
  return bookRent(openBooks({ ...data, rentReturned: released }, house))
}

function transfer(value: Valuation, asset: AssetId, units: bigint, from: string, to: string): Posting[] {
  return [value.post(from, asset, -units), value.post(to, asset, units)].filter(isSomething)
}

function isSomething({ units }: Posting): boolean {
  return units !== 0n
}

export function walletOf(asset: AssetId): string {
  return ACCOUNTS.wallet(chainOf(asset))
}
