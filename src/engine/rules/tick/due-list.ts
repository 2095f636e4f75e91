import type { DueRule } from "#policy/evaluate.ts"
import { everyMsOf, scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import { type DueOccurrence, nextOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { DecisionStore, Occurrence } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Journal } from "#ports/journal.ts"
import type { Clocked, Configured, HasJournal, Logged, Remembering } from "../../context.ts"
import { forgetFault, noteFault } from "../../watches/part-faults.ts"
import { createOccurrenceList, type OccurrenceList } from "./due-occurrences.ts"

/**
 * The rules that are due, and the next time of each rule.
 *
 * The journal decides which occurrences are due, so that each is settled exactly once; every
 * occurrence before `rule/<id>/settled-until` is settled. For a standing rule, its last decision in
 * the journal is the time of its last evaluation, so a restart changes nothing. The maps in memory
 * only save reads.
 */
export type DueList = {
  /** All rules and occurrences that are due now. Records the missed occurrences in the journal. */
  readonly take: (nowMs: number) => readonly DueEntry[]
  /** Every standing rule, and the occurrences that are open now. Writes nothing. */
  readonly peek: (nowMs: number) => readonly DueEntry[]
  /** Evaluates the entry again at `untilMs` at the earliest. */
  readonly putOff: (entry: DueEntry, untilMs: number) => void
  /** The duration of the last tick: an occurrence that came due in that time was not missed. */
  readonly recordTickMs: (ms: number) => void
  /** The time of the next evaluation; `null` for a disabled rule. */
  readonly nextMs: (rule: TimedRule, nowMs: number) => number | null
  /**
   * The time from which the rule should have a decision and has none; `null` for a rule that is in
   * time.
   */
  readonly overdueSinceMs: (rule: TimedRule, nowMs: number) => number | null
}

type DueContext = HasJournal<DecisionStore & FlagStore> &
  Configured &
  Clocked &
  Logged &
  Remembering<"faults">

export type DueEntry = DueRule & { readonly of: TimedRule; readonly at: DueOccurrence | null }

export function createDueList(
  context: DueContext,
  onMissed: (occurrence: DueOccurrence) => void,
): DueList {
  const { journal } = context
  const occurrences = createOccurrenceList(context, onMissed)
  const putOff = new Map<string, number>()
  let { settings } = context
  /** A rule is not late for the time before this process, or before a new configuration. */
  let seenMs = context.clock.now()

  /** A new configuration makes the remembered times invalid. */
  function dropOldSettings(): void {
    if (settings === context.settings) return
    settings = context.settings
    seenMs = context.clock.now()
    occurrences.clear()
    putOff.clear()
  }

  function dueMs(rule: TimedRule, nowMs: number): number {
    const everyMs = everyMsOf(rule) ?? 0
    const known = putOff.get(rule.id)
    // Ignore a time further away than one interval: it comes from a clock that went back.
    if (known !== undefined && known - nowMs <= everyMs) return known
    const lastMs = findLastMs(journal, rule, settings.configHash ?? null, nowMs)
    return lastMs === null ? nowMs : lastMs + everyMs
  }

  function listDue(rule: TimedRule, nowMs: number): DueEntry[] {
    const schedule = scheduleOf(rule)
    if (schedule !== null) return occurrences.take(schedule, nowMs).map((at) => toEntry(rule, at))
    const atMs = dueMs(rule, nowMs)
    putOff.set(rule.id, atMs)
    return nowMs < atMs ? [] : [toEntry(rule, null)]
  }

  return {
    overdueSinceMs: (rule, nowMs) => findOverdue({ journal, occurrences, seenMs }, rule, nowMs),
    take: (nowMs) => {
      dropOldSettings()
      return listEnabled(settings.rules).flatMap((rule) =>
        takeGuarded(context, rule, () => listDue(rule, nowMs)),
      )
    },
    peek: (nowMs) =>
      listEnabled(context.settings.rules).flatMap((rule) => listOpen(occurrences, rule, nowMs)),
    putOff: ({ rule, occurrence }, untilMs) => {
      if (occurrence === null) putOff.set(rule, untilMs)
      else occurrences.putOff(occurrence, untilMs)
    },
    recordTickMs: occurrences.recordTickMs,
    nextMs: (rule, nowMs) => {
      dropOldSettings()
      if (rule.enabled === false) return null
      const schedule = scheduleOf(rule)
      return schedule === null
        ? Math.max(nowMs, dueMs(rule, nowMs))
        : nextOccurrence(schedule, nowMs)
    },
  }
}

/** One rule that fails keeps no other from its time. */
function takeGuarded(
  context: DueContext,
  rule: TimedRule,
  take: () => DueEntry[],
): readonly DueEntry[] {
  try {
    const due = take()
    forgetFault(context, `rule ${rule.id}`)
    return due
  } catch (error) {
    context.log.error(
      { rule: rule.id, err: error },
      "Cannot tell whether a rule is due; the other rules go on",
    )
    noteFault(context, `rule ${rule.id}`, error)
    return []
  }
}

function listEnabled(rules: readonly TimedRule[]): readonly TimedRule[] {
  return rules.filter(({ enabled }) => enabled !== false)
}

/** The standing rule itself, or the occurrences of a scheduled one that are open. */
function listOpen(occurrences: OccurrenceList, rule: TimedRule, nowMs: number): DueEntry[] {
  const schedule = scheduleOf(rule)
  if (schedule === null) return [toEntry(rule, null)]
  return occurrences.peek(schedule, nowMs).map((at) => toEntry(rule, at))
}

/** The time of the rule's last decision; `null` without one that counts. */
function findLastMs(
  journal: Kept["journal"],
  rule: TimedRule,
  configHash: string | null,
  nowMs: number,
): number | null {
  const [last] = journal.listDecisions({ rule: rule.id, limit: 1 })
  // A decision under another configuration, or from a clock that was ahead, does not count.
  const counts = last !== undefined && last.configHash === configHash && last.lastAtMs <= nowMs
  return counts ? last.lastAtMs : null
}

type Kept = {
  readonly journal: Pick<Journal, "listDecisions">
  readonly occurrences: OccurrenceList
  readonly seenMs: number
}

function findOverdue(
  { journal, occurrences, seenMs }: Kept,
  rule: TimedRule,
  nowMs: number,
): number | null {
  if (rule.enabled === false) return null
  const schedule = scheduleOf(rule)
  if (schedule !== null) return occurrences.oldestOpenMs(schedule, nowMs)
  const [last] = journal.listDecisions({ rule: rule.id, limit: 1 })
  const dueMs = Math.max(last?.lastAtMs ?? 0, seenMs) + (everyMsOf(rule) ?? 0)
  return dueMs <= nowMs ? dueMs : null
}

function toEntry(rule: TimedRule, at: DueOccurrence | null): DueEntry {
  return { rule: rule.id, occurrence: at?.id ?? null, of: rule, at }
}

export function toOccurrence({ id, rule, atMs }: DueOccurrence): Occurrence {
  return { id, rule, atMs }
}
