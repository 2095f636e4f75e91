import type { DueRule } from "#policy/evaluate.ts"
import type { DueOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { Calendar } from "../list-due.ts"
import type { RecordedFlow, RecordedQuote, Scenario } from "./scenario.ts"

/**
 * The times of all inputs of a run: steps, recorded flows and quotes, and due rules. Orders in
 * flight have their own times.
 */
export type Timeline = {
  readonly endMs: number
  readonly nextMs: () => number
  /** Takes all inputs of this instant; each is returned once. */
  readonly take: (nowMs: number) => Inputs
  /**
   * Names the occurrences that became orders. The others are tried again while their window is
   * open.
   */
  readonly settle: (placed: readonly string[]) => void
  /**
   * Evaluates a standing rule after this time again. Without it the interval of the rule counts.
   */
  readonly putOff: (rule: string, delayMs: number) => void
}

type Inputs = {
  readonly step: boolean
  readonly flows: readonly RecordedFlow[]
  readonly quotes: readonly RecordedQuote[]
  /** A fault begins or ends. */
  readonly faults: boolean
  readonly due: readonly DueRule[]
}

const DAY_MS = 86_400_000
const RETRY_MS = 60_000

export function createTimeline(scenario: Scenario, { standing, occurrences }: Calendar): Timeline {
  const { startMs, stepMs } = scenario
  const endMs = startMs + scenario.days * DAY_MS
  const rules = standing.map(({ rule, everyMs }) => ({
    entry: { rule, occurrence: null },
    everyMs,
    atMs: startMs,
  }))
  const flows = createCursor(scenario.flows, ({ atMs }) => atMs)
  const quotes = createCursor(scenario.quotes, ({ atMs }) => atMs)
  const boundaries = (scenario.faults ?? []).flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])
  const faults = createCursor(
    boundaries.filter((atMs) => atMs > startMs).sort((a, b) => a - b),
    (atMs) => atMs,
  )
  const calendar = createCursor(occurrences, ({ dueMs }) => dueMs)
  let waiting: { readonly at: DueOccurrence; readonly tryMs: number }[] = []
  let tried: DueOccurrence[] = []
  let stepAtMs = startMs + stepMs
  let nowMs = startMs

  function nextMs(): number {
    let next = Math.min(
      stepAtMs,
      flows.nextMs(),
      quotes.nextMs(),
      faults.nextMs(),
      calendar.nextMs(),
    )
    for (const { atMs } of rules) if (atMs < next) next = atMs
    for (const { tryMs } of waiting) if (tryMs < next) next = tryMs
    return next
  }

  function takeRules(): DueRule[] {
    const due: DueRule[] = []
    for (const rule of rules) {
      if (rule.atMs > nowMs) continue
      due.push(rule.entry)
      rule.atMs += rule.everyMs
    }
    return due
  }

  return {
    endMs,
    nextMs,
    take: (atMs) => {
      nowMs = atMs
      const step = stepAtMs <= nowMs
      if (step) stepAtMs += stepMs
      tried = [
        ...waiting.filter(({ tryMs }) => tryMs <= nowMs).map(({ at }) => at),
        ...calendar.take(nowMs),
      ]
      waiting = waiting.filter(({ tryMs }) => tryMs > nowMs)
      const due = [...tried.map(({ rule, id }) => ({ rule, occurrence: id })), ...takeRules()]
      const changes = {
        flows: flows.take(nowMs),
        quotes: quotes.take(nowMs),
        faults: faults.take(nowMs).length > 0,
      }
      return { step, ...changes, due }
    },
    putOff: (rule, delayMs) => {
      for (const one of rules) if (one.entry.rule === rule) one.atMs = nowMs + delayMs
    },
    settle: (placed) => {
      const again = tried.filter(({ id, closesMs }) => !placed.includes(id) && nowMs < closesMs)
      waiting.push(...again.map((at) => ({ at, tryMs: Math.min(nowMs + RETRY_MS, at.closesMs) })))
    },
  }
}

type Cursor<T> = { readonly nextMs: () => number; readonly take: (nowMs: number) => readonly T[] }

function createCursor<T>(sorted: readonly T[], atOf: (item: T) => number): Cursor<T> {
  let at = 0
  const nextMs = (): number => {
    const item = sorted[at]
    return item === undefined ? Number.POSITIVE_INFINITY : atOf(item)
  }
  return {
    nextMs,
    take: (nowMs) => {
      const from = at
      while (nextMs() <= nowMs) at += 1
      return from === at ? NONE : sorted.slice(from, at)
    },
  }
}

const NONE: readonly never[] = []
