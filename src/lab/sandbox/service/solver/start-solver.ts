import type { Logger } from "#lib/log.ts"
import type { LocalChain, LocalSwap, SwapObservation } from "../../local-chain.ts"
import type { Faults } from "../faults.ts"
import { mergeObservation } from "../merge-observation.ts"
import type { OrderStore } from "../order-store.ts"
import type { LegEvent, SolverAction, StoredLeg, StoredOrder } from "../stored-order.ts"
import { decideSolverAction, type OrderObservation } from "./decide-solver-action.ts"
import type { SolverFault } from "./solver-fault.ts"

/**
 * Works on every open order at each tick: observes both chains, records the observation, and takes
 * at most one action.
 *
 * The solver works on different orders concurrently, but never on the same order twice at the same
 * time, and on a bounded number of each route: a slow node gets no more work than it finishes. It
 * logs a failure and tries again at a later tick; a failure of one order does not stop the others.
 * `stop` waits up to one second for running chain calls.
 */
export function startSolver(options: SolverOptions): { stop(): Promise<void> } {
  const working = new Map<string, Promise<unknown>>()
  const lastFailures = new Map<string, string>()
  /** When the last work on an order began. */
  const begunMs = new Map<string, number>()
  const running = new Map<string, number>()
  // Log a repeated failure once, not at every tick: a node can be down for hours.
  const report = (order: string, error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (lastFailures.get(order) === message) return
    lastFailures.set(order, message)
    options.log.warn({ order, err: error }, "the solver could not work on an order")
  }
  const begin = (order: StoredOrder, nowMs: number): void => {
    const route = `${order.source.swap.chain} ${order.destination.swap.chain}`
    const others = running.get(route) ?? 0
    if (others >= MOST_AT_ONCE) return
    running.set(route, others + 1)
    begunMs.set(order.id, nowMs)
    const work = workOn(order, options)
      .then(
        () => lastFailures.delete(order.id),
        (error: unknown) => report(order.id, error),
      )
      .finally(() => {
        working.delete(order.id)
        running.set(route, (running.get(route) ?? 1) - 1)
      })
    working.set(order.id, work)
  }
  const tick = (): void => {
    const nowMs = Date.now()
    const lastOf = ({ id }: StoredOrder): number => begunMs.get(id) ?? 0
    const open = options.store.list().filter(({ phase }) => phase === "open")
    const due = open.filter(
      (order) => !working.has(order.id) && nowMs - lastOf(order) >= restMs(order, nowMs),
    )
    // The order that has waited longest comes first, so that no order waits for ever for a free
    // place.
    for (const order of due.toSorted((a, b) => lastOf(a) - lastOf(b))) begin(order, nowMs)
    const ids = new Set(open.map(({ id }) => id))
    for (const id of begunMs.keys()) if (!ids.has(id)) begunMs.delete(id)
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

type SolverOptions = {
  readonly chains: readonly LocalChain[]
  readonly store: OrderStore
  readonly faults: Faults
  readonly tickMs: number
  /**
   * Time to wait for the effect of an action before the solver repeats it. It doubles with each
   * attempt, up to 32 times this value.
   */
  readonly repeatAfterMs: number
  readonly log: Logger
}

const STOP_TIMEOUT_MS = 1_000
/**
 * So many orders of one route are worked on at once. Orders of other routes go on while a chain of
 * this one does not answer.
 */
const MOST_AT_ONCE = 8
const MOST_REST_MS = 3_000

/**
 * An order without a deposit is observed more rarely as it gets older: most of them never get one,
 * and a busy client leaves hundreds.
 */
export function restMs({ depositSeenAtMs, createdAtMs }: StoredOrder, nowMs: number): number {
  return depositSeenAtMs === null
    ? Math.min(MOST_REST_MS, Math.max(0, nowMs - createdAtMs) / 10)
    : 0
}

async function workOn(before: StoredOrder, options: SolverOptions): Promise<void> {
  const observation = await observeOrder(before, options.chains)
  const order = await addInstantRefund(
    mergeObservation(before, observation),
    observation,
    options.chains,
  )
  // Only a funded order uses up the `count` of a fault.
  const faults = observation.source.initiated
    ? options.faults.ofOrder(order.id)
    : new Set<SolverFault>()
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

async function observeOrder(
  order: StoredOrder,
  chains: readonly LocalChain[],
): Promise<OrderObservation> {
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

/**
 * `instant_refund_tx` names the output that it spends, so a Bitcoin chain can build it only after
 * the deposit.
 */
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
    source: {
      ...source,
      swap: { ...source.swap, instantRefundTx: await chain.instantRefundTx(source.swap) },
    },
  }
}

function offersInstantRefund(
  chain: LocalChain,
): chain is LocalChain & { instantRefundTx(swap: LocalSwap): Promise<string> } {
  return "instantRefundTx" in chain && typeof chain.instantRefundTx === "function"
}

async function takeAction(
  order: StoredOrder,
  action: SolverAction,
  options: SolverOptions,
): Promise<void> {
  const last = order.attempts[action]
  const waitMs = options.repeatAfterMs * 2 ** Math.min((last?.count ?? 1) - 1, 5)
  const now = Date.now()
  if (last && now < last.atMs + waitMs) return options.store.put(order)

  const attempt = { atMs: now, count: (last?.count ?? 0) + 1 }
  const attempted = { ...order, note: action, attempts: { ...order.attempts, [action]: attempt } }
  // Store the attempt before the chain call. After a crash here, the restarted service observes the
  // chain before it repeats the action.
  options.store.put(attempted)
  const tx = await sendAction(attempted, action, options.chains)
  options.store.put(recordAction(attempted, action, tx))
  options.log.info({ order: order.id, action, tx }, "the solver took an action")
}

function sendAction(
  order: StoredOrder,
  action: SolverAction,
  chains: readonly LocalChain[],
): Promise<string> {
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

/**
 * Orders on the wire show an accepted transaction immediately; its block follows when the chain
 * shows it.
 */
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
