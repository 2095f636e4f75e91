import { readableAt } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { Readings } from "./readings.ts"

/** A journal that lost its files on disk. Pure. */
export function findJournalProblems({ lostJournal }: Readings): readonly Problem[] {
  if (lostJournal === undefined) return []
  const { file, place, sinceMs, savedTo, savedMs, error } = lostJournal
  const how = place === "deleted" ? "deleted, or cut to nothing," : place
  const lost = `The journal ${file} was ${how} under the running daemon`
  const sentence = `${lost}, seen ${readableAt(sinceMs)}; no new work begins`
  const isSaved = savedTo !== null && savedMs !== null
  const copy = isSaved
    ? `A complete copy is at ${savedTo}, of ${readableAt(savedMs)}, and a last one follows when ` +
      `the daemon stops. Stop it, remove ${file}-wal and ${file}-shm, put the copy in the ` +
      "journal's place, and start it."
    : `No copy could be written yet (${error ?? "the first one is under way"}). Do not end the ` +
      "daemon before: make space and a writable folder there; it tries again by itself."
  return [
    problem({
      level: "trouble",
      code: `journal.${place}`,
      sentence,
      todo: copy,
      command: isSaved ? `mv ${savedTo} ${file}` : null,
      meaning: "Only this process knows the last steps of the orders; its end loses them.",
      needsPerson: true,
    }),
  ]
}
