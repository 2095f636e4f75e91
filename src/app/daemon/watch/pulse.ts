import type { Clocked, Remembering } from "#engine/context.ts"
import { forgetFault, noteFault } from "#engine/watches/part-faults.ts"

/** Until the signal. */
export type Pulse = { readonly run: (signal: AbortSignal) => Promise<void> }

/** The name of the event loop among the parts that fail. */
const PART = "event loop"
const BEAT_MS = 250
const SPAN_MS = 10_000

/**
 * Notes when the event loop stands still for most of the time: the machine gives the process too
 * little of its processor, or something stops it again and again. The watchdog sees only one long
 * stall. A suspended machine is no fault.
 */
export function createPulse({ memory, clock }: Clocked & Remembering<"faults">): Pulse {
  return {
    run: async (signal) => {
      let beats = 0
      let startMs = clock.now()
      while (!signal.aborted) {
        await clock.sleep(BEAT_MS, signal)
        beats += 1
        const passedMs = clock.now() - startMs
        if (passedMs >= 0 && passedMs < SPAN_MS) continue
        const lostMs = passedMs - beats * BEAT_MS
        const isStill = lostMs > passedMs / 2 && passedMs < 2 * SPAN_MS
        if (isStill) noteFault({ memory, clock }, PART, describeLoss(lostMs, passedMs))
        else forgetFault({ memory }, PART)
        beats = 0
        startMs = clock.now()
      }
    },
  }
}

function describeLoss(lostMs: number, passedMs: number): string {
  return `it stood still for ${seconds(lostMs)} of the last ${seconds(passedMs)} seconds`
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
