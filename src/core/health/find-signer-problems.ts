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
  const message = isOfRecord(signer)
    ? `The signer answers, and ${signer.error}, ${span} ago`
    : `The signer has not answered for ${span}: ${signer.error}`
  return { code: "signer.down", message }
}

/** A signer process that gives no answer. Pure. */
export function findSignerProblems(
  { signer, nowMs }: Readings,
  silentAfterMs: number,
): readonly Problem[] {
  const alarm = judgeSignerAnswers(signer, silentAfterMs, nowMs)
  if (alarm === null) return []
  const isLost = signer !== undefined && isOfRecord(signer)
  const todo = isLost
    ? "Restart the signer, which the daemon does for its own: the record is made anew, and the " +
      "daemon fills it from the journal. Find out who moved the file first."
    : "Read the signer's log, and let its supervisor start it again; the daemon starts only " +
      "its own signer."
  return [
    problem({
      level: "trouble",
      code: alarm.code,
      sentence: alarm.message,
      todo,
      ...(isLost ? { meaning: RECORD_LOST } : {}),
      needsPerson: true,
    }),
  ]
}

/** The signer answers, and its record is gone. */
function isOfRecord({ error }: SignerReading): boolean {
  return /^the signer's record .* under the running signer$/.test(error)
}

const RECORD_LOST =
  "Signatures go on. What only this record knows, such as those of an older journal, ends with it."
