import type { Hex } from "viem"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Conclusion } from "#nodes/quorum/conclude.ts"
import type { LegObservation, LegQuery, OnChain } from "#ports/chain/htlc-reader.ts"
import { type Depths, isDeep } from "./finality.ts"
import { createHintedReceipts } from "./legs/hinted-receipts.ts"
import { findKnown, noteId } from "./legs/known-ids.ts"
import { type LegView, NOTHING, readLeg, searched } from "./legs/read-leg.ts"
import { countConfirmations } from "./legs/read-transaction.ts"
import { conclude } from "./nodes/agree.ts"
import type { TransactionPlace } from "./nodes/read-block.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Observes one leg by the storage and the events of the configured contracts, from the answers of
 * all endpoints about one block.
 *
 * Heights are blocks as the node numbers them. On Arbitrum these are its own blocks, and contracts
 * of version 3 count the same ones there (`ArbSys.arbBlockNumber`). An older contract would count
 * blocks of Ethereum: its refund reverts until then, and is tried again.
 *
 * Throws `evm.secret_hash` (hold), and the first failure if no endpoint answers.
 */
export async function observeEvmLeg(wallet: Wallet, query: LegQuery): Promise<LegObservation> {
  const secretHash = requireHash(query)
  const known = findKnown(wallet.knownIds, query)?.initiated.txid ?? null
  const hints = createHintedReceipts(query, searched(wallet, query), known)
  const reading = await wallet.rpc.readEach(
    (at) => readLeg({ at, wallet, query, hints }, secretHash),
    { tags: true, advice: hints.begin },
  )
  const seen = conclude(wallet.rpc, reading, plainJson)
  if (seen.status === "agreed" && seen.value?.initiated)
    wallet.rpc.noteReported(seen.value.initiated.place.height)
  noteSeen(wallet, query, seen)
  return describe(wallet, reading.heights, seen)
}

/** Only what enough endpoints agree about narrows the next look. */
function noteSeen({ knownIds }: Wallet, query: LegQuery, seen: Conclusion<LegView>): void {
  const view = seen.status === "agreed" ? seen.value : null
  if (knownIds === undefined || view === null || view.initiated === null) return
  if (view.id !== undefined) noteId(knownIds, query, view.id, view.initiated.place)
  // An order that only its events show: its contract may have another formula now.
  else knownIds.formulas.clear()
}

function describe(
  { finality }: Wallet,
  heights: Depths,
  seen: Conclusion<LegView>,
): LegObservation {
  const view = seen.value ?? mostCautious(seen.given)
  const isAgreed = seen.status === "agreed"
  const locate = ({ txid, height }: TransactionPlace): OnChain => ({
    txid,
    height,
    confirmations: countConfirmations(heights.head, height),
    seen: seen.status !== "split" && isDeep(finality.seen, height, heights),
    revealable: isAgreed && isDeep(finality.reveal, height, heights),
    final: isAgreed && isDeep(finality.ending, height, heights),
  })
  const { initiated, redeemed, refunded, refundableAt } = view
  return {
    height: heights.head,
    agreed: isAgreed,
    ...(seen.doubts.length === 0 ? {} : { doubts: seen.doubts }),
    initiated: initiated && { ...locate(initiated.place), units: initiated.units },
    redeemed: redeemed && {
      ...locate(redeemed.place),
      paidUnits: redeemed.paidUnits,
      secret: redeemed.secret,
    },
    refunded: refunded && { ...locate(refunded.place), paidUnits: refunded.paidUnits },
    refundableAt,
  }
}

/**
 * Endpoints contradict each other. A deposit that one of them shows counts, a payout or a refund
 * only if all of them show the same one, and the refund is open as soon as one of them says so:
 * then the contract itself decides.
 */
function mostCautious(given: readonly LegView[]): LegView {
  const first = <T>(values: readonly (T | null)[]): T | null =>
    values.find((value) => value !== null) ?? null
  const common = <T>(values: readonly T[]): T | null =>
    new Set(values.map((value) => plainJson(value))).size === 1 ? (values[0] ?? null) : null
  const heights = given.flatMap(({ refundableAt }) => refundableAt ?? [])
  return {
    ...NOTHING,
    initiated: first(given.map(({ initiated }) => initiated)),
    redeemed: common(given.map(({ redeemed }) => redeemed)),
    refunded: common(given.map(({ refunded }) => refunded)),
    refundableAt: heights.reduce<bigint | null>(
      (least, each) => (least === null || each < least ? each : least),
      null,
    ),
  }
}

/** Throws `evm.secret_hash` (hold). */
export function requireHash({ secretHash }: LegQuery): Hex {
  if (/^[0-9a-f]{64}$/.test(secretHash)) return `0x${secretHash}`
  throw new AppError({
    code: "evm.secret_hash",
    disposition: "hold",
    message:
      "The order's secret hash is not 32 bytes of lower-case hex; Ballast cannot search for " +
      "it on chain",
    details: { secretHash: secretHash.slice(0, 80) },
  })
}
