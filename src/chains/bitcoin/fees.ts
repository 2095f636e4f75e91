import type { Esplora } from "./esplora.ts"
import type { AddressType } from "./wallet.ts"

/**
 * What the next blocks cost. `neededRate` is what the node says, `rate` what we may pay: whole satoshi per virtual byte,
 * rounded up, never above the cap. Without any estimate (young or idle node) the need is 2 sat/vB.
 */
export async function readFeeNeed(esplora: Esplora, maxFeeRate: number): Promise<FeeNeed> {
  const neededRate = pickRate(await esplora.fetchFeeEstimates())
  const rate = Math.min(Math.max(1, Math.ceil(neededRate)), Math.floor(maxFeeRate))
  return { neededRate, rate: BigInt(rate), aboveCap: neededRate > maxFeeRate }
}

export type FeeNeed = { readonly neededRate: number; readonly rate: bigint; readonly aboveCap: boolean }

/**
 * The most that a move may pay: the configured cap for each of its virtual bytes (`vsize`).
 *
 * Without change it may also pay what the change output would have cost and what it would have held: there is nowhere else for
 * that to go. A void may pay what the deposit could, and the price of a replacement on top (BIP 125 rule 4): otherwise a deposit
 * that already pays the cap could not be called back.
 */
export function feeLimitUnits(
  transaction: { readonly action: string; readonly vsize: bigint; readonly hasChange: boolean },
  maxFeeRate: number,
): bigint {
  const cap = BigInt(Math.floor(maxFeeRate))
  const cappedUnits = cap * transaction.vsize
  const droppedUnits = cap * LARGEST_OUTPUT_VSIZE + DUST_UNITS
  if (transaction.action === "void") return cappedUnits + droppedUnits + transaction.vsize * INCREMENTAL_RATE
  return transaction.hasChange ? cappedUnits : cappedUnits + droppedUnits
}

/** Outputs up to this are dropped into the fee: Bitcoin Core's dust limit for P2TR, the larger of our two kinds. */
export const DUST_UNITS = 330n

/** Bitcoin Core's `incrementalrelayfee`: a replacement pays the old fee and this for each of its own bytes. */
export const INCREMENTAL_RATE = 1n

const LARGEST_OUTPUT_VSIZE = 43n
const TARGET_BLOCKS = 2
const RATE_WITHOUT_ESTIMATE = 2

/** A deposit's size before its coins are known: `inputs` of ours, the HTLC output and change. An upper bound. */
export function depositVsize(inputs: bigint, addressType: AddressType): bigint {
  return 11n + inputs * (addressType === "p2tr" ? 58n : 68n) + 2n * LARGEST_OUTPUT_VSIZE
}

/** One HTLC output by the refund leaf (64-byte signature, 40-byte leaf, 97-byte control block) to one of ours: an upper bound. */
export const REFUND_VSIZE = 150n

/** The estimate for the wanted target, else for the next slower one, else the slowest of the faster ones. */
function pickRate(estimates: Readonly<Record<string, number>>): number {
  const usable = Object.entries(estimates)
    .map(([target, rate]) => ({ target: Number(target), rate }))
    .filter(({ target, rate }) => Number.isInteger(target) && rate > 0)
    .sort((a, b) => a.target - b.target)
  const chosen = usable.find(({ target }) => target >= TARGET_BLOCKS) ?? usable.at(-1)
  return chosen?.rate ?? RATE_WITHOUT_ESTIMATE
}
