import type { NodeView, SolanaNode } from "#chains/solana/node.ts"
import type { Endpoints } from "#chains/solana/nodes/endpoints.ts"
import { systemClock } from "#lib/clock.ts"

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
): Endpoints {
  return {
    needed,
    clock: systemClock,
    all: nodes.map((node, index) => ({
      host: `node-${index + 1}`,
      reader: { read: () => Promise.reject(new Error("no raw reads")) },
      // CAST: see PartialNode.
      node: (view) => (typeof node === "function" ? node(view) : node) as SolanaNode,
    })),
  }
}
