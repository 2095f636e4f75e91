import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"

const FOLDER = join(import.meta.dirname, "../fixtures/journal-0.1")

/** Only `crafted-closing` holds a row that no run wrote; the folder's README says why. */
export const OLD_JOURNALS: readonly string[] = globSync("*.sql.gz", { cwd: FOLDER })
  .map((file) => basename(file, ".sql.gz"))
  .sort()

/** One order of a journal as Ballast 0.1 showed it and moved it on. */
export type OldOrder = {
  readonly journal: string
  readonly id: string
  readonly state: string
  /**
   * By event: the next state and the delay of its work in ms (`-` without work); `null` where 0.1
   * ignored the event.
   */
  readonly next: Readonly<Record<string, string | null>>
  /** `viewOrder` without `money` and `who`, which are prose. */
  readonly view: Readonly<Record<string, unknown>>
}

export function readOldOrders(): readonly OldOrder[] {
  // CAST: written with the journals, and never changed.
  return JSON.parse(gunzip("expected.json.gz")) as OldOrder[]
}

/** Writes the journal as a database to `file`, just as Ballast 0.1 left it. */
export function restoreOldJournal(name: string, file: string): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  db.exec(`begin; ${gunzip(`${name}.sql.gz`)}; commit`)
  db.close()
}

function gunzip(file: string): string {
  return gunzipSync(readFileSync(join(FOLDER, file))).toString()
}
