import type { TransactionObservation } from "#domain/transaction.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteLeg } from "#ports/route.ts"
import { hashOf } from "../../support/fake-chain.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { Random } from "./random.ts"

type Deps = {
  readonly random: Random
  readonly draws: (kind: FaultKind) => boolean
}

/**
 * A single node that lies as far as a port can tolerate without a second one: it reports a block
 * with our transaction, not yet final, or another balance. A port can promise no more than its only
 * node.
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

/** Every kind of lie of a colluding endpoint. */
export const LIES = [
  "our transaction is excluded",
  "our transaction is unseen",
  "our transaction failed",
  "our transaction is mined",
  "no deposit",
  "paid out",
  "not paid out",
  "refunded",
  "balance",
  "block time",
  "allowance",
  "used nonces",
  "free nonces",
  "unfunded",
  "used message",
  "message over",
] as const

export type Lie = (typeof LIES)[number]

export type LiarDeps = {
  readonly random: Random
  readonly countLie: (lie: Lie) => void
  /**
   * The same lie about a transaction or a swap in every answer; otherwise another one each time.
   */
  readonly isSteady: boolean
}

/**
 * One endpoint of several, in league with service and solver. It hides deposits, invents payouts,
 * refunds, exclusions and failures, all of them final, and lies about balances, allowances, nonces
 * and fees.
 */
export function createColludingEndpoint(
  chain: ChainPort,
  { random, countLie, isSteady }: LiarDeps,
): ChainPort {
  const tell = <T>(subject: string, lies: readonly [Told<T>, ...Told<T>[]]): T => {
    const [lie, answer] = isSteady
      ? (lies[Number.parseInt(hashOf(subject).slice(0, 6), 16) % lies.length] ?? lies[0])
      : random.pick(lies)
    countLie(lie)
    return answer
  }
  const { nonces, pairs } = chain
  return {
    ...chain,
    observeTransaction: async (transaction) => {
      const height = await chain.fetchHeight()
      const isExpiring = transaction.plan.expiresAtHeight !== null
      const by = isExpiring ? "expired" : hashOf(`a rival of ${transaction.txid}`)
      const excluded: Told<TransactionObservation> = [
        "our transaction is excluded",
        { status: "excluded", by, final: true },
      ]
      const final = {
        height: 1n,
        confirmations: Number(height),
        seen: true,
        final: true,
        feeUnits: 1n,
      }
      return tell<TransactionObservation>(transaction.txid, [
        excluded,
        excluded,
        ["our transaction is unseen", { status: "unseen" }],
        ["our transaction failed", { status: "mined", ok: false, ...final }],
        ["our transaction is mined", { status: "mined", ok: true, ...final }],
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
      const final = {
        height: 1n,
        confirmations: Number(height),
        seen: true,
        revealable: true,
        final: true,
      }
      const initiated = { ...final, txid: hashOf(`lie ${query.secretHash}`), units: query.units }
      const txid = hashOf(`paid ${query.secretHash}`)
      const paid = {
        ...nothing,
        initiated,
        redeemed: { ...final, txid, paidUnits: query.units, secret: null },
      }
      const refunded = {
        ...nothing,
        initiated,
        refunded: { ...final, txid, paidUnits: query.units },
      }
      const payout: Told<LegObservation> = ["paid out", paid]
      return query.side === "destination"
        ? tell(`destination ${query.secretHash}`, [payout, payout, ["not paid out", nothing]])
        : tell(`source ${query.secretHash}`, [
            ["no deposit", nothing],
            ["refunded", refunded],
            payout,
          ])
    },
    fetchBalance: async (...call) => {
      const { units } = await chain.fetchBalance(...call)
      const told = tell(call.join(), [
        ["balance", 0n],
        ["balance", units * 1_000n],
      ])
      return { units: told, spendableUnits: told }
    },
    blockTime: {
      fetchBlockTime: async () => ({
        ms: tell(chain.chain, [
          ["block time", 0],
          ["block time", 2 ** 43],
        ]),
        slackMs: 60_000,
      }),
    },
    findMissingApproval: async (_asset, _spender, units) =>
      tell<Awaited<ReturnType<ChainPort["findMissingApproval"]>>>(`allowance ${units}`, [
        ["allowance", null],
        ["allowance", { setUnits: units }],
      ]),
    planTransaction: async (intent, reserved) => {
      const gap = new Set([...reserved, ...(await nextNonces(chain, reserved))])
      const lie = tell(chain.chain, [
        ["used nonces", gap],
        ["free nonces", new Set<string>()],
      ])
      return chain.planTransaction(intent, lie)
    },
    // Nonces are bound long after the plan, so this is where a lie about them would count.
    ...(nonces && {
      nonces: {
        ...nonces,
        bindPlan: async (plan, reserved) => {
          const bound = await nonces.bindPlan(plan, reserved)
          countLie("used nonces")
          return nonces.bindPlan(plan, new Set([...reserved, ...bound.resources]))
        },
      },
    }),
    ...(pairs && {
      pairs: {
        ...pairs,
        bindPair: async (plans, reserved) => {
          const bound = await pairs.bindPair(plans, reserved)
          countLie("used nonces")
          return pairs.bindPair(
            plans,
            new Set([...reserved, ...bound.flatMap(({ resources }) => resources)]),
          )
        },
      },
    }),
    proveUnfunded: async () => {
      countLie("unfunded")
      return { status: "unfunded", height: await chain.fetchHeight(), rivals: [] }
    },
    ...(chain.routeLegs && { routeLegs: lieAboutMessages(chain.routeLegs, countLie) }),
  }
}

/** Used nonces that are free, and messages that are over. */
function lieAboutMessages(
  legs: ReadonlyMap<string, RouteLeg>,
  countLie: LiarDeps["countLie"],
): ReadonlyMap<string, RouteLeg> {
  const lying = [...legs].map(([kind, leg]): [string, RouteLeg] => [
    kind,
    {
      ...leg,
      checkPayout: async (payout, voucher) => {
        if (voucher === null) return leg.checkPayout(payout, voucher)
        countLie("used message")
        return [{ code: "toy.nonce_used", message: "The message is minted already" }]
      },
      isOver: async () => {
        countLie("message over")
        return true
      },
    },
  ])
  return new Map(lying)
}

/** A lie, and the answer that tells it. */
type Told<T> = readonly [Lie, T]

/** The nonces that an honest plan would use next: a liar says that they are used. */
async function nextNonces(chain: ChainPort, reserved: ReadonlySet<string>): Promise<string[]> {
  if (chain.nonces === undefined) return []
  const used = [...reserved].flatMap((resource) =>
    resource.startsWith("nonce:") ? [Number(resource.slice(6))] : [],
  )
  return [0, 1, 2].map((step) => `nonce:${Math.max(-1, ...used) + 1 + step}`)
}
