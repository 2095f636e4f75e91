import type { NodeView, SolanaNode } from "#chains/solana/node.ts"
import { createSolanaQuorum, type Endpoints } from "#chains/solana/nodes/endpoints.ts"
import { type Clock, systemClock } from "#lib/clock.ts"

/**
 * A node that knows only some methods; the others are not functions, so that a test notices their
 * use.
 */
export type PartialNode = Partial<SolanaNode>

/**
 * One endpoint for each node. A function gets the view, so that a test can answer by commitment and
 * slot.
 */
export function endpointsOf(
  nodes: readonly (PartialNode | ((view: NodeView) => PartialNode))[],
  needed = Math.min(2, nodes.length),
  clock: Pick<Clock, "now" | "sleep"> = systemClock,
): Endpoints {
  const endpoints = nodes.map((node, index) => ({
    host: `node-${index + 1}`,
    checkNetwork: async () => undefined,
    reader: { read: () => Promise.reject(new Error("no raw reads")) },
    // CAST: see PartialNode.
    node: (view: NodeView) => (typeof node === "function" ? node(view) : node) as SolanaNode,
  }))
  return createSolanaQuorum(endpoints, needed, clock)
}
