import { type EngineContext, txidFormIn } from "#engine/context.ts"
import type { Clock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import type { FeedEvent, Operations } from "#ops/operations.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { type TxidFormOf, viewOrder } from "#order/view.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { viewReconciliation } from "../watch/reconciliation.ts"
import { viewDecision } from "./view-decision.ts"

const INTERVAL_MS = 500
const WINDOW = 200
/** A step may have a time that is a little older than its place in the journal. */
const SLACK_MS = 5_000
/** A reader that was away for longer, or missed more, reads the lists again. */
const LONGEST_GAP_MS = 24 * 60 * 60_000
const MOST_MISSED = 900
const MOST_KNOWN = 5_000

/** A change with its time; `subject` has one latest change, `data`. */
type Change = {
  readonly atMs: number
  readonly subject: string
  readonly type: FeedEvent["type"]
  readonly data: object
}

/**
 * Sends changes of orders, decisions, alarms, balances and approvals to live readers. It compares
 * the journal with its last read. The id of an event is its time, so a reader that comes back gets
 * everything that changed since then, in its present state, and some of it twice.
 */
export function createFeed(
  context: EngineContext,
  clock: Clock,
  signal: AbortSignal,
): { subscribe: Operations["subscribe"] } {
  const listeners = new Set<Parameters<Operations["subscribe"]>[0]>()
  const known = new Map<string, string>()
  let watching = false

  /** A step that the disk refuses never was; the next look finds the order as it is then. */
  const isKept = (): Promise<boolean> =>
    context.journal.durableHere().then(
      () => true,
      () => false,
    )

  async function tellChanges(fromMs: number): Promise<void> {
    const window = context.journal.listOrders({ limit: WINDOW })
    const changes = [...viewOrders(context, window), ...collectChanges(context, fromMs)]
    if (!(await isKept())) return
    for (const change of changes.toSorted((a, b) => a.atMs - b.atMs)) {
      const text = plainJson(change.data)
      if (known.get(change.subject) === text) continue
      known.delete(change.subject)
      known.set(change.subject, text)
      for (const listener of listeners) listener(toEvent(change))
    }
    for (const oldest of [...known.keys()].slice(0, known.size - MOST_KNOWN)) known.delete(oldest)
  }

  async function watch(): Promise<void> {
    watching = true
    let fromMs = clock.now()
    while (listeners.size > 0 && !signal.aborted) {
      const nowMs = clock.now()
      await tellChanges(fromMs - SLACK_MS)
      fromMs = nowMs
      await clock.sleep(INTERVAL_MS, signal)
    }
    known.clear()
    watching = false
  }

  async function tellMissed(listener: (event: FeedEvent) => void, sinceMs: number): Promise<void> {
    const nowMs = clock.now()
    const isLong = nowMs - sinceMs > LONGEST_GAP_MS
    const missed = isLong ? [] : collectChanges(context, sinceMs - SLACK_MS)
    if (!(await isKept()) || !listeners.has(listener)) return
    if (isLong || missed.length > MOST_MISSED)
      listener({ id: String(nowMs), type: "reset", data: {} })
    else for (const change of missed) listener(toEvent(change))
  }

  return {
    subscribe: (listener, sinceMs = null) => {
      listeners.add(listener)
      if (sinceMs !== null) void tellMissed(listener, sinceMs)
      if (!watching) void watch()
      return () => listeners.delete(listener)
    },
  }
}

function toEvent({ atMs, type, data }: Change): FeedEvent {
  return { id: String(atMs), type, data }
}

/** Everything that changed at this time or later, oldest first. */
function collectChanges(context: EngineContext, fromMs: number): readonly Change[] {
  const { journal } = context
  const decimals = decimalsIn(context)
  const decisions = journal
    .listDecisions({ rule: null, limit: WINDOW })
    .filter(({ lastAtMs }) => lastAtMs >= fromMs)
    .map((row) => {
      const subject = `decision/${row.id}`
      const data = viewDecision(row, decimals)
      return { atMs: row.lastAtMs, subject, type: "decision" as const, data }
    })
  const alarms = journal
    .listAlerts(WINDOW)
    .filter(({ atMs }) => atMs >= fromMs)
    .map(({ atMs, orderId, reason }) => {
      const subject = `alarm/${atMs}/${reason.code}/${orderId ?? ""}`
      const data = { at: new Date(atMs).toISOString(), order: orderId, reason }
      return { atMs, subject, type: "alarm" as const, data }
    })
  const balances = journal
    .listReconciliations()
    .filter(({ atMs }) => atMs >= fromMs)
    .map((row) => {
      const data = viewReconciliation(row, decimals)
      return { atMs: row.atMs, subject: `balance/${row.asset}`, type: "balance" as const, data }
    })
  const orders = viewOrders(context, journal.listChangedSince(fromMs))
  return [...orders, ...decisions, ...alarms, ...balances].toSorted((a, b) => a.atMs - b.atMs)
}

function viewOrders(context: EngineContext, rows: readonly OrderRow[]): readonly Change[] {
  const decimals = decimalsIn(context)
  const txidFormOf: TxidFormOf = (asset) => txidFormIn(context, asset)
  return rows.flatMap(({ id, snapshot, updatedAtMs: atMs }): readonly Change[] => {
    const order = decodeOrNull(snapshot)
    if (order === null) return []
    const data = viewOrder(order, decimals, atMs, txidFormOf)
    const told: Change = { atMs, subject: `order/${id}`, type: "order", data }
    if (order.state !== "awaiting-approval") return [told]
    const asked = { id, intent: data.intent, from: data.from, to: data.to, amount: data.amount }
    return [told, { atMs, subject: `approval/${id}`, type: "approval", data: asked }]
  })
}

function decimalsIn({ settings }: EngineContext) {
  return new Map([...settings.assets.values()].map((asset) => [asset.id, asset.decimals]))
}
