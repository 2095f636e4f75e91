import { max } from "#domain/amount.ts"
import type { Reason } from "#domain/reason.ts"
import { middle } from "#domain/urgent-offer.ts"
import type { Clock } from "#lib/clock.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { EndpointAnswer } from "./agree-on.ts"

/**
 * The last fees that the endpoints of a chain named. No block proves a fee, so the middle one
 * counts, and an endpoint that is far from it would be dropped in silence.
 */
export type FeeFigures = {
  readonly note: (answers: readonly EndpointAnswer<Figures>[], scale: FeeScale) => void
  /**
   * Returns the report, and begins to read the fees where no transaction has for five minutes: the
   * next report has what that finds. Never rejects for it. One endpoint has no others to compare it
   * with, and is asked only while its fee is above a cap.
   */
  readonly beside: <T>(report: Promise<T>, read: () => Promise<unknown>) => Promise<T>
  /** The outliers of the last ten minutes, and the fees above their caps. */
  readonly list: () => readonly Reason[]
}

/** `fee`: as the endpoint names it. `wanted`: what Ballast would offer by it without a cap. */
type Figures = { readonly fee: bigint | null; readonly wanted: bigint | null }

/**
 * A difference below `least` harms nothing: a small part of the configured cap. `cap`: the most
 * that Ballast offers, and the key of the configuration that says so.
 */
type FeeScale = {
  readonly unit: string
  readonly least: bigint
  readonly cap: { readonly most: bigint; readonly key: string }
}

/** `endpoints`: how many. */
export function createFeeFigures({ now }: Pick<Clock, "now">, endpoints: number): FeeFigures {
  const last = new Map<string, { readonly atMs: number; readonly reasons: readonly Reason[] }>()
  let readMs = Number.NEGATIVE_INFINITY
  return {
    note: (answers, scale) => {
      const given = answers.flatMap(({ endpoint, ...one }) =>
        one.ok ? [{ endpoint, ...one.value }] : [],
      )
      readMs = now()
      last.set(scale.unit, { atMs: now(), reasons: findFeeOutliers(given, scale) })
      // An urgent transaction may have a higher cap, which says nothing about the usual one.
      const cap = `${scale.unit} ${scale.cap.most}`
      last.set(cap, { atMs: now(), reasons: findFeeAboveCap(given, scale) })
    },
    beside: (report, read) => {
      const isNews = endpoints > 1 || [...last.values()].some(({ reasons }) => reasons.length > 0)
      if (isNews && Math.abs(now() - readMs) >= EVERY_MS) {
        readMs = now()
        // The transaction that needs a fee names its own failure.
        void ignoreUnhandled(read())
      }
      return report
    },
    list: () =>
      [...last.values()].flatMap(({ atMs, reasons }) =>
        Math.abs(now() - atMs) < FRESH_MS ? reasons : [],
      ),
  }
}

/** The fee of one endpoint's answer. */
export type FeeFigure = FeeScale & Figures

/** How an answer of a family names a fee. `wantedOf`: absent where Ballast offers that fee. */
export type NotedFee<T> = FeeScale & {
  readonly figureOf: (value: T) => bigint | null
  readonly wantedOf?: (value: T) => bigint | null
}

export function noteFees<T>(
  fees: FeeFigures,
  answers: readonly EndpointAnswer<T>[],
  noted: NotedFee<T>,
): void {
  fees.note(
    answers.map((one) => (one.ok ? { ...one, value: figureIn(one.value, noted) } : one)),
    noted,
  )
}

export function figureIn<T>(value: T, noted: NotedFee<T>): FeeFigure {
  const { figureOf, wantedOf = figureOf, ...scale } = noted
  return { fee: figureOf(value), wanted: wantedOf(value), ...scale }
}

const FRESH_MS = 10 * 60_000
const EVERY_MS = 5 * 60_000
/** Honest estimates of one moment differ by less. */
const FACTOR = 10n

/** The endpoints whose fee is ten times the middle one or more, or a tenth or less. Pure. */
export function findFeeOutliers(
  answers: readonly { readonly endpoint: string; readonly fee: bigint | null }[],
  { unit, least }: Pick<FeeScale, "unit" | "least">,
): readonly Reason[] {
  const given = answers.flatMap(({ endpoint, fee }) => (fee === null ? [] : [{ endpoint, fee }]))
  const usual = middle(given.map(({ fee }) => fee)) ?? 0n
  return given.flatMap(({ endpoint, fee }) => {
    const apart = fee > usual ? fee - usual : usual - fee
    const isFar = fee >= usual * FACTOR || usual >= fee * FACTOR
    if (!isFar || apart < max(least, 1n)) return []
    const message =
      `The endpoint ${endpoint} names a network fee of ${fee} ${unit}, and the middle of ` +
      `${given.length} endpoints is ${usual}; the fee caps bound its cost`
    return [{ code: "chain.fee_outlier", message, endpoint, fee: `${fee}`, middle: `${usual}` }]
  })
}

/**
 * The middle of the fees, where it is above the cap: then Ballast offers the cap, or waits, and an
 * operator would look for another cause. Pure.
 */
export function findFeeAboveCap(
  answers: readonly Pick<Figures, "wanted">[],
  { unit, cap: { most, key } }: Pick<FeeScale, "unit" | "cap">,
): readonly Reason[] {
  const wanted = middle(answers.flatMap((one) => one.wanted ?? []))
  if (wanted === null || wanted <= most) return []
  const message =
    `The endpoints ask for a network fee of ${wanted} ${unit}, and ${key} allows ${most}: ` +
    "Ballast offers no more, so its transactions may wait"
  return [{ code: "chain.fee_above_cap", message, fee: `${wanted}`, cap: `${most}`, key }]
}
