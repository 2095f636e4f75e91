import { agreedHead } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Answer } from "./endpoint.ts"
import type { Block } from "./read-block.ts"

/** A head this much newer than the agreed one is an outlier: honest nodes differ by seconds. */
export const HEAD_LEAD_MS = 5 * 60_000

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
 * Chooses the block about which every endpoint is asked: the `needed`-th highest head. A head far above it is an outlier and counts as no
 * answer. Throws the first failure if no head is left.
 *
 * With fewer answers than needed no head can be compared. Then the block is the lowest head, and no higher than the chain can have reached
 * since the last agreement, so that a lone endpoint cannot invent a height. A chain with one endpoint has nothing to compare at all.
 */
export function chooseHead(
  answers: readonly Answer<Block>[],
  { needed, fastestBlockMs, last, nowMs }: HeadRules,
): AgreedHead {
  const lead = BigInt(Math.ceil(HEAD_LEAD_MS / fastestBlockMs))
  const given = answers.flatMap((answer) => (answer.ok ? [answer.value.height] : []))
  const lowest = agreedHead(given, given.length)
  if (lowest === null) throw firstFailure(answers)
  const agreed = agreedHead(given, needed)
  const limit = agreed ?? reachable(last, nowMs, fastestBlockMs) ?? lowest
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

export type HeadRules = {
  readonly needed: number
  readonly fastestBlockMs: number
  /** The last height that enough endpoints had reached, and when. */
  readonly last: KnownHead | null
  readonly nowMs: number
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
  return failures.find(({ disposition }) => disposition === "transient") ?? failures[0] ?? noEndpoint()
}

function noEndpoint(): AppError {
  return new AppError({ code: "evm.no_endpoint", disposition: "fatal", message: "Configure an rpc url for this chain" })
}
