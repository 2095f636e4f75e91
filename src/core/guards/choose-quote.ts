import { formatUnits } from "#domain/amount.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { type CostPolicy, judgePrice } from "./price.ts"

/** One quote of one service, with the reasons of the other guards against it. */
export type Candidate = {
  readonly service: string
  readonly quote: Quote
  readonly refusals: readonly Reason[]
  /**
   * The costs of a route beside its quote: the fee of its payout and the time of the money.
   * Absent where all quotes are of services, which have no such difference.
   */
  readonly besideFiat?: bigint
}

type QuoteChoice = {
  /** The best quote that nothing speaks against; `null` when there is none. */
  readonly chosen: Candidate | null
  /** All candidates with all their refusals, the most units first. */
  readonly candidates: readonly Candidate[]
}

/**
 * `cost` is the cost limit of the order; `null` where reference prices of both assets have judged
 * every quote already.
 */
type ChoicePolicy = { readonly maxGainBps: bigint; readonly cost: CostPolicy | null }

/**
 * Chooses among the quotes of several services for the same swap. Their order does not matter.
 *
 * The highest quote alone proves nothing, because a service that lies can always promise more. So a
 * quote is refused if it is better by more than `maxGainBps` than
 * - the source's value, by the quote's own values;
 * - the median of the other services' best quotes, among those that pass all other guards. With an
 *   even number the median is the upper of both middle quotes: one service that quotes too little
 *   can then not make the others look too good.
 *
 * A service that quotes too little, and says so, has failed the cost limit before: its quote is no
 * measure. If no other service passes, the measure is the quotes of the too expensive ones with
 * their costs added back.
 *
 * A service can also quote too little under false values, so that it passes the cost limit by its
 * own words. Without reference prices a quote must therefore also pass the cost limit at the rate
 * of each better quote of another service, unless two or more services prove that quote too good.
 * Where only two services quote and they disagree, neither is proven, and both are refused: a swap
 * that waits costs less than a swap at a false price.
 *
 * A quote that the contract guarantees is no claim: nothing of this speaks against it, and it
 * measures the others.
 */
export function chooseQuote(
  candidates: readonly Candidate[],
  { maxGainBps, cost }: ChoicePolicy,
): QuoteChoice {
  const valued = toOneSource(candidates).map((candidate) =>
    refuseUnlessSure(candidate, judgeOwnGain(candidate.quote, maxGainBps)),
  )
  const compared = valued.map((candidate) =>
    refuseUnlessSure(candidate, judgeAgainstOthers(candidate, valued, maxGainBps)),
  )
  const rates =
    cost === null
      ? []
      : valued.filter((rate) => isRate(rate, valued, maxGainBps)).toSorted(byAmount)
  const judged = compared.map((candidate) =>
    refuseUnlessSure(candidate, cost && judgeAtRates(candidate, rates, cost)),
  )
  const sorted = judged
    .map((one, index) => ({ one, given: candidates[index] ?? one }))
    .toSorted((a, b) => byAmount(a.one, b.one))
    .map(({ one, given }) => ({ ...given, refusals: one.refusals }))
  return {
    chosen: sorted.find(({ refusals }) => refusals.length === 0) ?? null,
    candidates: sorted,
  }
}

/**
 * Quotes for an exact payout sell different amounts. They are compared by what each would pay for
 * the largest of them.
 */
function toOneSource(candidates: readonly Candidate[]): readonly Candidate[] {
  const base = candidates.reduce(
    (most, { quote }) => (quote.sourceUnits > most ? quote.sourceUnits : most),
    0n,
  )
  return candidates.map((candidate) => {
    const { quote } = candidate
    if (quote.sourceUnits === base || quote.sourceUnits <= 0n) return candidate
    const scale = (units: bigint): bigint => (units * base) / quote.sourceUnits
    const scaleFiat = (fiat: bigint | null): bigint | null => (fiat === null ? null : scale(fiat))
    return {
      ...candidate,
      quote: {
        ...quote,
        sourceUnits: base,
        destinationUnits: scale(quote.destinationUnits),
        sourceFiat: scaleFiat(quote.sourceFiat),
        destinationFiat: scaleFiat(quote.destinationFiat),
      },
    }
  })
}

/** What the chain guarantees cannot be too good, and needs no other proof. */
function refuseUnlessSure(candidate: Candidate, reason: Reason | null): Candidate {
  return reason === null || isGuaranteed(candidate)
    ? candidate
    : { ...candidate, refusals: [...candidate.refusals, reason] }
}

function isGuaranteed({ quote }: Candidate): boolean {
  return quote.guarantee === "contract"
}

function judgeOwnGain({ sourceFiat, destinationFiat }: Quote, maxGainBps: bigint): Reason | null {
  if (
    sourceFiat === null ||
    destinationFiat === null ||
    !isAbove(destinationFiat, sourceFiat, maxGainBps)
  )
    return null
  const paid = formatUnits(destinationFiat, 6)
  const sold = formatUnits(sourceFiat, 6)
  const message =
    `The quote pays ${paid} for ${sold}, more than ${maxGainBps} bps above the value sold: too ` +
    "good to be true"
  return { code: "quote.too_good", message, paid, sold, maxGain: `${maxGainBps} bps` }
}

function judgeAgainstOthers(
  candidate: Candidate,
  candidates: readonly Candidate[],
  maxGainBps: bigint,
): Reason | null {
  const median = medianOf(measureBy(candidate.service, candidates))
  const { destinationUnits } = candidate.quote
  if (median === null || !isAbove(destinationUnits, median, maxGainBps)) return null
  const message =
    `The quote pays ${destinationUnits} units, more than ${maxGainBps} bps above the ${median} ` +
    "of the other services: too good to be true"
  const units = destinationUnits.toString()
  const medianUnits = median.toString()
  return { code: "quote.too_good", message, units, medianUnits, maxGain: `${maxGainBps} bps` }
}

/**
 * A quote with values that nothing contradicts, or only one other service: its rate may be the true
 * one.
 */
function isRate(
  candidate: Candidate,
  candidates: readonly Candidate[],
  maxGainBps: bigint,
): boolean {
  if (!isPriceSound(candidate)) return false
  if (isGuaranteed(candidate)) return true
  const isRefuted = judgeAgainstOthers(candidate, candidates, maxGainBps) !== null
  return !isRefuted || measureBy(candidate.service, candidates).length < 2
}

/**
 * The cost of the quote if the payout has the value that a better quote of another service gives
 * it.
 */
function judgeAtRates(
  { service, quote }: Candidate,
  rates: readonly Candidate[],
  cost: CostPolicy,
): Reason | null {
  for (const rate of rates) {
    const { sourceFiat, destinationFiat, destinationUnits } = rate.quote
    if (rate.service === service || destinationUnits <= quote.destinationUnits) continue
    if (sourceFiat === null || destinationFiat === null) continue
    const worth = (destinationFiat * quote.destinationUnits) / destinationUnits
    const [broken] = judgePrice({ ...quote, sourceFiat, destinationFiat: worth }, cost)
    if (broken === undefined) continue
    const message =
      `At the rate of ${rate.service}, which pays ${destinationUnits} units instead of ` +
      `${quote.destinationUnits}, the quote breaks the cost limit, and neither quote is ` +
      "proven. Reference prices or a third service would decide"
    const units = quote.destinationUnits.toString()
    const betterUnits = destinationUnits.toString()
    return { code: "quote.unproven", message, units, betterUnits, cause: broken.code }
  }
  return null
}

/**
 * A limit of ours, such as the open orders of one service, says nothing against the price of a
 * quote.
 */
function isPriceSound({ refusals }: Candidate): boolean {
  return refusals.every(({ code }) => code.startsWith("limit.") && code !== "limit.solver")
}

/**
 * One amount for each other service: its best quote that passes, or else its best too expensive one
 * without its costs.
 */
function measureBy(service: string, candidates: readonly Candidate[]): readonly bigint[] {
  const others = candidates.filter((other) => other.service !== service)
  const passing = others.filter(isPriceSound)
  if (passing.length > 0) return bestOfEach(passing, ({ destinationUnits }) => destinationUnits)
  const expensive = others.filter(({ refusals }) =>
    refusals.every(({ code }) => code === "price.cost"),
  )
  return bestOfEach(expensive, withoutCosts)
}

function bestOfEach(
  candidates: readonly Candidate[],
  unitsOf: (quote: Quote) => bigint,
): readonly bigint[] {
  const best = new Map<string, bigint>()
  for (const { service, quote } of candidates) {
    const units = unitsOf(quote)
    const known = best.get(service)
    if (known === undefined || units > known) best.set(service, units)
  }
  return [...best.values()]
}

function withoutCosts({ destinationUnits, sourceFiat, destinationFiat }: Quote): bigint {
  if (sourceFiat === null || destinationFiat === null || destinationFiat <= 0n)
    return destinationUnits
  return (destinationUnits * sourceFiat) / destinationFiat
}

function medianOf(amounts: readonly bigint[]): bigint | null {
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

function isAbove(found: bigint, measure: bigint, bps: bigint): boolean {
  return found * 10_000n > measure * (10_000n + bps)
}

/**
 * The most units first, without the costs beside the quote; names decide between equal amounts,
 * so that the order of the answers has no influence.
 */
function byAmount(a: Candidate, b: Candidate): number {
  const net = netUnits(b) - netUnits(a)
  if (net !== 0n) return net < 0n ? -1 : 1
  return nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0
}

function netUnits({ quote, besideFiat = 0n }: Candidate): bigint {
  const { destinationUnits, destinationFiat } = quote
  return destinationFiat === null || destinationFiat <= 0n
    ? destinationUnits
    : destinationUnits - (besideFiat * destinationUnits) / destinationFiat
}

function nameOf({ service, quote }: Candidate): string {
  return `${service} ${quote.solverId}`
}
