import {
  type DueOccurrence,
  findDueOccurrences,
  LATE_MS,
  nextOccurrence,
  type Schedule,
} from "#policy/schedule/due-occurrences.ts"
import type { DecisionStore } from "#ports/journal/decisions.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { HasJournal } from "../../context.ts"

export type OccurrenceList = {
  /**
   * The occurrences to evaluate now. Records the missed ones, and how far the schedule is settled.
   */
  readonly take: (schedule: Schedule, nowMs: number) => readonly DueOccurrence[]
  /** The occurrences that would be evaluated now, also those that are put off. Writes nothing. */
  readonly peek: (schedule: Schedule, nowMs: number) => readonly DueOccurrence[]
  /**
   * The end of the window of the oldest occurrence that is not settled, also of one that was
   * missed; `null` without one. Writes nothing.
   */
  readonly oldestOpenMs: (schedule: Schedule, nowMs: number) => number | null
  readonly putOff: (id: string, untilMs: number) => void
  readonly recordTickMs: (ms: number) => void
  /** Forgets everything in memory. */
  readonly clear: () => void
}

/** An occurrence that is late by more than this was missed, even after a long tick. */
const MAX_BUSY_MS = 10 * 60_000
/**
 * How long an occurrence is retried after a failed read, counted from the end of its window or from
 * its first try.
 */
export const GRACE_MS = 10 * 60_000

export function createOccurrenceList(
  { journal }: HasJournal<DecisionStore & FlagStore>,
  onMissed: (occurrence: DueOccurrence) => void,
): OccurrenceList {
  const quietUntilMs = new Map<string, number>()
  const putOff = new Map<string, number>()
  let busyMs = 0

  function isPutOff(id: string, nowMs: number): boolean {
    const untilMs = putOff.get(id) ?? 0
    return nowMs < untilMs && untilMs - nowMs <= GRACE_MS
  }

  /**
   * An occurrence that was tried in time and failed on a read was not missed: its last try records
   * the reasons.
   */
  function isMissed(occurrence: DueOccurrence, nowMs: number): boolean {
    if (occurrence.action !== "skip") return false
    if (
      journal.findDecision(occurrence.id) !== null &&
      nowMs <= occurrence.closesMs + GRACE_MS + LATE_MS
    )
      return false
    onMissed(occurrence)
    return true
  }

  return {
    take: (schedule, nowMs) => {
      if (nowMs < (quietUntilMs.get(schedule.id) ?? 0)) return []
      const flag = settledFlag(schedule.id)
      const sinceMs = startOnce(journal, flag, nowMs)
      const listed = findDueOccurrences(schedule, sinceMs, nowMs, LATE_MS + busyMs)
      const open: DueOccurrence[] = []
      let settledMs = sinceMs
      for (const occurrence of listed) {
        const settled =
          journal.findOccurrence(occurrence.id) !== null || isMissed(occurrence, nowMs)
        if (!settled) open.push(occurrence)
        else if (open.length === 0) settledMs = occurrence.atMs
      }
      if (settledMs !== sinceMs) {
        journal.writeFlag(flag, String(settledMs))
        for (const { id } of listed) if (!open.some((one) => one.id === id)) putOff.delete(id)
      }
      if (listed.length === 0) quietUntilMs.set(schedule.id, nextOccurrence(schedule, sinceMs))
      return open.filter(({ id, action }) => action !== "wait" && !isPutOff(id, nowMs))
    },
    peek: (schedule, nowMs) => {
      const sinceMs = Number(journal.readFlag(settledFlag(schedule.id)) ?? nowMs)
      return findDueOccurrences(schedule, sinceMs, nowMs, LATE_MS + busyMs).filter(
        ({ id, action }) => action === "fire" && journal.findOccurrence(id) === null,
      )
    },
    oldestOpenMs: (schedule, nowMs) => findOldestOpenMs(journal, schedule, nowMs),
    putOff: (id, untilMs) => {
      putOff.set(id, untilMs)
    },
    recordTickMs: (ms) => {
      busyMs = Math.min(Math.max(0, ms), MAX_BUSY_MS)
    },
    clear: () => {
      quietUntilMs.clear()
      putOff.clear()
    },
  }
}

/**
 * The time up to which the schedule is settled. The schedule of a rule starts when the daemon first
 * sees the rule; earlier instants are not occurrences.
 */
function startOnce(journal: FlagStore, flag: string, nowMs: number): number {
  const stored = journal.readFlag(flag)
  if (stored === null) journal.writeFlag(flag, String(nowMs))
  return stored === null ? nowMs : Number(stored)
}

function findOldestOpenMs(
  journal: DecisionStore & FlagStore,
  schedule: Schedule,
  nowMs: number,
): number | null {
  const sinceMs = Number(journal.readFlag(settledFlag(schedule.id)) ?? nowMs)
  const open = findDueOccurrences(schedule, sinceMs, nowMs, LATE_MS).filter(
    ({ id, action }) => action !== "wait" && journal.findOccurrence(id) === null,
  )
  return open.length === 0 ? null : Math.min(...open.map(({ closesMs }) => closesMs))
}

/** The journal's flag with the time up to which all occurrences of a rule are settled. */
export function settledFlag(rule: string): string {
  return `rule/${rule}/settled-until`
}
