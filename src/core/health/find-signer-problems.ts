import type { Reason } from "#domain/reason.ts"
import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { Readings, SignerReading } from "./readings.ts"

/**
 * The alarm of a signer process that gives no answer; `null` while it answers, and for a short
 * silence. Pure.
 */
export function judgeSignerAnswers(
  signer: SignerReading | undefined,
  silentAfterMs: number,
  nowMs: number,
): Reason | null {
  if (signer === undefined || nowMs - signer.sinceMs < silentAfterMs) return null
  const span = formatSpan(nowMs - signer.sinceMs)
  return {
    code: "signer.down",
    message: `The signer has not answered for ${span}: ${signer.error}`,
  }
}

/** A signer process that gives no answer. Pure. */
export function findSignerProblems(
  { signer, nowMs }: Readings,
  silentAfterMs: number,
): readonly Problem[] {
  const alarm = judgeSignerAnswers(signer, silentAfterMs, nowMs)
  if (alarm === null) return []
  const todo =
    "Read the signer's log, and let its supervisor start it again; the daemon starts only " +
    "its own signer."
  return [
    problem({
      level: "trouble",
      code: alarm.code,
      sentence: alarm.message,
      todo,
      needsPerson: true,
    }),
  ]
}
