import type { Reason } from "#domain/reason.ts"
import { formatSpan, readableAt } from "./format-span.ts"
import type { BreaksReading, ChainNodes, EndpointReading } from "./readings.ts"

/**
 * `silent`: no good answer for longer than the allowed time. `unasked`: the first answer is still
 * under way.
 */
type EndpointState =
  | "good"
  | "unasked"
  | "failing"
  | "silent"
  | "wrong-network"
  | "behind"
  | "ahead"
  | "slow"

export type JudgedEndpoint = {
  readonly endpoint: EndpointReading
  readonly state: EndpointState
  /** The alarm of this state; `null` where it has none. */
  readonly alarm: Reason | null
}

/**
 * An endpoint may be this many blocks behind the highest one, and this long: a healthy node lags by
 * seconds.
 */
const MOST_LAG_BLOCKS = 20n
const MOST_LAG_MS = 60_000
/** The time of a block may be this much ahead of ours: on Bitcoin up to two hours. */
const MOST_AHEAD_MS = 2 * 3_600_000
/** Where a block comes each minute or more often, its time is that of its maker's clock. */
const FAST_BLOCK_MS = 60_000
const MOST_FAST_AHEAD_MS = 3 * 60_000
/** A single answer of a node that takes this long is slow: an order needs a dozen in a row. */
export const SLOW_MS = 2_000
/** A watch whose rounds wait for hung endpoints is no watch that stands still. */
const LONGEST_ROUND_MS = 60_000

/**
 * Judges each endpoint of a chain by its own last answer, and by the heights of the others. Pure.
 */
export function judgeChainNodes(
  chain: ChainNodes,
  silentAfterMs: number,
  nowMs: number,
): readonly JudgedEndpoint[] {
  return chain.endpoints.map((endpoint) => {
    const state = stateOf(endpoint, chain, silentAfterMs, nowMs)
    const alarm = state === "slow" ? slowAlarmOf(endpoint, chain, silentAfterMs, nowMs) : null
    return { endpoint, state, alarm: alarm ?? alarmOf(state, endpoint, chain, nowMs) }
  })
}

function stateOf(
  endpoint: EndpointReading,
  chain: ChainNodes,
  silentAfterMs: number,
  nowMs: number,
): EndpointState {
  const { error, answeredMs, sinceMs, network, expected, blockAtMs } = endpoint
  const isForeign = expected !== null && network !== null && network !== expected
  // Another network needs another URL, no matter whether the node answers again; only a good answer
  // can take that back.
  if (error !== null && isForeign) return "wrong-network"
  if (error !== null || answeredMs === null) {
    if (nowMs - sinceMs >= silentAfterMs) return "silent"
    return error === null ? "unasked" : "failing"
  }
  // The watch itself stands still: an old good answer proves nothing.
  if (nowMs - answeredMs >= Math.max(3 * silentAfterMs, LONGEST_ROUND_MS)) return "silent"
  if (isForeign) return "wrong-network"
  const aheadMs = chain.blockMs <= FAST_BLOCK_MS ? MOST_FAST_AHEAD_MS : MOST_AHEAD_MS
  if ((blockAtMs !== null && blockAtMs - nowMs > aheadMs) || leadOf(endpoint, chain) !== null)
    return "ahead"
  if (
    lagOf(endpoint, chain) !== null ||
    isStale(endpoint, chain, nowMs) ||
    isFalling(endpoint, chain, nowMs)
  )
    return "behind"
  return findBreaks(endpoint, nowMs) === null ? stateOfReads(endpoint, silentAfterMs) : "failing"
}

/** One fall is a failover; more of them are unequal nodes that answer in turns. */
export const LONGEST_FALL_MS = 10 * 60_000

function isFalling({ falls = null }: EndpointReading, chain: ChainNodes, nowMs: number): boolean {
  if (falls === null || falls.times < 2 || nowMs - falls.lastMs > LONGEST_FALL_MS) return false
  return farApart(falls.blocks, 0n, chain) !== null
}

/** Of an endpoint that shows new blocks. */
function stateOfReads(endpoint: EndpointReading, silentAfterMs: number): EndpointState {
  const { tookMs, limit = null } = endpoint
  if (hasLostReads(endpoint, silentAfterMs)) return "failing"
  return (tookMs ?? 0) >= SLOW_MS || limit !== null ? "slow" : "good"
}

/** One read that fails is no news: the state of the newest block may come late. */
function hasLostReads({ reads = null }: EndpointReading, silentAfterMs: number): boolean {
  if (reads === null) return false
  return reads.times >= LEAST_TIMES && reads.lastMs - reads.sinceMs >= silentAfterMs
}

/** One slow answer is no news: an alarm needs slow ones for as long as a silence does. */
export function isSlowFor(
  { slowSinceMs }: Pick<EndpointReading, "slowSinceMs">,
  silentAfterMs: number,
  nowMs: number,
): boolean {
  return slowSinceMs != null && nowMs - slowSinceMs >= silentAfterMs
}

function slowAlarmOf(
  endpoint: EndpointReading,
  { chain }: ChainNodes,
  silentAfterMs: number,
  nowMs: number,
): Reason | null {
  if (!isSlowFor(endpoint, silentAfterMs, nowMs)) return null
  const why =
    endpoint.limit == null
      ? `is slow: ${formatSeconds(endpoint.tookMs)} for the newest block`
      : `limits our requests (${endpoint.limit})`
  const message = `The endpoint ${endpoint.host} of ${chain} ${why}`
  return { code: "node.slow", message, chain, endpoint: endpoint.host }
}

/** `4.5 s` */
export function formatSeconds(ms: number | null | undefined): string {
  return `${((ms ?? SLOW_MS) / 1_000).toFixed(1)} s`
}

/** The number of blocks behind the others; `null` where it is small. */
function lagOf({ height }: EndpointReading, chain: ChainNodes): bigint | null {
  return farApart(headOf(chain), height, chain)
}

/**
 * The number of blocks above the others, which follow the chain together; `null` where it is small.
 */
function leadOf({ height }: EndpointReading, chain: ChainNodes): bigint | null {
  return height === null ? null : farApart(height, headOf(chain), chain)
}

function farApart(above: bigint, below: bigint | null, { blockMs }: ChainNodes): bigint | null {
  const blocks = below === null ? 0n : above - below
  return blocks > MOST_LAG_BLOCKS && Number(blocks) * blockMs > MOST_LAG_MS ? blocks : null
}

/**
 * The highest of two heads, and the second highest of more: one endpoint alone may claim any.
 * Endpoints on another network do not count.
 */
function headOf({ endpoints }: ChainNodes): bigint {
  const heights = endpoints.flatMap((one) => (isComparable(one) ? [one.height ?? 0n] : []))
  const [first = 0n, second = first] = heights.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  return heights.length > 2 ? second : first
}

function isComparable({ error, height, network, expected }: EndpointReading): boolean {
  return error === null && height !== null && (expected === null || network === expected)
}

function isStale({ blockAtMs }: EndpointReading, { staleMs }: ChainNodes, nowMs: number): boolean {
  return staleMs !== null && blockAtMs !== null && nowMs - blockAtMs > staleMs
}

function alarmOf(
  state: EndpointState,
  endpoint: EndpointReading,
  nodes: ChainNodes,
  nowMs: number,
): Reason | null {
  const { chain } = nodes
  const { host } = endpoint
  const named = { chain, endpoint: host }
  switch (state) {
    case "silent": {
      const last =
        endpoint.answeredMs === null ? "no answer yet" : new Date(endpoint.answeredMs).toISOString()
      const message =
        `The endpoint ${host} of ${chain} does not answer ` +
        `(${endpoint.error ?? "no new answer"})`
      return { code: "node.silent", message, ...named, last }
    }
    case "wrong-network": {
      const found = endpoint.network ?? "unknown"
      const expected = endpoint.expected ?? "unknown"
      const message = `The endpoint ${host} of ${chain} is on network ${found}, not ${expected}`
      return { code: "node.wrong_network", message, ...named, found, expected }
    }
    case "behind":
      return behindAlarmOf(endpoint, nodes, nowMs)
    case "ahead": {
      const lead = leadOf(endpoint, nodes)
      const message =
        lead === null
          ? `The newest block of ${host} of ${chain} is ` +
            `${formatSpan((endpoint.blockAtMs ?? 0) - nowMs)} in the future: a clock is wrong, ` +
            "ours or theirs"
          : `The endpoint ${host} of ${chain} claims ${lead} blocks more than the others`
      return { code: "node.ahead", message, ...named }
    }
    case "failing":
      return failingAlarmOf(endpoint, chain, nowMs)
    default:
      return null
  }
}

function failingAlarmOf(endpoint: EndpointReading, chain: string, nowMs: number): Reason | null {
  const { host, reads = null, error } = endpoint
  const named = { chain, endpoint: host }
  const breaks = findBreaks(endpoint, nowMs)
  if (breaks !== null) {
    const message =
      `The endpoint ${host} of ${chain} fails again and again, with answers in between, since ` +
      `${readableAt(breaks.sinceMs)} (${breaks.times} times): ${breaks.fault}`
    return { code: "node.failing", message, ...named }
  }
  if (reads === null || error !== null) return null
  const message =
    `The endpoint ${host} of ${chain} shows new blocks, and ${reads.method} fails since ` +
    `${readableAt(reads.sinceMs)} (${reads.times} times): ${reads.fault}`
  return { code: "node.failing", message, ...named }
}

function behindAlarmOf(endpoint: EndpointReading, nodes: ChainNodes, nowMs: number): Reason {
  const { host, height, blockAtMs, falls = null } = endpoint
  const named = { chain: nodes.chain, endpoint: host, height: String(height ?? "") }
  const place = `The endpoint ${host} of ${nodes.chain}`
  if (falls !== null && isFalling(endpoint, nodes, nowMs)) {
    const message =
      `${place} shows heights that fall, ${falls.times} times, at last by ${falls.blocks} ` +
      "blocks: unequal nodes answer at its address"
    return { code: "node.behind", message, ...named }
  }
  const lag = lagOf(endpoint, nodes)
  const old = blockAtMs === null ? "" : `, its newest block is ${formatSpan(nowMs - blockAtMs)} old`
  const others = lag === null ? "" : `, ${lag} blocks behind another endpoint`
  const message = `${place} is behind: height ${height ?? "unknown"}${others}${old}`
  return { code: "node.behind", message, ...named }
}

/** A chain answers while at least as many endpoints are usable as must agree. */
export function countUsable(judged: readonly JudgedEndpoint[]): number {
  return judged.filter(({ state }) => isOfUse(state)).length
}

function isOfUse(state: EndpointState): boolean {
  return state === "good" || state === "slow" || state === "failing" || state === "unasked"
}

/** Failures further apart are no row. */
const LONGEST_BREAK_MS = 2 * 60_000
/** Fewer may be chance. */
const LEAST_TIMES = 3

/**
 * The row of failures after one more answer, which is `fault`, or `null` for a good one. A failure
 * counts where the answer before it was good (`wasGood`). Pure.
 */
export function followBreaks<Fault>(
  last: BreaksReading<Fault> | null,
  wasGood: boolean,
  fault: Fault | null,
  atMs: number,
): BreaksReading<Fault> | null {
  const kept = last === null || isOver(last, atMs) ? null : last
  if (fault === null || !wasGood) return kept
  const { times = 0, sinceMs = atMs } = kept ?? {}
  return { times: times + 1, sinceMs, lastMs: atMs, fault }
}

/** An answer in between ends no fault that comes back: a third failure of the row is one. Pure. */
export function findBreaks<Fault>(
  { breaks = null }: { readonly breaks?: BreaksReading<Fault> | null },
  nowMs: number,
): BreaksReading<Fault> | null {
  return breaks !== null && breaks.times >= LEAST_TIMES && !isOver(breaks, nowMs) ? breaks : null
}

function isOver({ lastMs }: Pick<BreaksReading, "lastMs">, nowMs: number): boolean {
  return nowMs - lastMs > LONGEST_BREAK_MS
}
