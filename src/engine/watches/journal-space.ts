import type { Reason } from "#domain/reason.ts"
import type { Durability } from "#ports/journal/durability.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Clocked, Configured, HasJournal, Remembering } from "../context.ts"
import type { Watch } from "./watch.ts"

const BASE_BYTES = 2 * 1024 * 1024
/**
 * The rows of one order from its told secret to its end take less than half of it
 * (`test/unit/engine/full-disk.test.ts`).
 */
const ORDER_BYTES = 64 * 1024

/** A full disk is asked again this much later. */
const RETRY_MS = 10_000

/**
 * The reason while the journal could not write the redemptions and refunds of all orders in flight
 * on a full disk. Then no further secret is told, and nothing is deposited. Empty where Ballast
 * chooses no secrets: there a full disk only delays.
 */
export function findMissingSpace(context: SpaceContext): readonly Reason[] {
  const { journal, settings, clock, memory } = context
  if (settings.ownSecrets?.keeper == null) return []
  const needed = BASE_BYTES + journal.countInFlight() * ORDER_BYTES
  const { fullDiskAtMs } = memory
  const isRecent = fullDiskAtMs !== null && Math.abs(clock.now() - fullDiskAtMs) < RETRY_MS
  if (!isRecent) memory.fullDiskAtMs = journal.keepSpace(needed) ? null : clock.now()
  if (memory.fullDiskAtMs === null) return []
  const message =
    "The disk of data_dir is full: what the journal has left is kept for redemptions and " +
    "refunds, so nothing is deposited and no secret is told; free some space"
  return [{ code: "secret.no_space", message, neededBytes: String(needed) }]
}

/**
 * Asks also without any order: a disk that fills later must not take the space from an order that a
 * restart found.
 */
export function createSpaceWatch(context: SpaceContext): Watch {
  return {
    name: "journal space",
    everyMs: 1_000,
    run: async () => {
      findMissingSpace(context)
    },
  }
}

type SpaceContext = HasJournal<Durability & OrderSums> & Configured & Clocked & Remembering
