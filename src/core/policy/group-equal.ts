import type { AnswerOf } from "#schema/answers/answers.ts"

type Decided = AnswerOf<"Decisions">["decisions"][number]["proposals"][number]
type Proposal = Pick<Decided, "rules" | "from" | "to" | "destination" | "kind" | "amount"> & {
  readonly outcome?: Decided["outcome"]
  readonly refused?: unknown
}

/** Orders of one amount and pair with one result, as the first of them and their number. */
export function groupEqual<One extends Proposal>(
  proposals: readonly One[],
): readonly (readonly [One, number])[] {
  const groups = [...Map.groupBy(proposals, keyOf).values()]
  return groups.flatMap((group) => group.slice(0, 1).map((first) => [first, group.length] as const))
}

function keyOf({ outcome, refused, ...asked }: Proposal): string {
  const { rules, from, to, destination, kind, amount } = asked
  const isOrdered = outcome != null && "order" in outcome
  const result = isOrdered ? "order" : outcome
  return JSON.stringify({ rules, from, to, destination, kind, amount, refused, result })
}

/** `20 times `, or nothing for once. */
export function tellTimes(times: number): string {
  return times === 1 ? "" : `${times} times `
}

/** The kind of a proposal's route, where it is none of the swap services. */
export function tellKind({ kind }: { readonly kind?: string }): string {
  return kind === undefined ? "" : ` by ${kind}`
}
