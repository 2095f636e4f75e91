import type { ChainPort } from "#chains/port.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"

type Deps = {
  readonly random: Random
  readonly draws: (kind: FaultKind) => boolean
}

/**
 * A node that lies as far as a family can tolerate: it reports a block with our transaction, not yet final, or another balance. Every family
 * believes a node that reports a *final* block, because a port can promise no more than its only node.
 */
export function createLyingNode(chain: ChainPort, { random, draws }: Deps): ChainPort {
  return {
    ...chain,
    observeTransaction: async (transaction) => {
      const honest = await chain.observeTransaction(transaction)
      const open = honest.status === "unseen" || honest.status === "pending"
      if (!open || !draws("node lies: mined")) return honest
      const height = await chain.fetchHeight()
      return { status: "mined", ok: random.chance(0.8), height, confirmations: 1, final: false, feeUnits: 1n }
    },
    fetchBalance: async (...call) => {
      const honest = await chain.fetchBalance(...call)
      if (!draws("node lies: balance")) return honest
      const units = random.pick([0n, honest.units / 2n, honest.units * 1_000n])
      return { units, spendableUnits: units }
    },
  }
}
