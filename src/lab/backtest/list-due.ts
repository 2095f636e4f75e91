import { scheduleOf, type TimedRule } from "#policy/rules/registry.ts"
import {
  type DueOccurrence,
  findDueOccurrences,
  type Schedule,
} from "#policy/schedule/due-occurrences.ts"
import type { Subject } from "./subject.ts"
import type { Scenario } from "./world/scenario.ts"

/** The evaluation times of all rules. They are the same for every seed, so they are listed once. */
export type Calendar = {
  /** The rules that are not disabled, in the order of the configuration. */
  readonly rules: readonly TimedRule[]
  /** Sorted by the time from which each may begin. */
  readonly occurrences: readonly DueOccurrence[]
}

export function listDue({ settings }: Subject, scenario: Scenario): Calendar {
  const rules = settings.rules.filter(({ enabled }) => enabled !== false)
  const schedules = rules.flatMap((rule) => scheduleOf(rule) ?? [])
  const occurrences = schedules.flatMap((schedule) => listOccurrencesOf(schedule, scenario))
  return {
    rules,
    occurrences: occurrences.sort((a, b) => a.dueMs - b.dueMs || (a.id < b.id ? -1 : 1)),
  }
}

const DAY_MS = 86_400_000

function listOccurrencesOf(schedule: Schedule, { startMs, days }: Scenario): DueOccurrence[] {
  const endMs = startMs + days * DAY_MS
  const found: DueOccurrence[] = []
  for (let sinceMs = startMs; ; ) {
    // One call returns a limited number of occurrences.
    const part = findDueOccurrences(schedule, sinceMs, endMs)
    const last = part.at(-1)
    if (last === undefined) return found.filter(({ dueMs }) => dueMs <= endMs)
    found.push(...part)
    sinceMs = last.atMs
  }
}
