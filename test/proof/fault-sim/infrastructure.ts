import { type ChainId, chainOf, type Family } from "#domain/asset.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import { ARB, BTC, ETH, SOL, STRK } from "../../support/fake-world.ts"
import type { FaultKind } from "./fault-kinds.ts"
import { type Depths, shippedDepths } from "./finality-table.ts"
import type { Random } from "./random.ts"

/**
 * The nodes of a run, and the depths that it waits for. Plain data, because worker threads report
 * it.
 */
export type Infrastructure = {
  /**
   * `plain`: one node, or two that can disagree · `honest`: honest endpoints that lag, prune,
   * reorganise and fail · `hostile`: the last of three endpoints, or of two, lies in league with
   * service and solver.
   */
  readonly kind: "plain" | "honest" | "hostile"
  readonly chains: Readonly<Record<ChainId, ChainNodes>>
}

export type ChainNodes = Depths & {
  readonly endpoints: number
  /** So many endpoints must give the same answer. */
  readonly needed: number
  /** Each request reaches another backend of the endpoint, up to `MAX_LAG` blocks behind. */
  readonly isBalanced: boolean
  /**
   * After so many blocks a pruned backend has neither state nor history of a block; `null` where
   * none is pruned.
   */
  readonly prunedAfter: number | null
  /** The share of requests in which the last endpoint lies. */
  readonly liesShare: number
}

export const MAX_LAG = 3

export const CHAIN_FAMILIES: ReadonlyMap<ChainId, Family> = new Map([
  [chainOf(ETH), "evm"],
  [chainOf(ARB), "evm"],
  [chainOf(BTC), "bitcoin"],
  [chainOf(SOL), "solana"],
  [chainOf(STRK), "starknet"],
])

/** Fault kinds that only the stream `nodes` enables. */
export const NODE_FAULTS: readonly FaultKind[] = [
  "endpoint garbage",
  "endpoint dead",
  "endpoint head too high",
  "clock leaps",
  "relay gone",
  "swap id of a stranger",
]

/** What service and solver do in a run in which they collude with an endpoint. */
export const THEFTS: readonly FaultKind[] = ["deposit taken without payout", "payout only reported"]

/** Faults of a run with an issuer. Its attesters are honest: they sign what was burnt. */
export const ISSUER_FAULTS = [
  "attester silent",
  "attester late",
  "attestation service lies",
  "message expires",
  "mint by a stranger",
  "burn reorganised",
  "equal burn of a stranger",
  "contract paused",
] as const satisfies readonly FaultKind[]

/** Faults of an honest world: networks, nodes, chains and machines fail without a lie. */
export const HONEST_FAULTS: ReadonlySet<FaultKind> = new Set([
  ...([
    "request lost",
    "answer lost",
    "duplicated",
    "delayed",
    "reordered",
    "slow body",
    "service 5xx",
  ] as const),
  ...([
    "node lags",
    "nodes disagree",
    "node unreadable",
    "chain stands still",
    "mempool dropped",
  ] as const),
  ...([
    "blockhash expires",
    "reorganised",
    "transaction reorganised",
    "fee spike",
    "older transaction mined",
  ] as const),
  ...(["killed at a write", "killed at an await", "killed between steps", "machine off"] as const),
  ...(["endpoint garbage", "endpoint dead", "endpoint head too high"] as const),
])

type Given = {
  /** The depth that the seed drew for all chains. */
  readonly confirmations: number
  readonly disagrees: boolean
  /** The endpoints of a chain on which the last one lies. No draw depends on it. */
  readonly colluding?: 2 | 3
}

export function drawInfrastructure(
  random: Random,
  kind: Infrastructure["kind"] | null,
  { confirmations, disagrees, colluding = 3 }: Given,
): Infrastructure {
  const drawn = kind ?? random.pick(["plain", "plain", "honest", "hostile"] as const)
  const depths = kind === "honest" ? "shipped" : random.pick(["drawn", "one", "shipped"] as const)
  const chains = [...CHAIN_FAMILIES].map(([chain, family]): [ChainId, ChainNodes] => {
    // A plain seed keeps the depth that all its other draws were made for.
    if (drawn === "plain")
      return [chain, { ...plainNodes(disagrees), seen: 1, ending: confirmations }]
    const few = { seen: 1, ending: depths === "one" ? 1 : confirmations }
    return [
      chain,
      {
        ...drawNodes(random, drawn, colluding),
        ...(depths === "shipped" ? shippedDepths(family) : few),
      },
    ]
  })
  return { kind: drawn, chains: Object.fromEntries(chains) }
}

/** The nodes of every chain, each with one endpoint that is never behind. */
export function plainInfrastructure(confirmations: number): Infrastructure {
  const nodes = { ...plainNodes(false), seen: 1, ending: confirmations }
  return {
    kind: "plain",
    chains: Object.fromEntries([...CHAIN_FAMILIES.keys()].map((chain) => [chain, nodes])),
  }
}

function plainNodes(disagrees: boolean): Omit<ChainNodes, keyof Depths> {
  const endpoints = disagrees ? 2 : 1
  return { endpoints, needed: endpoints, isBalanced: false, prunedAfter: null, liesShare: 0 }
}

function drawNodes(
  random: Random,
  kind: "honest" | "hostile",
  colluding: 2 | 3,
): Omit<ChainNodes, keyof Depths> {
  const endpoints = kind === "hostile" ? colluding : 1 + random.below(3)
  return {
    endpoints,
    needed: neededAnswers(null, endpoints),
    isBalanced: random.chance(0.7),
    prunedAfter: random.chance(0.4) ? random.pick([40, 150]) : null,
    liesShare: kind === "hostile" ? random.pick([0.1, 0.4, 1]) : 0,
  }
}
