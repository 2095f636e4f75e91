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
  /** `null` is an endpoint without an estimate. */
  readonly note: (answers: readonly EndpointAnswer<bigint | null>[], scale: FeeScale) => void
  /**
   * Returns the report, and begins to read the fees where no transaction has for five minutes: the
   * next report has what that finds. Never rejects for it.
   */
  readonly beside: <T>(report: Promise<T>, read: () => Promise<unknown>) => Promise<T>
  /** The outliers of the last ten minutes. */
  readonly list: () => readonly Reason[]
}

/** A difference below `least` harms nothing: a small part of the configured cap. */
type FeeScale = { readonly unit: string; readonly least: bigint }

/** `endpoints`: how many. One has no others to compare it with. */
export function createFeeFigures({ now }: Pick<Clock, "now">, endpoints: number): FeeFigures {
  const last = new Map<string, { readonly atMs: number; readonly outliers: readonly Reason[] }>()
  let readMs = Number.NEGATIVE_INFINITY
  return {
    note: (answers, scale) => {
      const given = answers.flatMap(({ endpoint, ...one }) =>
        one.ok && one.value !== null ? [{ endpoint, fee: one.value }] : [],
      )
      readMs = now()
      last.set(scale.unit, { atMs: now(), outliers: findFeeOutliers(given, scale) })
    },
    beside: (report, read) => {
      if (endpoints > 1 && Math.abs(now() - readMs) >= EVERY_MS) {
        readMs = now()
        // The transaction that needs a fee names its own failure.
        void ignoreUnhandled(read())
      }
      return report
    },
    list: () =>
      [...last.values()].flatMap(({ atMs, outliers }) =>
        Math.abs(now() - atMs) < FRESH_MS ? outliers : [],
      ),
  }
}

/** The fee of one endpoint's answer. */
export type FeeFigure = FeeScale & { readonly fee: bigint | null }

/** How an answer of a family names a fee. */
export type NotedFee<T> = FeeScale & { readonly figureOf: (value: T) => bigint | null }

export function noteFees<T>(
  fees: FeeFigures,
  answers: readonly EndpointAnswer<T>[],
  { figureOf, ...scale }: NotedFee<T>,
): void {
  fees.note(
    answers.map((one) => (one.ok ? { ...one, value: figureOf(one.value) } : one)),
    scale,
  )
}

export function figureIn<T>(value: T, { figureOf, ...scale }: NotedFee<T>): FeeFigure {
  return { fee: figureOf(value), ...scale }
}

const FRESH_MS = 10 * 60_000
const EVERY_MS = 5 * 60_000
/** Honest estimates of one moment differ by less. */
const FACTOR = 10n

/** The endpoints whose fee is ten times the middle one or more, or a tenth or less. Pure. */
export function findFeeOutliers(
  given: readonly { readonly endpoint: string; readonly fee: bigint }[],
  { unit, least }: FeeScale,
): readonly Reason[] {
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
