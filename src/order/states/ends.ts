import type { Leaf } from "../routes.ts"
import { type FinalState, STATES } from "../states.ts"

/** The order is over unless an allowance or a submitted signature could still cost money. No order rests here. */
export const closing: Leaf = {
  id: "closing",
  meta: STATES.closing,
  always: [
    { target: "#revoke-confirming", guard: { type: "all", params: { of: ["leavesApproval", "isRevokeSigned"] } } },
    { target: "#revoke-planning", guard: "leavesApproval" },
    { target: "#gasless-confirming", guard: "isSignatureSubmitted" },
    { target: "#abandoned", guard: "isAbandoned" },
    { target: "#rejected" },
  ],
}

export function outcome(state: FinalState): Leaf {
  return { id: state, meta: STATES[state], type: "final" }
}
