import type { ChainPort, LegObservation } from "#chains/port.ts"
import type { TransactionObservation } from "#domain/transaction.ts"
import { hashOf } from "../support/fake-chain.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"

type Deps = {
  readonly random: Random
  readonly draws: (kind: FaultKind) => boolean
}

/**
 * A single node that lies as far as a port can tolerate without a second one: it reports a block with our transaction, not yet final, or
 * another balance. A port can promise no more than its only node.
 */
export function createMildLiar(chain: ChainPort, { random, draws }: Deps): ChainPort {
  return {
    ...chain,
    observeTransaction: async (transaction) => {
      const honest = await chain.observeTransaction(transaction)
      const open = honest.status === "unseen" || honest.status === "pending"
      if (!open || !draws("node lies: mined")) return honest
      const height = await chain.fetchHeight()
      return {
        status: "mined",
        ok: random.chance(0.8),
        height,
        confirmations: 1,
        seen: false,
        final: false,
        feeUnits: 1n,
      }
    },
    fetchBalance: async (...call) => {
      const honest = await chain.fetchBalance(...call)
      if (!draws("node lies: balance")) return honest
      const units = random.pick([0n, honest.units / 2n, honest.units * 1_000n])
      return { units, spendableUnits: units }
    },
  }
}

/**
 * One endpoint of several, in league with service and solver. It hides deposits, invents payouts, refunds, exclusions and failures, all of
 * them final, and lies about balances, allowances, nonces and fees.
 */
export function createColludingEndpoint(chain: ChainPort, random: Random): ChainPort {
  return {
    ...chain,
    observeTransaction: async (transaction) => {
      const height = await chain.fetchHeight()
      const by = hashOf(`a rival of ${transaction.txid}`)
      const isExpiring = transaction.plan.expiresAtHeight !== null
      return random.pick<TransactionObservation>([
        { status: "excluded", by: isExpiring ? "expired" : by, final: true },
        { status: "excluded", by: isExpiring ? "expired" : by, final: true },
        { status: "unseen" },
        {
          status: "mined",
          ok: false,
          height: 1n,
          confirmations: Number(height),
          seen: true,
          final: true,
          feeUnits: 1n,
        },
        { status: "mined", ok: true, height: 1n, confirmations: Number(height), seen: true, final: true, feeUnits: 1n },
      ])
    },
    observeLeg: async (query) => {
      const height = await chain.fetchHeight()
      const nothing: LegObservation = {
        height,
        agreed: true,
        initiated: null,
        redeemed: null,
        refunded: null,
        refundableAt: null,
      }
      const final = { height: 1n, confirmations: Number(height), seen: true, revealable: true, final: true }
      const initiated = { ...final, txid: hashOf(`lie ${query.secretHash}`), units: query.units }
      const txid = hashOf(`paid ${query.secretHash}`)
      const paid = { ...nothing, initiated, redeemed: { ...final, txid, paidUnits: query.units, secret: null } }
      const refunded = { ...nothing, initiated, refunded: { ...final, txid, paidUnits: query.units } }
      return query.side === "destination" ? random.pick([paid, paid, nothing]) : random.pick([nothing, refunded, paid])
    },
    fetchBalance: async (...call) => {
      const { units } = await chain.fetchBalance(...call)
      const told = random.pick([0n, units * 1_000n])
      return { units: told, spendableUnits: told }
    },
    fetchBlockTime: async () => ({ ms: random.pick([0, 2 ** 43]), slackMs: 60_000 }),
    findMissingApproval: async (_asset, _spender, units) => random.pick([null, { setUnits: units }]),
    planTransaction: async (intent, reserved) => {
      const gap = new Set([...reserved, ...(await nextNonces(chain, reserved))])
      return chain.planTransaction(intent, random.pick([gap, new Set<string>()]))
    },
    proveUnfunded: async () => ({ status: "unfunded", height: await chain.fetchHeight(), rivals: [] }),
  }
}

/** The nonces that an honest plan would use next: a liar says that they are used. */
async function nextNonces(chain: ChainPort, reserved: ReadonlySet<string>): Promise<string[]> {
  if (chain.bindPlan === undefined) return []
  const used = [...reserved].flatMap((resource) => (resource.startsWith("nonce:") ? [Number(resource.slice(6))] : []))
  return [0, 1, 2].map((step) => `nonce:${Math.max(-1, ...used) + 1 + step}`)
}
