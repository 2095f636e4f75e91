import type { TimedRule } from "#policy/rules/registry.ts"
import { type DueOccurrence, findDueOccurrences } from "#policy/schedule/due-occurrences.ts"
import type { Scenario } from "./scenario.ts"
import type { Subject } from "./subject.ts"

/** When which rule is looked at. The same for every seed, so it is listed once. */
export type Calendar = {
  readonly standing: readonly { readonly rule: string; readonly everyMs: number }[]
  /** By the time from which they may begin. */
  readonly occurrences: readonly DueOccurrence[]
}

export function listDue({ settings }: Subject, scenario: Scenario): Calendar {
  const enabled = settings.rules.filter(({ enabled }) => enabled !== false)
  const standing = enabled.flatMap((rule) => ("everyMs" in rule ? [{ rule: rule.id, everyMs: rule.everyMs }] : []))
  const occurrences = enabled.flatMap((rule) => listOccurrencesOf(rule, scenario))
  return { standing, occurrences: occurrences.sort((a, b) => a.dueMs - b.dueMs || (a.id < b.id ? -1 : 1)) }
}

const DAY_MS = 86_400_000

function listOccurrencesOf(rule: TimedRule, { startMs, days }: Scenario): DueOccurrence[] {
  if (rule.kind !== "recurring") return []
  const endMs = startMs + days * DAY_MS
  const found: DueOccurrence[] = []
  for (let sinceMs = startMs; ; ) {
    // One call lists a bounded number.
    const part = findDueOccurrences(rule, sinceMs, endMs)
    const last = part.at(-1)
    if (last === undefined) return found.filter(({ dueMs }) => dueMs <= endMs)
    found.push(...part)
    sinceMs = last.atMs
  }
}
