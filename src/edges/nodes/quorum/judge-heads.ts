import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { HeadTip } from "#ports/chain/balances.ts"
import { agreedHead, type EndpointAnswer } from "./agree-on.ts"
import { describeOutlier, firstFailure } from "./reasons.ts"

/**
 * The newest block of one endpoint. `timeMs`: by the block's own clock; `null` or absent where it
 * is not known. `isFollowing` is false where the endpoint's last newest block is not seen below.
 */
export type Head = {
  readonly height: bigint
  readonly timeMs?: number | null
  readonly isFollowing?: boolean
}

/**
 * `height`: the block to ask about. `credible`: the number of heads that count. `isShort`: fewer
 * endpoints than needed have answered. `heads`: with an error in the place of each outlier and of
 * each endpoint that stalled.
 */
export type JudgedHeads<H> = JudgedAnswers<H> & { readonly tips: readonly (HeadTip | null)[] }

type JudgedAnswers<H> = {
  readonly height: bigint
  readonly credible: number
  readonly isShort: boolean
  readonly heads: readonly EndpointAnswer<H>[]
  readonly outliers: readonly Reason[]
}

type HeadRules = {
  readonly needed: number
  /** A head so many blocks above the others is an outlier: honest nodes differ by seconds. */
  readonly lead: bigint
  /** A newest block that is older shows that its endpoint follows the chain no more. */
  readonly stalledMs: number
  /** The highest block that the chain can have now; `null` where that is not known. */
  readonly reachable: bigint | null
  readonly nowMs: number
  /** The error code of an endpoint that stalled. */
  readonly stalled: string
}

/**
 * Chooses the block about which every endpoint is asked: the `needed`-th highest head. A head far
 * above it is an outlier and counts as no answer. Throws the first failure if no head is left.
 * Pure.
 *
 * With fewer answers than needed no head can be compared. Then the block is the lowest head, and no
 * higher than the chain can have reached, so that a lone endpoint cannot invent a height. A chain
 * with one endpoint has nothing to compare at all.
 *
 * One endpoint never decides alone how far the chain is while others answer, even if one answer is
 * enough otherwise. Endpoints that stalled count as no answer, so that refunds go on with the one
 * that follows the chain.
 */
export function judgeHeads<H extends Head>(
  all: readonly EndpointAnswer<H>[],
  rules: HeadRules,
): JudgedAnswers<H> {
  const { needed, lead } = rules
  const answers = rejectStalled(all, rules)
  const given = heightsOf(answers)
  const lowest = agreedHead(given, given.length)
  if (lowest === null) throw firstFailure(answers)
  const anchor = agreedHead(given, Math.min(Math.max(needed, 2), given.length)) ?? lowest
  const isShort = given.length < needed
  const limit = (isShort ? rules.reachable : anchor) ?? lowest
  const isFar = (height: bigint): boolean => answers.length > 1 && height > limit + lead
  const credible = given.filter((height) => !isFar(height))
  const far = answers.flatMap((answer) => (answer.ok && isFar(answer.value.height) ? [answer] : []))
  return {
    height: isShort
      ? isFar(lowest)
        ? limit
        : lowest
      : (agreedHead(credible, needed) ?? agreedHead(credible, credible.length) ?? lowest),
    credible: credible.length,
    isShort,
    heads: answers.map((answer) =>
      answer.ok && !isShort && isFar(answer.value.height) ? outlier(answer, limit) : answer,
    ),
    outliers: far.map(({ endpoint, value }) => describeOutlier(endpoint, value.height, limit)),
  }
}

/** Heads so far apart that one may have stalled. Then the times of their blocks tell which. */
export function areFarApart(heads: readonly EndpointAnswer<Head>[], lead: bigint): boolean {
  const bound = boundOf(heads, lead)
  return heightsOf(heads).some((height) => height > bound)
}

function boundOf(heads: readonly EndpointAnswer<Head>[], lead: bigint): bigint {
  const given = heightsOf(heads)
  return (agreedHead(given, Math.min(2, given.length)) ?? 0n) + lead
}

function heightsOf(heads: readonly EndpointAnswer<Head>[]): readonly bigint[] {
  return heads.flatMap((head) => (head.ok ? [head.value.height] : []))
}

/**
 * If heads are far apart, and every low one is old while a high one is fresh, the low ones have
 * stalled.
 */
function rejectStalled<H extends Head>(
  answers: readonly EndpointAnswer<H>[],
  { lead, stalledMs, nowMs, stalled }: HeadRules,
): readonly EndpointAnswer<H>[] {
  const bound = boundOf(answers, lead)
  const ageOf = ({ timeMs }: Head): number | null => (timeMs == null ? null : nowMs - timeMs)
  const isFar = ({ height }: Head): boolean => height > bound
  const isFresh = (head: Head): boolean => Math.abs(ageOf(head) ?? Infinity) <= stalledMs
  const isOld = (head: Head): boolean => (ageOf(head) ?? 0) > stalledMs
  const given = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const hasStalled =
    given.some((head) => isFar(head) && isFresh(head)) &&
    given.every((head) => isFar(head) || isOld(head))
  if (!hasStalled) return answers
  return answers.map((answer) => {
    if (!answer.ok || isFar(answer.value)) return answer
    const { endpoint, value } = answer
    const message =
      `The newest block of the endpoint ${endpoint} is old, and another endpoint has newer ones; ` +
      "repair or replace it"
    const details = { host: endpoint, head: value.height.toString() }
    const error = new AppError({ code: stalled, disposition: "transient", message, details })
    return { endpoint, ok: false, error }
  })
}

function outlier(
  { endpoint, value }: { readonly endpoint: string; readonly value: Head },
  agreed: bigint,
): EndpointAnswer<never> {
  const { code, message, ...details } = describeOutlier(endpoint, value.height, agreed)
  return {
    endpoint,
    ok: false,
    error: new AppError({ code, disposition: "transient", message, details }),
  }
}
