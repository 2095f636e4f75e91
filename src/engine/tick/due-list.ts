import type { Occurrence } from "#journal/port.ts"
import type { DueRule } from "#policy/evaluate.ts"
import type { TimedRule } from "#policy/policy-rule.ts"
import {
  type DueOccurrence,
  findDueOccurrences,
  LATE_MS,
  nextOccurrence,
  type RecurringRule,
} from "#policy/rules/recurring.ts"
import type { EngineContext } from "../context.ts"

/**
 * What is to be looked at, and when next.
 *
 * Occurrences: the journal's ledger decides, so that each is settled exactly once; all before `rule/<id>/settled-until` are. Standing rules: their
 * last decision in the journal says when they were looked at, so that a restart changes nothing. What is kept in memory only spares reading.
 */
export type DueList = {
  /** Everything due at this moment; writes down the occurrences that were missed. */
  readonly take: (nowMs: number) => readonly DueEntry[]
  /** Every standing rule, and the occurrences that are open at this moment. Writes nothing. */
  readonly peek: (nowMs: number) => readonly DueEntry[]
  /** The rule is looked at again from then on. */
  readonly putOff: (entry: DueEntry, untilMs: number) => void
  /** How long the last tick took: what came due meanwhile was not missed. */
  readonly noteBusy: (ms: number) => void
  /** When the rule is looked at next; `null` where nobody knows. */
  readonly nextMs: (rule: TimedRule, nowMs: number) => number | null
}

export type DueEntry = DueRule & { readonly of: TimedRule; readonly at: DueOccurrence | null }

/** However long a tick took, what is older than this was missed. */
const MAX_BUSY_MS = 10 * 60_000
/** How long after its end, or after it was first tried, an occurrence is tried again when something could not be read. */
export const GRACE_MS = 10 * 60_000

export function createDueList(context: EngineContext, onMissed: (occurrence: DueOccurrence) => void): DueList {
  const { journal } = context
  let { settings } = context
  const quietUntilMs = new Map<string, number>()
  const putOff = new Map<string, number>()
  let busyMs = 0

  /** Under another configuration, what was known of when rules are due counts no more. */
  function noteSettings(): void {
    if (settings === context.settings) return
    settings = context.settings
    quietUntilMs.clear()
    putOff.clear()
  }

  function takeOccurrences(rule: RecurringRule & TimedRule, nowMs: number): DueEntry[] {
    if (nowMs < (quietUntilMs.get(rule.id) ?? 0)) return []
    const flag = `rule/${rule.id}/settled-until`
    const stored = journal.readFlag(flag)
    // A rule's life begins when it is first seen: what its schedule would have said before that was never asked for.
    const sinceMs = stored === null ? nowMs : Number(stored)
    if (stored === null) journal.writeFlag(flag, String(nowMs))
    const listed = findDueOccurrences(rule, sinceMs, nowMs, LATE_MS + busyMs)
    const open: DueOccurrence[] = []
    let settledMs = sinceMs
    for (const occurrence of listed) {
      const settled = journal.findOccurrence(occurrence.id) !== null || isMissed(occurrence, nowMs)
      if (!settled) open.push(occurrence)
      else if (open.length === 0) settledMs = occurrence.atMs
    }
    if (settledMs !== sinceMs) journal.writeFlag(flag, String(settledMs))
    if (settledMs !== sinceMs) for (const { id } of listed) if (!open.some((one) => one.id === id)) putOff.delete(id)
    if (listed.length === 0) quietUntilMs.set(rule.id, nextOccurrence(rule, sinceMs))
    return open
      .filter(({ id, action }) => action !== "wait" && !isPutOff(id, nowMs))
      .map((at) => ({ rule: rule.id, occurrence: at.id, of: rule, at }))
  }

  function isPutOff(id: string, nowMs: number): boolean {
    const untilMs = putOff.get(id) ?? 0
    return nowMs < untilMs && untilMs - nowMs <= GRACE_MS
  }

  /** One that was tried in time, and could not be read, was not missed; whoever tries it last says why it came to nothing. */
  function isMissed(occurrence: DueOccurrence, nowMs: number): boolean {
    if (occurrence.action !== "skip") return false
    if (journal.findDecision(occurrence.id) !== null && nowMs <= occurrence.closesMs + GRACE_MS + LATE_MS) return false
    onMissed(occurrence)
    return true
  }

  function dueMs(rule: TimedRule, nowMs: number): number {
    const everyMs = "everyMs" in rule ? rule.everyMs : 0
    const known = putOff.get(rule.id)
    // By a clock that went back it would have to wait for longer than it ever does.
    if (known !== undefined && known - nowMs <= everyMs) return known
    const [last] = journal.listDecisions({ rule: rule.id, limit: 1 })
    // Under another configuration, or by a clock that was ahead, it was another look.
    const counts = last !== undefined && last.configHash === (settings.configHash ?? null) && last.lastAtMs <= nowMs
    return counts ? last.lastAtMs + everyMs : nowMs
  }

  function takeRule(rule: TimedRule, nowMs: number): DueEntry[] {
    try {
      if (rule.kind === "recurring") return takeOccurrences(rule, nowMs)
      const atMs = dueMs(rule, nowMs)
      putOff.set(rule.id, atMs)
      return nowMs < atMs ? [] : [{ rule: rule.id, occurrence: null, of: rule, at: null }]
    } catch (error) {
      context.log.error({ rule: rule.id, err: error }, "Whether a rule is due cannot be told; the others go on")
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
          if (rule.kind !== "recurring") return [{ rule: rule.id, occurrence: null, of: rule, at: null }]
          const sinceMs = Number(journal.readFlag(`rule/${rule.id}/settled-until`) ?? nowMs)
          return findDueOccurrences(rule, sinceMs, nowMs, LATE_MS + busyMs)
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
      return rule.kind === "recurring" ? nextOccurrence(rule, nowMs) : Math.max(nowMs, dueMs(rule, nowMs))
    },
  }
}

export function toOccurrence({ id, rule, atMs }: DueOccurrence): Occurrence {
  return { id, rule, atMs }
}
