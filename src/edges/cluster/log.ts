import { AppError } from "#lib/app-error.ts"
import { LEASE_MS, LEFT_MS, type Lease, leaseLost, PROOF, RENEWAL, valuesOf } from "./lease.ts"
import { GONE_MS } from "./members.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/** The changes of one group of the journal, with the hash of the whole history up to it. */
export type LogEntry = {
  readonly seq: number
  readonly hash: string
  readonly changeset: Uint8Array
}

/** The whole journal as a file, as it was after entry `seq`, in so many parts. */
export type SnapshotState = {
  readonly seq: number
  readonly hash: string
  readonly schema: number
  readonly parts: number
}

/** Small enough for a slow connection within the time of one statement. */
export const PART_BYTES = 4 * 1024 * 1024

/**
 * Appends all entries or none, in order. The statement proves the lease in the same transaction,
 * and that the log has the entry before them: a server that was promoted without it lacks
 * acknowledged groups. The answer is for how many milliseconds that counts, and `null` without
 * both.
 */
export async function appendEntries(
  database: ClusterDatabase,
  lease: Lease,
  entries: readonly LogEntry[],
): Promise<number | null> {
  const { rows } = await database.query(APPEND, [...valuesOf(lease), ...appendValues(entries)])
  return Number(rows[0]?.["appended"]) === entries.length ? Number(rows[0]?.["left_ms"]) : null
}

/**
 * The bytes of all entries are one value, which the client sends as they are. It would send a list
 * of bytes as text of twice their size.
 */
export function appendValues(entries: readonly LogEntry[]): readonly unknown[] {
  const lengths = entries.map(({ changeset }) => changeset.length)
  const starts = lengths.map((_, at) =>
    lengths.slice(0, at).reduce((sum, length) => sum + length, 1),
  )
  const bytes = Buffer.concat(entries.map(({ changeset }) => changeset))
  return [entries.map(({ seq }) => seq), entries.map(({ hash }) => hash), starts, lengths, bytes]
}

/** The entries up to the snapshot may be deleted. */
export const APPEND = `with ${PROOF}, appended as (
    insert into ballast.log (treasury, seq, epoch, changeset, hash)
    select $1, new.seq, proof.epoch, substring($8::bytea from new.start for new.length), new.hash
    from proof, unnest($4::bigint[], $5::text[], $6::integer[], $7::integer[])
      new (seq, hash, start, length)
    where exists (select from ballast.log where treasury = $1 and seq = ($4::bigint[])[1] - 1)
      or coalesce((select seq from ballast.snapshot where treasury = $1), 0)
        >= ($4::bigint[])[1] - 1 returning seq)
  select ${LEFT_MS}, (select count(*) from appended) as appended from proof`

/** The entries after `seq`, oldest first, at most `limit`. */
export async function readEntries(
  database: ClusterDatabase,
  treasury: string,
  seq: number,
  limit: number,
): Promise<readonly LogEntry[]> {
  const { rows } = await database.query(
    "select seq, hash, changeset from ballast.log where treasury = $1 and seq > $2 order by " +
      "seq limit $3",
    [treasury, seq, limit],
  )
  return rows.map((row) => ({ ...toPlace(row), changeset: toBytes(row["changeset"]) }))
}

/**
 * Renews the lease and reads the places of the entries after `seq`, in one statement. Its commit
 * waits for the standby, and so for everything that it read. Two statements could ask two servers:
 * one that shows an entry, and the promoted one, which lacks it.
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
       select seq, hash from ballast.log where treasury = renewed.treasury and seq > $5
       order by seq limit $6) entry on true`,
    [...valuesOf(lease), LEASE_MS, seq, limit],
  )
  if (rows.length === 0) throw leaseLost(lease)
  return rows.filter((row) => row["seq"] !== null).map(toPlace)
}

/** Position and schema of the snapshot; `null` before the first leader. */
export async function readSnapshotState(
  database: ClusterDatabase,
  treasury: string,
): Promise<SnapshotState | null> {
  const sql = "select seq, hash, schema, parts from ballast.snapshot where treasury = $1"
  const [row] = (await database.query(sql, [treasury])).rows
  if (row === undefined) return null
  return { ...toPlace(row), schema: Number(row["schema"]), parts: Number(row["parts"]) }
}

/**
 * The bytes of the snapshot, part by part. Throws `cluster.unreachable` when a newer snapshot
 * replaced it meanwhile.
 */
export async function* fetchParts(
  database: ClusterDatabase,
  treasury: string,
  { seq, parts }: SnapshotState,
): AsyncGenerator<Uint8Array> {
  const sql =
    "select bytes from ballast.snapshot_part where treasury = $1 and seq = $2 and part = $3"
  for (let part = 0; part < parts; part++) {
    const [row] = (await database.query(sql, [treasury, seq, part])).rows
    if (row === undefined) throw replaced()
    yield toBytes(row["bytes"])
  }
}

/**
 * Stores a snapshot part by part; then, in one statement, puts it in force, deletes all parts of
 * others, and deletes the entries that neither the snapshot nor a standby needs any more. Every
 * statement proves the lease as an append does; throws `cluster.lease_lost`.
 */
export async function putSnapshot(
  database: ClusterDatabase,
  lease: Lease,
  { seq, hash, schema }: Omit<SnapshotState, "parts">,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  let count = 0
  for (const bytes of parts) {
    const sql = `with ${PROOF} insert into ballast.snapshot_part
      select $1, $4::bigint, $5::integer, $6::bytea from proof
      on conflict (treasury, seq, part) do update set bytes = excluded.bytes`
    const stored = await database.query(sql, [...valuesOf(lease), seq, count, Buffer.from(bytes)])
    if (stored.count === 0) throw leaseLost(lease)
    count += 1
  }
  const values = [...valuesOf(lease), seq, hash, schema, count, GONE_MS]
  const { rows } = await database.query(PUT, values)
  if (rows.length === 0) throw leaseLost(lease)
}

/**
 * A standby's own last entry stays too: by its hash the standby knows that its copy is the log's.
 */
const PUT = `with ${PROOF}, put AS (
    insert into ballast.snapshot (treasury, seq, hash, schema, epoch, parts)
    select $1, $4::bigint, $5, $6::integer, proof.epoch, $7::integer from proof
    on conflict (treasury) do update set seq = excluded.seq, hash = excluded.hash,
      schema = excluded.schema, epoch = excluded.epoch, parts = excluded.parts returning seq),
  needed AS (select min(seq) AS seq from ballast.member
    where treasury = $1 and seen > clock_timestamp() - $8 * interval '1 millisecond'),
  trim AS (delete from ballast.log using put, needed
    where log.treasury = $1 and log.seq <= put.seq and log.seq < coalesce(needed.seq, put.seq + 1)),
  old AS (delete from ballast.snapshot_part part using put where part.treasury = $1
    and (part.seq <> put.seq or part.part >= $7::integer))
  select seq from put`

function toPlace(row: Record<string, unknown>): Pick<LogEntry, "seq" | "hash"> {
  return { seq: Number(row["seq"]), hash: String(row["hash"]) }
}

function replaced(): AppError {
  const message = "The snapshot was replaced by a newer one while it was read; it is read again"
  return new AppError({ code: "cluster.unreachable", disposition: "uncertain", message })
}

function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new AppError({
    code: "cluster.log_type",
    disposition: "bug",
    message: "A column of the log is not bytea",
  })
}
