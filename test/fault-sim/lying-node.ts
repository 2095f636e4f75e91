import type { ChainPort } from "#chains/port.ts"
import type { Random } from "./random.ts"
import type { FaultKind } from "./swarm.ts"

type Deps = {
  readonly random: Random
  readonly draws: (kind: FaultKind) => boolean
}

/**
 * A node that says what is not so, as far as a family can live with it: a block that holds our transaction (not yet final), and another
 * balance. What one endpoint resources to be *final* is believed by every family; no port can promise more than its only node.
 */
export function createLyingNode(chain: ChainPort, { random, draws }: Deps): ChainPort {
  return {
    ...chain,
    observeTransaction: async (transaction) => {
      const truth = await chain.observeTransaction(transaction)
      const open = truth.status === "unseen" || truth.status === "pending"
      if (!open || !draws("node lies: mined")) return truth
      const height = await chain.fetchHeight()
      return { status: "mined", ok: random.chance(0.8), height, confirmations: 1, final: false, feeUnits: 1n }
    },
    fetchBalance: async (...call) => {
      const truth = await chain.fetchBalance(...call)
      if (!draws("node lies: balance")) return truth
      const units = random.pick([0n, truth.units / 2n, truth.units * 1_000n])
      return { units, spendableUnits: units }
    },
  }
}
