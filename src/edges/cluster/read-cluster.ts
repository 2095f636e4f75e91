import { listStandbys, type Standby } from "./members.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/**
 * The state of a treasury's cluster, as PostgreSQL has it. `leftMs` is zero or less when the lease
 * is free.
 */
export type ClusterState = {
  readonly lease: {
    readonly holder: string
    readonly epoch: number
    readonly leftMs: number
  } | null
  /**
   * The last group of the log, or of the snapshot when the log has none after it; `null` before the
   * first leader.
   */
  readonly seq: number | null
  readonly snapshot: { readonly seq: number; readonly schema: number } | null
  readonly standbys: readonly Standby[]
  /** Whether PostgreSQL's commits wait for a standby of its own. */
  readonly synchronous: boolean
}

export async function readCluster(
  database: ClusterDatabase,
  treasury: string,
): Promise<ClusterState> {
  const { rows } = await database.query(
    `select current_setting('synchronous_standby_names') AS names, lease.holder, lease.epoch,
       extract(epoch from lease.until - clock_timestamp()) * 1000 AS left_ms,
       snapshot.seq AS snapshot_seq, snapshot.schema,
       (select max(seq) from ballast.log where treasury = $1) AS log_seq
     from (select 1) AS one left join ballast.lease on lease.treasury = $1
       left join ballast.snapshot on snapshot.treasury = $1`,
    [treasury],
  )
  const [row = {}] = rows
  const holder = row["holder"]
  const lease = {
    holder: String(holder),
    epoch: Number(row["epoch"]),
    leftMs: Math.round(Number(row["left_ms"])),
  }
  const seq = row["log_seq"] ?? row["snapshot_seq"] ?? null
  return {
    lease: holder === null ? null : lease,
    seq: seq === null ? null : Number(seq),
    snapshot:
      row["snapshot_seq"] === null
        ? null
        : { seq: Number(row["snapshot_seq"]), schema: Number(row["schema"]) },
    standbys: await listStandbys(database, treasury),
    synchronous: String(row["names"]) !== "",
  }
}

/**
 * The holder of the lease now, and how long its lease lasts without a renewal; without a holder
 * when the lease is free.
 */
export async function readHolder(
  database: ClusterDatabase,
  treasury: string,
): Promise<{
  readonly holder: string | null
  readonly epoch: number | null
  readonly leftMs: number
}> {
  const { rows } = await database.query(
    `select holder, epoch, extract(epoch from until - clock_timestamp()) * 1000 AS left
     from ballast.lease where treasury = $1 and until > clock_timestamp()`,
    [treasury],
  )
  const [row] = rows
  if (row === undefined) return { holder: null, epoch: null, leftMs: Number.POSITIVE_INFINITY }
  return { holder: String(row["holder"]), epoch: Number(row["epoch"]), leftMs: Number(row["left"]) }
}
