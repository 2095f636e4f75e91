import { decodeJson, encodeJson } from "#lib/json.ts"

/**
 * The flag of a pause of everything, and the flag of the alarms that must be acknowledged before it
 * ends.
 */
export const PAUSE_FLAG = "pause"
export const ALARMS_FLAG = "pause/alarms"

/** The flag of the alarms that must be acknowledged before the pause of one rule ends. */
export function ruleAlarmsFlag(rule: string): string {
  return `pause/alarms/rule/${rule}`
}

/**
 * A pause of everything. `alarms` lists those that `resume` must acknowledge; it is empty for a
 * pause by an operator.
 */
export type Pause = PauseCause & { readonly at: string; readonly alarms: readonly PauseAlarm[] }

export type PauseCause = {
  readonly by: "operator" | "alarm" | "books" | "file" | "signal"
  /** One sentence; `null` if the pause has none. */
  readonly reason: string | null
}

/** `id` is the number of the alert in the journal. */
export type PauseAlarm = {
  readonly id: string
  readonly code: string
  readonly order: string | null
  readonly message: string
  readonly at: string
}

export function readPause(journal: { readFlag: (key: string) => string | null }): Pause | null {
  const text = journal.readFlag(PAUSE_FLAG)
  return text === null
    ? null
    : { ...decodePause(text), alarms: decodeAlarms(journal.readFlag(ALARMS_FLAG)) }
}

export function encodePause({ by, reason }: PauseCause, atMs: number): string {
  return encodeJson({ at: new Date(atMs).toISOString(), by, reason })
}

export function decodeAlarms(text: string | null): readonly PauseAlarm[] {
  // CAST: `pauseForAlarms` wrote it from a list of alarms.
  return text === null ? [] : (decodeJson(text) as readonly PauseAlarm[])
}

/** An operator may also have written any text by hand. */
function decodePause(text: string): Omit<Pause, "alarms"> {
  if (!text.startsWith("{")) return { at: text, by: "operator", reason: null }
  // CAST: `encodePause` wrote it.
  return decodeJson(text) as Omit<Pause, "alarms">
}
