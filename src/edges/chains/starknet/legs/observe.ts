import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import type { LegObservation, LegQuery, OnChain } from "#ports/chain/htlc-reader.ts"
import { depthsFor, isDeepEnough } from "../finality.ts"
import { type Compared, compareViews } from "../nodes/compare-views.ts"
import type { Wallet } from "../wallet.ts"
import { type LegReading, listSearched, type Place, readStarknetLeg } from "./read-leg.ts"

/**
 * Observes one leg. Every endpoint reads it at the same block, and the results are compared as a
 * whole. Without agreement no part is `final`. Throws `starknet.secret_hash` (hold).
 */
export async function observeStarknetLeg(
  wallet: Wallet,
  query: LegQuery,
  opened: OpenedAt = new Map(),
): Promise<LegObservation> {
  requireHash(query)
  const known = opened.get(keyOfLeg(query))
  // A look asks only the order's own contract once it is known. All endpoints ask in the same
  // order.
  const htlcs = listSearched(wallet, query).toSorted(
    (a, b) => Number(b === known) - Number(a === known),
  )
  const compared = await compareViews(
    wallet.rpc,
    (view) => readStarknetLeg(wallet, view, query, htlcs),
    keyOfReading,
  )
  if (compared.status === "agreed" && compared.value.htlc !== undefined)
    noteOpened(opened, query, compared.value.htlc)
  const reading = compared.status === "split" ? mergeCautiously(compared.values) : compared.value
  const place = (part: keyof typeof PARTS): OnChain | null => {
    const found = reading[part]
    return found === null ? null : describePlace(wallet, query, compared, found, part)
  }
  const initiated = place("initiated")
  const redeemed = place("redeemed")
  const refunded = place("refunded")
  return {
    height: compared.block.height,
    agreed: compared.status === "agreed",
    doubts: compared.doubts,
    initiated: initiated && reading.initiated && { ...initiated, units: reading.initiated.units },
    redeemed: redeemed &&
      reading.redeemed && {
        ...redeemed,
        paidUnits: reading.redeemed.paidUnits,
        secret: reading.redeemed.secret,
      },
    refunded: refunded &&
      reading.refunded && { ...refunded, paidUnits: reading.refunded.paidUnits },
    refundableAt: reading.refundableAt,
  }
}

/** The contract that has shown the order of a leg, by the leg. It only orders the questions. */
export type OpenedAt = Map<string, bigint>

/** The oldest leaves first; it is only searched again. */
const MOST_OPENED = 10_000

function noteOpened(opened: OpenedAt, query: LegQuery, htlc: bigint): void {
  const [oldest] = opened.keys()
  if (opened.size >= MOST_OPENED && oldest !== undefined) opened.delete(oldest)
  opened.set(keyOfLeg(query), htlc)
}

function keyOfLeg({ side, asset, secretHash, initiator, units }: LegQuery): string {
  return `${side} ${asset} ${secretHash} ${initiator} ${units}`
}

const PARTS = { initiated: null, redeemed: null, refunded: null }

/**
 * Endpoints may learn at different moments that Ethereum accepted a block, so the comparison leaves
 * that out.
 */
function keyOfReading({ initiated, redeemed, refunded, refundableAt }: LegReading): string {
  const parts = [initiated, redeemed, refunded].map((part) => part && { ...part, onL1: null })
  return encodeJson([...parts, refundableAt])
}

/**
 * A reading for watching where endpoints contradict each other. A deposit exists if one endpoint
 * shows it, and a refund is possible if one says so. A redemption or refund exists only if all show
 * the same.
 */
function mergeCautiously(readings: readonly LegReading[]): LegReading {
  const unanimous = <T extends Place>(parts: readonly (T | null)[]): T | null => {
    const keys = new Set(parts.map((part) => part && encodeJson({ ...part, onL1: null })))
    return keys.size === 1 ? (parts[0] ?? null) : null
  }
  const heights = readings.flatMap(({ refundableAt }) =>
    refundableAt === null ? [] : [refundableAt],
  )
  return {
    initiated: readings.find(({ initiated }) => initiated !== null)?.initiated ?? null,
    redeemed: unanimous(readings.map(({ redeemed }) => redeemed)),
    refunded: unanimous(readings.map(({ refunded }) => refunded)),
    refundableAt: heights.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0] ?? null,
  }
}

function describePlace(
  wallet: Wallet,
  { stakeFiat }: LegQuery,
  compared: Compared<LegReading>,
  { txid, height }: Place,
  part: keyof typeof PARTS,
): OnChain {
  const confirmations = Math.max(1, Number(compared.block.height - height) + 1)
  const backed =
    compared.status === "split"
      ? 0
      : compared.supporters.filter((reading) => reading[part]?.onL1).length
  const depth = { confirmations, onL1: backed >= wallet.rpc.needed }
  const depths = depthsFor(wallet.finality, stakeFiat)
  const agreed = compared.status === "agreed"
  return {
    txid,
    height,
    confirmations,
    seen: compared.status !== "split" && isDeepEnough(depths.seen, depth),
    revealable: agreed && isDeepEnough(depths.reveal, depth),
    final: agreed && isDeepEnough(depths.ending, depth),
  }
}

/** Throws `starknet.secret_hash` (hold). */
export function requireHash({ secretHash }: LegQuery): void {
  if (/^[0-9a-f]{64}$/.test(secretHash)) return
  throw new AppError({
    code: "starknet.secret_hash",
    disposition: "hold",
    message:
      "The order's secret hash is not 32 bytes of lower-case hex; Ballast cannot search for " +
      "it on chain",
    details: { secretHash: secretHash.slice(0, 80) },
  })
}
