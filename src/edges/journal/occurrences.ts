import { AppError } from "#lib/app-error.ts"
import type { Occurrence, SettledOccurrence } from "#ports/journal/decisions.ts"
import { type All, type Run, textOrNull, toText } from "./row.ts"

/** The ids begin with the rule and sort by time, so the primary key finds the newest ones. */
export function listOccurrences(
  all: All,
  rule: string,
  limit: number,
): readonly SettledOccurrence[] {
  const rows = all(
    `select id, at, order_id, decision from occurrences
     where id > ?1 || '@' and id < ?1 || 'A' and rule = ?1
     order by id desc limit ?2`,
    rule,
    limit,
  )
  return rows.map((row) => ({
    id: toText(row["id"]),
    atMs: Number(row["at"]),
    orderId: textOrNull(row["order_id"]),
    reasons: textOrNull(row["decision"]),
  }))
}

/**
 * Settles an occurrence. Throws `journal.occurrence_taken` (refused) when it was settled before.
 */
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
