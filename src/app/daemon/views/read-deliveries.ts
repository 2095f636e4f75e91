import { type DeliveryState, NO_DELIVERIES } from "#alerts/delivery-state.ts"
import { decodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"

export const ALERTS_FLAG = "alerts/deliveries"

/** The alerts that people were told, and the messages that wait. */
export function readDeliveryState(journal: Pick<Journal, "readFlag">): DeliveryState {
  const text = journal.readFlag(ALERTS_FLAG)
  // CAST: `createAlerting` wrote it.
  return text === null ? NO_DELIVERIES : (decodeJson(text) as DeliveryState)
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
