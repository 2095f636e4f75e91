import type { Fault } from "#sandbox/service/faults.ts"
import { CHAIN_NAMES, type ChainName } from "#sandbox/start-sandbox.ts"
import type { Random } from "../fault-sim/random.ts"
import { LINE_FAULTS, type LineFault } from "./start-cut-proxy.ts"

/** One fault. A seed always draws the same faults, but their effect depends on the moment. */
export type ChaosFault =
  | { readonly kind: "kill daemon"; readonly downMs: number }
  | { readonly kind: "freeze daemon"; readonly ms: number }
  | { readonly kind: "kill service"; readonly downMs: number }
  | { readonly kind: "forget service"; readonly downMs: number }
  | { readonly kind: "freeze service"; readonly ms: number }
  | { readonly kind: "kill chain"; readonly chain: ChainName; readonly downMs: number }
  | { readonly kind: "freeze chain"; readonly chain: ChainName; readonly ms: number }
  | { readonly kind: "cut"; readonly what: Endpoint; readonly how: LineFault; readonly ms: number }
  | { readonly kind: "bad answers"; readonly fault: Fault }
  | { readonly kind: "bad solver"; readonly fault: Fault }
  | { readonly kind: "leap"; readonly chain: ChainName }

/**
 * An endpoint behind a proxy: a chain's node for the daemon, a chain's control interface for the
 * service, or the service.
 */
export type Endpoint = { readonly side: "node" | "control"; readonly chain: ChainName } | "service"

const WEIGHTS: readonly (readonly [ChaosFault["kind"], number])[] = [
  ["kill daemon", 8],
  ["freeze daemon", 3],
  ["kill service", 4],
  ["freeze service", 2],
  ["kill chain", 4],
  ["freeze chain", 4],
  ["cut", 10],
  ["bad answers", 5],
  ["bad solver", 3],
  ["leap", 2],
]

/** Added on request (`--forget`), because orders need an operator after this fault. */
const FORGETTING_WEIGHTS: readonly (readonly [ChaosFault["kind"], number])[] = [
  ["forget service", 1],
]

/** The one chain that loses its state with its process. It is frozen and cut off, never killed. */
const UNSAVED: ChainName = "solana_testnet"

export function sampleFault(random: Random, forgetting: boolean): ChaosFault {
  const kind = drawKind(random, forgetting ? [...WEIGHTS, ...FORGETTING_WEIGHTS] : WEIGHTS)
  const ms = 500 + random.below(5_500)
  const chain = random.pick(CHAIN_NAMES)
  switch (kind) {
    case "kill daemon":
      return { kind, downMs: random.chance(0.5) ? 0 : random.below(4_000) }
    case "kill service":
    case "forget service":
      return { kind, downMs: random.below(4_000) }
    case "kill chain":
      return {
        kind,
        chain: chain === UNSAVED ? "bitcoin_testnet" : chain,
        downMs: random.below(4_000),
      }
    case "freeze daemon":
    case "freeze service":
      return { kind, ms }
    case "freeze chain":
      return { kind, chain, ms }
    case "cut":
      return { kind, what: drawEndpoint(random, chain), how: random.pick(LINE_FAULTS), ms }
    case "bad answers":
      return { kind, fault: drawAnswers(random) }
    case "bad solver":
      return {
        kind,
        fault: {
          [random.pick(["lapse", "solverSilent", "neverRedeem"])]: true,
          count: 1 + random.below(3),
        },
      }
    case "leap":
      return { kind, chain }
  }
}

function drawKind(random: Random, weights: typeof WEIGHTS): ChaosFault["kind"] {
  let left = random.next() * weights.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of weights) {
    left -= weight
    if (left < 0) return kind
  }
  return "kill daemon"
}

function drawEndpoint(random: Random, chain: ChainName): Endpoint {
  const side = random.pick(["service", "node", "node", "control"] as const)
  return side === "service" ? "service" : { side, chain }
}

function drawAnswers(random: Random): Fault {
  const count = 1 + random.below(6)
  const endpoint = random.pick(["quote", "create", "get", "list", "initiate"] as const)
  return {
    count,
    endpoint,
    ...random.pick<Fault>([
      { status: 500 },
      { status: 429 },
      { html: true },
      { hang: true },
      { drop: true },
      { drop: true },
      { delayMs: 3_000 },
      { status: 503, effect: true },
      { html: true, effect: true },
    ]),
  }
}
