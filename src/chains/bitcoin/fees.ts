import type { Esplora } from "./esplora.ts"
import type { AddressType } from "./wallet.ts"

/**
 * Reads the fee rates for the next blocks, in satoshi per virtual byte. `neededRate` is the middle of the endpoints' estimates, the lower one
 * of an even number: one false estimate among three has no effect, and one of two only delays a transaction until its bump. `rate` is
 * the rate that we may pay: rounded up to a whole number, never above the cap, so that a lie costs at most the cap. If a node has no estimate
 * (young or idle node), it counts as 2 sat/vB. Throws only the errors of Esplora reads.
 */
export async function readFeeNeed(esplora: Esplora, maxFeeRate: number): Promise<FeeNeed> {
  const rates = await readRates(esplora)
  const neededRate = rates[Math.floor((rates.length - 1) / 2)] ?? RATE_WITHOUT_ESTIMATE
  const rate = Math.min(Math.max(1, Math.ceil(neededRate)), Math.floor(maxFeeRate))
  return { neededRate, rate: BigInt(rate), aboveCap: neededRate > maxFeeRate }
}

/**
 * The most, in satoshi, that the fee of a redemption may take out of a payout: the size of the smallest redemption, times the upper middle of
 * the endpoints' fee rates, times a factor for rates that rise until the service redeems. The rate counts as at least
 * `leastRate`, and with the factor never as more than the configured cap.
 */
export async function readPayoutFee(esplora: Esplora, maxFeeRate: number, leastRate: number): Promise<bigint> {
  const rates = await readRates(esplora)
  const rate = Math.max(leastRate, Math.ceil(rates[Math.floor(rates.length / 2)] ?? RATE_WITHOUT_ESTIMATE))
  return REDEEM_VSIZE * BigInt(Math.min(rate * PAYOUT_RATE_FACTOR, Math.floor(maxFeeRate)))
}

/** One rate of each endpoint that answers, lowest first. Throws the first endpoint's error if none answers. */
async function readRates(esplora: Esplora): Promise<readonly number[]> {
  const answers = await esplora.askEach((endpoint) => endpoint.fetchFeeEstimates())
  const rates = answers.flatMap((answer) => (answer.ok ? [pickRate(answer.value)] : []))
  if (rates.length === 0) throw answers.find((answer) => !answer.ok)?.error
  return rates.toSorted((a, b) => a - b)
}

export type FeeNeed = { readonly neededRate: number; readonly rate: bigint; readonly aboveCap: boolean }

/**
 * The highest fee, in satoshi, that a transaction may pay: the configured cap for each of its virtual bytes (`vsize`).
 *
 * Without a change output it may also pay the fee and the dust of that output, because no other output can take them. A
 * void may pay as much as the deposit could, plus the price of a replacement (BIP 125 rule 4); otherwise a deposit that
 * already pays the cap could not be voided.
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

/** Change up to this many satoshi becomes part of the fee: Bitcoin Core's dust limit for P2TR, the larger of ours. */
export const DUST_UNITS = 330n

/**
 * Bitcoin Core's `incrementalrelayfee`: a replacement pays the old fee plus this many satoshi for each of its virtual
 * bytes.
 */
export const INCREMENTAL_RATE = 1n

const LARGEST_OUTPUT_VSIZE = 43n
const TARGET_BLOCKS = 2
const RATE_WITHOUT_ESTIMATE = 2

/**
 * An upper bound, in virtual bytes, of a deposit before its coins are known: `inputs` coins of ours, the HTLC output
 * and change.
 */
export function depositVsize(inputs: bigint, addressType: AddressType): bigint {
  return 11n + inputs * (addressType === "p2tr" ? 58n : 68n) + 2n * LARGEST_OUTPUT_VSIZE
}

/**
 * An upper bound of a refund: one HTLC input by the refund leaf (64-byte signature, 40-byte leaf, 97-byte control
 * block), one output.
 */
export const REFUND_VSIZE = 150n

/**
 * A redemption: one HTLC input by the redeem leaf (64-byte signature, 32-byte secret, 69-byte leaf, 65-byte control block), one output of the
 * largest usual kind. The service decides how it redeems: a larger transaction's fee must not come out of our payout.
 */
export const REDEEM_VSIZE = 154n

/** Fee rates double within an hour often enough, and the payout is redeemed minutes to hours after the estimate. */
export const PAYOUT_RATE_FACTOR = 2

/** On an idle main network a service still pays a few sat/vB; elsewhere coins are free, and small orders must pass. */
export const LEAST_PAYOUT_RATE = { main: 5, test: 1 }

/**
 * Picks the estimate for the wanted target, else for the next slower target, else the slowest of the faster targets.
 */
function pickRate(estimates: Readonly<Record<string, number>>): number {
  const usable = Object.entries(estimates)
    .map(([target, rate]) => ({ target: Number(target), rate }))
    .filter(({ target, rate }) => Number.isInteger(target) && Number.isFinite(rate) && rate > 0)
    .sort((a, b) => a.target - b.target)
  const chosen = usable.find(({ target }) => target >= TARGET_BLOCKS) ?? usable.at(-1)
  return chosen?.rate ?? RATE_WITHOUT_ESTIMATE
}
