import type { BlockHeader } from "./block-header.ts"
import { hasWork, nextBits, PERIOD_BLOCKS, readTarget, workOf } from "./difficulty.ts"

/** The rules of a network's headers. */
export type HeaderRules = {
  /** The easiest target. */
  readonly limit: bigint
  /**
   * The difficulty follows the time that a period took. Without this, every header has the target
   * of the one before.
   */
  readonly retargets: boolean
}

export const MAIN_RULES: HeaderRules = { limit: (1n << 224n) - 1n, retargets: true }

/**
 * Headers without a gap, each with its proof of work. `base` is the height of the first one, which
 * begins a difficulty period; `work` is the work of all but the first.
 */
export type HeaderChain = {
  readonly base: number
  readonly headers: readonly BlockHeader[]
  readonly work: bigint
}

export function startChain(base: number, first: BlockHeader): HeaderChain {
  return { base, headers: [first], work: 0n }
}

export function heightOf(chain: HeaderChain): number {
  return chain.base + chain.headers.length - 1
}

export function headerAt(chain: HeaderChain, height: number): BlockHeader | null {
  return chain.headers[height - chain.base] ?? null
}

type Extension =
  | { readonly chain: HeaderChain }
  | {
      readonly refused: "gap" | "link" | "bits" | "work" | "time" | "lighter"
      readonly height: number
    }

/**
 * Adds `headers`, the first of which has `height`. Each must follow the one before, have the target
 * that the rules give it, carry that work, and be later than the median of the eleven before it and
 * at most two hours ahead of `nowMs` (Bitcoin Core `ContextualCheckBlockHeader`). Headers that
 * replace known ones must carry more work together.
 */
export function extendChain(
  chain: HeaderChain,
  height: number,
  headers: readonly BlockHeader[],
  { rules, nowMs }: { readonly rules: HeaderRules; readonly nowMs: number },
): Extension {
  const kept = height - chain.base
  if (kept < 1 || kept > chain.headers.length) return { refused: "gap", height }
  const all = chain.headers.slice(0, kept)
  let added = 0n
  for (const header of headers) {
    const at = chain.base + all.length
    const fault = findFault(all, chain.base, header, { rules, nowMs })
    if (fault !== null) return { refused: fault, height: at }
    added += workOf(readTarget(header.bits) ?? 0n)
    all.push(header)
  }
  const dropped = sumWork(chain.headers.slice(kept))
  if (dropped > 0n && added <= dropped) return { refused: "lighter", height }
  return { chain: { base: chain.base, headers: all, work: chain.work - dropped + added } }
}

const MEDIAN_OF = 11
const MOST_AHEAD_MS = 2 * 60 * 60_000

function findFault(
  before: readonly BlockHeader[],
  base: number,
  header: BlockHeader,
  { rules, nowMs }: { readonly rules: HeaderRules; readonly nowMs: number },
): "link" | "bits" | "work" | "time" | null {
  if (header.previous !== before.at(-1)?.hash) return "link"
  if (header.bits !== expectedBits(before, base, rules)) return "bits"
  if (!hasWork(header.hash, header.bits)) return "work"
  const isLate = header.time > medianTime(before)
  return isLate && header.time * 1000 <= nowMs + MOST_AHEAD_MS ? null : "time"
}

function expectedBits(
  before: readonly BlockHeader[],
  base: number,
  { limit, retargets }: HeaderRules,
): number | null {
  const last = before.at(-1)
  if (last === undefined) return null
  if (!retargets || (base + before.length) % PERIOD_BLOCKS !== 0) return last.bits
  const first = before.at(-PERIOD_BLOCKS)
  return first === undefined || before.length < PERIOD_BLOCKS ? null : nextBits(first, last, limit)
}

function medianTime(before: readonly BlockHeader[]): number {
  const times = before
    .slice(-MEDIAN_OF)
    .map(({ time }) => time)
    .sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? 0
}

function sumWork(headers: readonly BlockHeader[]): bigint {
  return headers.reduce((sum, { bits }) => sum + workOf(readTarget(bits) ?? 0n), 0n)
}
