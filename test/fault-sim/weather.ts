import type { ChainId } from "#domain/asset.ts"
import type { OrderRow } from "#journal/port.ts"
import { hashOf } from "../support/fake-chain.ts"
import { type FakeLedger, isOurs } from "../support/fake-ledger.ts"
import { createChainTroubles } from "./chain-troubles.ts"
import { drawTrouble, isSoughtOn, leavesUndone, listPorts } from "./pursuit.ts"
import type { Random } from "./random.ts"
import { type Surroundings, WHOLE_FIAT } from "./sim-world.ts"
import type { FaultKind, Swarm } from "./swarm.ts"

/** What happens to chains, service, prices and clock by itself, whatever the daemon does. */
export type Weather = {
  /** One turn of the world: troubles begin and end, the service acts, blocks come. */
  readonly turn: (elapsedMs: number) => void
  /** What keeps a port (or the disk) from answering now. */
  readonly outage: (port: string) => FaultKind | null
  /** The end of all trouble but one: a service that is gone stays gone. */
  readonly calm: () => void
  /** What an operator does who hears that a transaction is stuck behind a nonce that nothing uses. */
  readonly fillGaps: () => void
}

type Deps = {
  readonly random: Random
  readonly swarm: Swarm
  readonly isHostile: () => boolean
  /** The calendar that rules are judged by goes by true time: a wrong clock is left to runs without rules. */
  readonly hasRules: boolean
  /** Every order, as the witness saw it last. */
  readonly rows: () => Iterable<OrderRow>
  readonly strike: (kind: FaultKind) => void
}

const SERVICE_TROUBLES = [
  "service down",
  "solver silent",
  "solver funds too little",
  "solver pays too little",
  "refund raced",
  "relay silent",
  "price above limit",
  "price jumps",
  "reference jumps",
  "service reuses a secret",
] as const
const CHAIN_TROUBLES = ["node unreadable", "chain stands still", "fee spike", "blockhash expires"] as const
const SKEWS_MS = {
  "clock ahead": [60_000, 600_000, 7_200_000],
  "clock behind": [-2_000, -60_000, -3_600_000],
} as const

export function createWeather(
  world: Surroundings,
  { random, swarm, isHostile, hasRules, rows, strike }: Deps,
): Weather {
  const { clock, service, log } = world
  const untilMs = new Map<string, number>()
  // CAST: the world has five chains.
  const chains = [...world.ledgers] as [[ChainId, FakeLedger], ...[ChainId, FakeLedger][]]
  let isGone = false

  const lasts = (what: string): boolean => (untilMs.get(what) ?? 0) > clock.now()
  const draws = (kind: FaultKind, factor = 1): boolean =>
    swarm.on.has(kind) && random.chance(Math.max(0.02, swarm.rate) * factor)
  const begin = (kind: FaultKind, where: string, forMs = random.pick([5_000, 30_000, 120_000, 600_000])): void => {
    untilMs.set(`${kind}/${where}`, clock.now() + forMs)
    happened(kind, where)
  }
  const troubles = createChainTroubles({ ledgers: world.ledgers, random, swarm, happened })

  function happened(kind: FaultKind, where: string): void {
    strike(kind)
    log.add(where, kind)
  }

  function brew(): void {
    for (const kind of SERVICE_TROUBLES) if (draws(kind)) begin(kind, "service")
    if (draws("solver late")) begin("solver late", "service", 900_000)
    if (draws("service down for hours", 0.3)) begin("service down for hours", "service", 4 * 60 * 60_000)
    if (!isGone && draws("service gone", 0.5)) {
      isGone = true
      happened("service gone", "service")
    }
    for (const kind of CHAIN_TROUBLES) if (draws(kind)) beginOn(kind, random.pick(chains)[0])
    if (draws("disk full", 0.5)) begin("disk full", "disk", random.pick([30_000, 120_000, 300_000]))
    for (const kind of ["clock ahead", "clock behind"] as const) if (draws(kind) && !hasRules) skew(kind)
    for (const [kind, nodes] of [
      ["node lags", world.nodes],
      ["nodes disagree", world.others],
    ] as const) {
      const [chain] = random.pick(chains)
      if (!draws(kind, kind === "node lags" ? 1 : 4) || lasts(`${kind}/${chain}`)) continue
      begin(kind, chain)
      nodes.get(chain)?.freeze()
    }
    troubles.strike()
    if (swarm.quarry !== null) chase()
  }

  /** Trouble where the orders are that this seed is after. */
  function chase(): void {
    const ports = listPorts(swarm, rows())
    for (const [chain, ledger] of chains) {
      const prospect = {
        waits: ledger.mempool().some(isOurs),
        isYoung: troubles.isFresh(ledger),
        isSought: isSoughtOn(chain, rows()),
      }
      const kind = ports.has(chain) ? drawTrouble(random, swarm, prospect) : null
      if (kind === null) continue
      if (kind === "fee spike") {
        begin(kind, chain, random.pick([30_000, 120_000, 300_000]))
        world.market.fees.set(chain, random.pick([30n, 90n, 250n]))
      } else if (kind === "nodes disagree") {
        begin(kind, chain, 30_000)
        world.others.get(chain)?.freeze()
      } else if (kind === "chain stands still" || kind === "node unreadable")
        begin(kind, chain, prospect.isYoung ? 5_000 : random.pick([5_000, 60_000, 300_000]))
      else troubles.strikeAt(kind, chain, ledger)
      // Else what the relay did is done again before anybody has looked.
      if (swarm.quarry === "watch" && kind === "move reorganised away") begin("relay silent", "service", 30_000)
    }
  }

  function beginOn(kind: (typeof CHAIN_TROUBLES)[number], chain: ChainId): void {
    begin(kind, chain)
    if (kind === "fee spike") world.market.fees.set(chain, random.pick([40n, 90n, 250n]))
  }

  /** The machine's clock is wrong for a while, and is then set right: a jump each way. */
  function skew(kind: keyof typeof SKEWS_MS): void {
    begin(kind, "clock")
    const [first, ...rest] = SKEWS_MS[kind]
    world.daemonClock.setSkew(random.pick([first, ...rest]))
  }

  function conduct(): void {
    const { conduct } = service
    const is = (kind: FaultKind): boolean => lasts(`${kind}/service`)
    const undone = isHostile() ? leavesUndone(swarm, rows()) : { fills: false, relays: false }
    conduct.fills = !is("solver silent") && !undone.fills
    conduct.fillsLate = is("solver late")
    conduct.fillShortUnits = is("solver funds too little") ? 100n : 0n
    conduct.shortUnits = is("solver pays too little") ? 100n : 0n
    // Who has not paid has no secret to take the source with; and a service that is gone has told nobody.
    conduct.takesSource = conduct.fills
    conduct.redeems = conduct.fills && !isGone
    conduct.racesRefund = is("refund raced")
    conduct.takesBack = true
    conduct.relays = !is("relay silent") && !isGone && !undone.relays
    conduct.costBps = is("price above limit") ? 100n : 30n
    conduct.unitFiat = is("price jumps") ? 3_000_000n : 1_000_000n
    conduct.secretHash = is("service reuses a secret") ? hashOf("reused") : null
    world.market.referenceFiat = is("reference jumps") ? (WHOLE_FIAT * 12n) / 10n : WHOLE_FIAT
  }

  function isServiceDown(): FaultKind | null {
    if (isGone) return "service gone"
    return (["service down", "service down for hours"] as const).find((kind) => lasts(`${kind}/service`)) ?? null
  }

  function block(): void {
    // The solver is another house than the service, and goes on without it as far as it can.
    if (isServiceDown() === null || isGone) service.act()
    for (const [chain, ledger] of chains) {
      if (!lasts(`fee spike/${chain}`)) world.market.fees.delete(chain)
      if (lasts(`chain stands still/${chain}`) && !troubles.isBehind(chain, ledger)) continue
      const floor = lasts(`fee spike/${chain}`) ? (world.market.fees.get(chain) ?? 0n) / 2n : null
      // A branch replaces another when it is as long, and nobody sees it before.
      do mine(ledger, floor, lasts(`blockhash expires/${chain}`))
      while (troubles.isBehind(chain, ledger))
    }
    troubles.grown()
  }

  return {
    turn: (elapsedMs) => {
      if (isHostile()) brew()
      conduct()
      if (!lasts("clock ahead/clock") && !lasts("clock behind/clock")) world.daemonClock.setSkew(0)
      const blocks = Math.min(10, Math.max(1, Math.floor(elapsedMs / 1_000)))
      for (let count = 0; count < blocks; count++) block()
      for (const [chain, node] of world.nodes) if (!lasts(`node lags/${chain}`)) node.catchUp()
      for (const [chain, node] of world.others) if (!lasts(`nodes disagree/${chain}`)) node.catchUp()
    },
    outage: (port) => {
      if (port === "service") return isServiceDown()
      if (port === "disk") return lasts("disk full/disk") ? "disk full" : null
      return lasts(`node unreadable/${port}`) ? "node unreadable" : null
    },
    calm: () => untilMs.clear(),
    fillGaps: () => {
      const isHeardOf = world.journal.listAlerts(1_000).some(({ reason }) => reason.code.endsWith(".stuck"))
      if (isHeardOf) troubles.fillGaps()
    },
  }
}

/** A block takes what pays half of what is asked; what pays less goes on waiting. Where blockhashes expire, leaders are deaf to us. */
function mine(ledger: FakeLedger, floor: bigint | null, isDeaf: boolean): void {
  const waiting = ledger.mempool()
  const left = waiting.filter(
    (tx) => isOurs(tx) && ((floor !== null && tx.fee < floor) || (isDeaf && tx.expiresAt !== undefined)),
  )
  ledger.dropMempool()
  for (const tx of waiting) if (!left.includes(tx)) ledger.submit(tx)
  ledger.mine()
  for (const tx of left) ledger.submit(tx)
}
