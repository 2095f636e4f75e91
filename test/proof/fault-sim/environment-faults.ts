import { type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { hashOf } from "../../support/fake-chain.ts"
import { type FakeLedger, isOurs, type LedgerTx } from "../../support/fake-ledger.ts"
import { ARB, ETH, SOL } from "../../support/fake-world.ts"
import { type Adversary, treatWithAdversary } from "./adversary/adversary.ts"
import { createSchemes } from "./collusion.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile } from "./fault-profile.ts"
import { ISSUER_FAULTS, THEFTS } from "./infrastructure.ts"
import type { Issuer } from "./issuer.ts"
import { treatOwnSecret } from "./own-secrets.ts"
import type { Random } from "./random.ts"
import { readOrder } from "./read-order.ts"
import { type SimulatedWorld, WHOLE_FIAT } from "./simulated-world.ts"
import {
  isDepositAwaitedOn,
  listTargetedPorts,
  listWithheld,
  sampleTargetFault,
} from "./steering.ts"
import { createTransactionFaults } from "./transaction-faults.ts"

/** Faults of chains, service, prices, disk and clock. They do not depend on the daemon's calls. */
export type EnvironmentFaults = {
  /** One turn of the world: faults begin and end, the service acts, blocks are mined. */
  readonly turn: (elapsedMs: number) => void
  /** The active fault that keeps a port or the disk from answering; `null` if there is none. */
  readonly outage: (port: string) => FaultKind | null
  /** Ends all faults except two: a service or a relay that is gone stays gone. */
  readonly endFaults: () => void
  /**
   * Uses up an unused nonce in front of a stuck transaction, as an operator does after the alert
   * `.stuck`.
   */
  readonly fillNonceGaps: () => void
}

type Deps = {
  readonly random: Random
  /** Draws the faults of nodes that a plain seed does not have. */
  readonly nodes: Random
  readonly profile: FaultProfile
  readonly isHostile: () => boolean
  /** The checkers' calendar uses true time, so the clock is only wrong in runs without rules. */
  readonly hasRules: boolean
  /** The newest row of every order. */
  readonly rows: () => Iterable<OrderRow>
  readonly countFault: (kind: FaultKind) => void
  readonly adversary?: Adversary | null
  readonly issuer?: Issuer | null
  /** Draws the faults of the issuer. */
  readonly issuerDraws: Random
}

const SERVICE_FAULTS = [
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
const CHAIN_FAULTS = [
  "node unreadable",
  "chain stands still",
  "fee spike",
  "blockhash expires",
] as const
const BURN_CHAINS = [chainOf(ETH), chainOf(ARB), chainOf(SOL)] as const
const DEADLINE_AFTER_MS = 5 * 60_000
/** A service that wants many deposits gives them time. */
const COLLUDING_DEADLINE_AFTER_MS = 20 * 60_000
const HOUR_MS = 60 * 60_000
const CLOCK_FAULTS = ["clock ahead", "clock behind", "clock leaps"] as const
const SKEWS_MS = {
  "clock ahead": [60_000, 600_000, 7_200_000],
  "clock behind": [-2_000, -60_000, -3_600_000],
} as const

export function createEnvironmentFaults(world: SimulatedWorld, deps: Deps): EnvironmentFaults {
  const { random, nodes, profile, isHostile, hasRules, rows, countFault } = deps
  const { adversary = null, issuer = null, issuerDraws } = deps
  const { clock, service, log } = world
  const untilMs = new Map<string, number>()
  // CAST: the world has five chains.
  const chains = [...world.ledgers] as [[ChainId, FakeLedger], ...[ChainId, FakeLedger][]]
  const deadlineAfterMs =
    profile.mode === "collusion" || adversary !== null
      ? COLLUDING_DEADLINE_AFTER_MS
      : DEADLINE_AFTER_MS
  const schemes = createSchemes(String(clock.now()))
  let isGone = false
  let isRelayGone = false
  let isIssuerLost = false
  let pausedChain = chains[0][0]

  const isActive = (what: string): boolean => (untilMs.get(what) ?? 0) > clock.now()
  const draws = (kind: FaultKind, factor = 1): boolean =>
    profile.enabled.has(kind) && random.chance(Math.max(0.02, profile.rate) * factor)
  const begin = (
    kind: FaultKind,
    where: string,
    forMs = random.pick([5_000, 30_000, 120_000, 600_000]),
  ): void => {
    untilMs.set(`${kind}/${where}`, clock.now() + forMs)
    recordFault(kind, where)
  }
  const transactionFaults = createTransactionFaults({
    ledgers: world.ledgers,
    random,
    profile,
    recordFault,
    isAttested: (txid) =>
      [...rows()].some(({ snapshot }) => {
        const { voucher, seen } = readOrder(snapshot).data
        return voucher !== undefined && seen.sourceInitiated?.txid === txid
      }),
    // Two of three stay out of the blocks for longer than the window of their order: no block takes
    // them, or no node can be asked to.
    onDroppedBurn: (chain) => {
      const way = (world.ledgers.get(chain)?.height() ?? 0n) % 3n
      if (way === 1n) begin("node unreadable", chain, DEADLINE_AFTER_MS)
      if (way !== 0n) return
      begin("fee spike", chain, HOUR_MS)
      world.market.fees.set(chain, 250n)
    },
  })

  function recordFault(kind: FaultKind, where: string): void {
    countFault(kind)
    log.add(where, kind)
  }

  function beginFaults(): void {
    for (const kind of SERVICE_FAULTS) if (draws(kind)) begin(kind, "service")
    if (draws("solver late")) begin("solver late", "service", 900_000)
    if (draws("service down for hours", 0.3))
      begin("service down for hours", "service", 4 * 60 * 60_000)
    if (!isGone && draws("service gone", 0.5)) {
      isGone = true
      recordFault("service gone", "service")
    }
    for (const kind of CHAIN_FAULTS) if (draws(kind)) beginOn(kind, random.pick(chains)[0])
    if (draws("disk full", 0.5)) begin("disk full", "disk", random.pick([30_000, 120_000, 300_000]))
    for (const kind of ["clock ahead", "clock behind"] as const)
      if (draws(kind) && !hasRules) skew(kind)
    for (const [kind, nodes] of [
      ["node lags", world.nodes],
      ["nodes disagree", world.others],
    ] as const) {
      const [chain] = random.pick(chains)
      if (!draws(kind, kind === "node lags" ? 1 : 4) || isActive(`${kind}/${chain}`)) continue
      begin(kind, chain)
      nodes.get(chain)?.freeze()
    }
    if (profile.infrastructure.kind !== "plain") freezeThird()
    if (profile.enabled.has("relay gone") && !isRelayGone && nodes.chance(0.02)) {
      isRelayGone = true
      recordFault("relay gone", "service")
    }
    if (profile.enabled.has("clock leaps") && !hasRules && nodes.chance(0.03)) leap()
    for (const kind of THEFTS)
      if (profile.enabled.has(kind) && nodes.chance(0.05))
        begin(kind, "service", nodes.pick([30_000, 120_000, 600_000]))
    if (issuer !== null) beginIssuerFaults()
    transactionFaults.injectSampled()
    if (profile.target !== null) injectAtTargets()
  }

  function beginIssuerFaults(): void {
    for (const kind of ISSUER_FAULTS)
      if (profile.enabled.has(kind) && issuerDraws.chance(Math.max(0.03, profile.rate))) {
        begin(kind, "issuer", issuerDraws.pick([5_000, 60_000, 600_000, 3_600_000]))
        if (kind === "contract paused") pausedChain = issuerDraws.pick(BURN_CHAINS)
      }
  }

  function applyToIssuer({ conduct, paused, act }: Issuer): void {
    conduct.clear()
    paused.clear()
    for (const kind of ISSUER_FAULTS) if (isActive(`${kind}/issuer`)) conduct.add(kind)
    isIssuerLost ||=
      profile.losesIssuer === true && (!isHostile() || issuerDraws.chance(2 / profile.activeSteps))
    if (isIssuerLost) conduct.add("attester silent")
    if (conduct.has("contract paused")) paused.add(pausedChain)
    act()
  }

  /** The third endpoint of a chain falls behind for a while. */
  function freezeThird(): void {
    const [chain] = nodes.pick(chains)
    if (!nodes.chance(profile.rate) || isActive(`third lags/${chain}`)) return
    untilMs.set(`third lags/${chain}`, clock.now() + nodes.pick([5_000, 60_000, 600_000]))
    world.thirds.get(chain)?.freeze()
  }

  /** The machine's clock is a day ahead for a while. */
  function leap(): void {
    begin("clock leaps", "clock", nodes.pick([5_000, 60_000, 300_000]))
    world.daemonClock.setSkew(nodes.pick([25, 25, 48, 7 * 24]) * 60 * 60_000)
  }

  /** Injects faults on the chains of the orders that this seed targets. */
  function injectAtTargets(): void {
    const ports = listTargetedPorts(profile, rows())
    for (const [chain, ledger] of chains) {
      const targetChain = {
        hasPending: ledger.mempool().some(isOurs),
        hasRecentTransaction: transactionFaults.hasRecentTransaction(ledger),
        isDepositAwaited: isDepositAwaitedOn(chain, rows()),
      }
      const kind = ports.has(chain) ? sampleTargetFault(random, profile, targetChain) : null
      if (kind === null) continue
      if (kind === "fee spike") {
        begin(kind, chain, random.pick([30_000, 120_000, 300_000]))
        world.market.fees.set(chain, random.pick([30n, 90n, 250n]))
      } else if (kind === "nodes disagree") {
        begin(kind, chain, 30_000)
        world.others.get(chain)?.freeze()
      } else if (kind === "chain stands still" || kind === "node unreadable")
        begin(
          kind,
          chain,
          targetChain.hasRecentTransaction ? 5_000 : random.pick([5_000, 60_000, 300_000]),
        )
      else transactionFaults.inject(kind, chain, ledger)
      // Otherwise the relay repeats its deposit before the daemon has observed the reorganisation.
      if (profile.target === "watch" && kind === "transaction reorganised")
        begin("relay silent", "service", 30_000)
    }
  }

  function beginOn(kind: (typeof CHAIN_FAULTS)[number], chain: ChainId): void {
    begin(kind, chain)
    if (kind === "fee spike") world.market.fees.set(chain, random.pick([40n, 90n, 250n]))
  }

  /** The machine's clock is wrong for a while and is then corrected, so it jumps twice. */
  function skew(kind: keyof typeof SKEWS_MS): void {
    begin(kind, "clock")
    const [first, ...rest] = SKEWS_MS[kind]
    world.daemonClock.setSkew(random.pick([first, ...rest]))
  }

  function applyToService(): void {
    const { conduct } = service
    const is = (kind: FaultKind): boolean => isActive(`${kind}/service`)
    const withheld = isHostile() ? listWithheld(profile, rows()) : { fills: false, relays: false }
    conduct.fills = !is("solver silent") && !withheld.fills
    conduct.fillsLate = is("solver late")
    conduct.fillShortUnits = is("solver funds too little") ? 100n : 0n
    conduct.shortUnits = is("solver pays too little") ? 100n : 0n
    // A solver that has not funded the destination does not know the secret; a service that is gone
    // has not revealed it.
    const steals = is("deposit taken without payout")
    conduct.fills = conduct.fills && !steals
    conduct.takesSource = conduct.fills || steals
    conduct.reportsRedeemed = is("payout only reported")
    conduct.redeems = conduct.fills && !isGone
    conduct.racesRefund = is("refund raced")
    conduct.takesBack = true
    const treatOwn = adversary === null ? treatOwnSecret : treatWithAdversary
    conduct.treat = profile.mode === "collusion" ? schemes : profile.hasOwnSecrets ? treatOwn : null
    conduct.namesPayout = adversary === null
    // Otherwise every deadline is over for a clock that is a day ahead, and no order gets as far as
    // a window.
    conduct.deadlineAfterMs = isActive("clock leaps/clock") ? null : deadlineAfterMs
    conduct.namesStrangerSwap = isHostile() && profile.enabled.has("swap id of a stranger")
    conduct.relays = !is("relay silent") && !isRelayGone && !isGone && !withheld.relays
    conduct.costBps = is("price above limit") ? 100n : 30n
    conduct.unitFiat = is("price jumps") ? 3_000_000n : 1_000_000n
    conduct.secretHash = is("service reuses a secret") ? hashOf("reused") : null
    world.market.referenceFiat = is("reference jumps") ? (WHOLE_FIAT * 12n) / 10n : WHOLE_FIAT
  }

  function isServiceDown(): FaultKind | null {
    if (isGone) return "service gone"
    return (
      (["service down", "service down for hours"] as const).find((kind) =>
        isActive(`${kind}/service`),
      ) ?? null
    )
  }

  function block(): void {
    if (issuer !== null) applyToIssuer(issuer)
    // The solver is independent of the service and goes on without it as far as it can.
    if (isServiceDown() === null || isGone) service.act()
    for (const [chain, ledger] of chains) {
      if (!isActive(`fee spike/${chain}`)) world.market.fees.delete(chain)
      if (
        isActive(`chain stands still/${chain}`) &&
        !transactionFaults.isReorganising(chain, ledger)
      )
        continue
      const floor = isActive(`fee spike/${chain}`)
        ? (world.market.fees.get(chain) ?? 0n) / 2n
        : null
      // Mine until the new branch is as long as the old one; nodes show it only then.
      do mineNext(chain, ledger, floor)
      while (transactionFaults.isReorganising(chain, ledger))
    }
    transactionFaults.recordHeights()
  }

  function mineNext(chain: ChainId, ledger: FakeLedger, floor: bigint | null): void {
    const isExpiring = isActive(`blockhash expires/${chain}`)
    adversary?.beforeBlock(chain)
    const leastFee = (tx: LedgerTx): bigint | null =>
      adversary === null ? floor : adversary.market.leastFee(chain, tx)
    mine(ledger, { leastFee, ignoresExpiring: isExpiring })
    adversary?.market.endBlock(chain)
  }

  // A turn may take a minute, and real locks of payouts take hours: one stop of the process must
  // not last half a lock, and a secret needs its depth.
  if (profile.hasOwnSecrets)
    Object.assign(service.conduct, {
      // The shorter lock leaves less time for a refund, and its run ends earlier.
      sourceTimelock: profile.isCrowded ? 800n : 1_500n,
      destinationTimelock: 500n,
    })
  return {
    turn: (elapsedMs) => {
      if (isHostile()) beginFaults()
      applyToService()
      if (!CLOCK_FAULTS.some((kind) => isActive(`${kind}/clock`))) world.daemonClock.setSkew(0)
      const blocks = Math.min(10, Math.max(1, Math.floor(elapsedMs / 1_000)))
      for (let count = 0; count < blocks; count++) {
        adversary?.turn()
        block()
      }
      for (const [chain, node] of world.nodes) if (!isActive(`node lags/${chain}`)) node.catchUp()
      for (const [chain, node] of world.others)
        if (!isActive(`nodes disagree/${chain}`)) node.catchUp()
      for (const [chain, node] of world.thirds) if (!isActive(`third lags/${chain}`)) node.catchUp()
    },
    outage: (port) => {
      if (port === "service") return isServiceDown()
      if (port === "disk") return isActive("disk full/disk") ? "disk full" : null
      return isActive(`node unreadable/${port}`) ? "node unreadable" : null
    },
    endFaults: () => {
      untilMs.clear()
      world.deadUntilMs.clear()
    },
    // Alerts are read only where a gap is open, because each reading decodes many.
    fillNonceGaps: () => {
      if (!transactionFaults.hasNonceGap()) return
      const hasStuckAlert = world.journal
        .listAlerts(1_000)
        .some(({ reason }) => reason.code.endsWith(".stuck"))
      if (hasStuckAlert) transactionFaults.fillNonceGaps()
    },
  }
}

/**
 * Mines a block. Transactions of ours that pay less than its least fee keep waiting. With
 * `ignoresExpiring`, the leaders ignore our transactions that expire, so that their blockhash runs
 * out.
 */
function mine(ledger: FakeLedger, { leastFee, ignoresExpiring }: BlockRules): void {
  const waiting = ledger.mempool()
  const isLow = (tx: LedgerTx): boolean => {
    const floor = leastFee(tx)
    return floor !== null && tx.fee < floor
  }
  const left = waiting.filter(
    (tx) => isOurs(tx) && (isLow(tx) || (ignoresExpiring && tx.expiresAt !== undefined)),
  )
  ledger.dropMempool()
  for (const tx of waiting) if (!left.includes(tx)) ledger.submit(tx)
  ledger.mine()
  for (const tx of left) ledger.submit(tx)
}

type BlockRules = {
  /** `null`: the block takes every fee. */
  readonly leastFee: (tx: LedgerTx) => bigint | null
  readonly ignoresExpiring: boolean
}
