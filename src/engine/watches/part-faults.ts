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

/** The part works again, or has ended. */
export function forgetFault({ memory }: Remembering<"faults">, part: string): void {
  memory.faults.delete(part)
}

const MOST_KEPT = 100
const MOST_WORDS = 300
