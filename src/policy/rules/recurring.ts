import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { listOccurrences } from "./occurrences.ts"

/** A swap of a fixed amount or share on a schedule. */
export type RecurringRule = {
  readonly id: string
  readonly kind: "recurring"
  /** Five- or six-field cron expression, read in `timezone` (IANA). */
  readonly schedule: string
  readonly timezone: string
  readonly from: AssetId
  readonly to: AssetId
  readonly amount: RuleAmount
  /** What becomes of occurrences that passed while Ballast was down: none, the newest, or every one of them. */
  readonly catchUp: "skip" | "once" | "all"
  /** How much later than its instant an occurrence may begin at most. */
  readonly jitterMs?: number | null
  /** How long after its time an occurrence may still begin. */
  readonly windowMs?: number | null
  /** The most that a swap for this rule may cost; the tighter of it and the general limit holds. */
  readonly maxCost?: CostLimit | null
}

/** Smallest units, a share of the spendable balance in basis points, or fiat millionths. */
export type RuleAmount =
  | { readonly kind: "units"; readonly units: bigint }
  | { readonly kind: "share"; readonly bps: bigint }
  | { readonly kind: "fiat"; readonly fiat: bigint }

export type DueOccurrence = {
  readonly id: string
  readonly rule: string
  readonly atMs: number
  /** Its instant and its jitter: from then on it may fire. */
  readonly dueMs: number
  /** The end of its window; `dueMs` without one. */
  readonly closesMs: number
  /** `wait`: its instant has passed, and its jitter has not. */
  readonly action: "fire" | "skip" | "wait"
}

/** An occurrence this much in the past was missed, not just noticed late. */
export const LATE_MS = 60_000
/** The most occurrences settled in one evaluation; the rest follow in the next. */
const MAX_OCCURRENCES = 1_000

/**
 * The occurrences after `sinceMs` up to `nowMs`, oldest first, each with a deterministic id (rule, instant) and what is to become of it.
 *
 * Where more are due than one evaluation settles, the newest of all is not among them, so `once` fires in the last part only. `lateMs` is more
 * than usual when whoever asks was kept busy.
 */
export function findDueOccurrences(
  rule: RecurringRule,
  sinceMs: number,
  nowMs: number,
  lateMs: number = LATE_MS,
): DueOccurrence[] {
  const instants: number[] = []
  let newest: number | undefined
  for (const atMs of listOccurrences(rule, sinceMs)) {
    if (atMs > nowMs) {
      newest = instants.at(-1)
      break
    }
    if (instants.length === MAX_OCCURRENCES) break
    instants.push(atMs)
  }
  return instants.map((atMs) => {
    const id = occurrenceId(rule.id, atMs)
    const dueMs = atMs + jitterOf(id, rule.jitterMs ?? 0)
    const closesMs = dueMs + (rule.windowMs ?? 0)
    const missed = nowMs - closesMs > lateMs
    const fires = !missed || rule.catchUp === "all" || (rule.catchUp === "once" && atMs === newest)
    const action = nowMs < dueMs ? "wait" : fires ? "fire" : "skip"
    return { id, rule: rule.id, atMs, dueMs, closesMs, action }
  })
}

export function occurrenceId(rule: string, atMs: number): string {
  return `${rule}@${new Date(atMs).toISOString()}`
}

/** When the rule is due next, strictly after `afterMs`, its jitter not counted. */
export function nextOccurrence(rule: RecurringRule, afterMs: number): number {
  for (const atMs of listOccurrences(rule, afterMs)) return atMs
  return Number.POSITIVE_INFINITY
}

/** Looks random, and is the same after every restart: FNV-1a (32 bit) of the occurrence's id, spread over the jitter. */
function jitterOf(id: string, jitterMs: number): number {
  let hash = 0x811c9dc5
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return Math.floor((hash / 2 ** 32) * (jitterMs + 1))
}
