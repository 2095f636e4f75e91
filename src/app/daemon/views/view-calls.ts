import type { CallView } from "#ops/operations.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"

/** The changing requests about one order, chain, rule or asset, newest first. */
export function listCalls(journal: NoticeStore, subject: string): CallView[] {
  return journal
    .listOperatorCalls({ subject, limit: 20 })
    .map(({ atMs, caller, source, action }) => ({
      at: new Date(atMs).toISOString(),
      caller,
      source,
      action,
    }))
}
