import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"

/** An order keeps the policy that it was opened under, and every order of a rule has a decision. */
export function checkRecords({ world, recorder, trustsRows }: GroundTruth): Checker {
  /**
   * Orders that had a decision at an earlier turn. The journal keeps every decision that has an
   * order.
   */
  const known = new Set<string>()
  return {
    onCommit: (_, { order }) => {
      const opened = recorder.opened.get(order.id)
      if (!opened || !trustsRows) return []
      const then = readOrder(opened.snapshot).data
      const now = readOrder(order.snapshot).data
      const kept = textOf(then.policy) === textOf(now.policy)
      return kept
        ? []
        : [
            violation(
              "policy is kept",
              `${order.id} goes on under another policy than it was opened under`,
            ),
          ]
    },
    afterTurn: () => {
      const fresh = [...recorder.opened.values()].filter(
        ({ id, rule }) => rule !== "manual" && !known.has(id),
      )
      if (fresh.length === 0) return []
      for (const { orders } of world.journal.listDecisions({ rule: null, limit: 100_000 }))
        for (const id of orders) known.add(id)
      return fresh
        .filter(({ id }) => !known.has(id))
        .map(({ id, rule }) =>
          violation("decision for every order", `${id} of ${rule} has no decision`),
        )
    },
  }
}

const texts = new WeakMap<object, string>()

/** The text of an order's policy, which is made once for each decoded order. */
function textOf(policy: object): string {
  const text = texts.get(policy) ?? JSON.stringify(policy, toText)
  texts.set(policy, text)
  return text
}

function toText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value
}
