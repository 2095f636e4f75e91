import { type BigIntStats, statSync } from "node:fs"

/** `deleted`, `replaced`: SQLite goes on in a file that no path leads to, and that ends with us. */
type DatabasePlace = "in_place" | "deleted" | "replaced"

/**
 * The database and its write-ahead log: without either one the next start lacks the last steps. A
 * program that makes the index of the log anew takes itself for the only reader, and at its end it
 * deletes the log (www.sqlite.org/walformat.html, 2.2).
 */
const ENDINGS = ["", "-wal", "-shm"]

/**
 * Remembers the files of an open database, and returns the function that looks whether their
 * paths still lead to them. Throws the error of the operating system for a folder that refuses.
 */
export function rememberPlace(file: string): () => DatabasePlace {
  const known = ENDINGS.map((ending) => {
    const path = `${file}${ending}`
    return { path, at: readStats(path) }
  })
  return () => {
    const moved = known.flatMap(({ path, at }) => {
      const now = readStats(path)
      if (now === undefined) return at === undefined ? [] : ["deleted" as const]
      return at === undefined || isSame(now, at) ? [] : ["replaced" as const]
    })
    return moved[0] ?? "in_place"
  }
}

function readStats(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}
