import { type ChainId, chainOf, type Family } from "#domain/asset.ts"
import { present } from "#lib/assert.ts"
import { accountOf, hashOf, swapKey } from "../../../support/fake-chain.ts"
import { type FakeLedger, isOurs, type SwapState } from "../../../support/fake-ledger.ts"
import type { Conduct, FakeOrder, FakeService } from "../../../support/fake-service.ts"
import type { EventLog } from "../event-log.ts"
import type { Random } from "../random.ts"
import { createFeeMarket, type FeeMarket, familyOf, type NodeEstimate } from "./fee-market.ts"
import { createFloods, type Floods, type LegName, type Side } from "./floods.ts"
import type { ModuleRules } from "./module-rules.ts"
import { BLOCK_SPACE, type Means } from "./prices.ts"
import { createPurse, type Spent } from "./purse.ts"

/**
 * A spending adversary: he fills histories, buys block space, slows nodes down and lies about fees,
 * each for its price (`prices.ts`) and out of one purse for each order. Service and solver of an
 * order with our own secret are his.
 */
export type Adversary = {
  readonly market: FeeMarket
  readonly floods: Floods
  readonly rules: ModuleRules
  /** How a node of the chain answers. */
  readonly nodeOf: (chain: ChainId) => SlowNode
  /** One turn of the world: he chooses his means for orders whose deposit is on chain. */
  readonly turn: () => void
  /** Buys the space of the next block of a chain. */
  readonly beforeBlock: (chain: ChainId) => void
  /** When the chain's limit of requests is free again. */
  readonly busyUntilMs: Map<ChainId, number>
  readonly noteRead: (leg: LegName, isRead: boolean) => void
  /** Since when each leg was asked for in vain, in true time. */
  readonly unreadSinceMs: ReadonlyMap<LegName, number>
  /** A new process of the daemon knows of no failed read. */
  readonly forgetReads: () => void
  readonly spent: () => ReadonlyMap<Means, Spent>
}

/**
 * `latencyMs` of each request, and how many requests a second are answered; `null` without a limit.
 */
export type SlowNode = { readonly latencyMs: number; readonly callsASecond: number | null }

type Deps = {
  readonly clock: { readonly now: () => number }
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly service: Pick<FakeService, "orders" | "reveals">
  readonly log: EventLog
  readonly random: Random
  readonly rules: ModuleRules
}

/** The two legs of an order on their chains. */
type Legs = Readonly<
  Record<Side, { readonly chain: ChainId; readonly swap: SwapState | undefined }>
>

const CONGESTION_MS = [2 * 60_000, 10 * 60_000, 30 * 60_000] as const

export function createAdversary(deps: Deps): Adversary {
  const { clock, ledgers, service, log, random, rules } = deps
  const purse = createPurse()
  const market = createFeeMarket(rules.fees)
  const floods = createFloods({ purse, random })
  const nodes = new Map(
    [...ledgers.keys()].map((chain) => [chain, drawNode(random, familyOf(chain))]),
  )
  const congestedUntilMs = new Map<ChainId, number>()
  const met = new Set<string>()
  const unreadSinceMs = new Map<LegName, number>()
  for (const [chain, { latencyMs, callsASecond, estimate }] of nodes) {
    market.setNodes(chain, estimate)
    if (latencyMs > 0) purse.note("a slow node")
    if (callsASecond !== null) purse.note("a limit of requests")
    if (estimate === "none") purse.note("a node without an estimate")
    if (estimate === "low" || estimate === "high") purse.note("a false estimate")
  }

  function legsOf({ from, to, secretHash }: FakeOrder): Legs {
    const leg = (chain: ChainId, initiator: string) => {
      const ledger = present(ledgers.get(chain), "a ledger of each chain")
      return {
        chain,
        swap: ledger.state().swaps.get(swapKey(ledger, chain, { secretHash, initiator })),
      }
    }
    return {
      source: leg(chainOf(from), accountOf(chainOf(from))),
      destination: leg(chainOf(to), "solver"),
    }
  }

  /** The hours in which the chain of the payout is full: he only has to wait for them. */
  function waitForCongestion(chain: ChainId): void {
    if ((congestedUntilMs.get(chain) ?? 0) > clock.now() || !random.chance(0.15)) return
    congestedUntilMs.set(chain, clock.now() + random.pick(CONGESTION_MS))
    market.setNatural(chain, random.pick([30n, 90n, 150n, 300n]))
    purse.note("a full network")
    log.add(chain, "is full", `${market.natural(chain)}`)
  }

  function turn(): void {
    for (const [chain, untilMs] of congestedUntilMs) {
      if (untilMs > clock.now()) continue
      congestedUntilMs.delete(chain)
      market.setNatural(chain, 0n)
    }
    for (const order of service.orders) {
      const { source, destination } = legsOf(order)
      if (source.swap !== undefined && !met.has(order.orderId)) {
        met.add(order.orderId)
        waitForCongestion(destination.chain)
        floods.fill(order, "source", source.chain)
      }
      if (destination.swap !== undefined && (isTold(order) || isHasty(order)))
        floods.fill(order, "destination", destination.chain)
    }
  }

  /** A payout that is hidden before its secret is told is of no use: then the deposit goes back. */
  function isTold({ orderId, isOwn }: FakeOrder): boolean {
    return isOwn !== true || service.reveals.some((reveal) => reveal.orderId === orderId)
  }

  /**
   * Keeps the redemption of a payout, or a refund, out of the next block as long as the purse of
   * its order lasts.
   */
  function beforeBlock(chain: ChainId): void {
    const ledger = present(ledgers.get(chain), "a ledger of each chain")
    const waiting = ledger.mempool().filter((tx) => isOurs(tx))
    for (const order of waiting.length === 0 ? [] : service.orders) {
      const legs = legsOf(order)
      for (const side of ["source", "destination"] as const) {
        const leg = legs[side]
        if (leg.chain !== chain || leg.swap === undefined || !outprices(order, side)) continue
        const { key } = leg.swap
        const offers = waiting.filter(
          ({ action }) => action.kind === CLOSING[side] && action.key === key,
        )
        const most = offers.reduce((highest, { fee }) => (fee > highest ? fee : highest), 0n)
        const [first] = offers
        if (first === undefined || most < market.leastFee(chain, first)) continue
        const isPaid = purse.pay(order, "block space", spaceOf(chain) * (most + 1n))
        if (isPaid) market.outbid(chain, key, most + 1n)
        log.add(
          chain,
          isPaid ? "is bought" : "is too dear",
          `above ${most}, for ${order.orderId.slice(0, 8)}`,
        )
      }
    }
  }

  return {
    market,
    floods,
    rules,
    nodeOf: (chain) => present(nodes.get(chain), "the nodes of each chain"),
    turn,
    beforeBlock,
    noteRead: (leg, isRead) => {
      if (isRead) unreadSinceMs.delete(leg)
      else if (!unreadSinceMs.has(leg)) unreadSinceMs.set(leg, clock.now())
    },
    busyUntilMs: new Map(),
    unreadSinceMs,
    forgetReads: () => unreadSinceMs.clear(),
    spent: purse.spent,
  }
}

const CLOSING = { source: "refund", destination: "redeem" } as const

/** He fights for each payout whose secret is told, and for some refunds. */
function outprices({ secretHash }: FakeOrder, side: Side): boolean {
  return (
    side === "destination" ||
    Number.parseInt(hashOf(`outprice ${secretHash}`).slice(0, 4), 16) % 4 === 0
  )
}

/** Some payouts are hidden at once, which must only lead to refunds. */
function isHasty({ secretHash }: FakeOrder): boolean {
  return Number.parseInt(hashOf(`hasty ${secretHash}`).slice(0, 4), 16) % 4 === 0
}

function spaceOf(chain: ChainId): bigint {
  return present(BLOCK_SPACE[familyOf(chain)], "the block space of each family")
}

/**
 * The estimates of a node: a block of an EVM chain tells its base fee, and a plan on Starknet is a
 * simulation with a price.
 */
const ESTIMATES: Readonly<Record<Family, readonly [NodeEstimate, ...NodeEstimate[]]>> = {
  bitcoin: ["true", "none", "low", "high"],
  evm: ["true", "true", "none"],
  starknet: ["true", "true", "low"],
  solana: ["true", "none", "low", "high"],
}

function drawNode(random: Random, family: Family): SlowNode & { readonly estimate: NodeEstimate } {
  return {
    latencyMs: random.pick([0, 0, 0, 500, 1_500]),
    callsASecond: random.pick([null, null, 20, 5]),
    estimate: random.pick(present(ESTIMATES[family], "the estimates of each family")),
  }
}

/**
 * How service and solver treat an order with our own secret: in most cases they take the deposit
 * with it, and the payout back.
 */
const SCHEMES: readonly Partial<Conduct>[] = [
  { redeems: false, takesBack: true },
  { redeems: false, takesBack: true },
  { redeems: false, takesBack: true },
  { redeems: false, takesBack: true },
  { redeems: false, takesSource: false, takesBack: true },
  { fillShortUnits: 100n, takesBack: true },
  { fills: false },
  {},
]

export function treatWithAdversary({ secretHash, isOwn }: FakeOrder): Partial<Conduct> {
  if (isOwn !== true) return {}
  return (
    SCHEMES[Number.parseInt(hashOf(`spends ${secretHash}`).slice(0, 6), 16) % SCHEMES.length] ?? {}
  )
}
