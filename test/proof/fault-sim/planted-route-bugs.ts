import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteLeg } from "#ports/route.ts"
import { accountResource } from "../../support/fake-burns.ts"
import { hashOf } from "../../support/fake-chain.ts"
import type { LedgerAction } from "../../support/fake-ledger.ts"

/** Mistakes of a family about burns and mints, by the name of the mistake. */
export const ROUTE_BUGS = {
  "mint final as soon as seen": (chain) =>
    changeLegs(chain, "destination", (leg) => ({
      ...leg,
      redeemed: leg.redeemed && { ...leg.redeemed, seen: true, final: true },
    })),
  "burn final as soon as seen": (chain) =>
    changeLegs(chain, "source", (leg) => ({
      ...leg,
      initiated: leg.initiated && { ...leg.initiated, seen: true, final: true },
    })),
  "burn repeated after not found": (chain) => {
    if (chain.family !== "solana") return chain
    let plans = 0
    return {
      ...chain,
      planTransaction: async (...call) => {
        const plan = await chain.planTransaction(...call)
        return "refused" in plan ? plan : withFreshAccount(plan, `${++plans}`)
      },
      observeTransaction: async (ours, ...more) =>
        findNone(ours, await chain.observeTransaction(ours, ...more)),
    }
  },
  "burn not found is none": (chain) => {
    if (chain.family !== "solana") return chain
    return {
      ...chain,
      proveUnfunded: async (query) => {
        if (query.route === undefined) return chain.proveUnfunded(query)
        const { initiated, height } = await chain.observeLeg(query)
        return initiated === null ? { status: "unfunded", height, rivals: [] } : FUNDED
      },
      observeTransaction: async (ours, ...more) =>
        findNone(ours, await chain.observeTransaction(ours, ...more)),
    }
  },
  // The mark of a used nonce has another key, so its account never exists.
  "used nonce read from another account": (chain) => ({
    ...chain,
    observeLeg: async (query) => {
      const leg = await chain.observeLeg(query)
      return (query.route?.voucher ?? null) === null ? leg : { ...leg, redeemed: null }
    },
  }),
  "nonce of another message counts as used": (chain) =>
    changeRouteLegs(chain, (leg) => {
      const met = new Set<string>()
      return {
        ...leg,
        checkPayout: async (payout, voucher) => {
          const reasons = await leg.checkPayout(payout, voucher)
          if (voucher === null || reasons.length > 0) return reasons
          met.add(voucher.nonce)
          return met.size === 1 || [...met][0] === voucher.nonce
            ? []
            : [{ code: "toy.nonce_used", message: "The message is minted already" }]
        },
      }
    }),
} as const satisfies Readonly<Record<string, (chain: ChainPort) => ChainPort>>

export type RouteBug = keyof typeof ROUTE_BUGS

function changeLegs(
  chain: ChainPort,
  side: "source" | "destination",
  change: (leg: LegObservation) => LegObservation,
): ChainPort {
  return {
    ...chain,
    observeLeg: async (query) => {
      const leg = await chain.observeLeg(query)
      return query.route === undefined || query.side !== side ? leg : change(leg)
    },
  }
}

function changeRouteLegs(chain: ChainPort, change: (leg: RouteLeg) => RouteLeg): ChainPort {
  if (chain.routeLegs === undefined) return chain
  const legs = [...chain.routeLegs].map(([kind, leg]) => [kind, change(leg)] as const)
  return { ...chain, routeLegs: new Map(legs) }
}

/** Bytes that a node does not show count as over. */
function findNone(
  { plan }: SignedTransaction,
  seen: TransactionObservation,
): TransactionObservation {
  return plan.action === "initiate" && isBurn(plan) && seen.status === "unseen"
    ? { status: "excluded", by: "expired", final: true }
    : seen
}

/** As the interface of the programs asks for it: any new key opens the account of a message. */
function withFreshAccount(plan: TransactionPlan, name: string): TransactionPlan {
  if (!isBurn(plan)) return plan
  const account = hashOf(`account ${name} ${plan.digest}`)
  const resources = [accountResource(account)]
  const { action, ...draft } = readDraft(plan)
  const unsigned = encodeJson({ ...draft, resources, action: { ...action, account } })
  return { ...plan, resources, unsigned, digest: hashOf(unsigned) }
}

function isBurn(plan: TransactionPlan): boolean {
  return readDraft(plan).action.kind === "burn"
}

function readDraft({ unsigned }: TransactionPlan): { readonly action: LedgerAction } {
  // CAST: written by the fake chain.
  return decodeJson(unsigned) as { readonly action: LedgerAction }
}

const FUNDED = { status: "funded" } as const
