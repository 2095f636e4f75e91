import { type Checker, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"

/** An order keeps the policy that it was opened under, and every order of a rule has a decision. */
export function checkRecords({ world, recorder, trustsRows }: GroundTruth): Checker {
  return {
    onCommit: (_, { order }) => {
      const opened = recorder.opened.get(order.id)
      if (!opened || !trustsRows) return []
      const [then, now] = [readOrder(opened.snapshot).data, readOrder(order.snapshot).data]
      const kept = JSON.stringify(then.policy, toText) === JSON.stringify(now.policy, toText)
      return kept
        ? []
        : [violation("policy is kept", `${order.id} goes on under another policy than it was opened under`)]
    },
    afterTurn: () => {
      const ruled = [...recorder.opened.values()].filter(({ rule }) => rule !== "manual")
      if (ruled.length === 0) return []
      const decided = new Set(
        world.journal.listDecisions({ rule: null, limit: 100_000 }).flatMap(({ orders }) => orders),
      )
      return ruled
        .filter(({ id }) => !decided.has(id))
        .map(({ id, rule }) => violation("decision for every order", `${id} of ${rule} has no decision`))
    },
  }
}

function toText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value
}
