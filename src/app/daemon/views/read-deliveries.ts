import { type DeliveryState, NO_DELIVERIES } from "#alerts/delivery-state.ts"
import type { Config } from "#config/config.ts"
import type { Readings } from "#health/readings.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"

export const ALERTS_FLAG = "alerts/deliveries"

/** The alerts that people were told, and the messages that wait. */
export function readDeliveryState(journal: Pick<Journal, "readFlag">): DeliveryState {
  const text = journal.readFlag(ALERTS_FLAG)
  // CAST: `createAlerting` wrote it.
  return text === null ? NO_DELIVERIES : (decodeJson(text) as DeliveryState)
}

const HEARTBEAT_FLAG = "alerts/heartbeat"

/** Since when the heartbeat does not arrive; `null` while it does. */
type HeartbeatFailure = { readonly failingSinceMs: number; readonly error: string }

function readHeartbeat(journal: Pick<Journal, "readFlag">): HeartbeatFailure | null {
  const text = journal.readFlag(HEARTBEAT_FLAG)
  // CAST: `noteHeartbeat` wrote it.
  return text === null ? null : (decodeJson(text) as HeartbeatFailure | null)
}

/** Keeps the time of the first failure in a row. */
export function noteHeartbeat(
  journal: Pick<Journal, "readFlag" | "noteFlag">,
  error: string | null,
  nowMs: number,
): void {
  const known = readHeartbeat(journal)
  if (error === (known?.error ?? null)) return
  const failure = error === null ? null : { failingSinceMs: known?.failingSinceMs ?? nowMs, error }
  journal.noteFlag(HEARTBEAT_FLAG, encodeJson(failure))
}

/** The receivers of alerts, and the one of the heartbeat, with the failures of their messages. */
export function readReceivers(
  journal: Pick<Journal, "readFlag">,
  config: Pick<Config, "alerts"> | null,
): NonNullable<Readings["receivers"]> {
  const known = readDeliveryState(journal).receivers
  const heartbeat = config?.alerts.heartbeat ? readHeartbeat(journal) : null
  const receivers = (config?.alerts.receivers ?? []).map(({ name }) => {
    const { failingSinceMs = null, error = null } = known[name] ?? {}
    return { name, failingSinceMs, error }
  })
  return heartbeat === null ? receivers : [...receivers, { name: null, ...heartbeat }]
}

/** The open alerts and the receivers, for the HTTP interface and commands. Times are ISO 8601. */
export function viewDeliveries(
  state: DeliveryState,
  receivers: readonly { readonly name: string; readonly kind: string }[],
) {
  const timeOf = (ms: number | null): string | null =>
    ms === null ? null : new Date(ms).toISOString()
  return {
    open: state.records
      .filter(({ closedMs }) => closedMs === null)
      .map(({ id, kind, code, level, sentence, order, openedMs, acknowledged, escalatedMs }) => ({
        id,
        kind,
        code,
        level,
        sentence,
        order,
        opened: timeOf(openedMs),
        acknowledgedBy: acknowledged?.by ?? null,
        escalated: timeOf(escalatedMs),
      })),
    receivers: receivers.map(({ name, kind }) => {
      const known = state.receivers[name]
      const waiting = state.deliveries.filter((one) => one.receiver === name).length
      return {
        name,
        kind,
        waiting,
        delivered: timeOf(known?.deliveredMs ?? null),
        error: known?.error ?? null,
      }
    }),
  }
}
