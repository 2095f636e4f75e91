import { chainOf } from "#domain/asset.ts"
import type { WorkRow } from "#journal/port.ts"
import type { Work } from "#order/work.ts"
import { entryOf } from "./work-table.ts"

/** Work that touches the same places shares this many slots. A place that answers slowly takes no slot of any other work. */
const SLOTS_PER_KEY = 16
/** Slots that only urgent work may take, so that a crowd of new orders leaves room for it. */
const URGENT_SLOTS = 4
/** Urgent work goes first, but other work that has waited longer than this goes before it: no work waits for ever. */
const HEAD_START_MS = 60_000

/** A row of the outbox with its decoded work. `lock`: the journal's resource that it waited for; one waiter at a time tries to take it. */
export type Candidate = { readonly row: WorkRow; readonly work: Work; readonly lock: string | null }

/**
 * Chooses the due work that starts now, in the order in which it was due.
 *
 * Each piece of work takes one slot of the places that it touches, and its lane. Work without a free slot or lane stays in the outbox: it
 * takes nothing while it waits, and the end of running work leads to the next choice.
 */
export function chooseWork(due: readonly Candidate[], running: Iterable<Candidate>): readonly Candidate[] {
  const lanes = new Set<string>()
  const taken = new Map<string, number>()
  for (const candidate of running) take(candidate)
  const chosen = new Set(
    due
      .toSorted((a, b) => rank(a) - rank(b) || a.row.id - b.row.id)
      .filter((candidate) => {
        if (!hasPlace(candidate)) return false
        take(candidate)
        return true
      }),
  )
  return due.filter((candidate) => chosen.has(candidate))

  function hasPlace(candidate: Candidate): boolean {
    if (lanesOf(candidate).some((lane) => lanes.has(lane))) return false
    const slots = isUrgent(candidate.work) ? SLOTS_PER_KEY : SLOTS_PER_KEY - URGENT_SLOTS
    return (taken.get(slotKeyOf(candidate)) ?? 0) < slots
  }

  function take(candidate: Candidate): void {
    const key = slotKeyOf(candidate)
    taken.set(key, (taken.get(key) ?? 0) + 1)
    for (const lane of lanesOf(candidate)) lanes.add(lane)
  }
}

/** The places that the work asks: the order's chains, and its service. All other work that asks the same places shares its slots. */
function slotKeyOf({ row, work }: Candidate): string {
  const places = { source: chainOf(row.from), destination: chainOf(row.to), service: `service ${row.service}` }
  return [...new Set(placesOf(work).map((place) => places[place]))].toSorted().join(" + ")
}

type Place = "source" | "destination" | "service"

function placesOf(work: Work): readonly Place[] {
  switch (work.kind) {
    case "fetchQuote":
    case "createOrder":
      return ["service"]
    case "verifyOrder":
    case "observeOrder":
      return ["service", "source", "destination"]
    case "submitSignature":
      return ["service", "source"]
    // Before a deposit the pinned contracts of both assets are read.
    case "checkAllowance":
    case "signTypedData":
      return ["source", "destination"]
    case "planTransaction":
      return work.purpose === "deposit" ? ["source", "destination"] : ["source"]
    // A repeated deposit also asks the service whether the order has ended.
    case "broadcastTransaction":
      return work.purpose === "deposit" ? ["service", "source"] : ["source"]
    case "expireApproval":
      return []
    default:
      return ["source"]
  }
}

/** One lane does one piece of work at a time: `account` for one chain's account, `quotes` for the fiat limits. */
function lanesOf({ row, work, lock }: Candidate): readonly string[] {
  const { lane } = entryOf(work)
  const own = lane === "account" ? [chainOf(row.from)] : lane === null ? [] : [lane]
  return lock === null ? own : [...own, lock]
}

function rank(candidate: Candidate): number {
  return candidate.row.dueAtMs + (isUrgent(candidate.work) ? 0 : HEAD_START_MS)
}

/** Voids, refunds, revocations, and all watching: money is at stake, or on its way. */
function isUrgent(work: Work): boolean {
  if ("purpose" in work && work.purpose !== "approve" && work.purpose !== "deposit") return true
  return work.kind.startsWith("observe") || work.kind.startsWith("prove")
}
