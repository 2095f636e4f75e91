import type { Durability } from "#ports/journal/durability.ts"
import type { One } from "../row.ts"
import type { Group } from "./group-commit.ts"
import type { Replication } from "./replicate-groups.ts"
import type { Disk } from "./share-syncs.ts"

/** On this machine's disk, and in the log. A commit begins both, so neither waits for the other. */
export function durability(
  steps: Group,
  disk: Disk,
  replication: Replication | null,
  one: One,
): Omit<Durability, "keepSpace" | "close" | "findPlace" | "saveTo"> {
  const isPendingHere = (): boolean => steps.isPending() || disk.isBusy()
  const durableHere = (): Promise<void> =>
    steps.isPending() ? steps.committed().then(disk.settled) : disk.settled()
  const areDecisionsDurable = (orderOrHash: string): boolean | null => {
    const sql =
      "select max(rowid) as last from secret_decisions where order_id = ? or secret_hash = ?"
    const last = one(sql, orderOrHash, orderOrHash)?.["last"] ?? null
    if (last === null) return null
    return replication === null ? !isPendingHere() : Number(last) <= replication.deliveredDecision()
  }
  const noteAcknowledged = (): void => {
    // An open group takes the acknowledgement along.
    if (steps.isPending()) return
    try {
      if (replication?.note() === true) disk.want()
    } catch {
      // A disk that refuses this refuses the next group too, which tells of it.
    }
  }
  const here = {
    durableHere,
    isPendingHere,
    countRefused: steps.countRefused,
    lastRefusal: steps.lastRefusal,
    areDecisionsDurable,
    noteAcknowledged,
  }
  if (replication === null) return { ...here, durable: durableHere, isPending: isPendingHere }
  return {
    ...here,
    durable: async () => {
      await steps.committed()
      await Promise.all([durableHere(), replication.delivered()])
    },
    isPending: () => isPendingHere() || replication.isDelivering(),
  }
}
