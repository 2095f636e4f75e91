import type { OrderRow } from "#ports/journal/orders.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { readOrder } from "../read-order.ts"

/**
 * A read without a usable answer. No person can do more about it than ask again, which the daemon
 * does by itself.
 */
const FAILURES = [
  "nonsense",
  "esplora_answer",
  "disagreement",
  "agreement_short",
  "unreachable",
  "unavailable",
  "esplora_unreachable",
  "esplora_busy",
]
const READ_FAILURES = new RegExp(`^endpoint\\.|\\.(${FAILURES.join("|")})$`)

/**
 * No order waits for a person without a cause that ledgers or faults show. In an honest world no
 * order waits for a person at all.
 */
export function checkHolds(truth: GroundTruth): Checker {
  const { world, profile, recorder, isHonest, trustsRows } = truth

  function judge(row: OrderRow): Violation[] {
    const { reasons } = readOrder(row.snapshot).data
    const codes = reasons.map(({ code }) => code)
    const held = (why: string): Violation[] => [
      violation(
        "no needless hold",
        `${row.id} is held for ${codes.join(", ") || "no reason"}: ${why}`,
      ),
    ]
    if (isHonest) return held("nothing in this world needs a person")
    if (codes.includes("transaction.foreign_rival") && !hasStranger(row))
      return held("no stranger used its key")
    if (codes.includes("chain.final_fact_gone")) return held("no final block is gone")
    // In a directed seed the key refuses some plans, with the same codes.
    const isUnreadable = codes.length > 0 && codes.every((code) => READ_FAILURES.test(code))
    return isUnreadable && profile.target === null ? held("a read can be repeated") : []
  }

  /**
   * A transaction that our key signed elsewhere used a nonce or an input, or may have in a branch
   * that is gone.
   */
  function hasStranger(row: OrderRow): boolean {
    if (profile.enabled.has("nonce taken") || profile.enabled.has("transaction replaced"))
      return true
    const own = new Set(recorder.signatures.map(({ txid }) => txid))
    const chain = row.from.split(":")[0] ?? ""
    return truth
      .ledgerOf(chain)
      .heard()
      .some(({ txid }) => !own.has(txid))
  }

  return {
    onCommit: (before, { order }) => {
      const row = world.journal.findOrder(order.id) ?? order
      return trustsRows && row.state === "held" && before.state !== "held" ? judge(row) : []
    },
  }
}
