import { type ChainId, chainOf } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import type { Work } from "#order/work.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"
import type { Urgency } from "#ports/urgency.ts"
import type { Slots } from "./slots.ts"
import { entryOf } from "./work-table.ts"

/**
 * The share of the slots that only urgent work may take, so that a crowd of new orders leaves room
 * for it.
 */
const URGENT_SHARE = 1 / 4
/**
 * Urgent work goes first, but other work that has waited longer than this goes before it: no look
 * holds it up for ever.
 */
const HEAD_START_MS = 60_000
/** No deposit waits for so long: a redemption or refund goes before all else. */
const RESCUE_MS = 365 * 24 * 3_600_000

/** `bindsLate`: the chain's plans get their nonce when they are signed (`NonceSequence`). */
type Places = Pick<Slots, "count"> & { readonly bindsLate: (chain: ChainId) => boolean }

/**
 * A row of the outbox with its decoded work. `lock`: the journal's resource that it waited for; one
 * waiter at a time tries to take it. `isBump`: it signs a higher fee for the nonce of its order.
 */
export type Candidate = {
  readonly row: WorkRow
  readonly work: Work
  readonly lock: string | null
  readonly isBump?: boolean
}

type Unlocked = Pick<Candidate, "row" | "work" | "isBump">

/** Work that has a slot. `hasLeftLane`: it goes on outside of its lane. */
export type Running = Candidate & { readonly hasLeftLane?: boolean }

/**
 * Chooses the due work that starts now, in the order in which it was due.
 *
 * Each piece of work takes one slot of the places that it touches, and its lane. Work without a
 * free slot or lane stays in the outbox: it takes nothing while it waits, and the end of running
 * work leads to the next choice. Work that touches the same places shares its slots, so a place
 * that answers slowly takes no slot of any other work.
 */
export function chooseWork(
  due: readonly Candidate[],
  running: Iterable<Running>,
  { count, bindsLate }: Places,
): readonly Candidate[] {
  const lanes = new Set<string>()
  const taken = new Map<string, number>()
  for (const { hasLeftLane, ...candidate } of running)
    take(candidate, needsOf(candidate, bindsLate), hasLeftLane)
  // A place that is full now stays full during this choice, so only work with a place is sorted.
  const placed = due.flatMap((candidate) => {
    const needs = needsOf(candidate, bindsLate)
    return hasPlace(candidate, needs) ? [{ candidate, needs }] : []
  })
  placed.sort((a, b) => a.needs.rank - b.needs.rank || a.candidate.row.id - b.candidate.row.id)
  const chosen = new Set<Candidate>()
  for (const { candidate, needs } of placed) {
    if (!hasPlace(candidate, needs)) continue
    take(candidate, needs)
    chosen.add(candidate)
  }
  return due.filter((candidate) => chosen.has(candidate))

  function hasPlace({ lock }: Candidate, { key, urgent, lane }: Needs): boolean {
    const most = count(key) * (urgent ? 1 : 1 - URGENT_SHARE)
    if ((taken.get(key) ?? 0) >= Math.floor(most)) return false
    return !(lane !== null && lanes.has(lane)) && !(lock !== null && lanes.has(lock))
  }

  function take({ lock }: Candidate, { key, lane }: Needs, hasLeftLane = false): void {
    taken.set(key, (taken.get(key) ?? 0) + 1)
    if (lane !== null && !hasLeftLane) lanes.add(lane)
    if (lock !== null) lanes.add(lock)
  }
}

/**
 * The slot and lane that a candidate needs, and its rank. A row never changes, and waiting rows are
 * judged at each poll, so it is derived once.
 */
type Needs = {
  readonly key: string
  readonly urgent: boolean
  readonly lane: string | null
  readonly rank: number
}
const known = new WeakMap<WorkRow, { readonly work: Work; readonly needs: Needs }>()

function needsOf(candidate: Candidate, bindsLate: Places["bindsLate"]): Needs {
  const { row, work } = candidate
  const found = known.get(row)
  if (found?.work === work) return found.needs
  const urgent = isUrgent(work)
  const needs = {
    key: slotKeyOf(candidate),
    urgent,
    lane: laneOf(candidate, bindsLate),
    rank: row.dueAtMs - headStartOf(work),
  }
  known.set(row, { work, needs })
  return needs
}

/**
 * The places that the work asks: the order's chains, and its service. All other work that asks the
 * same places shares its slots.
 */
export function slotKeyOf({ row, work }: Unlocked): string {
  const places = {
    source: chainOf(row.from),
    destination: chainOf(row.to),
    service: `service ${row.service}`,
  }
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
      return work.purpose === "deposit" ? ["source", "destination"] : [sideOf(work)]
    // A repeated deposit also asks the service whether the order has ended.
    case "broadcastTransaction":
      return work.purpose === "deposit" ? ["service", "source"] : [sideOf(work)]
    case "revealSecret":
      return ["service", "destination"]
    case "expireApproval":
      return []
    default:
      return [sideOf(work)]
  }
}

/** Only a redemption is on the destination chain. */
function sideOf(work: Work): "source" | "destination" {
  return "purpose" in work && work.purpose === "redeem" ? "destination" : "source"
}

/**
 * One lane does one piece of work at a time. A plan that gets its nonce later takes nothing that
 * another plan could take, so it needs no lane. Nor does a higher fee for a redemption or refund,
 * which keeps its nonce: at a slow node it would wait for the first signatures of many others,
 * which all wait for its block. Without nonces a redemption or refund takes its HTLC alone, so it
 * never needs one.
 */
export function laneOf(
  { row, work, isBump = false }: Unlocked,
  bindsLate: Places["bindsLate"],
): ChainId | null {
  if (entryOf(work).lane === null) return null
  const chain = chainOf(sideOf(work) === "source" ? row.from : row.to)
  const isFree = bindsLate(chain) ? isBoundLater(work) || isRaised(work, isBump) : isRescue(work)
  return isFree ? null : chain
}

/** A higher fee of a redemption or refund. */
function isRaised(work: Work, isBump: boolean): boolean {
  return isRescue(work) && (isBump || work.kind === "bumpTransaction")
}

/**
 * A void has the nonce of its deposit, and a revocation takes the allowance's lock: their plans are
 * made one after another.
 */
function isBoundLater(work: Work): boolean {
  return work.kind === "planTransaction" && (work.purpose === "deposit" || isRescue(work))
}

/**
 * How urgent the questions of this work are. First come sendings, work that takes our money back,
 * and all work of an order whose secret is out; then the looks at that order; then other looks. A
 * redemption's nonce may wait for the work that holds the lane, so that is as urgent.
 */
export function urgencyOf(
  { row, work }: Unlocked,
  { ownSecret }: Pick<OrderData, "ownSecret">,
  bindsLate: Places["bindsLate"],
): Urgency {
  const isOut = ownSecret?.status === "revealed"
  if (isObservation(work)) return isOut ? "told" : "look"
  const lane = laneOf({ row, work }, bindsLate)
  const holdsUp = lane !== null && bindsLate(lane)
  return isOut || holdsUp || entryOf(work).spends || isUrgent(work) ? "effect" : "look"
}

function headStartOf(work: Work): number {
  return isRescue(work) ? RESCUE_MS : isUrgent(work) ? HEAD_START_MS : 0
}

/** Voids, refunds, revocations, and all watching: money is at stake, or on its way. */
function isUrgent(work: Work): boolean {
  if ("purpose" in work && work.purpose !== "approve" && work.purpose !== "deposit") return true
  return isObservation(work) || work.kind === "revealSecret"
}

function isRescue(work: Work): boolean {
  const takes = "purpose" in work && (work.purpose === "redeem" || work.purpose === "refund")
  return takes && !isObservation(work)
}

function isObservation({ kind }: Work): boolean {
  return kind.startsWith("observe") || kind.startsWith("prove")
}
