import { type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import { STATES } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { TouchedLegs, WaitingLeg } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Outbox } from "#ports/journal/outbox.ts"
import type { Clocked, HasChains, HasJournal, Logged, Remembering } from "../context.ts"
import { destinationQuery, sourceQuery } from "../orders/leg-queries.ts"
import { hasLegs, waitsForEvent } from "../orders/waits-for-event.ts"
import type { Watch } from "./watch.ts"

/**
 * The bounds of the time between two polls of one chain's head; it is half of the chain's block
 * time. Public nodes allow few requests (40 of one kind in ten seconds for one address on Solana's
 * own), and an order is by default observed at most every two seconds (`poll.min`), so a head that
 * is polled more often would wake no order earlier.
 */
const LEAST_POLL_MS = 2_000
const MOST_POLL_MS = 4_000
/** After failures a head is polled at least this often. */
const MOST_BACKOFF_MS = 30_000
/** An answer that takes longer counts as none. */
const PATIENCE_MS = 10_000
/**
 * Where blocks are at least this far apart, each block leads to an observation of every waiting
 * order of the chain.
 */
const SLOW_BLOCK_MS = 10_000
/** A head that stood still for so many block times, or for a minute, has stalled. */
const STALLED_BLOCKS = 20
const STALLED_MS = 60_000
/** The share of the newest distance in the learnt block time. */
const LEARNING = 0.2
/** An order that was not observed for so long does not wait any more: `MAX_DELAY_MS` is shorter. */
const FORGOTTEN_MS = 15 * 60_000
/** The time between two searches for such orders. */
const SWEEP_MS = 60_000

/**
 * Polls the head of each chain on which orders wait: one question for all of them. A new block, or
 * an event of an order in it, makes the order's next observation due at once. Kept in memory only.
 *
 * A head wakes and does nothing else. Every order keeps a due time of its own, `poll.max` after its
 * last observation at the latest, so a head that stalls or misses a block costs time and loses no
 * order. Deadlines and refunds follow from observations alone.
 */
export type HeadWatch = {
  /** Asks the chains on which orders wait. */
  readonly watch: Watch
  /** The order was observed, with reads that began at `askedAtMs`. */
  readonly noteObserved: (order: Order, askedAtMs: number) => void
  /**
   * Both heads of the order are followed and would show its next change, so its next observation
   * may wait for `poll.max`.
   */
  readonly covers: (order: Order) => boolean
}

type Waiting = {
  readonly orderId: string
  /**
   * Its legs on both of its chains, for families without events. A map by chain would take as much
   * memory again.
   */
  readonly legs: readonly WaitingLeg[]
  /** Depth alone changes nothing for it. */
  readonly waitsForEvent: boolean
  readonly pollMinMs: number
  readonly observedAtMs: number
  hintedAtMs: number
}

type Head = {
  height: bigint | null
  changedAtMs: number
  blockMs: number | null
  failures: number
  /** The secret hashes of orders that the last answer said nothing about. */
  unasked: ReadonlySet<string>
}

export function createHeadWatch(context: Context): HeadWatch {
  const state: State = {
    context,
    orders: new Map(),
    counts: new Map(),
    sweptAtMs: 0,
    heads: new Map(),
  }
  return {
    watch: {
      name: "heads",
      everyMs: MOST_BACKOFF_MS,
      // The observation that made the order wait has just read both chains.
      firstMs: LEAST_POLL_MS,
      ports: () => listPorts(state),
      ask: (port) => pollHead(state, port),
    },
    noteObserved: (order, askedAtMs) => noteObserved(state, order, askedAtMs),
    covers: ({ data }) =>
      waitsForEvent(data) && chainsOf(data).every((chain) => isFollowed(state, chain, data)),
  }
}

type Context = HasJournal<Outbox> & HasChains & Clocked & Logged & Remembering<"legReads">

type State = {
  readonly context: Context
  /** By secret hash, which no two orders share. */
  readonly orders: Map<string, Waiting>
  /**
   * The number of waiting orders of each chain. Every turn of the engine asks for it, and counts no
   * order.
   */
  readonly counts: Map<ChainId, number>
  sweptAtMs: number
  readonly heads: Map<ChainId, Head>
}

function listPorts(state: State): readonly ChainPort[] {
  const { context, counts, heads } = state
  forgetOld(state, context.clock.now())
  for (const chain of heads.keys()) if (!counts.has(chain)) heads.delete(chain)
  return [...counts.keys()].flatMap((chain) => context.chains.get(chain) ?? [])
}

/** Returns the time until the next poll. */
async function pollHead(state: State, port: ChainPort): Promise<number> {
  const { context } = state
  const head = headOf(state, port.chain)
  try {
    await ask(state, port, head)
    head.failures = 0
  } catch (error) {
    head.failures++
    context.log.debug({ chain: port.chain, err: error }, "The head of a chain was not read")
  }
  return pauseOf(head)
}

function noteObserved(state: State, observed: Order, askedAtMs: number): void {
  const { orders, context } = state
  const { data } = observed
  const secretHash = data.deposit?.secretHash
  if (secretHash === undefined || !hasLegs(data)) return
  const hintedAtMs = orders.get(secretHash)?.hintedAtMs ?? 0
  const target = context.chains.get(chainOf(data.request.to))
  const isObserved = STATES[observed.state].work?.kind === "observeOrder"
  if (target === undefined || !isObserved || !canHasten(data)) {
    keepWaiting(state, secretHash, null)
    return
  }
  const order = {
    orderId: data.id,
    legs: legsOf(data, target.traits),
    waitsForEvent: waitsForEvent(data),
    pollMinMs: data.policy.pollMinMs,
    observedAtMs: context.clock.now(),
    hintedAtMs,
  }
  keepWaiting(state, secretHash, order)
  // The hint came after the reads had begun, so they may have missed its block.
  if (hintedAtMs >= askedAtMs) hasten(state, secretHash, order)
}

/** Where an order is observed at equal times, no head makes it due any earlier. */
function canHasten({ policy }: OrderData): boolean {
  return policy.pollMinMs < policy.pollMaxMs
}

function keepWaiting({ orders, counts }: State, secretHash: string, order: Waiting | null): void {
  const add = (chain: ChainId, change: number): void => {
    const count = (counts.get(chain) ?? 0) + change
    if (count > 0) counts.set(chain, count)
    else counts.delete(chain)
  }
  for (const chain of chainsOfLegs(orders.get(secretHash) ?? null)) add(chain, -1)
  if (order === null) orders.delete(secretHash)
  else orders.set(secretHash, order)
  for (const chain of chainsOfLegs(order)) add(chain, 1)
}

/** An order whose observations have ended without a word, because an operator moved it on. */
function forgetOld(state: State, nowMs: number): void {
  if (Math.abs(nowMs - state.sweptAtMs) < SWEEP_MS) return
  state.sweptAtMs = nowMs
  for (const [secretHash, { observedAtMs }] of state.orders)
    if (Math.abs(nowMs - observedAtMs) > FORGOTTEN_MS) keepWaiting(state, secretHash, null)
}

function headOf({ context, heads }: State, chain: ChainId): Head {
  const known = heads.get(chain) ?? {
    height: null,
    changedAtMs: context.clock.now(),
    blockMs: null,
    failures: 0,
    unasked: new Set<string>(),
  }
  heads.set(chain, known)
  return known
}

async function ask(state: State, port: ChainPort, head: Head): Promise<void> {
  const { context, orders } = state
  const { chain } = port
  const since = head.height
  const question: Promise<TouchedLegs> =
    port.touched === undefined
      ? port.fetchHeight().then((height) => ({ height, secretHashes: [] }))
      : port.touched.listTouchedLegs(since, waitingOn(state, chain))
  const {
    height,
    secretHashes,
    unasked = [],
    isWhole = false,
    blockMs,
  } = await inTime(context, question)
  const nowMs = context.clock.now()
  if (blockMs !== undefined) head.blockMs ??= blockMs
  if (since !== null && height > since) learn(head, Number(height - since), nowMs)
  if (height !== since) head.changedAtMs = nowMs
  head.height = height
  head.unasked = new Set(unasked)
  for (const secretHash of secretHashes) hasten(state, secretHash, orders.get(secretHash))
  if (since === null || height <= since || !wakesAll(state, chain, head)) return
  for (const [secretHash, order] of orders) {
    const isTold = isWhole && order.waitsForEvent && !head.unasked.has(secretHash)
    if (order.legs.some(isOn(chain)) && !isTold) hasten(state, secretHash, order)
  }
}

function waitingOn({ orders }: State, chain: ChainId): readonly WaitingLeg[] {
  const isHere = isOn(chain)
  return [...orders.values()].flatMap(({ legs }) => legs.filter(isHere))
}

function isOn(chain: ChainId): (leg: WaitingLeg) => boolean {
  const prefix = `${chain}:`
  return ({ query }) => query.asset.startsWith(prefix)
}

function chainsOfLegs(order: Waiting | null): ReadonlySet<ChainId> {
  return new Set(order?.legs.map(({ query }) => chainOf(query.asset)))
}

async function inTime<T>({ clock }: Clocked, answer: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = clock.sleep(PATIENCE_MS, done.signal).then(() => {
    throw new Error("no answer in time")
  })
  // The one that loses the race may fail later.
  late.catch(() => undefined)
  answer.catch(() => undefined)
  return Promise.race([answer, late]).finally(() => done.abort("answered"))
}

function hasten(state: State, secretHash: string, order: Waiting | undefined): void {
  if (order === undefined) return
  const { context } = state
  const nowMs = context.clock.now()
  order.hintedAtMs = nowMs
  context.memory.legReads.delete(order.orderId)
  const dueMs = Math.max(nowMs, order.observedAtMs + order.pollMinMs)
  if (!context.journal.hastenWork(order.orderId, dueMs)) keepWaiting(state, secretHash, null)
}

/** Without a list of events each block counts, unless they come too fast for that. */
function wakesAll({ context }: State, chain: ChainId, { blockMs }: Head): boolean {
  const hasEvents = context.chains.get(chain)?.touched !== undefined
  return blockMs === null ? !hasEvents : blockMs >= SLOW_BLOCK_MS
}

function isFollowed({ context, heads }: State, chain: ChainId, { deposit }: OrderData): boolean {
  const head = heads.get(chain)
  if (head === undefined || head.failures > 0 || head.height === null) return false
  if (deposit === null || head.unasked.has(deposit.secretHash)) return false
  const stillMs = context.clock.now() - head.changedAtMs
  if (stillMs > Math.max(STALLED_MS, STALLED_BLOCKS * (head.blockMs ?? 0))) return false
  return context.chains.get(chain)?.touched !== undefined || (head.blockMs ?? 0) >= SLOW_BLOCK_MS
}

function learn(head: Head, blocks: number, nowMs: number): void {
  const distanceMs = Math.max(0, nowMs - head.changedAtMs) / blocks
  head.blockMs =
    head.blockMs === null ? distanceMs : head.blockMs + LEARNING * (distanceMs - head.blockMs)
}

function pauseOf({ blockMs, failures }: Head): number {
  if (failures > 0) return Math.min(MOST_BACKOFF_MS, MOST_POLL_MS * 2 ** Math.min(failures - 1, 4))
  return blockMs === null
    ? MOST_POLL_MS / 2
    : Math.min(MOST_POLL_MS, Math.max(LEAST_POLL_MS, blockMs / 2))
}

function chainsOf({ request }: OrderData): readonly ChainId[] {
  return [...new Set([chainOf(request.from), chainOf(request.to)])]
}

function legsOf(data: OrderData, target: ChainPort["traits"]): Waiting["legs"] {
  const { seen } = data
  const isSourceOver = seen.sourceRedeemed !== null || seen.sourceRefunded !== null
  return [
    {
      query: sourceQuery(data),
      openedBy: seen.sourceInitiated?.txid ?? null,
      isOpen: seen.sourceInitiated !== null && !isSourceOver,
    },
    {
      query: destinationQuery(data, target),
      openedBy: seen.destinationInitiated?.txid ?? null,
      isOpen: seen.destinationInitiated !== null && seen.destinationRedeemed === null,
    },
  ]
}
