import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { DeathsReading } from "#health/readings.ts"
import { replaceFile } from "../start/runtime-file.ts"

/** The times of the starts since the last end in order, the newest last. */
const FILE = "starts.json"
/** Starts further apart than this are no row: the second one is that of a person. */
const ROW_MS = 15 * 60_000
const MOST_KEPT = 50

/**
 * Remembers this start. A start before it that has not ended in order was cut off: killed, by the
 * kernel for its memory, or by an error of the program.
 */
export function noteStart(dataDir: string, nowMs: number): void {
  const row = readStarts(dataDir).filter((atMs) => isNear(atMs, nowMs))
  try {
    replaceFile(join(dataDir, FILE), JSON.stringify([...row, nowMs].slice(-MOST_KEPT)))
  } catch {
    // A disk that takes nothing has a problem of its own.
  }
}

/** The daemon has ended in order, so that its next start is one of a person. */
export function forgetStarts(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true })
}

/** The starts of the last minutes that were cut off; `null` without one. */
export function readDeaths(dataDir: string, nowMs: number): DeathsReading | null {
  const [sinceMs, ...others] = readStarts(dataDir)
  const lastMs = others.at(-1)
  if (sinceMs === undefined || lastMs === undefined) return null
  return isNear(lastMs, nowMs) ? { times: others.length, sinceMs, lastMs } : null
}

function isNear(atMs: number, nowMs: number): boolean {
  return nowMs >= atMs && nowMs - atMs <= ROW_MS
}

function readStarts(dataDir: string): readonly number[] {
  try {
    // CAST: `noteStart` wrote it; a file in a closed directory has no other writer.
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as readonly number[]
  } catch {
    return []
  }
}
