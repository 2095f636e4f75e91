import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { ETH, SOL } from "../../support/fake-world.ts"
import { drawAdversary } from "./adversary/draw-adversary.ts"
import { drawBusy } from "./busy.ts"
import { drawCollusion } from "./collusion.ts"
import { FAULT_KINDS, type FaultKind } from "./fault-kinds.ts"
import type { Depths } from "./finality-table.ts"
import {
  drawInfrastructure,
  HONEST_FAULTS,
  type Infrastructure,
  ISSUER_FAULTS,
  NODE_FAULTS,
  THEFTS,
} from "./infrastructure.ts"
import type { Random } from "./random.ts"
import { BURN_ROUTES, ROUTES } from "./routes.ts"
import { requiredFaults, TARGET_DRAWS, type Target } from "./steering.ts"

/** The faults and sizes that one seed draws. */
export type FaultProfile = {
  readonly enabled: ReadonlySet<FaultKind>
  /** Probability of an enabled fault at each place where it can occur. */
  readonly rate: number
  readonly orders: number
  readonly activeSteps: number
  /** The most orders that the operator asks for in one turn. Absent: one. */
  readonly ordersATurn?: number
  readonly maxInFlight: number
  /**
   * A directed seed injects faults into orders in these short-lived states; `null` if the seed is
   * not directed.
   */
  readonly target: Target | null
  /** The depth of a final block on every chain of a `plain` infrastructure. */
  readonly confirmations: number
  readonly infrastructure: Infrastructure
  readonly mode: RunMode
  /** A reference price is available beside the quote. */
  readonly hasReference: boolean
  /** A second service, which overcharges, promises too much, or lies about its orders. */
  readonly hasSecondService: boolean
  /** A colluding endpoint tells the same lie about a transaction or a swap in every answer. */
  readonly isLiarSteady: boolean
  readonly way: "auto" | "gasless" | "onchain" | null
  /** The operator asks for these routes alone. Absent: for all. */
  readonly routes?: readonly (readonly [AssetId, AssetId])[]
  /** An issuer burns and mints beside the swap service. Not drawn. */
  readonly hasIssuer?: boolean
  /** The issuer's attesters sign nothing more from some turn on. Not drawn. */
  readonly losesIssuer?: boolean
  /** Ballast chooses the secrets. Not drawn. */
  readonly hasOwnSecrets?: boolean
  /**
   * The services choose the secrets of orders up to this many units; absent without a limit. Not
   * drawn.
   */
  readonly maxServiceSecret?: bigint
  /** Each call asks for a lease first, which this process always has. Not drawn. */
  readonly hasLease?: boolean
  /** The process dies after each commit, also in the quiet time. Not drawn. */
  readonly killsEachCommit?: boolean
  /** Many orders with an adversary, which are looked at less often. Not drawn. */
  readonly isCrowded?: boolean
}

/**
 * How a run is meant: as its seed draws it, with honest nodes and an honest service only, with
 * endpoints that collude, with many orders, or with an adversary and his purse.
 */
export type RunMode = "drawn" | "honest" | "collusion" | "busy" | "adversary"

/** `nodes`: the stream of all draws about nodes. The other draws of a seed do not depend on it. */
export function drawFaultProfile(
  random: Random,
  nodes: Random,
  {
    orders,
    isDirected,
    mode,
    colluding = 3,
  }: {
    readonly orders: number | null
    readonly isDirected: boolean
    readonly mode: RunMode
    readonly colluding?: 2 | 3
  },
): FaultProfile {
  const drawn = drawFaults(random, orders, isDirected)
  const kind = KINDS[mode]
  const disagrees = drawn.enabled.has("nodes disagree")
  const infrastructure = drawInfrastructure(nodes, kind, {
    confirmations: drawn.confirmations,
    disagrees,
    colluding,
  })
  const added = NODE_FAULTS.filter((_fault) =>
    nodes.chance(infrastructure.kind === "plain" ? 0.05 : 0.5),
  )
  const enabled = new Set([...drawn.enabled, ...added])
  if (mode === "collusion")
    return { ...drawn, ...drawCollusion(nodes, orders), infrastructure, mode }
  if (mode === "busy")
    return { ...drawn, ...drawBusy(nodes, drawn.enabled, orders), infrastructure, mode }
  if (mode === "adversary")
    return { ...drawn, ...drawAdversary(nodes, orders), infrastructure, mode }
  if (mode !== "honest") return { ...drawn, enabled, infrastructure, mode }
  return {
    ...drawn,
    enabled: new Set([...enabled].filter((fault) => HONEST_FAULTS.has(fault))),
    target: null,
    infrastructure,
    mode,
  }
}

/**
 * Deposits of tokens go together with their approvals. In a sixth of the seeds, and where a seed is
 * directed at approvals, each approval goes alone. Not a draw of its own, so that the other draws
 * of a seed stay.
 */
export function hasPairs({
  maxInFlight,
  target,
}: Pick<FaultProfile, "maxInFlight" | "target">): boolean {
  return maxInFlight !== 1 && target !== "approve"
}

/** The same profile with an issuer, and most orders on the pairs that it joins. */
export function withIssuer(profile: FaultProfile, random: Random, silent: boolean): FaultProfile {
  const faults = ISSUER_FAULTS.filter(() => random.chance(0.4))
  return {
    ...profile,
    infrastructure: withSlowFinality(profile.infrastructure),
    hasIssuer: true,
    losesIssuer: silent,
    orders: 2 * profile.orders,
    maxInFlight: 4 + profile.maxInFlight,
    // No relay deposits for us on a route, so such orders would all be refused.
    way: profile.way === "gasless" ? "onchain" : profile.way,
    enabled: new Set([...profile.enabled, ...faults]),
    routes: [...BURN_ROUTES, ...BURN_ROUTES, ROUTES[0]],
  }
}

/** A mint is final long before a burn of these chains, as after a fast attestation. */
function withSlowFinality(infrastructure: Infrastructure): Infrastructure {
  const chains = Object.entries(infrastructure.chains).map(([chain, nodes]) => {
    const blocks = SLOW.get(chain)
    return [chain, blocks === undefined ? nodes : { ...nodes, ...slowed(nodes, blocks) }]
  })
  return { ...infrastructure, chains: Object.fromEntries(chains) }
}

/** Solana's bytes are valid for longer than that. */
const SLOW: ReadonlyMap<string, number> = new Map([
  [chainOf(ETH), 30],
  [chainOf(SOL), 20],
])

function slowed({ ending }: Depths, blocks: number): Depths {
  return { seen: 1, ending: ending + blocks }
}

/** The depths of a chain in this run. */
export function depthsOn(
  { infrastructure, confirmations }: Pick<FaultProfile, "infrastructure" | "confirmations">,
  chain: string,
): Depths {
  const { chains } = infrastructure
  // CAST: an unknown chain has no nodes.
  const nodes: Depths | undefined = chains[chain as ChainId]
  return nodes ?? { seen: 1, ending: confirmations }
}

const KINDS = {
  drawn: null,
  honest: "honest",
  collusion: "hostile",
  busy: "plain",
  adversary: "plain",
} as const

/** Drawn elsewhere, so that the draws of older seeds stay. */
const DRAWN_APART: readonly FaultKind[] = [...NODE_FAULTS, ...THEFTS, ...ISSUER_FAULTS]

type DrawnProfile = Omit<FaultProfile, "infrastructure" | "mode">

function drawFaults(random: Random, orders: number | null, isDirected: boolean): DrawnProfile {
  const share = random.pick([0.06, 0.12, 0.25])
  const drawn = FAULT_KINDS.filter(
    (kind) => kind !== "unexpected answer" && !DRAWN_APART.includes(kind),
  )
  const enabled = new Set(
    drawn.filter((kind) => random.chance(RARE_FAULTS.has(kind) ? share / 3 : share)),
  )
  const profile = {
    enabled,
    rate: random.pick([0.01, 0.03, 0.1]),
    orders: orders ?? 6 + random.below(14),
    activeSteps: 80 + random.below(160),
    maxInFlight: 1 + random.below(6),
    confirmations: 2 + random.below(2),
    hasReference: random.chance(0.3),
    way: random.pick([null, "auto", "gasless", "onchain"] as const),
  }
  // Derived and not drawn, so that the other draws of each seed stay.
  const hasSecondService = profile.activeSteps % 3 === 0
  if (!isDirected) return { ...profile, hasSecondService, isLiarSteady: false, target: null }
  const helpful = HELPFUL_FAULTS.filter(() => random.chance(0.5))
  const target = random.pick(TARGET_DRAWS)
  const way = target === "watch" ? ("gasless" as const) : profile.way
  return {
    ...profile,
    hasSecondService,
    isLiarSteady: false,
    target,
    way,
    enabled: new Set([...enabled, ...DIRECTED_FAULTS, ...helpful, ...requiredFaults(target)]),
  }
}

/** Every directed seed has both. Other seeds never have the first. */
const DIRECTED_FAULTS = new Set<FaultKind>(["unexpected answer", "operator at work"])
/** Some transitions of the order machine never occur without one of these. */
const HELPFUL_FAULTS: readonly FaultKind[] = [
  "paused",
  "nodes disagree",
  "killed at an await",
  "commit fails",
  "answer lost",
]

/** Each of these hides the effects of all other faults, so they are enabled less often. */
const RARE_FAULTS: ReadonlySet<FaultKind> = new Set([
  "restart after every commit",
  "service reuses a secret",
  "service gone",
  "service down for hours",
])
