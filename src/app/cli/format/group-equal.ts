import { isDeepStrictEqual } from "node:util"
import type { DecisionView } from "#daemon/views/view-decision.ts"

type Proposal = Pick<
  DecisionView["proposals"][number],
  "rules" | "from" | "to" | "destination" | "kind" | "amount"
> & {
  readonly outcome?: DecisionView["proposals"][number]["outcome"]
  readonly refused?: unknown
}

/** Orders of one amount and pair with one result, as the first of them and their number. */
export function groupEqual<One extends Proposal>(
  proposals: readonly One[],
): readonly (readonly [One, number])[] {
  const groups: { readonly first: One; times: number }[] = []
  for (const one of proposals) {
    const last = groups.find(({ first }) => isDeepStrictEqual(keyOf(first), keyOf(one)))
    if (last === undefined) groups.push({ first: one, times: 1 })
    else last.times += 1
  }
  return groups.map(({ first, times }) => [first, times])
}

function keyOf({
  outcome,
  refused,
  rules,
  from,
  to,
  destination,
  kind,
  amount,
}: Proposal): unknown {
  const isOrdered = outcome != null && "order" in outcome
  const asked = { rules, from, to, destination, kind, amount, refused }
  return { ...asked, outcome: isOrdered ? "order" : outcome }
}

/** `20 times `, or nothing for once. */
export function tellTimes(times: number): string {
  return times === 1 ? "" : `${times} times `
}

/** The kind of a proposal's route, where it is none of the swap services. */
export function tellKind({ kind }: { readonly kind?: string }): string {
  return kind === undefined ? "" : ` by ${kind}`
}
