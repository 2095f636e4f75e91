import type { ChainId } from "#domain/asset.ts"
import { hashOf } from "../support/fake-chain.ts"
import type { FakeLedger } from "../support/fake-ledger.ts"
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
  const tips = new Map<ChainId, bigint>()
  // CAST: the world has three chains.
  const chains = [...world.ledgers] as [[ChainId, FakeLedger], ...[ChainId, FakeLedger][]]
  let strangers = 0

  const lasts = (what: string): boolean => (untilMs.get(what) ?? 0) > clock.now()
  const draws = (kind: FaultKind): boolean => swarm.on.has(kind) && random.chance(Math.max(0.02, swarm.rate))
  const begin = (kind: FaultKind, where: string): void => {
    untilMs.set(`${kind}/${where}`, clock.now() + random.pick([5_000, 30_000, 120_000, 600_000]))
    happened(kind, where)
  }
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
    const [chain, ledger] = random.pick(chains)
    if (draws("node lags") && !lasts(`node lags/${chain}`)) {
      begin("node lags", chain)
      world.nodes.get(chain)?.freeze()
    }
    if (draws("mempool dropped")) {
      happened("mempool dropped", chain)
      ledger.dropMempool()
    }
    if (draws("reorganised")) reorganise(chain, ledger)
    if (draws("nonce taken")) takeNonce(chain, ledger)
  }

  /** Never deeper than what counts as final, also when one follows another before the chain has grown again. */
  function reorganise(chain: ChainId, ledger: FakeLedger): void {
    const height = ledger.height()
    const tip = tips.get(chain) ?? height
    const allowed = Number(height - tip) + swarm.confirmations - 1
    const depth = Math.min(1 + random.below(swarm.confirmations - 1), allowed, Number(height) - 1)
    if (depth < 1) return
    happened("reorganised", chain)
    ledger.reorganise(depth, random.pick(["requeue", "drop"]))
    if (ledger.kind === "utxo") evictOrphans(ledger)
  }

  /** Another program with the same key. */
  function takeNonce(chain: ChainId, ledger: FakeLedger): void {
    const { nonce, outpoints } = ledger.state()
    const [outpoint] = outpoints.keys()
    const claims = ledger.kind === "account" ? [`nonce:${nonce}`] : outpoint === undefined ? [] : [outpoint]
    if (claims.length === 0) return
    happened("nonce taken", chain)
    ledger.submit({ txid: hashOf(`stranger ${++strangers}`), fee: 500n, claims, action: { kind: "void" } })
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
          tips.set(chain, max(tips.get(chain) ?? 0n, ledger.height()))
        }
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
  const cheap = floor === null ? [] : waiting.filter(({ claims, fee }) => claims.length > 0 && fee < floor)
  ledger.dropMempool()
  for (const tx of waiting) if (!cheap.includes(tx)) ledger.submit(tx)
  ledger.mine()
  for (const tx of cheap) ledger.submit(tx)
}

/** A Bitcoin mempool keeps nothing whose inputs are gone. */
function evictOrphans(ledger: FakeLedger): void {
  const waiting = ledger.mempool()
  const { outpoints } = ledger.state()
  const made = new Set(waiting.map(({ txid }) => `${txid}:1`))
  ledger.dropMempool()
  for (const tx of waiting) {
    if (tx.claims.every((claim) => outpoints.has(claim) || made.has(claim))) ledger.submit(tx)
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
