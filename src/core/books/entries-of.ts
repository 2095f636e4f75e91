import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { feeKey, type LedgerEntry, type Posting } from "#domain/ledger.ts"
import { listEverSigned, type MinedTransaction, type OrderData } from "#order/data.ts"
import { ACCOUNTS } from "./accounts.ts"
import { createValuation, type Valuation } from "./valuation.ts"

/**
 * All ledger entries of one order, derived from its present data alone. Pure: a transaction that a
 * block shows is booked, one that a reorganisation removed is absent, and no entry appears twice.
 */
export function entriesOf(data: OrderData, wallets: Wallets): readonly LedgerEntry[] {
  const books = openBooks(data, wallets)
  return [
    ...data.mined.flatMap((transaction) => bookFee(books, transaction)),
    ...bookDeposit(books),
    ...bookPayout(books),
    ...bookReturn(books),
    ...bookRent(books),
  ]
}

/** The wallets of this daemon, as the books need them. */
export type Wallets = {
  readonly assets: readonly Asset[]
  /**
   * The coin in which the chain takes network fees: the configured asset, else `<chain>:native`.
   */
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
  readonly wallets: Wallets
}

function openBooks(data: OrderData, wallets: Wallets): Books {
  const native = wallets.nativeOf(chainOf(data.request.from))
  const decimalsOf = (id: AssetId): number | null =>
    wallets.assets.find((asset) => asset.id === id)?.decimals ?? null
  const payoutCoin = wallets.nativeOf(chainOf(data.request.to))
  return { data, native, value: createValuation(data, native, decimalsOf, payoutCoin), wallets }
}

/** A transaction that failed on chain has still cost its fee. */
function bookFee(
  { data, value, wallets, ...books }: Books,
  mined: MinedTransaction,
): LedgerEntry[] {
  const { purpose, txid, ok, feeUnits } = mined
  const native = purpose === "redeem" ? wallets.nativeOf(chainOf(data.request.to)) : books.native
  // Where the HTLC's amount pays the fee, `bookReturn` or `bookPayout` books it.
  const closesHtlc = purpose === "refund" || purpose === "redeem"
  const fromHtlc = closesHtlc && wallets.takesRefundFeeFromAmount(chainOf(native))
  if (feeUnits === 0n || fromHtlc) return []
  const postings = transfer(value, native, feeUnits, walletOf(native), ACCOUNTS.network(purpose))
  return [
    {
      key: feeKey(txid),
      kind: "fee",
      tx: txid,
      note: ok ? purpose : `${purpose}, failed on chain`,
      postings,
    },
  ]
}

/**
 * Books the transfer into the HTLC, by our own transaction or by a relay with our signature. The
 * relay's costs us no network fee.
 */
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
 * Books the exchange: source units leave transit, destination units enter the wallet. The part of
 * the source's value that the quote does not pay out is the cost of service and solver; the
 * affiliates' part of it has its own account.
 */
function bookPayout({ data, value, wallets }: Books): LedgerEntry[] {
  if (data.receipt === null || data.terms === null) return []
  const { from, to, sourceUnits, destinationUnits } = data.terms
  const { txid, units } = data.receipt
  const cost = splitCost(data)
  // A sweep may pay an address outside the treasury. The books treat that as a payout to us that we
  // passed on.
  const payee = wallets.isOurs(to, data.terms.destinationOwner) ? walletOf(to) : ACCOUNTS.outside
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

/**
 * The cost in units of the source asset, by the quote's values. Without values the cost is zero and
 * stays part of the exchange.
 */
export function splitCost({ quote, terms, affiliateBps }: OrderData): {
  swapUnits: bigint
  affiliateUnits: bigint
} {
  const { sourceFiat, destinationFiat } = quote ?? { sourceFiat: null, destinationFiat: null }
  if (terms === null || sourceFiat === null || destinationFiat === null || sourceFiat === 0n) {
    return { swapUnits: 0n, affiliateUnits: 0n }
  }
  const costUnits = (terms.sourceUnits * (sourceFiat - destinationFiat)) / sourceFiat
  const asked = (terms.sourceUnits * BigInt(affiliateBps)) / 10_000n
  const affiliateUnits = costUnits <= 0n ? 0n : asked < costUnits ? asked : costUnits
  return { swapUnits: costUnits - affiliateUnits, affiliateUnits }
}

/**
 * Books the refund out of the HTLC. Missing units are the network fee of our own refund, or a cost
 * of the swap if another party sent it.
 */
function bookReturn({ data, value }: Books): LedgerEntry[] {
  if (data.returned === null) return []
  const { from, sourceUnits } = data.request
  const { txid, units } = data.returned
  const ours = listEverSigned(data).some((transaction) => transaction.txid === txid)
  // The order was paid out and refunded, so the loss is the solver's, and no money of the order is
  // in transit.
  const origin = data.receipt === null ? ACCOUNTS.inTransit(data.id) : ACCOUNTS.exchange
  const postings = [
    value.post(origin, from, -sourceUnits),
    value.post(walletOf(from), from, units),
    value.post(ours ? ACCOUNTS.network("refund") : ACCOUNTS.swap, from, sourceUnits - units),
  ].filter(isSomething)
  return [
    {
      key: `refund:${txid}`,
      kind: "refund",
      tx: txid,
      note: ours ? null : "sent by another party",
      postings,
    },
  ]
}

/** Books at most the rent that the deposit paid; released units beyond it are not ours. */
function bookRent({ data, native, value }: Books): LedgerEntry[] {
  if (data.rentReturned === null) return []
  const heldUnits =
    data.mined.find(({ purpose, ok }) => purpose === "deposit" && ok)?.heldUnits ?? 0n
  const { txid } = data.rentReturned
  const units = data.rentReturned.units < heldUnits ? data.rentReturned.units : heldUnits
  if (units <= 0n) return []
  const postings = transfer(value, native, units, ACCOUNTS.rent(data.id), walletOf(native))
  return [{ key: `rent:${txid}`, kind: "rent", tx: txid, note: null, postings }]
}

/** The entries for rent that came back after the order had ended. */
export function closingRent(
  data: OrderData,
  wallets: Wallets,
  released: { txid: string; units: bigint },
): LedgerEntry[] {
  return bookRent(openBooks({ ...data, rentReturned: released }, wallets))
}

function transfer(
  value: Valuation,
  asset: AssetId,
  units: bigint,
  from: string,
  to: string,
): Posting[] {
  return [value.post(from, asset, -units), value.post(to, asset, units)].filter(isSomething)
}

function isSomething({ units }: Posting): boolean {
  return units !== 0n
}

export function walletOf(asset: AssetId): string {
  return ACCOUNTS.wallet(chainOf(asset))
}
