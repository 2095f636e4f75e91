import { agreedHead } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Answer } from "./endpoint.ts"
import type { Block } from "./read-block.ts"

/** A head this much newer than the agreed one is an outlier: honest nodes differ by seconds. */
export const HEAD_LEAD_MS = 5 * 60_000

/**
 * An endpoint whose newest block is older follows the chain no more, if another one has newer
 * blocks.
 */
const STALLED_MS = 10 * 60_000

export type KnownHead = { readonly height: bigint; readonly atMs: number }

/** `height`: the block to ask about. `isShort`: fewer endpoints than needed have reached it. */
export type AgreedHead = {
  readonly height: bigint
  readonly isShort: boolean
  /** The heads, with an error in the place of each outlier. */
  readonly heads: readonly Answer<Block>[]
  readonly outliers: readonly Reason[]
}

/**
 * Chooses the block about which every endpoint is asked: the `needed`-th highest head. A head far
 * above it is an outlier and counts as no answer. Throws the first failure if no head is left.
 *
 * With fewer answers than needed no head can be compared. Then the block is the lowest head, and no
 * higher than the chain can have reached since the last agreement, so that a lone endpoint cannot
 * invent a height. A chain with one endpoint has nothing to compare at all.
 *
 * One endpoint never decides alone how far the chain is while others answer, even if one answer is
 * enough otherwise. Endpoints that stalled count as no answer, so that refunds go on with the one
 * that follows the chain.
 */
export function chooseHead(
  all: readonly Answer<Block>[],
  { needed, fastestBlockMs, last, nowMs }: HeadRules,
): AgreedHead {
  const lead = BigInt(Math.ceil(HEAD_LEAD_MS / fastestBlockMs))
  const answers = rejectStalled(all, lead, nowMs)
  const given = heightsOf(answers)
  const lowest = agreedHead(given, given.length)
  if (lowest === null) throw firstFailure(answers)
  const anchor = agreedHead(given, Math.min(Math.max(needed, 2), given.length)) ?? lowest
  const credible = needed > 1 ? given : given.filter((height) => height <= anchor + lead)
  const agreed = agreedHead(credible, needed)
  const limit =
    (agreed === null ? reachable(last, nowMs, fastestBlockMs) : needed > 1 ? agreed : anchor) ??
    lowest
  const isOutlier = (height: bigint): boolean => answers.length > 1 && height > limit + lead
  const isShort = agreed === null
  const heads = answers.map((answer) =>
    answer.ok && !isShort && isOutlier(answer.value.height) ? rejected(answer, limit) : answer,
  )
  const outliers = answers.flatMap((answer) =>
    answer.ok && isOutlier(answer.value.height) ? [outlierReason(answer, limit)] : [],
  )
  const height = agreed ?? (isOutlier(lowest) ? limit : lowest)
  return { height, isShort, heads, outliers }
}

type HeadRules = {
  readonly needed: number
  readonly fastestBlockMs: number
  /** The last height that enough endpoints had reached, and when. */
  readonly last: KnownHead | null
  readonly nowMs: number
}

function heightsOf(answers: readonly Answer<Block>[]): readonly bigint[] {
  return answers.flatMap((answer) => (answer.ok ? [answer.value.height] : []))
}

/**
 * If heads are far apart, and every low one is old while a high one is fresh, the low ones have
 * stalled.
 */
function rejectStalled(
  answers: readonly Answer<Block>[],
  lead: bigint,
  nowMs: number,
): readonly Answer<Block>[] {
  const given = heightsOf(answers)
  const low = agreedHead(given, Math.min(2, given.length)) ?? 0n
  const isFar = ({ height }: Block): boolean => height > low + lead
  const isFresh = ({ timeMs }: Block): boolean =>
    timeMs !== null && Math.abs(nowMs - timeMs) <= STALLED_MS
  const isOld = ({ timeMs }: Block): boolean => timeMs !== null && nowMs - timeMs > STALLED_MS
  const blocks = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const isStalled =
    blocks.some((block) => isFar(block) && isFresh(block)) &&
    blocks.every((one) => isFar(one) || isOld(one))
  if (!isStalled) return answers
  return answers.map((answer) => (answer.ok && !isFar(answer.value) ? stalled(answer) : answer))
}

function stalled({ endpoint, value }: Given): Answer<Block> {
  const error = new AppError({
    code: "evm.stalled",
    disposition: "transient",
    message:
      "The EVM endpoint's newest block is old, and another endpoint has newer ones; repair " +
      "or replace it",
    details: { host: endpoint, head: value.height.toString() },
  })
  return { endpoint, ok: false, error }
}

function reachable(last: KnownHead | null, nowMs: number, fastestBlockMs: number): bigint | null {
  if (last === null) return null
  return last.height + BigInt(Math.ceil(Math.max(0, nowMs - last.atMs) / fastestBlockMs))
}

type Given = Answer<Block> & { readonly ok: true }

function rejected(answer: Given, agreed: bigint): Answer<Block> {
  const { code, message, ...details } = outlierReason(answer, agreed)
  return {
    endpoint: answer.endpoint,
    ok: false,
    error: new AppError({ code, disposition: "transient", message, details }),
  }
}

function outlierReason({ endpoint, value }: Given, agreed: bigint): Reason {
  return {
    code: "chain.head_outlier",
    message: "The endpoint claims a head far above the others; Ballast ignores it",
    endpoint,
    head: value.height.toString(),
    agreed: agreed.toString(),
  }
}

/** A passing failure first, because a retry may help as long as one endpoint failed that way. */
export function firstFailure(answers: readonly Answer<unknown>[]): AppError {
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
  return (
    failures.find(({ disposition }) => disposition === "transient") ?? failures[0] ?? noEndpoint()
  )
}

function noEndpoint(): AppError {
  return new AppError({
    code: "evm.no_endpoint",
    disposition: "fatal",
    message: "Configure an rpc url for this chain",
  })
}
