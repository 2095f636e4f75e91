import type { Reason } from "#domain/reason.ts"
import { decodeJson } from "#lib/json.ts"
import type { OrderView } from "#order/view.ts"
import type { Journal } from "#ports/journal.ts"

/**
 * In these states and after these endings the reasons of an earlier step still explain the order.
 */
const EXPLAINED =
  /^(held|disarmed|closing|proving-unfunded|awaiting-approval|refund|void|revoke|rejected|abandoned)/

/**
 * The reasons that hold now. An order keeps the reasons of a wait until another event replaces
 * them, so that those of a step that is long over would be shown as if the order still waited.
 */
export function currentReasons(
  journal: Pick<Journal, "listEvents">,
  { id, state, reasons }: Pick<OrderView, "id" | "state" | "reasons">,
): readonly Reason[] {
  if (reasons.length === 0 || EXPLAINED.test(state)) return reasons
  if (state === "completed") return []
  const events = journal.listEvents(id)
  const at = events.findLastIndex(({ body }) => namesReasons(decodeJson(body)))
  // The order has changed its state since the last event with a reason.
  return at >= 0 && events.slice(at).some((event) => event.state !== events[at]?.state)
    ? []
    : reasons
}

function namesReasons(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false
  return ["reasons", "alerts"].some((key) => {
    const value: unknown = Reflect.get(body, key)
    return Array.isArray(value) && value.length > 0
  })
}
