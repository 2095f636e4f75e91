import type { ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type BlockView, viewBlock } from "../../support/ledger-view.ts"
import type { FaultKind } from "./fault-kinds.ts"
import { type ChainNodes, MAX_LAG } from "./infrastructure.ts"
import type { LaggingLedger } from "./lagging-ledger.ts"
import type { Random } from "./random.ts"

/** One configured URL of a chain. */
export type Endpoint = {
  readonly host: string
  /**
   * One request. Another request can reach another backend behind the same URL. Throws AppError
   * `transient` if there is no usable answer.
   */
  readonly connect: () => Connection
}

/**
 * `reported`: the head that the backend reports, `head`: the one it has. `at` throws AppError
 * `transient` without that block.
 */
export type Connection = {
  readonly reported: bigint
  readonly head: bigint
  readonly at: (height: bigint) => { readonly block: string; readonly port: ChainPort }
}

export type EndpointDeps = {
  readonly chain: ChainId
  readonly nodes: ChainNodes
  readonly ledgers: readonly LaggingLedger[]
  readonly random: Random
  readonly draws: (kind: FaultKind) => boolean
  readonly now: () => number
  /** Until when each endpoint is dead, by host. It outlives the daemon's process. */
  readonly deadUntilMs: Map<string, number>
  readonly mayLie: () => boolean
  /** A node's port at one block; `isLying` if the endpoint lies in this request. */
  readonly portAt: (view: BlockView, index: number, isLying: boolean) => ChainPort
}

/** Far more than any endpoint can be ahead of the others. */
const TOO_HIGH = 1_000_000_000n
const PRUNED_BACKENDS = 0.3

export function createEndpoints(deps: EndpointDeps): readonly Endpoint[] {
  return deps.ledgers.map((ledger, index) => ({
    host: hostOf(deps, index),
    connect: () => connect(deps, ledger, index),
  }))
}

function connect(deps: EndpointDeps, ledger: LaggingLedger, index: number): Connection {
  const { nodes, random, draws } = deps
  const host = hostOf(deps, index)
  failConnection(deps, host)
  const branch = ledger.branch()
  const tip = BigInt(branch.blocks.length - 1)
  const lag = nodes.isBalanced ? BigInt(random.below(MAX_LAG + 1)) : 0n
  const head = tip > lag ? tip - lag : 0n
  const isLast = index === nodes.endpoints - 1
  const oldest = isPruned(deps, index) ? head - BigInt(nodes.prunedAfter ?? 0) : 0n
  const isLying = isLast && nodes.liesShare > 0 && deps.mayLie() && random.chance(nodes.liesShare)
  const isTooHigh = isLast && nodes.endpoints > 1 && draws("endpoint head too high")
  return {
    head,
    reported: isTooHigh ? head + TOO_HIGH : head,
    at: (height) => {
      const view = height < oldest || height > head ? null : viewBlock(branch, height)
      if (view === null) throw noAnswer(host, "the backend does not have the block")
      return { block: view.block, port: deps.portAt(view, index, isLying) }
    },
  }
}

/** Behind one URL some backends are pruned; of several endpoints the first one is. */
function isPruned({ nodes, random }: EndpointDeps, index: number): boolean {
  if (nodes.prunedAfter === null) return false
  return nodes.isBalanced ? random.chance(PRUNED_BACKENDS) : nodes.endpoints > 1 && index === 0
}

/** An endpoint that is dead stays dead for a while; a garbage answer concerns one request. */
function failConnection({ random, draws, now, deadUntilMs }: EndpointDeps, host: string): void {
  if ((deadUntilMs.get(host) ?? 0) > now()) throw noAnswer(host, "it is dead")
  if (draws("endpoint dead")) {
    deadUntilMs.set(host, now() + random.pick([5_000, 60_000, 600_000]))
    throw noAnswer(host, "it is dead")
  }
  if (draws("endpoint garbage"))
    throw noAnswer(host, "a proxy answered with a page", "endpoint.garbage")
}

function noAnswer(host: string, why: string, code = "endpoint.silent"): AppError {
  return new AppError({
    code,
    disposition: "transient",
    message: `Simulated: ${host} gave no answer: ${why}`,
  })
}

function hostOf({ chain }: EndpointDeps, index: number): string {
  return `${chain}-${index + 1}`
}
