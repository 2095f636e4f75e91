import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { isCapability } from "../test/support/wrap-port.ts"
import { agreeAll } from "./ask-endpoints.ts"

/**
 * One chain with several endpoints, each of which is a port that answers at once: a read asks all
 * of them, and a transaction goes to all of them.
 */
export function createAgreeingPort(endpoints: readonly ChainPort[]): ChainPort {
  const broadcastTransaction: ChainPort["broadcastTransaction"] = async (...sent) => {
    await Promise.all(endpoints.map((port) => port.broadcastTransaction(...sent)))
  }
  return { ...agree(endpoints), broadcastTransaction }
}

/** The first port, whose reads ask the others too, also those of its capabilities. */
function agree<Port extends object>(endpoints: readonly Port[]): Port {
  const first = mustExist(endpoints[0], "an endpoint")
  const members = Object.entries(first).map(([name, value]) => {
    const each = endpoints.map((port) => Object.entries(port).find(([key]) => key === name)?.[1])
    if (isCapability(value)) return [name, agree(each)]
    return [name, READS.has(name) ? askAll(each) : value]
  })
  // CAST: the same members as the first port.
  return Object.fromEntries(members) as Port
}

function askAll(calls: readonly ((...asked: unknown[]) => Promise<unknown>)[]) {
  return async (...asked: unknown[]): Promise<unknown> => {
    const answers = calls.map(async (call) => ({ answer: await call(...asked) }))
    return agreeAll(await Promise.all(answers)).answer
  }
}

const READS: ReadonlySet<string> = new Set([
  "fetchHeight",
  "fetchBalance",
  "fetchUses",
  "fetchContractIdentity",
  "estimateFees",
  "estimateRedeemFee",
  "findMissingApproval",
  "planTransaction",
  "bindPlan",
  "observeTransaction",
  "observeLeg",
  "listTouchedLegs",
  "proveUnfunded",
])
