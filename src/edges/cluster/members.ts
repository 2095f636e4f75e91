import type { ClusterDatabase } from "./open-cluster-database.ts"

/**
 * A standby, as it last told of itself. `seq` is the position of its copy, `ageMs` the time since
 * then by the database's clock.
 */
export type Standby = {
  readonly holder: string
  readonly version: string
  readonly seq: number
  readonly ageMs: number
}

/** A standby tells of itself this often. */
export const NOTE_MS = 1_000
/** A standby that was silent for longer is gone. */
export const GONE_MS = 10_000

/**
 * Tells the others that this standby follows the log, and removes members that have been silent for
 * a day. Returns whether the log has the position for good: the commit of this write waits for
 * PostgreSQL's own standby, and so for everything that the statement has read. A read alone may
 * show what a restarted primary has on its own disk only.
 */
export async function noteStandby(
  database: ClusterDatabase,
  treasury: string,
  { holder, version, seq, hash }: Omit<Standby, "ageMs"> & { readonly hash: string },
): Promise<boolean> {
  const { rows } = await database.query(
    `with gone AS (delete from ballast.member
       where treasury = $1 and holder <> $2 and seen < clock_timestamp() - interval '1 day')
     insert into ballast.member values ($1, $2, $3, $4, clock_timestamp())
     on conflict (treasury, holder) do update set version = excluded.version,
       seq = excluded.seq, seen = excluded.seen returning exists (
       select from ballast.log where treasury = $1 and seq = $4 and hash = $5) AS has`,
    [treasury, holder, version, seq, hash],
  )
  return rows[0]?.["has"] === true
}

/** A member that leads or stops is no standby any more. */
export async function forgetStandby(
  database: ClusterDatabase,
  treasury: string,
  holder: string,
): Promise<void> {
  const sql = "delete from ballast.member where treasury = $1 and holder = $2"
  await database.query(sql, [treasury, holder])
}

/** The standbys that follow the log now. */
export async function listStandbys(
  database: ClusterDatabase,
  treasury: string,
): Promise<readonly Standby[]> {
  const { rows } = await database.query(
    `select holder, version, seq, extract(epoch from clock_timestamp() - seen) * 1000 as age_ms
     from ballast.member
     where treasury = $1 and seen > clock_timestamp() - $2 * interval '1 millisecond'
     order by holder`,
    [treasury, GONE_MS],
  )
  return rows.map((row) => ({
    holder: String(row["holder"]),
    version: String(row["version"]),
    seq: Number(row["seq"]),
    ageMs: Math.max(0, Math.round(Number(row["age_ms"]))),
  }))
}
