import { createHash } from "node:crypto"
import { chainOf } from "#domain/asset.ts"
import { decodeJson } from "#lib/json.ts"
import { isFinal } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { EventRow } from "#ports/journal/orders.ts"

/** A span that is over. Times are in ms since the epoch; the ids are hex, as OTLP has them. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  /** The code of the reason; `null` without an error. */
  readonly error: string | null
}

type Attributes = Readonly<Record<string, string>>
type SpanEvent = { readonly atMs: number; readonly name: string; readonly attributes: Attributes }

/**
 * The spans of an order that are over: each stage after the order has left it, and the order itself
 * after its outcome. The ids follow from the order's id, so a restart goes on with the same trace.
 * Of an event only its type, its reasons' codes and its transactions are read: no key, secret,
 * signature or raw transaction can get into a span. Pure.
 */
export function describeTrace(order: Order, events: readonly EventRow[]): readonly Span[] {
  const { data, state } = order
  const { from, to } = data.request
  const traceId = hash(data.id, "trace", 32)
  const rootId = hash(data.id, "order", 16)
  const common = {
    "ballast.order": data.id,
    "ballast.rule": data.rule,
    "ballast.from": from,
    "ballast.to": to,
  }
  const stages = listStages(events)
  const seen = new Set<string>()
  const spans = stages.map(({ name, startMs, endMs, rows }, index): Span => {
    const shown = rows.map((row) => readEvent(row, order, seen))
    return {
      traceId,
      spanId: hash(data.id, `stage ${index}`, 16),
      parentId: rootId,
      name,
      startMs,
      endMs,
      attributes: common,
      events: shown.flatMap(({ spanEvents }) => spanEvents).slice(-MOST_EVENTS),
      error:
        name === "held" ? (shown.find(({ reason }) => reason !== null)?.reason ?? "held") : null,
    }
  })
  const first = events[0]
  const last = events.at(-1)
  if (first === undefined || last === undefined || !isFinal(state)) return spans.slice(0, -1)
  const root: Span = {
    traceId,
    spanId: rootId,
    parentId: null,
    name: `order ${from} → ${to}`,
    startMs: first.atMs,
    endMs: Math.max(first.atMs, last.atMs),
    attributes: { ...common, "ballast.outcome": state },
    events: [],
    error: state === "completed" ? null : (data.reasons[0]?.code ?? state),
  }
  return [...spans, root]
}

/** A stage with more events keeps the newest: a long wait is one event like another. */
const MOST_EVENTS = 100

type Stage = {
  readonly name: string
  readonly startMs: number
  endMs: number
  readonly rows: EventRow[]
}

/**
 * An event that changes the state begins a stage, and ends the one before. Times do not run
 * backwards, also when the clock did.
 */
function listStages(events: readonly EventRow[]): readonly Stage[] {
  const stages: Stage[] = []
  for (const row of events) {
    const current = stages.at(-1)
    if (current !== undefined) current.endMs = Math.max(current.endMs, row.atMs)
    if (current?.name === row.state) current.rows.push(row)
    else {
      const startMs = current?.endMs ?? row.atMs
      stages.push({ name: row.state, startMs, endMs: startMs, rows: [row] })
    }
  }
  return stages
}

/** The parts of a stored event that a span may show. */
type StoredEvent = {
  readonly reasons?: readonly { readonly code: string }[]
  readonly txid?: string
  readonly transaction?: { readonly txid: string; readonly plan: { readonly chain: string } }
  readonly seen?: Readonly<Record<string, { readonly txid?: string } | null>> | boolean
}

function readEvent(
  row: EventRow,
  { data }: Order,
  seen: Set<string>,
): { readonly spanEvents: readonly SpanEvent[]; readonly reason: string | null } {
  // CAST: the engine wrote it; each part is optional.
  const body = decodeJson(row.body) as StoredEvent
  const reason = body.reasons?.[0]?.code ?? null
  const attributes: Attributes = reason === null ? {} : { "ballast.reason": reason }
  const found = listTransactions(body, chainOf(data.request.from), chainOf(data.request.to))
  const fresh = found.filter(({ hash: id }) => !seen.has(id))
  for (const { hash: id } of fresh) seen.add(id)
  const shown = [{ atMs: row.atMs, name: row.type, attributes }]
  const transactions = fresh.map(({ hash: id, chain }) => ({
    atMs: row.atMs,
    name: "transaction",
    attributes: { "ballast.tx.hash": id, "ballast.tx.chain": chain },
  }))
  return { spanEvents: [...shown, ...transactions], reason }
}

type Seen = { readonly hash: string; readonly chain: string }

function listTransactions(
  { transaction, txid, seen }: StoredEvent,
  from: string,
  to: string,
): readonly Seen[] {
  const legs = typeof seen === "object" ? Object.entries(seen) : []
  return [
    ...(transaction === undefined
      ? []
      : [{ hash: transaction.txid, chain: transaction.plan.chain }]),
    // Each transaction that is sent or mined was signed before, with its chain; a relay's deposit
    // is on the source.
    ...(txid === undefined ? [] : [{ hash: txid, chain: from }]),
    ...legs.flatMap(([leg, found]) => {
      const id = found?.txid
      return id === undefined
        ? []
        : [{ hash: id, chain: leg.startsWith("destination") ? to : from }]
    }),
  ]
}

function hash(order: string, part: string, digits: number): string {
  return createHash("sha256").update(`ballast/${order}/${part}`).digest("hex").slice(0, digits)
}
