import { agreeOn, type EndpointAnswer } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"

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
  const given = answers.flatMap((answer) => (answer.ok ? [answer] : []))
  const [first] = given
  if (first === undefined) throw answers.find((answer) => !answer.ok)?.error
  const agreement = agreeOn(answers, needed, (value) => keyOf(value, height))
  if (agreement.status === "agreed") {
    const against = agreement.dissent.filter(
      (answer) => answer.ok && keyOf(answer.value, settled) !== keyOf(agreement.value, settled),
    )
    const doubts = against.length === 0 ? [] : [disagreement(given, describe)]
    return { agreed: true, split: false, values: [agreement.value], doubts }
  }
  const values = given.map(({ value }) => value)
  const isSplit = new Set(values.map((value) => keyOf(value, settled))).size > 1
  const doubts = isSplit ? [disagreement(given, describe)] : [agreementShort(answers, needed)]
  return { agreed: false, split: isSplit, values, doubts }
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

function disagreement<T>(
  given: readonly { readonly endpoint: string; readonly value: T }[],
  describe: (value: T) => string,
): Reason {
  return {
    code: "chain.disagreement",
    message:
      "the endpoints contradict each other, so nothing that they show is final; find out " +
      "which of them is wrong",
    answers: given.map(({ endpoint, value }) => `${endpoint}: ${describe(value)}`).join(" | "),
  }
}

function agreementShort<T>(answers: readonly EndpointAnswer<T>[], needed: number): Reason {
  const missing = answers.flatMap((answer) =>
    answer.ok
      ? []
      : [
          `${answer.endpoint}: ` +
            `${answer.error instanceof AppError ? answer.error.code : "no answer"}`,
        ],
  )
  return {
    code: "chain.agreement_short",
    message: "too few endpoints show the same facts, so nothing is final yet",
    needed: needed.toString(),
    missing: missing.join(" | ") || "none; they differ about the newest blocks",
  }
}
