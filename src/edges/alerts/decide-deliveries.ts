import type { Problem } from "#health/problem.ts"
import type { AlertRecord, Delivery, DeliveryState } from "./delivery-state.ts"
import type { AlertNote, AlertsConfig, MessageReason, Receiver } from "./port.ts"
import { trackAlerts } from "./track-alerts.ts"

/** A message that cannot be delivered for this long is given up. */
export const GIVE_UP_MS = 24 * 3_600_000
/** A receiver that is away for days must not fill the journal. */
const MOST_WAITING = 200

/**
 * Brings the alerts up to date with the problems, and makes the messages that are due: new alerts,
 * repeats, escalations and ends. Alerts of one kind share a message. Pure: the same state and time
 * give the same messages, so a restart neither forgets nor repeats one.
 */
export function decideDeliveries(
  state: DeliveryState,
  problems: readonly Problem[],
  config: AlertsConfig,
  nowMs: number,
): DeliveryState {
  const tracked: DeliveryState = { ...state, records: trackAlerts(state.records, problems, nowMs) }
  const escalated = queueEscalations(dropStale(tracked, config, nowMs), config, nowMs)
  const queued = config.receivers.reduce(
    (known, receiver) => queueFor(known, receiver, config, nowMs),
    escalated,
  )
  return { ...queued, records: queued.records.filter((record) => isKept(record, config, nowMs)) }
}

/** Without its receiver a message has no place to go; without an end in sight it is given up. */
function dropStale(
  state: DeliveryState,
  { receivers }: AlertsConfig,
  nowMs: number,
): DeliveryState {
  const names = receivers.map(({ name }) => name)
  const deliveries = state.deliveries.filter(
    ({ receiver, createdMs }) => names.includes(receiver) && nowMs - createdMs < GIVE_UP_MS,
  )
  return { ...state, deliveries: deliveries.slice(-MOST_WAITING) }
}

function queueEscalations(
  state: DeliveryState,
  config: AlertsConfig,
  nowMs: number,
): DeliveryState {
  const { escalateAfterMs, escalateTo } = config
  if (escalateAfterMs === null || escalateTo.length === 0) return state
  const due = state.records.filter(
    (record) =>
      isUnanswered(record) &&
      record.escalatedMs === null &&
      (record.level === "trouble" || record.needsPerson) &&
      nowMs - record.openedMs >= escalateAfterMs,
  )
  const marked = change(state, due, (record) => ({ ...record, escalatedMs: nowMs }))
  const targets = config.receivers.filter(({ name }) => escalateTo.includes(name))
  return targets.reduce((known, target) => queue(known, target, "escalation", due, nowMs), marked)
}

function queueFor(
  state: DeliveryState,
  receiver: Receiver,
  config: AlertsConfig,
  nowMs: number,
): DeliveryState {
  const { groupMs, repeatMs, overAfterMs } = config
  const { name } = receiver
  const news = state.records.filter(
    (record) => isUnanswered(record) && !(name in record.told) && gets(receiver, record),
  )
  const opened = queue(
    state,
    receiver,
    "open",
    listRipe(news, ({ openedMs }) => openedMs, groupMs, nowMs),
    nowMs,
  )
  const lasting = opened.records.filter((record) => {
    const told = record.told[name]
    return told !== undefined && isUnanswered(record) && nowMs - told.atMs >= repeatMs
  })
  const repeated = queue(opened, receiver, "repeat", lasting, nowMs)
  if (!receiver.tellsEnd) return repeated
  const ended = repeated.records.filter(
    ({ told, closedMs }) => closedMs !== null && told[name]?.isEndTold === false,
  )
  return queue(
    repeated,
    receiver,
    "over",
    listRipe(ended, ({ closedMs }) => closedMs ?? nowMs, overAfterMs, nowMs),
    nowMs,
  )
}

/** Open, and not acknowledged. */
function isUnanswered({ closedMs, acknowledged }: AlertRecord): boolean {
  return closedMs === null && acknowledged === null
}

function gets({ least }: Receiver, { level }: AlertRecord): boolean {
  return least === "attention" || (least === "trouble" && level === "trouble")
}

/** All alerts of each kind whose oldest one has waited long enough. */
function listRipe(
  records: readonly AlertRecord[],
  sinceOf: (record: AlertRecord) => number,
  waitMs: number,
  nowMs: number,
): readonly AlertRecord[] {
  const ripe = new Set(
    records.filter((record) => nowMs - sinceOf(record) >= waitMs).map(({ kind }) => kind),
  )
  return records.filter(({ kind }) => ripe.has(kind))
}

/** One message for each kind, and a note on each alert that its receiver is told. */
function queue(
  state: DeliveryState,
  { name }: Receiver,
  reason: MessageReason,
  records: readonly AlertRecord[],
  nowMs: number,
): DeliveryState {
  const kinds = [...new Set(records.map(({ kind }) => kind))]
  const made = kinds.map(
    (kind, index): Delivery => ({
      id: `ballast-${state.nextId + index}-${name}`,
      receiver: name,
      reason,
      notes: records.filter((record) => record.kind === kind).map(toNote),
      createdMs: nowMs,
      dueMs: nowMs,
      tries: 0,
      error: null,
    }),
  )
  const told = change(state, records, (record) => ({
    ...record,
    told: { ...record.told, [name]: { atMs: nowMs, isEndTold: reason === "over" } },
  }))
  return { ...told, deliveries: [...state.deliveries, ...made], nextId: state.nextId + made.length }
}

function toNote(record: AlertRecord): AlertNote {
  const {
    id,
    kind,
    code,
    level,
    sentence,
    meaning,
    todo,
    command,
    order,
    deadlineMs,
    openedMs,
    closedMs,
  } = record
  return {
    id,
    kind,
    code,
    level,
    sentence,
    meaning,
    todo,
    command,
    order,
    deadlineMs,
    openedMs,
    closedMs,
  }
}

function change(
  state: DeliveryState,
  changed: readonly AlertRecord[],
  update: (record: AlertRecord) => AlertRecord,
): DeliveryState {
  const keys = new Set(changed.map(({ key }) => key))
  return {
    ...state,
    records: state.records.map((record) => (keys.has(record.key) ? update(record) : record)),
  }
}

/** A closed alert stays while its end is untold, or while its cause may come back. */
function isKept(
  { closedMs, told }: AlertRecord,
  { receivers, overAfterMs }: AlertsConfig,
  nowMs: number,
): boolean {
  if (closedMs === null) return true
  const isUntold = receivers.some(
    ({ name, tellsEnd }) => tellsEnd && told[name]?.isEndTold === false,
  )
  return isUntold || nowMs - closedMs < overAfterMs
}
