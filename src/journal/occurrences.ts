import { AppError } from "#lib/app-error.ts"
import type { Occurrence } from "./port.ts"
import type { Run } from "./row.ts"

/** Settles an occurrence. Throws `journal.occurrence_taken` (refused) when it was settled before. */
export function insertOccurrence(
  run: Run,
  occurrence: Occurrence,
  orderId: string | null,
  decision: string | null,
  settledAtMs: number,
): void {
  const inserted = run(
    "insert into occurrences values (?, ?, ?, ?, ?, ?) on conflict do nothing",
    occurrence.id,
    occurrence.rule,
    occurrence.atMs,
    orderId,
    decision,
    settledAtMs,
  )
  if (inserted === 1) return
  throw new AppError({
    code: "journal.occurrence_taken",
    disposition: "refused",
    message: "This scheduled occurrence was settled before",
    details: { occurrence: occurrence.id },
  })
}
