import type { Reason } from "#domain/reason.ts"
import type { LostJournalReading } from "#health/readings.ts"
import { findDamageApart } from "#journal/disk/find-damage.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"

/**
 * Sees that the journal's files were deleted or replaced, and saves what this process knows. Reads
 * the whole file soon after the start and once a day: a damaged page may else be found after the
 * backups that still have its content are gone.
 */
export type JournalWatch = {
  readonly run: (signal: AbortSignal) => Promise<void>
  /** `null` while the files are in their place. */
  readonly read: () => LostJournalReading | null
  /** The last copy, when nothing is written any more; does nothing for files in their place. */
  readonly saveLast: () => Promise<void>
}

type Parts = {
  readonly file: string
  readonly journal: Pick<Journal, "findPlace" | "saveTo" | "raiseAlert">
  readonly clock: Clock
  readonly log: Logger
  readonly findDamage?: typeof findDamageApart
}

const CHECK_EVERY_MS = 2_000
/** Redemptions and refunds go on after the loss, and the copy must know them. */
const SAVE_EVERY_MS = 60_000
const READ_EVERY_MS = 24 * 3_600_000
/** Not while the daemon starts: a second connection would make a log anew that is deleted then. */
const READ_AFTER_MS = 10_000

export function createJournalWatch(parts: Parts): JournalWatch {
  const { file, journal, clock, log, findDamage = findDamageApart } = parts
  let lost: LostJournalReading | null = null
  let isPaused = false

  function check(): LostJournalReading | null {
    const place = journal.findPlace()
    if (place === "in_place") {
      isPaused = false
      return null
    }
    const unsaved = { sinceMs: clock.now(), savedTo: null, savedMs: null, error: null }
    // A command that reads a journal without its log makes a new one: that is no second loss.
    const found = lost ?? { file, place, ...unsaved }
    if (!isPaused) isPaused = pause(parts, found)
    return found
  }

  async function readWhole(): Promise<void> {
    try {
      const damage = await findDamage(file)
      if (damage === null) return
      log.error({ err: damage }, "The journal's file is damaged: everything is paused")
      const { code, message } = damage
      journal.raiseAlert(clock.now(), { code, message, file }, "pause")
    } catch (error) {
      log.warn({ err: error }, "The journal's file could not be read as a whole")
    }
  }

  async function save(): Promise<void> {
    if (lost === null) return
    const savedTo = `${file}.saved`
    const copy = await journal.saveTo(savedTo).then(
      () => ({ savedTo, savedMs: clock.now(), error: null }),
      (error: unknown) => ({
        error: toAppError(error, { code: "journal.unsaved", disposition: "transient" }).message,
      }),
    )
    lost = { ...lost, ...copy }
    if (copy.error !== null) log.error({ error: copy.error }, "The journal could not be saved")
  }

  return {
    run: async (signal) => {
      let nextSaveMs = 0
      let nextReadMs = clock.now() + READ_AFTER_MS
      while (!signal.aborted) {
        lost = check()
        if (lost === null && clock.now() >= nextReadMs) {
          nextReadMs = clock.now() + READ_EVERY_MS
          void readWhole()
        }
        if (lost?.savedMs == null) nextSaveMs = 0
        if (lost !== null && clock.now() >= nextSaveMs) {
          await save()
          nextSaveMs = clock.now() + SAVE_EVERY_MS
        }
        await clock.sleep(CHECK_EVERY_MS, signal)
      }
    },
    read: () => lost,
    saveLast: save,
  }
}

/** `false`: the journal refuses it, and the next look tries again. */
function pause(
  { journal, log }: Pick<Parts, "journal" | "log">,
  found: LostJournalReading,
): boolean {
  const reason = describe(found)
  log.error({ reason }, "The journal's file is gone: everything is paused")
  try {
    // The pause is in the copy too, so that the next start does not go on by itself.
    journal.raiseAlert(found.sinceMs, reason, "pause")
    return true
  } catch (error) {
    log.error({ err: error }, "The pause for a lost journal could not be written")
    return false
  }
}

function describe({ file, place }: LostJournalReading): Reason {
  const message = `The journal ${file} was ${place} under the running daemon`
  return { code: `journal.${place}`, message, file }
}
