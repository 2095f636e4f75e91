import { join } from "node:path"

/** Where the journal of a data directory lies. */
export function journalFile({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, "journal.db")
}
