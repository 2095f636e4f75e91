import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { Readings } from "./readings.ts"

/** A reader that is only slow is no news. */
const LASTING_MS = 10_000

const REMEDIES: Readonly<Record<string, string>> = {
  EAGAIN: "Let the reader of the daemon's output go on: a stopped `tee`, or the log collector.",
  EPIPE: "The reader of the daemon's output has ended: restart the daemon with a log that lasts.",
  ENOSPC: "Free some space on the disk of the log; the daemon then goes on writing by itself.",
}

/** A log that takes no lines: the daemon works, and says so here. Pure. */
export function findLogProblems({ stuckLog, nowMs }: Readings): readonly Problem[] {
  if (stuckLog === undefined || nowMs - stuckLog.sinceMs < LASTING_MS) return []
  const { sinceMs, lost, error } = stuckLog
  const sentence =
    `The daemon's log has taken no lines for ${formatSpan(nowMs - sinceMs)} (${error}); ` +
    `${lost} lines are lost`
  return [
    problem({
      level: "attention",
      code: "log.stuck",
      sentence,
      todo: REMEDIES[error] ?? "Repair the place of the daemon's log.",
      meaning: "No money is at risk. The log will not show what happens now; the journal does.",
      needsPerson: true,
    }),
  ]
}
