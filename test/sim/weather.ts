import type { ChainId } from "#domain/asset.ts"
import { hashOf } from "../support/fake-chain.ts"
import { type FakeLedger, isOurs } from "../support/fake-ledger.ts"
import { createChainTroubles } from "./chain-troubles.ts"
import type { Random } from "./random.ts"
import type { Surroundings } from "./sim-world.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

/** What happens to chains and service by itself, whatever the daemon does. */
export type Weather = {
  /** One turn of the world: troubles begin and end, the service acts, blocks come. */
  readonly turn: (elapsedMs: number) => void
  readonly outage: (port: string) => FaultKind | null
  /** The end of all trouble. */
  readonly calm: () => void
}

type Deps = {
  readonly random: Random
  readonly swarm: Swarm
  readonly isHostile: () => boolean
  readonly strike: (kind: FaultKind) => void
}

export function createWeather(world: Surroundings, { random, swarm, isHostile, strike }: Deps): Weather {
  const { clock, service, log } = world
  const untilMs = new Map<string, number>()
  // CAST: the world has five chains.
  const chains = [...world.ledgers] as [[ChainId, FakeLedger], ...[ChainId, FakeLedger][]]

  const lasts = (what: string): boolean => (untilMs.get(what) ?? 0) > clock.now()
  const draws = (kind: FaultKind): boolean => swarm.on.has(kind) && random.chance(Math.max(0.02, swarm.rate))
  const begin = (kind: FaultKind, where: string): void => {
    untilMs.set(`${kind}/${where}`, clock.now() + random.pick([5_000, 30_000, 120_000, 600_000]))
    happened(kind, where)
  }
  const troubles = createChainTroubles({ ledgers: world.ledgers, random, swarm, happened })

  function happened(kind: FaultKind, where: string): void {
    strike(kind)
    log.add(where, kind)
  }

  function brew(): void {
    for (const kind of ["service down", "solver silent", "relay silent", "price above limit"] as const) {
      if (draws(kind)) begin(kind, "service")
    }
    if (draws("service reuses a secret")) begin("service reuses a secret", "service")
    for (const kind of ["node unreadable", "chain stands still", "fee spike"] as const) {
      if (draws(kind)) begin(kind, random.pick(chains)[0])
    }
    const [chain] = random.pick(chains)
    if (draws("node lags") && !lasts(`node lags/${chain}`)) {
      begin("node lags", chain)
      world.nodes.get(chain)?.freeze()
    }
    troubles.strike()
  }

  return {
    turn: (elapsedMs) => {
      if (isHostile()) brew()
      const { conduct } = service
      conduct.fills = !lasts("solver silent/service")
      // Who has not paid has no secret to take the source with.
      conduct.takesSource = conduct.fills
      conduct.redeems = conduct.fills
      conduct.relays = !lasts("relay silent/service")
      conduct.costBps = lasts("price above limit/service") ? 100n : 30n
      conduct.secretHash = lasts("service reuses a secret/service") ? hashOf("reused") : null
      const blocks = Math.min(10, Math.max(1, Math.floor(elapsedMs / 1_000)))
      for (let block = 0; block < blocks; block++) {
        if (!lasts("service down/service")) service.act()
        for (const [chain, ledger] of chains) {
          if (!lasts(`chain stands still/${chain}`)) mine(ledger, lasts(`fee spike/${chain}`) ? 25n : null)
        }
        troubles.grown()
      }
      for (const [chain, node] of world.nodes) if (!lasts(`node lags/${chain}`)) node.catchUp()
    },
    outage: (port) => {
      if (port === "service") return lasts("service down/service") ? "service down" : null
      return lasts(`node unreadable/${port}`) ? "node unreadable" : null
    },
    calm: () => untilMs.clear(),
  }
}

/** A block takes what pays enough; what pays less goes on waiting. */
function mine(ledger: FakeLedger, floor: bigint | null): void {
  const waiting = ledger.mempool()
  const cheap = floor === null ? [] : waiting.filter((tx) => isOurs(tx) && tx.fee < floor)
  ledger.dropMempool()
  for (const tx of waiting) if (!cheap.includes(tx)) ledger.submit(tx)
  ledger.mine()
  for (const tx of cheap) ledger.submit(tx)
}
