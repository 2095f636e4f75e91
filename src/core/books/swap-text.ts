import type { AssetId } from "#domain/asset.ts"
import type { AffiliateRecord } from "#domain/route/affiliate-fee.ts"
import { HTLC, type RouteKind } from "#domain/route/route-kind.ts"
import { remember } from "#lib/remember.ts"
import type { Sum, Swap } from "./read-swap.ts"

/**
 * The text that the journal keeps of an ended order, so that a report reads no snapshot and no
 * entry of it. A list without names and with small amounts as numbers, because a report of a year
 * reads a hundred thousand of them. `decodeSwap` is its inverse.
 */
export function encodeSwap(swap: Swap): string {
  const { sent, received, networkFee, redeemFee, quoted, prices } = swap
  const text: SwapText = [
    VERSION,
    swap.serviceOrderId,
    swap.service,
    swap.solver,
    swap.rule,
    swap.outcome,
    swap.state,
    swap.askedAtMs,
    swap.depositedAtMs,
    swap.paidAtMs,
    swap.redeemedAtMs,
    swap.endedAtMs,
    sent.asset,
    received.asset,
    networkFee.asset,
    SUMS.flatMap((name) => [toStored(swap[name].units), toStored(swap[name].fiat)]),
    quoted === null ? null : [toStored(quoted.sourceUnits), toStored(quoted.destinationUnits)],
    [toStored(prices.from), toStored(prices.to)],
    swap.depositTx,
    swap.payoutTx,
    swap.refundTx,
    swap.feeTxs,
    swap.isBooked,
    swap.earned.map(({ units, ...record }) => ({ ...record, units: toStored(units) })),
    ...listLater(swap.kind, redeemFee),
  ]
  return JSON.stringify(text)
}

/** `null` for a text that this version does not know: then the order itself is to be read. */
export function decodeSwap(id: string, written: string): Swap | null {
  const text = parse(written)
  if (text === null) return null
  const [, serviceOrderId, service, solver, rule, outcome, state, ...afterState] = text
  const [
    askedAtMs,
    depositedAtMs,
    paidAtMs,
    redeemedAtMs,
    endedAtMs,
    from,
    to,
    native,
    ...amounts
  ] = afterState
  const [sums, quoted, prices, depositTx, payoutTx, refundTx, feeTxs, ...afterFees] = amounts
  const [isBooked, earned, kind, redeemFee] = afterFees
  const sum = (place: number, asset: AssetId): Sum => {
    const units = sums[2 * place] ?? 0
    const fiat = sums[2 * place + 1] ?? null
    return units === 0 && fiat === 0
      ? zeroOf(asset)
      : { asset, units: BigInt(units), fiat: toUnits(fiat) }
  }
  return {
    id,
    serviceOrderId,
    service,
    kind: quoted === null ? null : (kind ?? HTLC),
    solver,
    rule,
    outcome,
    state,
    askedAtMs,
    depositedAtMs,
    paidAtMs,
    redeemedAtMs,
    endedAtMs,
    sent: sum(0, from),
    received: sum(1, to),
    refunded: sum(2, from),
    swapCost: sum(3, from),
    affiliateCost: sum(4, from),
    payoutCost: sum(5, to),
    networkFee: sum(6, native),
    redeemFee: redeemFee === undefined ? null : toSum(redeemFee),
    quoted:
      quoted === null
        ? null
        : { sourceUnits: BigInt(quoted[0]), destinationUnits: BigInt(quoted[1]) },
    prices: { from: toUnits(prices[0]), to: toUnits(prices[1]) },
    depositTx,
    payoutTx,
    refundTx,
    feeTxs,
    isBooked,
    earned: earned.map((record) => ({ ...record, units: toUnits(record.units) })),
  }
}

/**
 * Another one whenever the text changes. A text of another version is not read: then a report reads
 * the order itself.
 */
const VERSION = 1
const SUMS = [
  "sent",
  "received",
  "refunded",
  "swapCost",
  "affiliateCost",
  "payoutCost",
  "networkFee",
] as const satisfies readonly (keyof Swap)[]

/** A whole number that a `number` holds exactly, else its digits. */
type Stored = number | string
type SwapText = readonly [
  version: number,
  serviceOrderId: string | null,
  service: string | null,
  solver: string | null,
  rule: string,
  outcome: string | null,
  state: string,
  askedAtMs: number,
  depositedAtMs: number | null,
  paidAtMs: number | null,
  redeemedAtMs: number | null,
  endedAtMs: number | null,
  from: AssetId,
  to: AssetId,
  native: AssetId,
  sums: readonly (Stored | null)[],
  quoted: readonly [Stored, Stored] | null,
  prices: readonly [from: Stored | null, to: Stored | null],
  depositTx: string | null,
  payoutTx: string | null,
  refundTx: string | null,
  feeTxs: readonly string[],
  isBooked: boolean,
  earned: readonly (Omit<AffiliateRecord, "units"> & { readonly units: Stored | null })[],
  /** Without them: HTLCs, and no redemption of ours. */
  ...later: Later,
]
type Later = readonly [kind?: RouteKind, redeemFee?: StoredSum]
type StoredSum = readonly [asset: AssetId, units: Stored, fiat: Stored | null]

function listLater(kind: RouteKind | null, redeemFee: Sum | null): Later {
  if (redeemFee === null) return kind === null || kind === HTLC ? [] : [kind]
  const { asset, units, fiat } = redeemFee
  return [kind ?? HTLC, [asset, toStored(units), toStored(fiat)]]
}

function toSum([asset, units, fiat]: StoredSum): Sum {
  return { asset, units: BigInt(units), fiat: toUnits(fiat) }
}

function toStored(units: bigint): Stored
function toStored(units: bigint | null): Stored | null
function toStored(units: bigint | null): Stored | null {
  if (units === null) return null
  const number = Number(units)
  return Number.isSafeInteger(number) ? number : units.toString()
}

/** Most swaps have no refund and no affiliate, so they share these. */
const zeroOf = remember((asset: AssetId): Sum => ({ asset, units: 0n, fiat: 0n }))

function toUnits(stored: Stored | null | undefined): bigint | null {
  return stored == null ? null : BigInt(stored)
}

function parse(written: string): SwapText | null {
  try {
    const text: unknown = JSON.parse(written)
    // CAST: `encodeSwap` of this version wrote it.
    return Array.isArray(text) && text[0] === VERSION ? (text as unknown as SwapText) : null
  } catch {
    return null
  }
}
