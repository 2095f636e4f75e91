import { listStandbys, type Standby } from "#cluster/members.ts"
import type { ClusterDatabase } from "#cluster/open-cluster-database.ts"
import type { ClusterReading } from "#health/readings.ts"
import type { Clock } from "#lib/clock.ts"
import { advisePostgres } from "#nodes/advise-postgres.ts"

type Known = Pick<ClusterReading, "role" | "holder" | "epoch" | "seq">

/**
 * What this member knows of its cluster. It decides nothing: only the lease in the database does.
 */
export type ClusterWatch = {
  readonly read: () => ClusterReading
  /** PostgreSQL answered. */
  readonly heard: (known: Partial<Known>) => void
  /** PostgreSQL did not answer, or refused. */
  readonly failed: (error: unknown) => void
  /** Reads the standbys that follow the log. Throws `cluster.unreachable`. */
  readonly watchStandbys: (
    database: ClusterDatabase,
    treasury: string,
  ) => Promise<readonly Standby[]>
}

export function createClusterWatch(clock: Clock): ClusterWatch {
  let state: Known = { role: "standby", holder: null, epoch: null, seq: null }
  let standbys: readonly Standby[] = []
  let answeredMs = clock.now()
  let standbySeenMs = clock.now()
  let error: string | null = null
  return {
    read: () => ({
      ...state,
      standbys,
      answeredMs,
      error,
      ...(error === null ? {} : { advice: advisePostgres(error) }),
      aloneSinceMs: standbys.length > 0 ? null : standbySeenMs,
    }),
    heard: (known) => {
      state = { ...state, ...known }
      answeredMs = clock.now()
      error = null
    },
    failed: (cause) => {
      error = cause instanceof Error ? cause.message : String(cause)
    },
    watchStandbys: async (database, treasury) => {
      standbys = await listStandbys(database, treasury)
      if (standbys.length > 0) standbySeenMs = clock.now()
      return standbys
    },
  }
}
