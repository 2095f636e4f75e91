import type { Occurrence } from "#journal/port.ts"
import type { DueRule } from "#policy/evaluate.ts"
import { everyMsOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import {
  type DueOccurrence,
  findDueOccurrences,
  LATE_MS,
  nextOccurrence,
  type Schedule,
} from "#policy/schedule/due-occurrences.ts"
import type { EngineContext } from "../context.ts"

/**
 * The rules that are due, and the next time of each rule.
 *
 * The journal decides which occurrences are due, so that each is settled exactly once; every occurrence before `rule/<id>/settled-until` is settled.
 * For a standing rule, its last decision in the journal is the time of its last evaluation, so a restart changes nothing. The maps in memory only
 * save reads.
 */
export type DueList = {
  /** All rules and occurrences that are due now. Records the missed occurrences in the journal. */
  readonly take: (nowMs: number) => readonly DueEntry[]
  /** Every standing rule, and the occurrences that are open now. Writes nothing. */
  readonly peek: (nowMs: number) => readonly DueEntry[]
  /** Evaluates the entry again at `untilMs` at the earliest. */
  readonly putOff: (entry: DueEntry, untilMs: number) => void
  /** The duration of the last tick: an occurrence that came due in that time was not missed. */
  readonly noteBusy: (ms: number) => void
  /** The time of the next evaluation; `null` for a disabled rule. */
  readonly nextMs: (rule: TimedRule, nowMs: number) => number | null
}

export type DueEntry = DueRule & { readonly of: TimedRule; readonly at: DueOccurrence | null }

/** An occurrence that is late by more than this was missed, even after a long tick. */
const MAX_BUSY_MS = 10 * 60_000
/** How long an occurrence is retried after a failed read, counted from the end of its window or from its first try. */
export const GRACE_MS = 10 * 60_000

export function createDueList(context: EngineContext, onMissed: (occurrence: DueOccurrence) => void): DueList {
  const { journal } = context
  let { settings } = context
  const quietUntilMs = new Map<string, number>()
  const putOff = new Map<string, number>()
  let busyMs = 0

  /** A new configuration makes the remembered times invalid. */
  function noteSettings(): void {
    if (settings === context.settings) return
    settings = context.settings
    quietUntilMs.clear()
    putOff.clear()
  }

  function takeOccurrences(rule: TimedRule, schedule: Schedule, nowMs: number): DueEntry[] {
    if (nowMs < (quietUntilMs.get(rule.id) ?? 0)) return []
    const flag = `rule/${rule.id}/settled-until`
    const stored = journal.readFlag(flag)
    // The schedule of a rule starts when the daemon first sees the rule; earlier instants are not occurrences.
    const sinceMs = stored === null ? nowMs : Number(stored)
    if (stored === null) journal.writeFlag(flag, String(nowMs))
    const listed = findDueOccurrences(schedule, sinceMs, nowMs, LATE_MS + busyMs)
    const open: DueOccurrence[] = []
    let settledMs = sinceMs
    for (const occurrence of listed) {
      const settled = journal.findOccurrence(occurrence.id) !== null || isMissed(occurrence, nowMs)
      if (!settled) open.push(occurrence)
      else if (open.length === 0) settledMs = occurrence.atMs
    }
    if (settledMs !== sinceMs) journal.writeFlag(flag, String(settledMs))
    if (settledMs !== sinceMs) for (const { id } of listed) if (!open.some((one) => one.id === id)) putOff.delete(id)
    if (listed.length === 0) quietUntilMs.set(rule.id, nextOccurrence(schedule, sinceMs))
    return open
      .filter(({ id, action }) => action !== "wait" && !isPutOff(id, nowMs))
      .map((at) => ({ rule: rule.id, occurrence: at.id, of: rule, at }))
  }

  function isPutOff(id: string, nowMs: number): boolean {
    const untilMs = putOff.get(id) ?? 0
    return nowMs < untilMs && untilMs - nowMs <= GRACE_MS
  }

  /** An occurrence that was tried in time and failed on a read was not missed: its last try records the reasons. */
  function isMissed(occurrence: DueOccurrence, nowMs: number): boolean {
    if (occurrence.action !== "skip") return false
    if (journal.findDecision(occurrence.id) !== null && nowMs <= occurrence.closesMs + GRACE_MS + LATE_MS) return false
    onMissed(occurrence)
    return true
  }

  function dueMs(rule: TimedRule, nowMs: number): number {
    const everyMs = everyMsOf(rule) ?? 0
    const known = putOff.get(rule.id)
    // A remembered time further away than one interval comes from a clock that went back; ignore it.
    if (known !== undefined && known - nowMs <= everyMs) return known
    const [last] = journal.listDecisions({ rule: rule.id, limit: 1 })
    // A decision under another configuration, or from a clock that was ahead, does not count.
    const counts = last !== undefined && last.configHash === (settings.configHash ?? null) && last.lastAtMs <= nowMs
    return counts ? last.lastAtMs + everyMs : nowMs
  }

  function takeRule(rule: TimedRule, nowMs: number): DueEntry[] {
    try {
      const schedule = scheduleOf(rule)
      if (schedule !== null) return takeOccurrences(rule, schedule, nowMs)
      const atMs = dueMs(rule, nowMs)
      putOff.set(rule.id, atMs)
      return nowMs < atMs ? [] : [{ rule: rule.id, occurrence: null, of: rule, at: null }]
    } catch (error) {
      context.log.error({ rule: rule.id, err: error }, "Cannot tell whether a rule is due; the other rules go on")
      return []
    }
  }

  return {
    take: (nowMs) => {
      noteSettings()
      const enabled = settings.rules.filter((rule) => rule.enabled !== false)
      return enabled.flatMap((rule): DueEntry[] => takeRule(rule, nowMs))
    },
    peek: (nowMs) =>
      context.settings.rules
        .filter(({ enabled }) => enabled !== false)
        .flatMap((rule): DueEntry[] => {
          const schedule = scheduleOf(rule)
          if (schedule === null) return [{ rule: rule.id, occurrence: null, of: rule, at: null }]
          const sinceMs = Number(journal.readFlag(`rule/${rule.id}/settled-until`) ?? nowMs)
          return findDueOccurrences(schedule, sinceMs, nowMs, LATE_MS + busyMs)
            .filter(({ id, action }) => action === "fire" && journal.findOccurrence(id) === null)
            .map((at) => ({ rule: rule.id, occurrence: at.id, of: rule, at }))
        }),
    putOff: (entry, untilMs) => {
      putOff.set(entry.occurrence ?? entry.rule, untilMs)
    },
    noteBusy: (ms) => {
      busyMs = Math.min(Math.max(0, ms), MAX_BUSY_MS)
    },
    nextMs: (rule, nowMs) => {
      noteSettings()
      if (rule.enabled === false) return null
      const schedule = scheduleOf(rule)
      return schedule === null ? Math.max(nowMs, dueMs(rule, nowMs)) : nextOccurrence(schedule, nowMs)
    },
  }
}

export function toOccurrence({ id, rule, atMs }: DueOccurrence): Occurrence {
  return { id, rule, atMs }
}
