import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import type { Clock } from "#lib/clock.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { hashOf } from "../../support/fake-chain.ts"
import { withCapability } from "../../support/wrap-port.ts"

/** The inputs of the planted chain bugs. `slot` is shared by all chains of one process. */
export type ChainPlantDeps = { readonly clock: Clock; readonly slot: { free: Promise<unknown> } }

/** Ports that make the mistakes of a careless chain family, by the name of the mistake. */
export const CHAIN_BUGS = {
  "claimed id refunded first": (chain) =>
    changePlans(chain, (plan, intent) =>
      intent.action === "refund"
        ? withDraft(plan, { action: { kind: "refund", key: intent.swapId } })
        : plan,
    ),
  "payout tolerance ten times": (chain) =>
    changeLegs(chain, (leg) =>
      leg.redeemed?.paidUnits == null
        ? leg
        : {
            ...leg,
            redeemed: { ...leg.redeemed, paidUnits: leg.redeemed.paidUnits + TOLERANCE_UNITS },
          },
    ),
  "payout final as soon as seen": (chain) =>
    changeLegs(chain, (leg) => ({
      ...leg,
      redeemed: leg.redeemed && { ...leg.redeemed, final: true },
    })),
  "nonce left out": (chain) => {
    const { nonces } = chain
    if (nonces === undefined) return chain
    return withCapability(chain, "nonces", {
      bindPlan: async (plan, reserved) => {
        const bound = await nonces.bindPlan(plan, reserved)
        if (Number.parseInt(plan.digest.slice(0, 2), 16) > 100) return bound
        return nonces.bindPlan(plan, new Set([...reserved, ...bound.resources]))
      },
    })
  },
  "pair in the wrong order": (chain) => {
    const { pairs } = chain
    if (pairs === undefined) return chain
    return withCapability(chain, "pairs", {
      bindPair: async ([approval, deposit], reserved) => {
        const [first, second] = await pairs.bindPair([deposit, approval], reserved)
        return [second, first]
      },
    })
  },
  "approval left behind": (chain) => ({
    ...chain,
    findMissingApproval: async (asset, spender, units) =>
      units === 0n ? null : chain.findMissingApproval(asset, spender, units),
  }),
  "approval of another order used": (chain) => {
    const { pairs } = chain
    if (pairs === undefined) return chain
    return withCapability(chain, "pairs", {
      bindPair: async ([approval, deposit], reserved) => {
        const [first, second] = await pairs.bindPair([approval, deposit], reserved)
        // The nonce between the two is free for the approval of another order.
        const [later] = await pairs.bindPair(
          [deposit, approval],
          new Set([...reserved, ...first.resources, ...second.resources]),
        )
        return [first, later]
      },
    })
  },
  "input values believed": (chain) =>
    chain.family !== "bitcoin"
      ? chain
      : changePlans(chain, (plan, intent) =>
          intent.action === "initiate"
            ? withDraft(plan, { fee: plan.maxFeeUnits + BURNED_UNITS })
            : plan,
        ),
  "tip without a bound": (chain) =>
    chain.family !== "evm"
      ? chain
      : changePlans(chain, (plan, intent) =>
          intent.action === "void" ? plan : withDraft(plan, { fee: plan.maxFeeUnits * 15n }),
        ),
  "final fact forgotten": forgetFinalDeposits,
  "dead chain takes all slots": (chain, { clock, slot }) => {
    const isDead = /^(arbitrum|starknet)/.test(chain.chain)
    const wait = async <T>(act: () => Promise<T>): Promise<T> => {
      const before = slot.free
      const own = before.then(() => (isDead ? clock.sleep(DEAD_MS) : undefined))
      slot.free = own
      await own
      return act()
    }
    return {
      ...chain,
      fetchHeight: () => wait(() => chain.fetchHeight()),
      observeLeg: (query) => wait(() => chain.observeLeg(query)),
      planTransaction: (...call) => wait(() => chain.planTransaction(...call)),
    }
  },
} as const satisfies Readonly<Record<string, (chain: ChainPort, deps: ChainPlantDeps) => ChainPort>>

export type ChainBug = keyof typeof CHAIN_BUGS

const TOLERANCE_UNITS = 150n
const BURNED_UNITS = 2_000n
/** Longer than a run. */
const DEAD_MS = 36_000_000

function changePlans(
  chain: ChainPort,
  change: (plan: TransactionPlan, intent: TransactionRequest) => TransactionPlan,
): ChainPort {
  return {
    ...chain,
    planTransaction: async (intent, ...how) => {
      const plan = await chain.planTransaction(intent, ...how)
      return "refused" in plan ? plan : change(plan, intent)
    },
  }
}

function changeLegs(chain: ChainPort, change: (leg: LegObservation) => LegObservation): ChainPort {
  return { ...chain, observeLeg: async (query) => change(await chain.observeLeg(query)) }
}

/** The plan with other fields of the fake chain's unsigned transaction. */
function withDraft(
  plan: TransactionPlan,
  change: Readonly<Record<string, unknown>>,
): TransactionPlan {
  // CAST: written by the fake chain.
  const unsigned = encodeJson({ ...(decodeJson(plan.unsigned) as object), ...change })
  return { ...plan, unsigned, digest: hashOf(unsigned) }
}

/** A deposit that was final is gone later, as if a stranger had used its nonce or input. */
function forgetFinalDeposits(chain: ChainPort): ChainPort {
  const finalSince = new Map<string, number>()
  const isForgotten = (key: string): boolean => (finalSince.get(key) ?? 0) > READS_BEFORE
  return {
    ...chain,
    observeLeg: async (query) => {
      const leg = await chain.observeLeg(query)
      if (query.side !== "source" || leg.initiated?.final !== true) return leg
      finalSince.set(leg.initiated.txid, (finalSince.get(leg.initiated.txid) ?? 0) + 1)
      if (!isForgotten(leg.initiated.txid)) return leg
      return { ...leg, initiated: null, redeemed: null, refunded: null, refundableAt: null }
    },
    observeTransaction: async (ours, stakeFiat) =>
      isForgotten(ours.txid)
        ? { status: "excluded", by: hashOf(`forgotten ${ours.txid}`), final: true }
        : chain.observeTransaction(ours, stakeFiat),
  }
}

const READS_BEFORE = 2
