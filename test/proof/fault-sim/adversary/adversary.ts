import { type AssetId, type ChainId, chainOf, type Family } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { URGENCIES } from "#ports/urgency.ts"
import { accountOf, hashOf, swapKey } from "../../../support/fake-chain.ts"
import { type FakeLedger, isOurs, type SwapState } from "../../../support/fake-ledger.ts"
import type { Conduct, FakeOrder, FakeService } from "../../../support/fake-service.ts"
import type { EventLog } from "../event-log.ts"
import type { Random } from "../random.ts"
import { ASSETS } from "../simulated-assets.ts"
import type { ChosenMeans } from "./chosen-means.ts"
import { createFeeMarket, type FeeMarket, familyOf, type NodeEstimate } from "./fee-market.ts"
import { createFloods, type Floods, type LegName, type Side } from "./floods.ts"
import { createLimitedSigner, type LimitedSigner } from "./limited-signer.ts"
import type { LostDecisions } from "./lost-decisions.ts"
import type { ModuleRules } from "./module-rules.ts"
import {
  countRedemptions,
  drawOf,
  freezeOf,
  isFrozen,
  isPaidTwice,
  secondKey,
} from "./obstacles.ts"
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
  /** When the chain's limit of requests is free again, for questions of each rank. */
  readonly freeMs: ReadonlyMap<ChainId, number[]>
  readonly noteRead: (leg: LegName, isRead: boolean) => void
  /** Since when each leg was asked for in vain, in true time. */
  readonly unreadSinceMs: ReadonlyMap<LegName, number>
  /** A new process of the daemon knows of no failed read. */
  readonly forgetReads: () => void
  /** Each chain gets an endpoint with estimates. */
  readonly giveEstimates: () => void
  readonly spent: () => ReadonlyMap<Means, Spent>
  /** The order with this payout has a frozen payee now. */
  readonly isFrozen: (isIt: (order: FakeOrder) => boolean) => boolean
  /** An issuer froze the payee of this order for half of its payout's lock, or longer. */
  readonly wasFrozen: (order: FakeOrder) => boolean
  /** The solver has paid the address of this order a second time. */
  readonly isPaidTwice: (secretHash: string) => boolean
  /**
   * The wallet's coin on this chain pays for so many redemptions, from the run's begin on; `null`
   * without such a bound.
   */
  readonly redemptionsPaid: (chain: ChainId) => number | null
  /** A signer with limits of its own; `null` in most runs. */
  readonly signer: LimitedSigner | null
  readonly decisions: LostDecisions
  readonly noteMeans: (means: Means) => void
  /** The daemon's machine is lost for a whole lock. */
  readonly losesMachine: boolean
  /** The operator lets everything go on after an alarm. */
  readonly pausesNothing: boolean
  /** It is lost once this secret is told. */
  readonly isLossOf: (secretHash: string) => boolean
  /** The orders that a watchtower has the files of, and its transactions. */
  readonly tower: { readonly guarded: Set<string>; readonly txids: Set<string> }
  /** No process of the daemon starts before. */
  readonly process: { restsUntilMs: number }
}

/**
 * `latencyMs` of each request, and how many requests a second are answered; `null` without a limit.
 */
export type SlowNode = { readonly latencyMs: number; readonly callsASecond: number | null }

/**
 * `isWorseLater`: the limit of requests begins, and estimates end, with the first secret that is
 * told for a payout on the chain.
 */
type DrawnNode = SlowNode & { readonly estimate: NodeEstimate; readonly isWorseLater: boolean }

type Deps = {
  readonly clock: { readonly now: () => number }
  readonly ledgers: ReadonlyMap<ChainId, FakeLedger>
  readonly service: Pick<FakeService, "orders" | "reveals">
  readonly log: EventLog
  readonly random: Random
  readonly rules: ModuleRules
  readonly means: ChosenMeans
}

/** The two legs of an order on their chains. */
type Legs = Readonly<
  Record<Side, { readonly chain: ChainId; readonly swap: SwapState | undefined }>
>

/** Where each leg of an order is. */
type Place = { readonly chain: ChainId; readonly ledger: FakeLedger; readonly key: string }
type Places = Readonly<Record<Side, Place>>

const CONGESTION_MS = [2 * 60_000, 10 * 60_000, 30 * 60_000] as const

export function createAdversary(deps: Deps): Adversary {
  const { clock, ledgers, service, log, random, rules, means } = deps
  const purse = createPurse()
  const market = createFeeMarket(rules.fees)
  const floods = createFloods({ purse, random, means })
  const nodes = new Map(
    [...ledgers.keys()].map((chain) => [chain, drawNode(random, familyOf(chain), means)]),
  )
  const congestedUntilMs = new Map<ChainId, number>()
  const met = new Set<string>()
  /** Each block asks about each order. */
  const places = new WeakMap<FakeOrder, Places>()
  const unreadSinceMs = new Map<LegName, number>()
  const limited = new Set<ChainId>()
  const told = new Set<string>()
  /** The orders of the reveals that were read so far: each block asks about each order. */
  const revealed = { read: 0, ids: new Set<string>() }
  /**
   * The operator has moved the coin away: orders began with enough of it. By chain, how many
   * redemptions were paid before.
   */
  const emptied = new Map<ChainId, number>()
  /** When each payout was first there, in true time. */
  const openSinceMs = new Map<string, number>()
  const paidTwice = new Set<string>()
  const payable = drawPayable(random, [...ledgers], means)
  const signer = means.has("a signer with limits", random.chance(0.3))
    ? createLimitedSigner({ now: clock.now, coinOf, isShared: rules.sharesLimits })
    : null
  const losesMachine = means.has("a lost machine", random.chance(0.2))
  const pausesNothing = means.has("alarms that pause nothing", random.chance(0.3))
  if (pausesNothing) purse.note("alarms that pause nothing")
  if (signer !== null) purse.note("a signer with limits")
  for (const redemptions of payable.values())
    if (redemptions !== null) purse.note("a wallet with little coin")
  const isWanted = (secretHash: string): boolean =>
    service.orders.some(
      (order) =>
        order.secretHash === secretHash &&
        means.has("a lost decision", isLostOften(order)) &&
        isShownSoon(order),
    )
  const decisions = { lost: new Set<string>(), died: new Set<string>(), isWanted }
  for (const [chain, { latencyMs, callsASecond, estimate, isWorseLater }] of nodes) {
    const lacksOneLater = estimate === "none" && isWorseLater
    market.setNodes(chain, lacksOneLater ? "true" : estimate)
    if (latencyMs > 0) purse.note("a slow node")
    if (callsASecond !== null) purse.note("a limit of requests")
    if (estimate === "none" && !lacksOneLater) purse.note("a node without an estimate")
    if (estimate !== "true" && estimate !== "none") purse.note("a false estimate")
  }

  function coinOf(chain: string): AssetId {
    // CAST: an unknown chain is not found.
    const ledger = mustExist(ledgers.get(chain as ChainId), "a ledger of each chain")
    return mustExist(ASSETS.find(({ id }) => id === ledger.native)?.id, "the coin of each chain")
  }

  function isOrderFrozen(order: FakeOrder): boolean {
    const { chain, swap } = legsOf(order).destination
    if (!means.has("a frozen payee", true)) return false
    return isFrozen(order, swap, mustExist(ledgers.get(chain), "a ledger of each chain").height())
  }

  /**
   * The solver pays the whole amount to the same Bitcoin address again, which only its own output
   * can return.
   */
  function payTwice(order: FakeOrder, { chain, swap }: Legs["destination"]): void {
    if (familyOf(chain) !== "bitcoin" || swap === undefined || paidTwice.has(order.secretHash))
      return
    if (
      !means.has("Bitcoin: a second payment of the whole amount", isPaidTwice(order)) ||
      !purse.pay(order, "Bitcoin: a second payment of the whole amount", swap.units)
    )
      return
    paidTwice.add(order.secretHash)
    const { asset, units, secretHash, timelock, token } = swap
    const terms = { key: secondKey(swap.key), asset, units, secretHash, timelock, token }
    const action = { kind: "initiate", payer: "solver", swap: terms } as const
    ledgers
      .get(chain)
      ?.submit({ txid: hashOf(`twice ${order.orderId}`), fee: 0n, resources: [], action })
  }

  function placesOf(order: FakeOrder): Places {
    const known = places.get(order)
    if (known !== undefined) return known
    const { from, to, secretHash } = order
    const placeOf = (chain: ChainId, initiator: string): Place => {
      const ledger = mustExist(ledgers.get(chain), "a ledger of each chain")
      return { chain, ledger, key: swapKey(ledger, chain, { secretHash, initiator }) }
    }
    const found = {
      source: placeOf(chainOf(from), accountOf(chainOf(from))),
      destination: placeOf(chainOf(to), "solver"),
    }
    places.set(order, found)
    return found
  }

  function legsOf(order: FakeOrder): Legs {
    const { source, destination } = placesOf(order)
    const swapAt = ({ ledger, key }: Place): SwapState | undefined => ledger.state().swaps.get(key)
    return {
      source: { chain: source.chain, swap: swapAt(source) },
      destination: { chain: destination.chain, swap: swapAt(destination) },
    }
  }

  /** The hours in which the chain of the payout is full: he only has to wait for them. */
  function waitForCongestion(chain: ChainId): void {
    if ((congestedUntilMs.get(chain) ?? 0) > clock.now()) return
    if (!means.has("a full network", random.chance(0.15))) return
    congestedUntilMs.set(chain, clock.now() + random.pick(CONGESTION_MS))
    market.setNatural(chain, random.pick([30n, 90n, 150n, 300n]))
    purse.note("a full network")
    log.add(chain, "is full", `${market.natural(chain)}`)
  }

  /**
   * The coin leaves a chain when more payouts wait there than it can redeem then. It still redeems
   * all those that Ballast can have seen: one of them may be told already.
   */
  function takeCoin(): void {
    for (const [chain, redemptions] of payable) {
      if (redemptions === null || emptied.has(chain)) continue
      const open = service.orders.filter((order) => {
        if (chainOf(order.to) !== chain) return false
        const { swap } = legsOf(order).destination
        return swap?.redeemed === null && swap.refunded === null
      })
      for (const { secretHash } of open)
        if (!openSinceMs.has(secretHash)) openSinceMs.set(secretHash, clock.now())
      const old = open.filter(({ secretHash }) => (openSinceMs.get(secretHash) ?? 0) < clock.now())
      if (open.length <= redemptions || old.length > redemptions) continue
      emptied.set(chain, countRedemptions(mustExist(ledgers.get(chain), "a ledger of each chain")))
      log.add(chain, "loses its coin", `${redemptions} redemptions are left`)
    }
  }

  function turn(): void {
    takeCoin()
    for (const [chain, untilMs] of congestedUntilMs) {
      if (untilMs > clock.now()) continue
      congestedUntilMs.delete(chain)
      market.setNatural(chain, null)
    }
    for (const order of service.orders) {
      const { source, destination } = legsOf(order)
      if (source.swap !== undefined && !met.has(order.orderId)) {
        met.add(order.orderId)
        waitForCongestion(destination.chain)
        floods.fill(order, "source", source.chain)
        if (freezeOf(order) !== null && means.has("a frozen payee", true))
          purse.note("a frozen payee")
      }
      payTwice(order, destination)
      if (isRevealed(order)) meetTold(order, destination.chain)
      if (destination.swap !== undefined && (isTold(order) || isHasty(order)))
        floods.fill(order, "destination", destination.chain)
    }
  }

  /** What waits for the moment at which a secret is told. */
  function meetTold({ secretHash }: FakeOrder, chain: ChainId): void {
    if (told.has(secretHash)) return
    told.add(secretHash)
    limited.add(chain)
    if (nodes.get(chain)?.estimate === "none" && market.nodesOf(chain) !== "none") {
      market.setNodes(chain, "none")
      purse.note("a node without an estimate")
    }
    if (drawOf("use up", secretHash) % 3 === 0) signer?.useUp(chain)
  }

  /** A payout that is hidden before its secret is told is of no use: then the deposit goes back. */
  function isTold(order: FakeOrder): boolean {
    return order.isOwn !== true || isRevealed(order)
  }

  function isRevealed({ orderId }: FakeOrder): boolean {
    for (const reveal of service.reveals.slice(revealed.read)) revealed.ids.add(reveal.orderId)
    revealed.read = service.reveals.length
    return revealed.ids.has(orderId)
  }

  /**
   * Keeps the redemption of a payout, or a refund, out of the next block as long as the purse of
   * its order lasts.
   */
  function beforeBlock(chain: ChainId): void {
    const ledger = mustExist(ledgers.get(chain), "a ledger of each chain")
    const waiting = ledger.mempool().filter((tx) => isOurs(tx))
    const isIdle = waiting.length === 0 || !means.has("block space", true)
    for (const order of isIdle ? [] : service.orders) {
      if (chainOf(order.from) !== chain && chainOf(order.to) !== chain) continue
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
    nodeOf: (chain) => {
      const node = mustExist(nodes.get(chain), "the nodes of each chain")
      return node.isWorseLater && !limited.has(chain) ? { ...node, callsASecond: null } : node
    },
    turn,
    beforeBlock,
    noteRead: (leg, isRead) => {
      if (isRead) unreadSinceMs.delete(leg)
      else if (!unreadSinceMs.has(leg)) unreadSinceMs.set(leg, clock.now())
    },
    freeMs: new Map([...ledgers.keys()].map((chain) => [chain, URGENCIES.map(() => 0)])),
    unreadSinceMs,
    forgetReads: () => unreadSinceMs.clear(),
    giveEstimates: () => {
      for (const chain of nodes.keys())
        if (market.nodesOf(chain) === "none") market.setNodes(chain, "true")
    },
    spent: purse.spent,
    isFrozen: (isIt) => service.orders.some((order) => isIt(order) && isOrderFrozen(order)),
    wasFrozen: (order) => means.has("a frozen payee", true) && freezeOf(order) !== null,
    isPaidTwice: (secretHash) => paidTwice.has(secretHash),
    redemptionsPaid: (chain) => {
      const before = emptied.get(chain)
      const left = payable.get(chain) ?? null
      return before === undefined || left === null ? null : before + left
    },
    signer,
    decisions,
    noteMeans: (means) => purse.note(means),
    losesMachine,
    pausesNothing,
    isLossOf: (hash) => means.has("a lost machine", drawOf("machine", hash) % 3 === 0),
    tower: { guarded: new Set(), txids: new Set() },
    process: { restsUntilMs: 0 },
  }
}

/** On Bitcoin the payout pays its redemption. */
function drawPayable(
  random: Random,
  ledgers: readonly (readonly [ChainId, FakeLedger])[],
  means: ChosenMeans,
): ReadonlyMap<ChainId, number | null> {
  const draw = (chain: ChainId): number | null => {
    if (familyOf(chain) === "bitcoin") return null
    const drawn = random.pick([null, null, null, 1, 2])
    return means.has("a wallet with little coin", drawn !== null) ? (drawn ?? 1) : null
  }
  return new Map(ledgers.map(([chain]) => [chain, draw(chain)]))
}

/**
 * A thief that waits for the end of the payout's lock shows nothing to a journal from before the
 * reveal. Where a freeze has delayed the telling, the next process finds too little of the lock
 * left to tell it.
 */
function isLostOften(order: FakeOrder): boolean {
  return freezeOf(order) !== null || drawOf("lost", order.secretHash) % 3 === 0
}

/** The solver redeems the source as soon as he has the secret. */
function isShownSoon(order: FakeOrder): boolean {
  return order.isOwn === true && treatWithAdversary(order).takesSource !== false
}

const CLOSING = { source: "refund", destination: "redeem" } as const

/** He fights for each payout of a told secret, and for some refunds. */
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
  return mustExist(BLOCK_SPACE[familyOf(chain)], "the block space of each family")
}

/**
 * The estimates of a node: a block of an EVM chain tells its base fee, and a plan on Starknet is a
 * simulation with a price.
 */
const ESTIMATES: Readonly<Record<Family, readonly [NodeEstimate, ...NodeEstimate[]]>> = {
  bitcoin: ["true", "none", "low", "high"],
  evm: ["true", "true", "none", "zero"],
  starknet: ["true", "true", "low", "zero"],
  solana: ["true", "none", "low", "high"],
}

function drawNode(random: Random, family: Family, means: ChosenMeans): DrawnNode {
  const latencyMs = random.pick([0, 0, 0, 500, 1_500])
  const callsASecond = random.pick([null, null, 20, 5])
  const estimates = mustExist(ESTIMATES[family], "the estimates of each family")
  const estimate = random.pick(estimates)
  const isWorseLater = random.chance(0.5)
  const lacksOne = means.has("a node without an estimate", estimate === "none")
  const known = estimate !== "none" && means.has("a false estimate", true) ? estimate : "true"
  return {
    latencyMs: means.has("a slow node", true) ? latencyMs : 0,
    callsASecond: means.has("a limit of requests", true) ? callsASecond : null,
    estimate: lacksOne && estimates.includes("none") ? "none" : known,
    isWorseLater,
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
