import type { DeliveryState } from "./delivery-state.ts"

/**
 * Notes that a person knows the open alert with this id, or all of them: it is neither repeated nor
 * escalated. Returns the number of alerts. Pure.
 */
export function acknowledgeAlerts(
  state: DeliveryState,
  id: string,
  by: string,
  nowMs: number,
): { readonly state: DeliveryState; readonly count: number } {
  const isMeant = (record: DeliveryState["records"][number]): boolean =>
    record.closedMs === null && record.acknowledged === null && (id === "all" || record.id === id)
  const count = state.records.filter(isMeant).length
  const records = state.records.map((record) =>
    isMeant(record) ? { ...record, acknowledged: { by, atMs: nowMs } } : record,
  )
  return { state: { ...state, records }, count }
}
