import type { Reason } from "#domain/reason.ts"
import { type ApprovedOrder, decideApprovers } from "./requires-approval.ts"

type Asked = ApprovedOrder & {
  readonly askedBy?: string | null
  readonly approvals?: readonly { readonly by: string; readonly intent: string | null }[]
  readonly intent?: { readonly hash: string } | null
}

/**
 * The reason for which this caller's approval does not count; `null` when it counts. A person is a
 * caller with a name of the configuration: the socket, `ops.token` and agents have a dot in theirs.
 */
export function refuseApproval(order: Asked, by: string, intent: string | null): Reason | null {
  const people = decideApprovers(order)
  const { askedBy = null, approvals = [] } = order
  if (isPerson(by) && by === askedBy) {
    const message = `${by} asked for this order, so another person must approve it`
    return { code: "approval.own_request", message, by }
  }
  const isOfAgent = askedBy !== null && isAgent(askedBy)
  if (!isPerson(by) && (people > 1 || isOfAgent || isAgent(by))) {
    const cause = isOfAgent ? `the agent ${askedBy} asked for it` : `it needs ${people} people`
    const message =
      `${by} stands for no person, and ${cause}: approve it with a token of ops.tokens that has ` +
      "the scope approve"
    return { code: "approval.named_person", message, by, people: String(people) }
  }
  if (people < 2) return null
  if (intent === null) {
    const message = "An order that needs several people is approved by its intent; name it"
    return { code: "approval.intent_unnamed", message, people: String(people) }
  }
  if (!approvals.some((one) => one.by === by && one.intent === order.intent?.hash)) return null
  const message = `${by} has approved this intent already; another person must approve it too`
  return { code: "approval.repeated", message, by, people: String(people) }
}

function isAgent(caller: string): boolean {
  return caller.startsWith("agent.")
}

function isPerson(caller: string): boolean {
  return !caller.includes(".")
}
