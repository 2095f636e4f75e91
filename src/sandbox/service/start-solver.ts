import type { Logger } from "#lib/log.ts"
import type { LocalChain, LocalSwap, SwapObservation } from "../local-chain.ts"
import { decideSolverAction, type OrderObservation } from "./decide-solver-action.ts"
import type { Faults } from "./faults.ts"
import { mergeObservation } from "./merge-observation.ts"
import type { OrderStore } from "./order-store.ts"
import type { SolverFault } from "./solver-fault.ts"
import type { LegEvent, SolverAction, StoredLeg, StoredOrder } from "./stored-order.ts"

/**
 * Works on every open order at each tick: observes both chains, records the observation, and takes at most one action.
 *
 * The solver works on different orders concurrently, but never on the same order twice at the same time. It logs a failure and tries again at a
 * later tick; a failure of one order does not stop the others. `stop` waits up to one second for running chain calls.
 */
export function startSolver(options: SolverOptions): { stop(): Promise<void> } {
  const working = new Map<string, Promise<unknown>>()
  const lastFailures = new Map<string, string>()
  let ticks = 0
  // Log a repeated failure once, not at every tick: a node can be down for hours.
  const report = (order: string, error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (lastFailures.get(order) === message) return
    lastFailures.set(order, message)
    options.log.warn({ order, err: error }, "the solver could not work on an order")
  }
  const tick = (): void => {
    ticks += 1
    for (const order of options.store.list()) {
      if (order.phase !== "open" || working.has(order.id) || skipsTick(order, ticks)) continue
      const work = workOn(order, options)
        .then(
          () => lastFailures.delete(order.id),
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
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())
      await Promise.race([Promise.all(working.values()), timeout])
    },
  }
}

export type SolverOptions = {
  readonly chains: readonly LocalChain[]
  readonly store: OrderStore
  readonly faults: Faults
  readonly tickMs: number
  /** Time to wait for the effect of an action before the solver repeats it. It doubles with each attempt, up to 32 times this value. */
  readonly repeatAfterMs: number
  readonly log: Logger
}

const STOP_TIMEOUT_MS = 1_000
/** The solver observes an unfunded order after its deadline only once in this many ticks. */
const EXPIRED_ORDER_TICKS = 20

function skipsTick(order: StoredOrder, ticks: number): boolean {
  return order.depositSeenAtMs === null && Date.now() > order.deadlineMs && ticks % EXPIRED_ORDER_TICKS !== 0
}

async function workOn(before: StoredOrder, options: SolverOptions): Promise<void> {
  const observation = await observeOrder(before, options.chains)
  const order = await addInstantRefund(mergeObservation(before, observation), observation, options.chains)
  // Only a funded order uses up the `count` of a fault.
  const faults = observation.source.initiated ? options.faults.ofOrder(order.id) : new Set<SolverFault>()
  const decision = decideSolverAction(order, observation, faults)
  if ("action" in decision) return takeAction(order, decision.action, options)
  const ended = "finish" in decision
  const next: StoredOrder = ended
    ? { ...order, phase: decision.finish, note: decision.note }
    : { ...order, note: decision.wait }
  options.store.put(next)
  if (next.note !== before.note)
    options.log.info({ order: order.id, phase: next.phase, note: next.note }, "sandbox order")
}

async function observeOrder(order: StoredOrder, chains: readonly LocalChain[]): Promise<OrderObservation> {
  const sourceChain = chainOf(order.source, chains)
  const destinationChain = chainOf(order.destination, chains)
  const attempted = order.attempts.fund !== undefined
  const [source, destination] = await Promise.all([
    sourceChain.observeSwap(order.source.swap),
    attempted ? destinationChain.observeSwap(order.destination.swap) : NO_TRANSACTIONS,
  ])
  const [sourceHeight, destinationHeight] = await Promise.all([
    source.initiated ? sourceChain.height() : 0n,
    destination.initiated ? destinationChain.height() : 0n,
  ])
  return { source, destination, sourceHeight, destinationHeight, nowMs: Date.now() }
}

const NO_TRANSACTIONS: SwapObservation = { initiated: null, redeemed: null, refunded: null }

/** `instant_refund_tx` names the output that it spends, so a Bitcoin chain can build it only after the deposit. */
async function addInstantRefund(
  order: StoredOrder,
  observation: OrderObservation,
  chains: readonly LocalChain[],
): Promise<StoredOrder> {
  const { source } = order
  if (source.swap.instantRefundTx !== "" || !observation.source.initiated) return order
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

async function takeAction(order: StoredOrder, action: SolverAction, options: SolverOptions): Promise<void> {
  const last = order.attempts[action]
  const waitMs = options.repeatAfterMs * 2 ** Math.min((last?.count ?? 1) - 1, 5)
  const now = Date.now()
  if (last && now < last.atMs + waitMs) return options.store.put(order)

  const attempt = { atMs: now, count: (last?.count ?? 0) + 1 }
  const attempted = { ...order, note: action, attempts: { ...order.attempts, [action]: attempt } }
  // Store the attempt before the chain call. After a crash here, the restarted service observes the chain before it repeats the action.
  options.store.put(attempted)
  const tx = await sendAction(attempted, action, options.chains)
  options.store.put(recordAction(attempted, action, tx))
  options.log.info({ order: order.id, action, tx }, "the solver took an action")
}

function sendAction(order: StoredOrder, action: SolverAction, chains: readonly LocalChain[]): Promise<string> {
  const { source, destination } = order
  switch (action) {
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

/** Orders on the wire show an accepted transaction immediately; its block follows when the chain shows it. */
function recordAction(order: StoredOrder, action: SolverAction, tx: string): StoredOrder {
  const sent: LegEvent = { tx, block: "0", atMs: null }
  const withSource = (seen: Partial<StoredLeg["seen"]>): StoredOrder => ({
    ...order,
    source: withSeen(order.source, seen),
  })
  const withDestination = (seen: Partial<StoredLeg["seen"]>): StoredOrder => ({
    ...order,
    destination: withSeen(order.destination, seen),
  })
  switch (action) {
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
