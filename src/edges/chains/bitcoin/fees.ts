import { max, min } from "#domain/amount.ts"
import { rescueOffer, urgentEstimate } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import { createKeptAnswers } from "#nodes/kept-answers.ts"
import { type NotedFee, noteFees } from "#nodes/quorum/fee-figures.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { Esplora } from "./esplora.ts"
import { pickRate } from "./spend/pick-rate.ts"
import type { AddressType } from "./wallet.ts"

/**
 * Reads the fee rates for the next blocks, in satoshi per virtual byte. `neededRate` is the middle
 * of the endpoints' estimates, the lower one of an even number: one false estimate among three has
 * no effect, and one of two only delays a transaction until its bump. `rate` is the rate that we
 * may pay: rounded up to a whole number, never above the cap, so that a lie costs at most the cap.
 * An endpoint without an estimate (young or idle node, or no such path) counts as one that did not
 * answer.
 *
 * Throws the errors of Esplora reads, and `fees.unknown` (transient) where no endpoint has an
 * estimate.
 */
export async function readFeeNeed(esplora: Esplora, maxFeeRate: number): Promise<FeeNeed> {
  const rates = await readRates(esplora, maxFeeRate)
  const neededRate = mustExist(rates[Math.floor((rates.length - 1) / 2)], "the middle of the rates")
  const rate = Math.min(Math.max(1, Math.ceil(neededRate)), Math.floor(maxFeeRate))
  return { neededRate, rate: BigInt(rate), aboveCap: neededRate > maxFeeRate, rates }
}

/**
 * The rates for deposits. An order is admitted and planned within a moment, by the same estimates;
 * a read that must not wait asks anew.
 */
export type DepositRates = () => Promise<FeeNeed>

export function createDepositRates(
  esplora: Esplora,
  maxFeeRate: number,
  clock: Pick<Clock, "now">,
): DepositRates {
  const kept = createKeptAnswers(clock)
  return () => kept("deposit", RATES_HOLD_MS, () => readFeeNeed(esplora, maxFeeRate))
}

const RATES_HOLD_MS = 5_000

/**
 * As `readFeeNeed`, for a redemption, a refund or a void: the highest of the endpoints' estimates
 * counts, up to `usualRate`, the configured cap. A false low estimate would keep the transaction
 * out of every block, and a false high one costs at most that cap.
 */
export async function readUrgentNeed(esplora: Esplora, caps: UrgentCaps): Promise<FeeNeed> {
  const need = await readFeeNeed(esplora, caps.maxFeeRate)
  return { ...need, rate: chooseUrgentRate(need, caps) }
}

/** `usualRate`: the configured cap; absent where `maxFeeRate` is it. Satoshi per virtual byte. */
type UrgentCaps = { readonly maxFeeRate: number; readonly usualRate?: number }

function chooseUrgentRate(
  { rates }: FeeNeed,
  { maxFeeRate, usualRate = maxFeeRate }: UrgentCaps,
): bigint {
  const whole = rates.map(wholeOf)
  const rate = mustExist(urgentEstimate(whole, BigInt(Math.floor(usualRate))), "a rate")
  return min(max(1n, rate), BigInt(Math.floor(maxFeeRate)))
}

/** A rate as a whole number of satoshi per virtual byte. */
function wholeOf(rate: number): bigint {
  return BigInt(Math.ceil(Math.min(rate, MOST_RATE)))
}

export function rateFigure(maxFeeRate: number): NotedFee<number | null> {
  const figureOf = (rate: number | null): bigint | null => (rate === null ? null : wholeOf(rate))
  const most = BigInt(Math.floor(maxFeeRate))
  return { figureOf, unit: "sat/vB", least: most / 100n, cap: { most, key: "max_fee_rate" } }
}

/** More than any network asks for; it only keeps the numbers whole. */
const MOST_RATE = 1e12

/**
 * As `readUrgentNeed`, for a transaction that must not wait: `null` where no endpoint has an
 * estimate, or none answers.
 */
export function findUrgentNeed(esplora: Esplora, caps: UrgentCaps): Promise<FeeNeed | null> {
  return needOrNull(readUrgentNeed(esplora, caps))
}

/**
 * As `readFeeNeed`, for a deposit that is sent already: `null` where no endpoint has an estimate,
 * or none answers.
 */
export function findFeeNeed(esplora: Esplora, maxFeeRate: number): Promise<FeeNeed | null> {
  return needOrNull(readFeeNeed(esplora, maxFeeRate))
}

async function needOrNull(reading: Promise<FeeNeed>): Promise<FeeNeed | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return null
    throw error
  }
}

/**
 * The rate of a refund without an estimate: its lock is over, so it does not wait. It begins with a
 * quarter of the cap, and each block after the lock counts as a higher fee of `rescueOffer`.
 */
export function offerAfterLock(maxFeeRate: number, overdueBlocks: bigint): bigint {
  const most = BigInt(Math.floor(maxFeeRate))
  return max(1n, rescueOffer(most / 4n, most, Number(overdueBlocks)))
}

/**
 * The most, in satoshi, that the fee of a redemption may take out of a payout: the size of the
 * smallest redemption, times the upper middle of the endpoints' fee rates, times a factor for rates
 * that rise until the service redeems. The rate counts as at least `leastRate`, and with the factor
 * never as more than the configured cap. Throws as `readFeeNeed`.
 */
export async function readPayoutFee(
  esplora: Esplora,
  maxFeeRate: number,
  leastRate: number,
): Promise<bigint> {
  const rates = await readRates(esplora, maxFeeRate)
  const middle = mustExist(rates[Math.floor(rates.length / 2)], "the middle of the rates")
  const rate = Math.max(leastRate, Math.ceil(middle))
  return REDEEM_VSIZE * BigInt(Math.min(rate * PAYOUT_RATE_FACTOR, Math.floor(maxFeeRate)))
}

/** One rate of each endpoint that has one, lowest first; at least one. */
async function readRates(esplora: Esplora, maxFeeRate: number): Promise<readonly number[]> {
  const answers = await esplora.askEach(async (endpoint) =>
    pickRate(await endpoint.fetchFeeEstimates()),
  )
  noteFees(esplora.fees, answers, rateFigure(maxFeeRate))
  const rates = answers.flatMap((answer) => (answer.ok ? (answer.value ?? []) : []))
  if (rates.length > 0) return rates.toSorted((a, b) => a - b)
  const without = answers.flatMap(({ ok, endpoint }) => (ok ? [endpoint] : []))
  if (without.length === 0) throw firstFailure(answers)
  throw feesUnknown(without)
}

function feesUnknown(hosts: readonly string[]): AppError {
  return new AppError({
    code: "fees.unknown",
    disposition: "transient",
    message:
      `no Esplora server has a fee estimate (${hosts.join(", ")}); Ballast waits for one; add ` +
      "a server that answers /fee-estimates",
    details: { endpoints: hosts.join(", ") },
  })
}

/** `rates`: those of the endpoints, lowest first. */
export type FeeNeed = {
  readonly neededRate: number
  readonly rate: bigint
  readonly aboveCap: boolean
  readonly rates: readonly number[]
}

/**
 * The highest fee, in satoshi, that a transaction may pay: the configured cap for each of its
 * virtual bytes (`vsize`).
 *
 * Without a change output it may also pay the fee and the dust of that output, because no other
 * output can take them. A void may pay as much as the deposit could, plus the price of a
 * replacement (BIP 125 rule 4); otherwise a deposit that already pays the cap could not be voided.
 */
export function feeLimitUnits(
  transaction: { readonly action: string; readonly vsize: bigint; readonly hasChange: boolean },
  maxFeeRate: number,
): bigint {
  const cap = BigInt(Math.floor(maxFeeRate))
  const cappedUnits = cap * transaction.vsize
  const droppedUnits = cap * LARGEST_OUTPUT_VSIZE + DUST_UNITS
  if (transaction.action === "void")
    return cappedUnits + droppedUnits + transaction.vsize * INCREMENTAL_RATE
  return transaction.hasChange ? cappedUnits : cappedUnits + droppedUnits
}

/**
 * Change up to this many satoshi becomes part of the fee: Bitcoin Core's dust limit for P2TR, the
 * larger of ours.
 */
export const DUST_UNITS = 330n

/**
 * Bitcoin Core's `incrementalrelayfee`: a replacement pays the old fee plus this many satoshi for
 * each of its virtual bytes.
 */
export const INCREMENTAL_RATE = 1n

const LARGEST_OUTPUT_VSIZE = 43n

/**
 * An upper bound, in virtual bytes, of a deposit before its coins are known: `inputs` coins of
 * ours, the HTLC output and change.
 */
export function depositVsize(inputs: bigint, addressType: AddressType): bigint {
  return 11n + inputs * (addressType === "p2tr" ? 58n : 68n) + 2n * LARGEST_OUTPUT_VSIZE
}

/**
 * An upper bound of a refund: one HTLC input by the refund leaf (64-byte signature, 40-byte leaf,
 * 97-byte control block), one output.
 */
export const REFUND_VSIZE = 150n

/**
 * A redemption: one HTLC input by the redeem leaf (64-byte signature, 32-byte secret, 69-byte leaf,
 * 65-byte control block), one output of the largest usual kind. The service decides how it redeems:
 * a larger transaction's fee must not come out of our payout.
 */
export const REDEEM_VSIZE = 154n

/**
 * Fee rates double within an hour often enough, and the payout is redeemed minutes to hours after
 * the estimate.
 */
export const PAYOUT_RATE_FACTOR = 2

/**
 * On an idle main network a service still pays a few sat/vB; elsewhere coins are free, and small
 * orders must pass.
 */
export const LEAST_PAYOUT_RATE = { main: 5, test: 1 }
