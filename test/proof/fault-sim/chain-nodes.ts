import { withRouteLegs } from "#chains/with-route-legs.ts"
import { type ChainId, chainOf } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createBurnLeg } from "../../support/fake-burn-leg.ts"
import { createFakeChain, type FakeChainOptions } from "../../support/fake-chain.ts"
import type { FakeLedger } from "../../support/fake-ledger.ts"
import { ledgerAt } from "../../support/ledger-view.ts"
import type { Adversary } from "./adversary/adversary.ts"
import { FAMILY_RULES } from "./ask-endpoints.ts"
import { createEndpoints } from "./endpoints.ts"
import type { FaultKind } from "./fault-kinds.ts"
import { depthsOn, type FaultProfile, hasPairs } from "./fault-profile.ts"
import type { FaultyPortDeps } from "./faulty-port.ts"
import { CHAIN_FAMILIES } from "./infrastructure.ts"
import type { Issuer } from "./issuer.ts"
import type { LaggingLedger } from "./lagging-ledger.ts"
import { createColludingEndpoint, createMildLiar } from "./lying-endpoint.ts"
import { plantInReads } from "./planted-reads.ts"
import type { Random } from "./random.ts"
import { createReadLayer } from "./read-layer.ts"
import { BURN_ROUTES } from "./routes.ts"
import { ASSETS } from "./simulated-assets.ts"

const USUAL_FEE = 10n
/** A chain's newest block is usually at most this old. */
export const BLOCK_SLACK_MS = 60_000

/** The nodes of a world: those of the first, second and third endpoint by chain. */
type Nodes = {
  readonly nodes: ReadonlyMap<ChainId, LaggingLedger>
  readonly others: ReadonlyMap<ChainId, LaggingLedger>
  readonly thirds: ReadonlyMap<ChainId, LaggingLedger>
  readonly deadUntilMs: Map<string, number>
  readonly market: { readonly fees: ReadonlyMap<ChainId, bigint> }
  readonly clock: Clock
}

type Options = {
  readonly profile: FaultProfile
  readonly faults: Pick<FaultyPortDeps, "isHostile" | "countFault" | "countLie" | "log" | "random">
  readonly nodes: Random
  readonly bug: string | null
  readonly adversary?: Adversary | null
  readonly issuer?: Issuer | null
}

/** The port of one chain over the nodes that the run drew. */
export function createChainNodes(world: Nodes, chain: ChainId, options: Options): ChainPort {
  const { profile, faults, nodes: random, bug } = options
  const nodes = mustExist(profile.infrastructure.chains[chain], "the nodes of each chain")
  const ledgers = [world.nodes, world.others, world.thirds]
    .slice(0, nodes.endpoints)
    .map((all) => mustExist(all.get(chain), "a node of each chain"))
  const drawsWith =
    (stream: typeof random) =>
    (kind: FaultKind): boolean => {
      if (!faults.isHostile() || !profile.enabled.has(kind) || !stream.chance(profile.rate))
        return false
      faults.countFault(kind)
      faults.log.add(chain, kind)
      return true
    }
  const { rules, depths } = plantInReads(bug, FAMILY_RULES, depthsOn(profile, chain))
  const family = mustExist(CHAIN_FAMILIES.get(chain), "the family of each chain")
  const portOn = (ledger: FakeLedger): ChainPort => {
    const own: FakeChainOptions = {
      chain,
      ledger,
      assets: ASSETS,
      confirmations: depths.ending,
      seenDepth: depths.seen,
      signatures: [],
      blockSlackMs: BLOCK_SLACK_MS,
      pairs: () => hasPairs(profile),
      fee: () => world.market.fees.get(chain) ?? USUAL_FEE,
      ...(options.adversary == null ? {} : { offers: options.adversary.market.offersOn(chain) }),
      family,
    }
    const { issuer = null } = options
    const port = createFakeChain(own)
    return issuer === null || !BURN_ROUTES.some((pair) => pair.some((id) => chainOf(id) === chain))
      ? port
      : withRouteLegs(port, [createBurnLeg(own, () => issuer.reasonsOn(chain))])
  }
  const first = mustExist(ledgers[0], "a first node")
  const { countLie } = faults
  const liar = { random, countLie, isSteady: profile.isLiarSteady }
  const mild = { random: faults.random, draws: drawsWith(faults.random) }
  if (profile.infrastructure.kind === "plain" && ledgers.length === 1 && rules === FAMILY_RULES)
    return createMildLiar(portOn(newestOf(first)), mild)
  const endpoints = createEndpoints({
    chain,
    nodes,
    ledgers,
    random,
    draws: drawsWith(random),
    now: world.clock.now,
    deadUntilMs: world.deadUntilMs,
    // One liar of two can stall every order, so that one is replaced in the end.
    mayLie: () => (profile.mode === "collusion" && nodes.endpoints > 2) || faults.isHostile(),
    portAt: (view, index, isLying) => {
      const honest = portOn(ledgerAt(first.ledger, view))
      if (isLying) return createColludingEndpoint(honest, liar)
      return index === 0 ? createMildLiar(honest, mild) : honest
    },
  })
  return createReadLayer({ endpoints, needed: nodes.needed, rules, local: portOn(first.ledger) })
}

/** The ledger as a node at its newest block shows it. */
function newestOf({ ledger, branch }: LaggingLedger): FakeLedger {
  return {
    ...ledger,
    state: () => mustExist(branch().states.at(-1), "a newest block"),
    height: () => BigInt(branch().blocks.length - 1),
    blockMs: () => mustExist(branch().times.at(-1), "a newest block"),
    mempool: () => branch().waiting,
  }
}
