import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { expandCron } from "../plain-cron.ts"
import type { Settled } from "../signature-recorder.ts"

/** An occurrence that is due for longer than this is missed, not late. */
const LATE_MS = 60_000
/** A process that was busy for up to this long is late and has not missed the occurrence. */
const BUSY_MS = 10 * 60_000

/** Each occurrence of an independent calendar is settled exactly once, as `catch_up` demands. */
export function checkOccurrences({ recorder, schedule }: GroundTruth): Checker {
  const seen = new Set<string>()
  const reported = new Set<string>()
  let checkedCount = 0

  /** Settlements are only added, so each turn checks the new ones. */
  function findRepeated(): Violation[] {
    const names = recorder.settled.slice(checkedCount).map(nameOf)
    checkedCount += names.length
    const repeated = names.filter((name) => seen.size === seen.add(name).size)
    const fresh = repeated.filter((name) => !reported.has(name))
    for (const name of fresh) reported.add(name)
    return fresh.map((name) => violation("occurrence once", `${name} was settled more than once`))
  }

  function checkRule(rule: RecurringRule): Violation[] {
    const sinceMs = recorder.flagged.get(`rule/${rule.id}/settled-until`)
    if (sinceMs === undefined) return []
    const untilMs = schedule.quietSinceMs()
    const expected = expandCron(
      rule,
      sinceMs,
      Math.max(...schedule.moments.map(({ atMs }) => atMs)),
    )
    const settled = recorder.settled.filter((one) => one.rule === rule.id)
    const known = new Set(settled.map(({ atMs }) => atMs))
    const stray = settled.filter(({ atMs }) => !expected.includes(atMs))
    const forgotten = expected.filter((atMs) => atMs <= untilMs && !known.has(atMs))
    return [
      ...stray.map((one) =>
        violation("occurrence is due", `${nameOf(one)} is not in the calendar of ${rule.schedule}`),
      ),
      ...forgotten.map((atMs) =>
        violation("no occurrence forgotten", `${nameOf({ rule: rule.id, atMs })} never ended`),
      ),
      ...settled.flatMap((one) => checkCatchUp(rule, one, expected)),
    ]
  }

  function checkCatchUp(
    { catchUp }: RecurringRule,
    one: Settled,
    expected: readonly number[],
  ): Violation[] {
    const { atMs, settledAtMs } = one
    const nextMs = expected.find((other) => other > atMs) ?? Number.POSITIVE_INFINITY
    const wrong = (what: string): Violation[] => [
      violation(`catch_up: ${catchUp}`, `${nameOf(one)} ${what}`),
    ]
    if (one.decision.includes('"policy.missed"')) {
      if (catchUp === "all") return wrong("was skipped")
      if (settledAtMs - atMs <= LATE_MS) return wrong("was skipped in time")
      return catchUp === "once" && nextMs > settledAtMs
        ? wrong("was skipped, and it was the newest")
        : []
    }
    const { moments } = schedule
    const lastLife = moments.findLast((moment) => moment.atMs < atMs)?.life
    const sawBefore = (limitMs: number, life?: number): boolean =>
      moments.some(
        (now) =>
          now.atMs >= atMs && now.atMs < limitMs && (life === undefined || now.life === life),
      )
    if (catchUp === "all" || sawBefore(atMs + LATE_MS + 1)) return []
    if (lastLife !== undefined && sawBefore(atMs + LATE_MS + BUSY_MS, lastLife)) return []
    // The settlement itself proves a live process, also if it died before the turn's end.
    if (catchUp === "once" && (sawBefore(nextMs) || settledAtMs < nextMs)) return []
    return wrong("was tried, but no process was alive in its time")
  }

  return { afterTurn: findRepeated, atEnd: () => schedule.all.flatMap(checkRule) }
}

function nameOf({ rule, atMs }: Pick<Settled, "rule" | "atMs">): string {
  return `${rule}@${new Date(atMs).toISOString()}`
}
