import type { Reason } from "#domain/reason.ts"
import { agreeOn, type EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { describeContradiction, describeMissing, firstFailure } from "#nodes/quorum/reasons.ts"

/**
 * Compares what the endpoints show of one thing, at one block height. `keyOf` gives the same text
 * for the same facts up to a height.
 *
 * Two endpoints that differ only about the newest blocks do not contradict each other: one of them
 * may be a load balancer with an older machine behind it, or have the other of two competing
 * blocks. Such facts are not agreed, and raise no alarm. Throws the first endpoint's error if none
 * answers.
 */
export function compareReadings<T>(
  answers: readonly EndpointAnswer<T>[],
  options: {
    readonly needed: number
    readonly height: bigint
    keyOf(value: T, upTo: bigint): string
    describe(value: T): string
  },
): ComparedReadings<T> {
  const { needed, height, keyOf, describe } = options
  const settled = height - UNSETTLED_BLOCKS
  const values = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  if (values.length === 0) throw firstFailure(answers)
  const contradiction = describeContradiction("an older block", answers, describe)
  const agreement = agreeOn(answers, needed, (value) => keyOf(value, height))
  if (agreement.status === "agreed") {
    const isAgainst = agreement.dissent.some(
      (answer) => answer.ok && keyOf(answer.value, settled) !== keyOf(agreement.value, settled),
    )
    const doubts = isAgainst ? [contradiction] : []
    return { agreed: true, split: false, values: [agreement.value], doubts }
  }
  const isSplit = new Set(values.map((value) => keyOf(value, settled))).size > 1
  const silent = describeMissing(answers, [])
  const short = silent.length > 0 ? silent : [UNSETTLED]
  return { agreed: false, split: isSplit, values, doubts: isSplit ? [contradiction] : short }
}

/** `values`: the agreed one alone, or else all that were given. */
export type ComparedReadings<T> = {
  readonly agreed: boolean
  /** The endpoints contradict each other about blocks that are not new. */
  readonly split: boolean
  readonly values: readonly T[]
  readonly doubts: readonly Reason[]
}

/**
 * Competing blocks and lagging machines concern the newest blocks; deeper ones are the same
 * everywhere.
 */
export const UNSETTLED_BLOCKS = 2n

const UNSETTLED: Reason = {
  code: "chain.agreement_short",
  message: "The endpoints differ about the newest blocks, so nothing is final yet",
}
