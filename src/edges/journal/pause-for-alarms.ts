import {
  ALARMS_FLAG,
  decodeAlarms,
  encodePause,
  PAUSE_FLAG,
  type PauseAlarm,
} from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { encodeJson } from "#lib/json.ts"
import { mapOne, type One, type Run, toText } from "./row.ts"

/**
 * Pauses everything as a part of the caller's transaction, and adds the alarms to those that wait
 * for an acknowledgement.
 */
export function pauseForAlarms(
  run: Run,
  one: One,
  alarms: readonly PauseAlarm[],
  atMs: number,
): void {
  const known = decodeAlarms(
    mapOne(one("select value from flags where key = ?", ALARMS_FLAG), (row) =>
      toText(row["value"]),
    ),
  )
  putFlag(run, ALARMS_FLAG, encodeJson([...known, ...alarms]))
  const reason = alarms.map(
    ({ id, code, order, message }) =>
      `alarm ${id}, ${code}${order === null ? "" : ` of order ${order}`}: ${message}`,
  )
  putFlag(run, PAUSE_FLAG, encodePause({ by: "alarm", reason: reason.join("; ") }, atMs))
}

export function putFlag(run: Run, key: string, value: string): void {
  run(
    "insert into flags values (?, ?) on conflict (key) do update set value = excluded.value",
    key,
    value,
  )
}

/** The alert that this transaction stored last. */
export function lastAlarm(
  one: One,
  order: string | null,
  atMs: number,
  { code, message }: Reason,
): PauseAlarm {
  const id = String(one("select last_insert_rowid() as seq")?.["seq"])
  return { id, code, message, order, at: new Date(atMs).toISOString() }
}
