import { type Checker, violation } from "../checker.ts"
import { readOrder } from "../read-order.ts"
import type { Truth } from "../truth.ts"

/** What an order was accepted under stays; and for each that a rule asked for there is a decision that says so. */
export function checkRecords({ world, witness, trustsRows }: Truth): Checker {
  return {
    onCommit: (_, { order }) => {
      const opened = witness.opened.get(order.id)
      if (!opened || !trustsRows) return []
      const [then, now] = [readOrder(opened.snapshot).data, readOrder(order.snapshot).data]
      const kept = JSON.stringify(then.policy, toText) === JSON.stringify(now.policy, toText)
      return kept
        ? []
        : [violation("policy is kept", `${order.id} goes on under another policy than it was opened under`)]
    },
    afterTurn: () => {
      const ruled = [...witness.opened.values()].filter(({ rule }) => rule !== "manual")
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
