import type { Logger } from "#lib/log.ts"
import type { LocalChain, LocalSwap, SwapOnChain } from "../local-chain.ts"
import { decideMove, type Sight } from "./decide-move.ts"
import type { Faults, SolverFault } from "./faults.ts"
import { mergeSight } from "./merge-sight.ts"
import type { OrderStore } from "./order-store.ts"
import type { LegEvent, SolverMove, StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * Works on every open order each tick: looks at both chains, records what they show, and makes at most one move.
 *
 * Orders are worked on concurrently and never twice at once; the failure of one is logged and tried again later, and stops no other.
 * `stop` waits up to one second for chain calls under way.
 */
export function startSolver(options: SolverOptions): { stop(): Promise<void> } {
  const working = new Map<string, Promise<unknown>>()
  const troubles = new Map<string, string>()
  let ticks = 0
  // Once per trouble and not once per tick: a node may be down for hours.
  const report = (order: string, error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (troubles.get(order) === message) return
    troubles.set(order, message)
    options.log.warn({ order, err: error }, "the solver could not work on an order")
  }
  const tick = (): void => {
    ticks += 1
    for (const order of options.store.list()) {
      if (order.phase !== "open" || working.has(order.id) || isResting(order, ticks)) continue
      const work = workOn(order, options)
        .then(
          () => troubles.delete(order.id),
          (error: unknown) => report(order.id, error),
        )
        .finally(() => working.delete(order.id))
      working.set(order.id, work)
    }
  }
  const timer = setInterval(tick, options.tickMs)
  return {
    stop: async () => {
      clearInterval(timer)
      const patience = new Promise<void>((resolve) => setTimeout(resolve, STOP_PATIENCE_MS).unref())
      await Promise.race([Promise.all(working.values()), patience])
    },
  }
}

export type SolverOptions = {
  readonly chains: readonly LocalChain[]
  readonly store: OrderStore
  readonly faults: Faults
  readonly tickMs: number
  /** How long to wait for the effect of a move before it is tried again; doubles with each try, up to 32 times this. */
  readonly repeatAfterMs: number
  readonly log: Logger
}

const STOP_PATIENCE_MS = 1_000
/** Unfunded orders past their deadline are looked at this much more rarely. */
const RESTING_TICKS = 20

function isResting(order: StoredOrder, ticks: number): boolean {
  return order.depositSeenAtMs === null && Date.now() > order.deadlineMs && ticks % RESTING_TICKS !== 0
}

async function workOn(before: StoredOrder, options: SolverOptions): Promise<void> {
  const sight = await lookAtBoth(before, options.chains)
  const order = await addInstantRefund(mergeSight(before, sight), sight, options.chains)
  // A fault for "one order" must not be used up by an order that nobody pays.
  const faults = sight.source.initiated ? options.faults.ofOrder(order.id) : new Set<SolverFault>()
  const decision = decideMove(order, sight, faults)
  if ("move" in decision) return makeMove(order, decision.move, options)
  const ended = "finish" in decision
  const next: StoredOrder = ended
    ? { ...order, phase: decision.finish, note: decision.note }
    : { ...order, note: decision.wait }
  options.store.put(next)
  if (next.note !== before.note)
    options.log.info({ order: order.id, phase: next.phase, note: next.note }, "sandbox order")
}

async function lookAtBoth(order: StoredOrder, chains: readonly LocalChain[]): Promise<Sight> {
  const sourceChain = chainOf(order.source, chains)
  const destinationChain = chainOf(order.destination, chains)
  const touched = order.attempts.fund !== undefined
  const [source, destination] = await Promise.all([
    sourceChain.look(order.source.swap),
    touched ? destinationChain.look(order.destination.swap) : NOTHING,
  ])
  const [sourceHeight, destinationHeight] = await Promise.all([
    source.initiated ? sourceChain.height() : 0n,
    destination.initiated ? destinationChain.height() : 0n,
  ])
  return { source, destination, sourceHeight, destinationHeight, nowMs: Date.now() }
}

const NOTHING: SwapOnChain = { initiated: null, redeemed: null, refunded: null }

/** `instant_refund_tx` names the output that it spends, so a Bitcoin chain can only tell it once the deposit is there. */
async function addInstantRefund(order: StoredOrder, sight: Sight, chains: readonly LocalChain[]): Promise<StoredOrder> {
  const { source } = order
  if (source.swap.instantRefundTx !== "" || !sight.source.initiated) return order
  const chain = chainOf(source, chains)
  if (!offersInstantRefund(chain)) return order
  return {
    ...order,
    source: { ...source, swap: { ...source.swap, instantRefundTx: await chain.instantRefundTx(source.swap) } },
  }
}

function offersInstantRefund(
  chain: LocalChain,
): chain is LocalChain & { instantRefundTx(swap: LocalSwap): Promise<string> } {
  return "instantRefundTx" in chain && typeof chain.instantRefundTx === "function"
}

async function makeMove(order: StoredOrder, move: SolverMove, options: SolverOptions): Promise<void> {
  const last = order.attempts[move]
  const waitMs = options.repeatAfterMs * 2 ** Math.min((last?.count ?? 1) - 1, 5)
  const now = Date.now()
  if (last && now < last.atMs + waitMs) return options.store.put(order)

  const attempt = { atMs: now, count: (last?.count ?? 0) + 1 }
  const attempted = { ...order, note: move, attempts: { ...order.attempts, [move]: attempt } }
  // Written before the chain call: a service that dies now looks at the chain first when it comes back.
  options.store.put(attempted)
  const tx = await sendMove(attempted, move, options.chains)
  options.store.put(recordMove(attempted, move, tx))
  options.log.info({ order: order.id, move, tx }, "the solver made a move")
}

function sendMove(order: StoredOrder, move: SolverMove, chains: readonly LocalChain[]): Promise<string> {
  const { source, destination } = order
  switch (move) {
    case "fund":
      return chainOf(destination, chains).initiate(destination.swap)
    case "redeemDestination":
      return chainOf(destination, chains).redeem(destination.swap, order.secret)
    case "redeemSource":
      return chainOf(source, chains).redeem(source.swap, order.secret)
    case "refundDestination":
      return chainOf(destination, chains).refund(destination.swap)
    case "refundSource":
      return chainOf(source, chains).refund(source.swap)
  }
}

/** The acknowledged transaction shows on the wire at once; its block follows when the chain shows it. */
function recordMove(order: StoredOrder, move: SolverMove, tx: string): StoredOrder {
  const sent: LegEvent = { tx, block: "0", atMs: null }
  const withSource = (seen: Partial<StoredLeg["seen"]>): StoredOrder => ({
    ...order,
    source: withSeen(order.source, seen),
  })
  const withDestination = (seen: Partial<StoredLeg["seen"]>): StoredOrder => ({
    ...order,
    destination: withSeen(order.destination, seen),
  })
  switch (move) {
    case "fund":
      return withDestination({ initiated: { ...sent, filledUnits: "0", confirmations: 0 } })
    case "redeemDestination":
      return withDestination({ redeemed: sent })
    case "redeemSource":
      return withSource({ redeemed: sent })
    case "refundDestination":
      return withDestination({ refunded: sent })
    case "refundSource":
      return withSource({ refunded: sent })
  }
}

function withSeen(leg: StoredLeg, seen: Partial<StoredLeg["seen"]>): StoredLeg {
  return { ...leg, seen: { ...leg.seen, ...seen } }
}

function chainOf(leg: StoredLeg, chains: readonly LocalChain[]): LocalChain {
  const chain = chains.find((candidate) => candidate.name === leg.swap.chain)
  if (!chain) throw new Error(`no local chain named ${leg.swap.chain} is running`)
  return chain
}
