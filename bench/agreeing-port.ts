import { present } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { agreeAll } from "./ask-endpoints.ts"

/**
 * One chain with several endpoints, each of which is a port that answers at once: a read asks all
 * of them, and a transaction goes to all of them.
 */
export function createAgreeingPort(endpoints: readonly ChainPort[]): ChainPort {
  const first = present(endpoints[0], "an endpoint")
  const reads = READS.filter((name) => first[name] !== undefined).map((name) => [
    name,
    async (...asked: unknown[]): Promise<unknown> => {
      const answers = endpoints.map(async (port) => ({
        answer: await Reflect.apply(present(port[name], name), port, asked),
      }))
      return agreeAll(await Promise.all(answers)).answer
    },
  ])
  const broadcastTransaction: ChainPort["broadcastTransaction"] = async (...sent) => {
    await Promise.all(endpoints.map((port) => port.broadcastTransaction(...sent)))
  }
  return { ...first, ...Object.fromEntries(reads), broadcastTransaction }
}

const READS = [
  ...([
    "fetchHeight",
    "fetchBalance",
    "fetchUses",
    "fetchContractIdentity",
    "estimateFees",
    "estimateRedeemFee",
  ] as const),
  ...([
    "findMissingApproval",
    "planTransaction",
    "bindPlan",
    "observeTransaction",
    "observeLeg",
  ] as const),
  ...(["listTouchedLegs", "proveUnfunded"] as const),
]
