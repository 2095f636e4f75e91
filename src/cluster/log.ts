import { AppError } from "#lib/app-error.ts"
import { LEASE_MS, type Lease, leaseLost, PROOF, RENEWAL, valuesOf } from "./lease.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/** The changes of one group of the journal, with the hash of the whole history up to it. */
export type LogEntry = { readonly seq: number; readonly hash: string; readonly changeset: Uint8Array }

/** The whole journal as a file, as it was after entry `seq`. */
export type Snapshot = {
  readonly seq: number
  readonly hash: string
  readonly schema: number
  readonly journal: Uint8Array
}

/** Big journals take longer than a statement usually may. */
const SNAPSHOT_TIMEOUT_MS = 120_000

/** Appends all entries or none. The statement proves the lease in the same transaction; the answer is false without that proof. */
export async function appendEntries(
  database: ClusterDatabase,
  lease: Lease,
  entries: readonly LogEntry[],
): Promise<boolean> {
  const { count } = await database.query(APPEND, [
    ...valuesOf(lease),
    entries.map(({ seq }) => seq),
    entries.map(({ changeset }) => Buffer.from(changeset)),
    entries.map(({ hash }) => hash),
  ])
  return count === entries.length
}

export const APPEND = `with ${PROOF}
insert into ballast.log (treasury, seq, epoch, changeset, hash)
select $1, entry.seq, proof.epoch, entry.changeset, entry.hash
from proof, unnest($4::bigint[], $5::bytea[], $6::text[]) entry (seq, changeset, hash)`

/** The entries after `seq`, oldest first, at most `limit`. */
export async function readEntries(
  database: ClusterDatabase,
  treasury: string,
  seq: number,
  limit: number,
): Promise<readonly LogEntry[]> {
  const { rows } = await database.query(
    "select seq, hash, changeset from ballast.log where treasury = $1 and seq > $2 order by seq limit $3",
    [treasury, seq, limit],
  )
  return rows.map((row) => ({
    seq: Number(row["seq"]),
    hash: String(row["hash"]),
    changeset: toBytes(row["changeset"]),
  }))
}

/**
 * Renews the lease and reads the places of the entries after `seq`, in one statement. Its commit waits for the standby, and so for everything that it
 * read. Two statements could ask two servers: one that shows an entry, and the promoted one, which lacks it.
 *
 * Throws `cluster.lease_lost`.
 */
export async function renewAndReadLog(
  database: ClusterDatabase,
  lease: Lease,
  seq: number,
  limit: number,
): Promise<readonly Pick<LogEntry, "seq" | "hash">[]> {
  const { rows } = await database.query(
    `with renewed AS (${RENEWAL} returning treasury)
     select entry.seq, entry.hash from renewed left join lateral (
       select seq, hash from ballast.log where treasury = renewed.treasury and seq > $5 order by seq limit $6) entry on true`,
    [...valuesOf(lease), LEASE_MS, seq, limit],
  )
  if (rows.length === 0) throw leaseLost(lease)
  return rows
    .filter((row) => row["seq"] !== null)
    .map((row) => ({ seq: Number(row["seq"]), hash: String(row["hash"]) }))
}

/** Position and schema of the snapshot, without its journal. */
export async function readSnapshotState(
  database: ClusterDatabase,
  treasury: string,
): Promise<Omit<Snapshot, "journal"> | null> {
  const { rows } = await database.query("select seq, hash, schema from ballast.snapshot where treasury = $1", [
    treasury,
  ])
  const [row] = rows
  return row === undefined ? null : toState(row)
}

export async function fetchSnapshot(database: ClusterDatabase, treasury: string): Promise<Snapshot> {
  const sql = "select seq, hash, schema, journal from ballast.snapshot where treasury = $1"
  const { rows } = await database.query(sql, [treasury], SNAPSHOT_TIMEOUT_MS)
  const [row] = rows
  if (row !== undefined) return { ...toState(row), journal: toBytes(row["journal"]) }
  throw new AppError({
    code: "cluster.log_missing",
    disposition: "fatal",
    message: `PostgreSQL has no snapshot of ${treasury}; check that journal names the right database`,
    details: { treasury },
  })
}

/** Replaces the snapshot and deletes the entries before it. Proves the lease as an append does; throws `cluster.lease_lost`. */
export async function putSnapshot(database: ClusterDatabase, lease: Lease, snapshot: Snapshot): Promise<void> {
  const { seq, hash, schema, journal } = snapshot
  const { rows } = await database.query(
    `with ${PROOF}, put AS (
       insert into ballast.snapshot (treasury, seq, hash, schema, epoch, journal)
       select $1, $4::bigint, $5, $6::integer, proof.epoch, $7::bytea from proof
       on conflict (treasury) do update set seq = excluded.seq, hash = excluded.hash, schema = excluded.schema,
         epoch = excluded.epoch, journal = excluded.journal
       returning seq),
     trim AS (delete from ballast.log using put where log.treasury = $1 and log.seq <= put.seq)
     select seq from put`,
    [...valuesOf(lease), seq, hash, schema, Buffer.from(journal)],
    SNAPSHOT_TIMEOUT_MS,
  )
  if (rows.length === 0) throw leaseLost(lease)
}

function toState(row: Record<string, unknown>): Omit<Snapshot, "journal"> {
  return { seq: Number(row["seq"]), hash: String(row["hash"]), schema: Number(row["schema"]) }
}

function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new AppError({ code: "cluster.log_type", disposition: "bug", message: "A column of the log is not bytea" })
}
