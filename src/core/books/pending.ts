import { type AssetId, chainOf } from "#domain/asset.ts"
import { isMortal, listOpenEarlier, type OrderData } from "#order/data.ts"
import { wasDepositSigned } from "#order/guards.ts"
import type { Order } from "#order/step.ts"
import type { Wallets } from "./entries-of.ts"

/**
 * The most units that may have entered or left the wallet without an entry; both zero without
 * orders in flight.
 */
export type Pending = { readonly inUnits: bigint; readonly outUnits: bigint }

type PendingByAsset = ReadonlyMap<AssetId, Pending>

/** Sums the units of open orders that the ledger may still have to book or to reverse. Pure. */
export function pendingOf(open: readonly Order[], wallets: Wallets): PendingByAsset {
  const sums = new Map<AssetId, Pending>()
  const add: Add = (asset, way, units) => {
    const { inUnits, outUnits } = sums.get(asset) ?? { inUnits: 0n, outUnits: 0n }
    sums.set(
      asset,
      way === "in"
        ? { inUnits: inUnits + units, outUnits }
        : { inUnits, outUnits: outUnits + units },
    )
  }
  for (const { state, data } of open) {
    addTransactions(data, wallets, add)
    addOutlived(data, wallets, add)
    // A disarmed signature cannot be used. If it is used all the same, the reconciler must raise an
    // alarm.
    if (state !== "disarmed") addRelayed(data, add)
    addSource(data, wallets.nativeOf(chainOf(data.request.from)), add)
    if (data.terms !== null && wallets.isOurs(data.request.to, data.terms.destinationOwner))
      addPayout(data, add)
  }
  return sums
}

type Add = (asset: AssetId, way: "in" | "out", units: bigint) => void

/**
 * A signed transaction without finality may still land; one in a block may still be removed by a
 * reorganisation.
 */
function addTransactions(
  { transactions, mined, request }: OrderData,
  { nativeOf }: Wallets,
  add: Add,
): void {
  const groups = Object.entries(transactions).flatMap(([purpose, { signed }]) =>
    (signed.some(isMortal) ? signed.map((one) => [one]) : [signed]).map((some) => ({
      purpose,
      signed: some,
    })),
  )
  for (const { purpose, signed } of groups) {
    const native = nativeOf(chainOf(purpose === "redeem" ? request.to : request.from))
    const shown = mined.find(({ txid }) => signed.some((transaction) => transaction.txid === txid))
    if (signed.length === 0 || shown?.final) continue
    const plans = signed.map(({ plan }) => plan)
    add(native, "out", largest(plans.map(({ maxFeeUnits }) => maxFeeUnits)))
    if (plans.some(({ spends }) => spends.length > 0)) add(request.from, "out", request.sourceUnits)
    if (shown === undefined) continue
    add(native, "in", shown.feeUnits + shown.heldUnits)
    if (shown.purpose === "deposit" && shown.ok) add(request.from, "in", request.sourceUnits)
  }
}

/** A later one took its place by the time alone, so both may land and cost their fees. */
function addOutlived(data: OrderData, { nativeOf }: Wallets, add: Add): void {
  const { mined, request } = data
  for (const { purpose, txid, plan } of listOpenEarlier(data)) {
    const native = nativeOf(chainOf(purpose === "redeem" ? request.to : request.from))
    const shown = mined.find((one) => one.txid === txid)
    if (shown?.final) continue
    add(native, "out", plan.maxFeeUnits)
    add(native, "in", shown?.feeUnits ?? 0n)
  }
}

function addRelayed({ gasless, mined, seen, request }: OrderData, add: Add): void {
  if (gasless === null || mined.some(({ purpose, ok }) => purpose === "deposit" && ok)) return
  if (seen.sourceInitiated === null) add(request.from, "out", request.sourceUnits)
  else if (!seen.sourceInitiated.final) {
    add(request.from, "in", request.sourceUnits)
    add(request.from, "out", request.sourceUnits)
  }
}

/** The units in the source HTLC may come back at any moment. */
function addSource(
  { mined, gasless, seen, request, returned }: OrderData,
  native: AssetId,
  add: Add,
): void {
  const own = mined.find(({ purpose, ok }) => purpose === "deposit" && ok)
  if (own === undefined && (gasless === null || seen.sourceInitiated === null)) return
  if (returned !== null) {
    if (seen.sourceRefunded?.final !== true) add(request.from, "out", returned.units)
    return
  }
  // Only a final redemption closes the HTLC for good: one endpoint alone can show another.
  if (seen.sourceRedeemed?.final !== true) add(request.from, "in", request.sourceUnits)
  add(native, "in", own?.heldUnits ?? 0n)
}

/**
 * The service may have paid for a deposit that a reorganisation removed, so a payout may also come
 * while the order plans another deposit.
 */
function addPayout(data: OrderData, add: Add): void {
  const { receipt, seen, request, terms, deposit } = data
  const mostUnits = deposit?.mostUnits ?? terms?.destinationUnits ?? 0n
  if (receipt !== null) {
    if (seen.destinationRedeemed?.final === true) return
    add(request.to, "out", receipt.units)
    // A payout that was too small may be paid in full after a reorganisation.
    add(request.to, "in", largest([mostUnits - receipt.units]))
  } else if (wasDepositSigned(data)) {
    add(request.to, "in", mostUnits)
  }
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n)
}
