import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import { agreeOn, type EndpointAnswer } from "./agree-on.ts"
import {
  agreementShort,
  describeContradiction,
  describeMissing,
  disagreement,
  firstFailure,
} from "./reasons.ts"

/**
 * The answers of all endpoints to one question, as one. `value`: the agreed answer, or the answer
 * of those that gave one where there are too few; `null` where answers contradict each other.
 * `supporters`: the answers that are equal to `value`; they may differ where `keyOf` does not look.
 */
export type Conclusion<T> = {
  readonly status: "agreed" | "short" | "split"
  readonly value: T | null
  readonly given: readonly T[]
  readonly supporters: readonly T[]
  readonly doubts: readonly Reason[]
}

/** `doubts`: those of the block that the answers are about. */
type ConcludeOptions<T> = {
  readonly needed: number
  readonly about?: string
  readonly keyOf?: (value: T) => string
  readonly doubts?: readonly Reason[]
}

/** Pure. A contradiction is always named, and a silent endpoint only where it is missed. */
export function concludeAnswers<T>(
  answers: readonly EndpointAnswer<T>[],
  { needed, about = "the same block", keyOf = plainJson, doubts = [] }: ConcludeOptions<T>,
): Conclusion<T> {
  const agreement = agreeOn(answers, needed, keyOf)
  const given = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const value = agreement.status === "split" ? null : agreement.value
  // CAST: a value is absent only where none answered or answers differ.
  const key = agreement.status === "split" || given.length === 0 ? null : keyOf(value as T)
  const supporters = given.filter((each) => keyOf(each) === key)
  const contradictions =
    supporters.length < given.length ? [describeContradiction(about, answers, keyOf)] : []
  return {
    status: agreement.status,
    value,
    given,
    supporters,
    doubts:
      agreement.status === "short"
        ? describeMissing(answers, doubts)
        : [...doubts, ...contradictions],
  }
}

/**
 * The value that enough endpoints give. Throws `codes.split` and `codes.short` (transient), and an
 * endpoint's own error if none answers.
 */
export function requireAgreement<T>(
  answers: readonly EndpointAnswer<T>[],
  options: ConcludeOptions<T> & { readonly split: string; readonly short: string },
): T {
  const agreement = agreeOn(answers, options.needed, options.keyOf)
  if (agreement.status === "agreed") return agreement.value
  const { doubts, given } = concludeAnswers(answers, options)
  if (given.length === 0) throw firstFailure(answers)
  throw agreement.status === "split"
    ? disagreement(options.split, doubts)
    : agreementShort(options.short, { needed: options.needed, nodes: answers }, doubts)
}

/**
 * How many endpoints have the same block now, and why the others do not. `isUsual`: this endpoint's
 * delay is no news while enough others agree. Pure.
 */
export function reportAgreement<T>(
  blocks: readonly EndpointAnswer<T>[],
  options: ConcludeOptions<T> &
    Pick<AgreementReport, "tips"> & { readonly isUsual?: (index: number) => boolean },
): AgreementReport {
  const { needed, doubts = [], isUsual = () => false, tips = [] } = options
  const { supporters, doubts: found } = concludeAnswers(blocks, options)
  const agreeing = supporters.length
  const missed = blocks.filter((_block, index) => agreeing < needed || !isUsual(index))
  const contradictions = found.filter(({ code }) => code === "chain.disagreement")
  const reasons = [...contradictions, ...describeMissing(missed, doubts)]
  return { endpoints: blocks.length, needed, agreeing, reasons, tips }
}

/** The report of a chain without a single answer. Rethrows a mistake of Ballast. */
export function reportSilence(endpoints: number, needed: number, error: unknown): AgreementReport {
  if (!(error instanceof AppError)) throw error
  const { code, message } = error
  return { endpoints, needed, agreeing: 0, reasons: [{ code, message }] }
}
