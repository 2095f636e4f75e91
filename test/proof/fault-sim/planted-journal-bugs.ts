import type { OrderPolicy } from "#domain/order.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import type { StateName } from "#order/states.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"

/** The inputs of the planted journal bugs. */
export type JournalPlantDeps = {
  readonly now: () => number
  readonly rules: readonly RecurringRule[]
  readonly policy: () => OrderPolicy
}

/** Journals that make the mistakes of a careless engine, by the name of the mistake. */
export const JOURNAL_BUGS = {
  "in-doubt record expires": (journal) => ({
    ...journal,
    commit: (step) => journal.commit(isInDoubt(step) ? giveUp(step) : step),
  }),
  "occurrence fired twice at DST": fireTwice,
  "limit checked but not reserved": (journal) => ({
    ...journal,
    sumWindow: (sinceMs, asset, except) => {
      const open = journal
        .listOrders({ limit: 1_000, open: true })
        .filter(({ id }) => id !== except)
      const sum = journal.sumWindow(sinceMs, asset, except)
      const units = open.reduce(
        (total, row) => total + (row.from === asset ? row.sourceUnits : 0n),
        0n,
      )
      const fiat = open.reduce((total, { sourceFiat }) => total + (sourceFiat ?? 0n), 0n)
      const feesFiat = open.reduce((total, { feeFiat }) => total + (feeFiat ?? 0n), 0n)
      return {
        units: sum.units - units,
        fiat: sum.fiat - fiat,
        feesFiat: sum.feesFiat - feesFiat,
        count: sum.count - open.length,
      }
    },
  }),
  "approval not bound to its intent": approveForAll,
  "stalled head trusted": (journal) => ({
    ...journal,
    hastenWork: () => true,
    restWork: parkObservations(journal),
  }),
  "missed block trusted": (journal) => {
    let hints = 0
    return {
      ...journal,
      hastenWork: (orderId, dueAtMs) =>
        hints++ % 2 === 0 ? true : journal.hastenWork(orderId, dueAtMs),
      restWork: parkObservations(journal),
    }
  },
  "released before it is on disk": (journal) => ({
    ...journal,
    isPending: () => false,
    durable: () => Promise.resolve(),
  }),
  "pair claimed by half": (journal) => ({
    ...journal,
    claimSignature: (claim) => journal.claimSignature(claim),
  }),
  "network fee left out of the books": (journal) => ({
    ...journal,
    commit: (step) => {
      const add = step.booking.add.filter(({ kind }) => kind !== "fee")
      journal.commit({ ...step, booking: { ...step.booking, add } })
    },
  }),
  "booking not reversed": (journal) => ({
    ...journal,
    commit: (step) => journal.commit({ ...step, booking: { ...step.booking, reversedKeys: [] } }),
  }),
  "reload changes an order under way": (journal, { policy }) => ({
    ...journal,
    findOrder: (id) => {
      const row = journal.findOrder(id)
      return row === null ? null : withData(row, (data) => ({ ...data, policy: policy() }))
    },
  }),
  "occurrences forgotten over a restart": (journal, { now }) => {
    const read = new Set<string>()
    return {
      ...journal,
      readFlag: (key) => {
        const value = journal.readFlag(key)
        if (!key.endsWith("/settled-until") || read.has(key) || value === null) return value
        read.add(key)
        return String(now())
      },
      writeFlag: (key, value) => {
        read.add(key)
        journal.writeFlag(key, value)
      },
    }
  },
  "decision lost with its order": (journal) => ({
    ...journal,
    openOrder: (order, event, work, occurrence) =>
      journal.openOrder(order, event, work, occurrence),
  }),
  "outbox that cannot be listed": (journal) => {
    let polls = 0
    return {
      ...journal,
      listDueWork: (...query) => {
        polls += 1
        if (polls % 100 === 0) throw new Error("database is locked")
        return journal.listDueWork(...query)
      },
    }
  },
  "alert dropped": (journal) => ({
    ...journal,
    commit: (step) => journal.commit({ ...step, alerts: [] }),
  }),
  "event written as another": (journal) => ({
    ...journal,
    commit: (step) =>
      journal.commit(
        step.event.type === "quote.accepted"
          ? {
              ...step,
              event: { ...step.event, body: encodeJson({ type: "work.deferred", reasons: [] }) },
            }
          : step,
      ),
  }),
  "retried without a wait": (journal, { now }) => ({
    ...journal,
    commit: (step) =>
      journal.commit({ ...step, work: step.work && { ...step.work, dueAtMs: now() } }),
  }),
  "absence ends an order": (journal) => ({
    ...journal,
    commit: (step) => journal.commit(isAbsent(step) ? giveUp(step) : step),
  }),
  "windows by the machine's clock": (journal) => ({
    ...journal,
    readFlag: (key) => (key === "limits/clock" ? null : journal.readFlag(key)),
  }),
  "allowance lock not reserved": (journal) => ({
    ...journal,
    commit: (step) =>
      journal.commit({
        ...step,
        reserve: step.reserve.filter((name) => !name.startsWith("lock/")),
      }),
  }),
  "far deadline locks": (journal) => ({
    ...journal,
    commit: (step) =>
      journal.commit({
        ...step,
        order: withData(step.order, (data) => ({
          ...data,
          sendUntilMs:
            data.sendUntilMs === null
              ? null
              : data.createdAt + 2 * data.policy.depositWindowMs - MINUTE_MS,
        })),
      }),
  }),
  "alert raised once for all orders": dropRepeatedAlerts,
  "changed observation counts as unchanged": (journal) => ({
    ...journal,
    commit: (step) => {
      const { cause, work, order, event } = step
      const isSame = journal.findOrder(order.id)?.state === order.state
      if (event.type !== "order.observed" || !isSame || cause === null || work === null)
        journal.commit(step)
      else journal.restWork(cause, work.dueAtMs, step.order.updatedAtMs)
    },
  }),
  "pause of a rule or chain unread": (journal) => ({
    ...journal,
    readFlag: (key) => (key.startsWith("pause/") ? null : journal.readFlag(key)),
  }),
} as const satisfies Readonly<Record<string, (journal: Journal, deps: JournalPlantDeps) => Journal>>

export type JournalBug = keyof typeof JOURNAL_BUGS

/** Observations without a due time of their own: only a head would wake the order. */
function parkObservations(journal: Journal): Journal["restWork"] {
  return (id, dueAtMs, atMs) => {
    const row = journal
      .listDueWork(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      .find((each) => each.id === id)
    const isObservation = row?.body.includes('"observeOrder"') === true
    journal.restWork(id, isObservation ? atMs + PARKED_MS : dueAtMs, atMs)
  }
}

const PARKED_MS = 7 * 24 * 3_600_000

/**
 * Bugs that store other rows than the machine produced. Checkers must find them without comparing
 * rows.
 */
export const ROW_REWRITERS: readonly JournalBug[] = [
  "in-doubt record expires",
  "approval not bound to its intent",
  "absence ends an order",
  "far deadline locks",
]

const MINUTE_MS = 60_000

/** One look that does not show a deposit is taken for a proof. */
function isAbsent({ order, event }: StepRow): boolean {
  return /^deposit-(sending|confirming)$/.test(order.state) && event.type === "transaction.unseen"
}

/** Only the first order with a reason gets its alert. */
function dropRepeatedAlerts(journal: Journal): Journal {
  const raised = new Set<string>()
  return {
    ...journal,
    commit: (step) => {
      const alerts = step.alerts.filter(({ code }) => raised.size === raised.add(code).size - 1)
      journal.commit({ ...step, alerts })
    },
  }
}

const EXPIRES_AFTER_MS = 5_000

function isInDoubt({ order, event }: StepRow): boolean {
  if (!["deposit-sending", "gasless-confirming"].includes(order.state)) return false
  return event.atMs - decodeOrder(order.snapshot).data.stateSince > EXPIRES_AFTER_MS
}

function giveUp(step: StepRow): StepRow {
  const order = withState({ ...step.order, outcome: "rejected" }, "rejected")
  return { ...step, order, work: null, release: "all" }
}

/** After one approved order, all later orders skip approval. */
function approveForAll(journal: Journal): Journal {
  let isApproved = false
  const commit: Journal["commit"] = (step) => {
    const { order, event } = step
    const known = isApproved
    isApproved ||= event.type === "operator.approved"
    if (!known || event.type !== "deposit.verified" || order.state !== "awaiting-approval")
      return journal.commit(step)
    const work = { body: encodeJson({ kind: "checkAllowance" }), dueAtMs: event.atMs }
    journal.commit({ ...step, order: withState(order, "allowing"), work })
  }
  return { ...journal, commit }
}

/**
 * Identifies occurrences by wall clock time: after a clock change, the occurrences of the last
 * hours are due again.
 */
function fireTwice(journal: Journal, { now, rules }: JournalPlantDeps): Journal {
  const zoneOf = (id: string): string =>
    rules.find((rule) => id.startsWith(`${rule.id}@`))?.timezone ?? "UTC"
  const isKnown = (id: string, settledAtMs: number): boolean =>
    offsetOf(zoneOf(id), settledAtMs) <= offsetOf(zoneOf(id), now())
  const again = (id: string): string => (journal.findOccurrence(id) === null ? id : `${id} again`)
  return {
    ...journal,
    readFlag: (key) => {
      const value = journal.readFlag(key)
      const rule = rules.find(({ id }) => key === `rule/${id}/settled-until`)
      if (rule === undefined || value === null) return value
      const jumpedMs = offsetOf(rule.timezone, now() - HOUR_MS) - offsetOf(rule.timezone, now())
      return jumpedMs > 0 ? String(Number(value) - jumpedMs) : value
    },
    findDecision: (id) =>
      journal.findOccurrence(`${id} again`) === null ? journal.findDecision(id) : null,
    findOccurrence: (id) => {
      const known = journal.findOccurrence(id)
      if (known !== null && isKnown(id, known.settledAtMs)) return known
      return journal.findOccurrence(`${id} again`)
    },
    openOrder: (order, event, work, occurrence, decisions) =>
      journal.openOrder(
        order,
        event,
        work,
        occurrence && { ...occurrence, id: again(occurrence.id) },
        decisions,
      ),
    settleOccurrence: (occurrence, ...rest) =>
      journal.settleOccurrence({ ...occurrence, id: again(occurrence.id) }, ...rest),
  }
}

const HOUR_MS = 3_600_000

function offsetOf(timeZone: string, atMs: number): number {
  const wall = new Date(
    new Date(atMs).toLocaleString("sv-SE", { timeZone }).replace(" ", "T").concat("Z"),
  )
  return wall.getTime() - (atMs - (atMs % 1_000))
}

function withState(row: OrderRow, state: StateName): OrderRow {
  return { ...row, state, snapshot: encodeOrder({ ...decodeOrder(row.snapshot), state }) }
}

function withData(row: OrderRow, change: (data: OrderData) => OrderData): OrderRow {
  const order = decodeOrder(row.snapshot)
  return { ...row, snapshot: encodeOrder({ ...order, data: change(order.data) }) }
}
