import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { StartReading } from "#health/readings.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { isSameProcess, processStartOf, replaceFile } from "./runtime-file.ts"

/** The step of a start that answers no command yet. */
export type StartNote = {
  /** The start goes on to this step. */
  readonly begin: (step: StartReading["step"]) => void
  /** The step waits, because of this error. */
  readonly waits: (error: Error) => void
  /** The start has ended, well or not. */
  readonly end: () => void
}

const FILE = "starting.json"
/** A usual start is over before. */
const PATIENCE_MS = 3_000
const TURN_MS = 1_000

type Stored = StartReading & { readonly pidStart: string | null }

/**
 * Keeps the step of a start that lasts in data_dir, so that `status` shows it while no socket is
 * there, and logs it.
 */
export function openStartNote(
  dataDir: string,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Logger, "warn"> },
): StartNote {
  const ended = new AbortController()
  const path = join(dataDir, FILE)
  const pidStart = processStartOf(process.pid)
  let now: StartReading = { pid: process.pid, step: "signer", sinceMs: clock.now(), error: null }
  let told = ""

  function tell(): void {
    if (clock.now() - now.sinceMs < PATIENCE_MS) return
    const said = `${now.step} ${now.error}`
    if (said === told) return
    told = said
    log.warn({ step: now.step, reason: now.error }, "The start still waits for this step")
    keep()
  }

  function keep(): void {
    try {
      replaceFile(path, JSON.stringify({ ...now, pidStart } satisfies Stored))
    } catch {
      // The log has it; a disk that takes nothing ends the start with its own error.
    }
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(TURN_MS, ended.signal)
      if (!ended.signal.aborted) tell()
    }
  }

  void run()
  return {
    begin: (step) => {
      now = { ...now, step, sinceMs: clock.now(), error: null }
    },
    waits: ({ message }) => {
      now = { ...now, error: message }
    },
    end: () => {
      ended.abort()
      rmSync(path, { force: true })
    },
  }
}

/** The start that runs now and lasts; `null` without one. */
export function readStartNote(dataDir: string): StartReading | null {
  try {
    // CAST: `openStartNote` wrote it; a file in a closed directory has no other writer.
    const { pidStart, ...note } = JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as Stored
    return isSameProcess({ pid: note.pid, pidStart }) ? note : null
  } catch {
    return null
  }
}
