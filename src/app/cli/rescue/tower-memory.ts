import { closeSync, existsSync, fsyncSync, openSync } from "node:fs"
import { AppError } from "#lib/app-error.ts"
import type { TowerMemory } from "#tower/watch-orders.ts"

/**
 * An empty file beside the rescue file tells a restarted tower that its redemption, and with it the
 * secret, may be public. `noteSent` throws `tower.memory` (hold) if it cannot be written, before
 * anything is sent.
 */
export function openMemory(file: string): TowerMemory {
  return {
    hasSent: () => existsSync(file),
    noteSent() {
      if (existsSync(file)) return
      try {
        const opened = openSync(file, "a", 0o600)
        fsyncSync(opened)
        closeSync(opened)
      } catch (cause) {
        const message = `${file} cannot be written, so nothing is sent: make its folder writable`
        throw new AppError({ code: "tower.memory", disposition: "hold", message, cause })
      }
    },
  }
}
