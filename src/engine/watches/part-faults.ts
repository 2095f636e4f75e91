import type { Clocked, Remembering } from "../context.ts"

type Noting = Clocked & Remembering<"faults">

/** A part of the daemon failed, and tries again. `part`: its name, such as `rules`. */
export function noteFault({ memory, clock }: Noting, part: string, error: unknown): void {
  const known = memory.faults.get(part)
  const nowMs = clock.now()
  if (known === undefined && memory.faults.size >= MOST_KEPT) return
  const words = error instanceof Error ? error.message : String(error)
  memory.faults.set(part, {
    sinceMs: known?.sinceMs ?? nowMs,
    times: (known?.times ?? 0) + 1,
    error: words.replace(/\s+/g, " ").slice(0, MOST_WORDS),
  })
}

/**
 * Strangers knock at a port: nothing works again when they stop, so a row of them ends by itself
 * after a quiet minute.
 */
export function noteStranger(noting: Noting, part: string, words: string): void {
  const { faults } = noting.memory
  const nowMs = noting.clock.now()
  if (nowMs - (faults.get(part)?.lastMs ?? nowMs) > QUIET_MS) faults.delete(part)
  noteFault(noting, part, words)
  const noted = faults.get(part)
  if (noted !== undefined) faults.set(part, { ...noted, lastMs: nowMs })
}

/** The part works again, or has ended. */
export function forgetFault({ memory }: Remembering<"faults">, part: string): void {
  memory.faults.delete(part)
}

const QUIET_MS = 60_000
const MOST_KEPT = 100
const MOST_WORDS = 300
