import { decideNextTry, type Tried } from "#engine/rules/decide/next-try.ts"
import type { DueEntry } from "#engine/rules/tick/due-list.ts"
import { mustExist } from "#lib/assert.ts"
import { everyMsOf } from "#policy/rules/registry.ts"
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
  /** Sets the next time of a due rule or occurrence, as the daemon does. */
  readonly conclude: (entry: DueEntry, outcome: Pick<Tried, "reasons" | "isOrdered">) => void
}

type Inputs = {
  readonly step: boolean
  readonly flows: readonly RecordedFlow[]
  readonly quotes: readonly RecordedQuote[]
  /** A fault begins or ends. */
  readonly faults: boolean
  /** In the order of the rules in the configuration. */
  readonly due: readonly DueEntry[]
}

const DAY_MS = 86_400_000

export function createTimeline(scenario: Scenario, { rules, occurrences }: Calendar): Timeline {
  const { startMs, stepMs } = scenario
  const endMs = startMs + scenario.days * DAY_MS
  const places = new Map(rules.map((rule, index) => [rule.id, index]))
  const standing = rules
    .filter((rule) => everyMsOf(rule) !== null)
    .map((of) => ({ entry: { rule: of.id, occurrence: null, of, at: null }, atMs: startMs }))
  const flows = createCursor(scenario.flows, ({ atMs }) => atMs)
  const quotes = createCursor(scenario.quotes, ({ atMs }) => atMs)
  const faults = createCursor(listFaultTimes(scenario), (atMs) => atMs)
  const calendar = createCursor(occurrences, ({ dueMs }) => dueMs)
  let waiting: Waiting[] = []
  let tried: Waiting[] = []
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
    for (const { atMs } of standing) if (atMs < next) next = atMs
    for (const { tryMs } of waiting) if (tryMs < next) next = tryMs
    return next
  }

  function takeDue(): readonly DueEntry[] {
    const fresh = calendar
      .take(nowMs)
      .map((at) => ({ entry: toEntry(rules, places, at), firstMs: nowMs, tryMs: nowMs }))
    tried = [...waiting.filter(({ tryMs }) => tryMs <= nowMs), ...fresh]
    waiting = waiting.filter(({ tryMs }) => tryMs > nowMs)
    const due: DueEntry[] = standing.filter(({ atMs }) => atMs <= nowMs).map(({ entry }) => entry)
    if (tried.length === 0) return due
    const all = [...tried.map(({ entry }) => entry), ...due]
    const place = ({ rule }: DueEntry): number => places.get(rule) ?? 0
    return all.sort((a, b) => place(a) - place(b) || (a.at?.atMs ?? 0) - (b.at?.atMs ?? 0))
  }

  return {
    endMs,
    nextMs,
    take: (atMs) => {
      nowMs = atMs
      const step = stepAtMs <= nowMs
      if (step) stepAtMs += stepMs
      const due = takeDue()
      const changes = {
        flows: flows.take(nowMs),
        quotes: quotes.take(nowMs),
        faults: faults.take(nowMs).length > 0,
      }
      return { step, ...changes, due }
    },
    conclude: (entry, outcome) => {
      const firstMs = tried.find((one) => one.entry === entry)?.firstMs ?? nowMs
      const nextMs = decideNextTry(entry, { ...outcome, firstMs, nowMs })
      if (nextMs === null) return
      if (entry.at !== null) waiting.push({ entry, firstMs, tryMs: nextMs })
      for (const one of standing) if (one.entry === entry) one.atMs = nextMs
    },
  }
}

/** The times after the start at which a fault begins or ends, the earliest first. */
function listFaultTimes({ faults, startMs }: Scenario): readonly number[] {
  const times = (faults ?? []).flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])
  return times.filter((atMs) => atMs > startMs).sort((a, b) => a - b)
}

/** `places`: the index of each rule in `rules`, by its id. */
function toEntry(
  rules: Calendar["rules"],
  places: ReadonlyMap<string, number>,
  at: DueOccurrence,
): DueEntry {
  const of = mustExist(rules[places.get(at.rule) ?? -1], `the rule ${at.rule}`)
  return { rule: at.rule, occurrence: at.id, of, at }
}

/** An occurrence between two tries. */
type Waiting = { readonly entry: DueEntry; readonly firstMs: number; readonly tryMs: number }

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
