import type { AlertsConfig, Parcel, Receiver, SendParcel } from "#alerts/port.ts"
import type { EngineMemory } from "#engine/memory.ts"
import { forgetFault, noteFault } from "#engine/watches/part-faults.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import { findDailyMs } from "./daily.ts"
import { type Change, type ChangeSource, listChanges } from "./list-changes.ts"
import type { EndedRun } from "./list-missed.ts"

type Parts = {
  readonly receivers: () => readonly Receiver[]
  readonly journal: ChangeSource & Pick<Journal, "readFlag" | "noteFlag" | "writeFlag" | "durable">
  readonly listMissed: (sinceMs: number) => readonly EndedRun[]
  readonly daily: () => AlertsConfig["daily"]
  readonly pack: (change: Change) => Parcel
  readonly send: SendParcel
  readonly clock: Clock
  readonly log: Pick<Logger, "warn">
  readonly memory: Pick<EngineMemory, "faults">
}

const TURN_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A step may have a time that is a little older than its place in the journal. */
const SLACK_MS = 60_000
const KEPT_MS = 7 * 24 * 60 * 60_000

/**
 * Sends the changes that a receiver asks for, one after the other, until the signal. The journal
 * keeps how far each receiver is, so one that is down for long misses nothing, and a crash sends
 * the changes of the last minute again, each with the id that it had.
 */
export async function pushChanges(parts: Parts, signal: AbortSignal): Promise<void> {
  const lines = new Map<string, Line>()
  while (!signal.aborted) {
    for (const receiver of parts.receivers()) {
      if (receiver.events.length === 0) continue
      const line = lines.get(receiver.name) ?? openLine(parts, receiver.name)
      lines.set(receiver.name, line)
      if (line.isBusy || parts.clock.now() < line.restUntilMs) continue
      line.isBusy = true
      void pushDue(parts, receiver, line, signal)
        .catch((error: unknown) =>
          parts.log.warn({ receiver: receiver.name, err: error }, "Changes could not be pushed"),
        )
        .finally(() => {
          line.isBusy = false
        })
    }
    await parts.clock.sleep(TURN_MS, signal)
  }
}

/** How far a receiver is. Changes in place. */
type Line = {
  isBusy: boolean
  cursorMs: number
  /** The changes of the last minute that it has, with their times. */
  readonly sent: Map<string, number>
  restUntilMs: number
  failures: number
}

function flagOf(name: string): string {
  return `push/${name}`
}

/** A new receiver gets what happens from now on; one that was away for long, the last week. */
function openLine({ journal, clock }: Parts, name: string): Line {
  const kept = journal.readFlag(flagOf(name))
  const cursorMs = kept === null ? clock.now() : Math.max(Number(kept), clock.now() - KEPT_MS)
  return { isBusy: false, cursorMs, sent: new Map(), restUntilMs: 0, failures: 0 }
}

async function pushDue(
  parts: Parts,
  receiver: Receiver,
  line: Line,
  signal: AbortSignal,
): Promise<void> {
  const { journal, clock } = parts
  const flag = flagOf(receiver.name)
  if (journal.readFlag(flag) === null) journal.noteFlag(flag, String(line.cursorMs))
  // After the clock was set back, new changes have earlier times.
  line.cursorMs = Math.min(line.cursorMs, clock.now())
  const sinceMs = line.cursorMs - SLACK_MS
  const changes = listChanges(journal, receiver.events, sinceMs, parts.listMissed)
  const due = changes.filter(({ id }) => !line.sent.has(id))
  // Nothing of a change leaves the process before the change is on disk.
  if (due.length > 0) await journal.durable()
  for (const change of due) {
    const { id, atMs } = change
    if (signal.aborted || !(await push(parts, receiver, line, change))) return
    line.sent.set(id, atMs)
    line.cursorMs = Math.max(line.cursorMs, atMs)
    journal.noteFlag(flag, String(line.cursorMs))
  }
  for (const [id, atMs] of line.sent) if (atMs < sinceMs) line.sent.delete(id)
  if (receiver.events.includes("daily")) await pushDaily(parts, receiver, line)
}

/** A crash in the moment of sending loses the daily message rather than sending it twice. */
async function pushDaily(parts: Parts, receiver: Receiver, line: Line): Promise<void> {
  const { journal, clock, daily } = parts
  const flag = `daily/${receiver.name}`
  const kept = journal.readFlag(flag)
  if (kept === null) return journal.noteFlag(flag, String(clock.now()))
  const atMs = findDailyMs(daily(), Number(kept), clock.now())
  if (atMs === null) return
  journal.writeFlag(flag, String(atMs))
  await journal.durable()
  const id = `daily.${new Date(atMs).toISOString()}`
  const change = { id, type: "daily.summary", atMs, dailySinceMs: Number(kept) }
  if (!(await push(parts, receiver, line, change))) journal.writeFlag(flag, kept)
}

async function push(
  parts: Parts,
  receiver: Receiver,
  line: Line,
  change: Change,
): Promise<boolean> {
  const { pack, send, clock } = parts
  const sent = await send(receiver, pack(change))
  if (sent.ok) {
    line.failures = 0
    forgetFault(parts, `changes ${receiver.name}`)
  } else {
    noteFault(parts, `changes ${receiver.name}`, sent.error)
    const pauseMs = Math.min(LONGEST_PAUSE_MS, TURN_MS * 2 ** line.failures++)
    line.restUntilMs = clock.now() + Math.max(pauseMs, sent.waitMs ?? 0)
  }
  return sent.ok
}
