import { listOccurrences } from "./list-occurrences.ts"

/** The times of a rule. A scheduled rule has these keys. */
export type Schedule = {
  /** The rule's id. */
  readonly id: string
  /** Cron expression with five or six fields, read in `timezone` (IANA). */
  readonly schedule: string
  readonly timezone: string
  /** Which occurrences that passed while Ballast was down still fire: none, the newest, or all. */
  readonly catchUp: "skip" | "once" | "all"
  /** The longest delay of an occurrence after its instant. */
  readonly jitterMs?: number | null
  /** How long after its time an occurrence may still begin. */
  readonly windowMs?: number | null
}

export type DueOccurrence = {
  readonly id: string
  readonly rule: string
  readonly atMs: number
  /** The instant plus the jitter: the occurrence may fire from then on. */
  readonly dueMs: number
  /** The end of the window; `dueMs` without a window. */
  readonly closesMs: number
  /** `wait`: the instant has passed, and the jitter has not. */
  readonly action: "fire" | "skip" | "wait"
}

/** An occurrence older than this was missed; a younger one was only noticed late. */
export const LATE_MS = 60_000
/** The most occurrences that one evaluation settles; the next evaluation settles the rest. */
const MAX_OCCURRENCES = 1_000

/**
 * The occurrences after `sinceMs` up to `nowMs`, oldest first. Each has a deterministic id (rule,
 * instant) and the action to take.
 *
 * When more occurrences are due than one evaluation settles, the newest is not among them, so
 * `once` fires in the last part only. A caller that was busy passes a larger `lateMs`, because the
 * occurrences of that time were not missed.
 */
export function findDueOccurrences(
  schedule: Schedule,
  sinceMs: number,
  nowMs: number,
  lateMs: number = LATE_MS,
): DueOccurrence[] {
  const instants: number[] = []
  let newest: number | undefined
  for (const atMs of listOccurrences(schedule, sinceMs)) {
    if (atMs > nowMs) {
      newest = instants.at(-1)
      break
    }
    if (instants.length === MAX_OCCURRENCES) break
    instants.push(atMs)
  }
  return instants.map((atMs) => {
    const id = occurrenceId(schedule.id, atMs)
    const dueMs = atMs + jitterOf(id, schedule.jitterMs ?? 0)
    const closesMs = dueMs + (schedule.windowMs ?? 0)
    const missed = nowMs - closesMs > lateMs
    const fires =
      !missed || schedule.catchUp === "all" || (schedule.catchUp === "once" && atMs === newest)
    const action = nowMs < dueMs ? "wait" : fires ? "fire" : "skip"
    return { id, rule: schedule.id, atMs, dueMs, closesMs, action }
  })
}

function occurrenceId(rule: string, atMs: number): string {
  return `${rule}@${new Date(atMs).toISOString()}`
}

/**
 * The next instant of the schedule strictly after `afterMs`, without jitter. `Infinity` for a
 * schedule that never fires again.
 */
export function nextOccurrence(schedule: Schedule, afterMs: number): number {
  for (const atMs of listOccurrences(schedule, afterMs)) return atMs
  return Number.POSITIVE_INFINITY
}

/**
 * A delay that looks random and is the same after every restart: FNV-1a (32 bit) of the
 * occurrence's id, spread over the jitter.
 */
function jitterOf(id: string, jitterMs: number): number {
  let hash = 0x811c9dc5
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return Math.floor((hash / 2 ** 32) * (jitterMs + 1))
}
