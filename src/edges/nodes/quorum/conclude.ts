import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import { agreeOn, type EndpointAnswer } from "./agree-on.ts"
import type { Quorum } from "./create-quorum.ts"
import type { JudgedHeads } from "./judge-heads.ts"
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

/** Whose answers are judged. */
export type Party = Pick<Quorum<unknown>, "needed" | "codes" | "fees"> & {
  readonly nodes: readonly unknown[]
}

/**
 * The value that enough endpoints give. Throws `codes.split` and `codes.short` (transient), and an
 * endpoint's own error if none answers.
 */
export function requireAgreement<T>(
  party: Party,
  answers: readonly EndpointAnswer<T>[],
  options: Omit<ConcludeOptions<T>, "needed"> = {},
): T {
  const found = concludeAnswers(answers, { ...options, needed: party.needed })
  if (found.given.length === 0) throw firstFailure(answers)
  return requireAgreed(party, found)
}

/** The value of an agreement. Throws `codes.split` and `codes.short` (transient). */
export function requireAgreed<T>(
  party: Party,
  { status, value, doubts }: Pick<Conclusion<T>, "status" | "value" | "doubts">,
): T {
  // CAST: endpoints have agreed on it, so it is one of their answers.
  if (status === "agreed") return value as T
  throw status === "split"
    ? disagreement(party.codes.split, doubts)
    : agreementShort(party.codes.short, party, doubts)
}

/** The height that enough endpoints have reached. Throws `codes.short` (transient). */
export function requireReached(
  party: Party,
  { height, credible, heads, outliers }: Omit<JudgedHeads<unknown>, "tips" | "isShort">,
): bigint {
  if (credible >= party.needed) return height
  throw agreementShort(party.codes.short, party, describeMissing(heads, outliers))
}

type ReportOptions<T> = Omit<ConcludeOptions<T>, "doubts"> &
  Pick<AgreementReport, "tips"> & {
    readonly outliers?: readonly Reason[]
    readonly isUsual?: (index: number) => boolean
  }

/**
 * How many endpoints have the same block now, and why the others do not. `isUsual`: this endpoint's
 * delay is no news while enough others agree. Pure.
 */
function reportAgreement<T>(
  blocks: readonly EndpointAnswer<T>[],
  options: ReportOptions<T>,
): AgreementReport {
  const { needed, outliers = [], isUsual = () => false, tips = [] } = options
  const { supporters, doubts: found } = concludeAnswers(blocks, { ...options, doubts: outliers })
  const agreeing = supporters.length
  const missed = blocks.filter((_block, index) => agreeing < needed || !isUsual(index))
  const contradictions = found.filter(({ code }) => code === "chain.disagreement")
  const reasons = [...contradictions, ...describeMissing(missed, outliers)]
  return { endpoints: blocks.length, needed, agreeing, reasons, tips }
}

/**
 * The report of what `read` finds now, and of a chain without a single answer, with the fees that
 * were outvoted. Throws a mistake of Ballast, and nothing else.
 */
export async function reportNow<T>(
  { needed, nodes, fees }: Party,
  read: () => Promise<
    Omit<ReportOptions<T>, "needed"> & { readonly blocks: readonly EndpointAnswer<T>[] }
  >,
): Promise<AgreementReport> {
  try {
    const { blocks, ...options } = await read()
    const report = reportAgreement(blocks, { ...options, needed })
    return { ...report, reasons: [...report.reasons, ...fees.list()] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message } = error
    return { endpoints: nodes.length, needed, agreeing: 0, reasons: [{ code, message }] }
  }
}
