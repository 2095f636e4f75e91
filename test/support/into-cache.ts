import { existsSync, renameSync } from "node:fs"

/**
 * Moves a finished folder into the cache, so that a killed run leaves none. Tests run side by side:
 * whoever comes second keeps the folder of the first.
 */
export function keepInCache(work: string, folder: string): void {
  try {
    renameSync(work, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}
