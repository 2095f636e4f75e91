import { join } from "node:path"

/** The path of the journal in a data directory. */
export function journalFile({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, "journal.db")
}
