import type { Config } from "#config/config.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { viewOrder } from "#order/view.ts"
import { decimalsOf } from "../start/decimals-of.ts"
import { viewDecision } from "../views/view-decision.ts"
import type { Change } from "./list-changes.ts"

/** What a webhook is told of a change: the order as it is now, or the decision. */
export function viewChange(change: Change, config: Config): object {
  const { treasury } = config
  const decimals = decimalsOf(config)
  if ("decision" in change) return { treasury, decision: viewDecision(change.decision, decimals) }
  const { id, snapshot, updatedAtMs } = change.order
  const order = decodeOrNull(snapshot)
  return { treasury, order: order === null ? { id } : viewOrder(order, decimals, updatedAtMs) }
}
