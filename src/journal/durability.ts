import type { Group } from "./group-commit.ts"
import type { Journal } from "./port.ts"
import type { Replication } from "./replicate-groups.ts"
import type { One } from "./row.ts"

/** On disk first, then in the log. */
export function durability(
  steps: Group,
  replication: Replication | null,
  one: One,
): Pick<Journal, "durable" | "isPending" | "durableHere" | "isPendingHere" | "areDecisionsDurable"> {
  const areDecisionsDurable = (orderOrHash: string): boolean | null => {
    const sql = "select max(rowid) as last from secret_decisions where order_id = ? or secret_hash = ?"
    const last = one(sql, orderOrHash, orderOrHash)?.["last"] ?? null
    if (last === null) return null
    return replication === null ? !steps.isPending() : Number(last) <= replication.deliveredDecision()
  }
  const here = { durableHere: steps.durable, isPendingHere: steps.isPending, areDecisionsDurable }
  if (replication === null) return { ...here, durable: steps.durable, isPending: steps.isPending }
  return {
    ...here,
    durable: async () => {
      await steps.durable()
      await replication.delivered()
    },
    isPending: () => steps.isPending() || replication.isDelivering(),
  }
}
