import { AppError } from "#lib/app-error.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/**
 * The PostgreSQL behind a connection. `system` names the database cluster for good, each promotion
 * of a standby raises `timeline`, and `synchronous`: commits wait for a standby.
 */
export type Server = {
  readonly system: string
  readonly timeline: number
  readonly synchronous: boolean
}

/**
 * Throws `cluster.unreachable`; also for a server that is a standby itself, because it has no
 * write-ahead log of its own.
 */
export async function readServer({ query }: ClusterDatabase): Promise<Server> {
  // A logical subscriber cannot take over. It uses a slot, by default of its own name.
  const { rows } = await query(
    `select (select system_identifier from pg_control_system())::text AS system,
       pg_walfile_name(pg_current_wal_lsn()) AS wal,
       current_setting('synchronous_standby_names') <> '' and not exists (
         select from pg_replication_slots where slot_type = 'logical' and active and
           current_setting('synchronous_standby_names') ~ ('[*]|' || slot_name)) AS synchronous`,
    [],
  )
  const [row = {}] = rows
  // The name of a file of the write-ahead log begins with the timeline, in eight hexadecimal
  // digits.
  const timeline = Number.parseInt(String(row["wal"]).slice(0, 8), 16)
  return { system: String(row["system"]), timeline, synchronous: row["synchronous"] === true }
}

/**
 * The server as it is remembered from now on: a promotion is news, and an absent standby is not.
 * Throws `cluster.*` (hold) for a server that lost something, and for one without a synchronous
 * standby where real money is at stake.
 */
export function judgeServer(known: Server | null, found: Server, isReal: boolean): Server {
  if (known !== null && known.system !== found.system)
    throw doubt(
      "cluster.other_server",
      `This PostgreSQL is another one (${found.system}) than before (${known.system})`,
      { known: known.system, found: found.system },
    )
  if (known !== null && found.timeline < known.timeline)
    throw doubt(
      "cluster.old_timeline",
      `This PostgreSQL is on timeline ${found.timeline}, and another one was promoted to ` +
        `${known.timeline}: it is a former primary or a restored backup`,
      { known: String(known.timeline), found: String(found.timeline) },
    )
  if (!found.synchronous && (isReal || known?.synchronous === true))
    throw doubt(
      "cluster.not_replicated",
      "PostgreSQL has no synchronous standby (synchronous_standby_names, where no logical " +
        "subscriber counts), so a commit is on one machine only",
    )
  return found
}

/** The log lacks groups that were acknowledged, so calls outside may have followed from them. */
export function logRestored(treasury: string, seq: number): AppError {
  return doubt(
    "cluster.log_restored",
    `PostgreSQL lacks group ${seq} of ${treasury}, which it had acknowledged: it was ` +
      "restored from a backup, or a standby that was behind was promoted",
    { treasury, seq: String(seq) },
  )
}

/** Everything waits, and nothing is overwritten, until a person has looked. */
function doubt(code: string, message: string, details: Record<string, string> = {}): AppError {
  return new AppError({
    code,
    disposition: "hold",
    message: `${message}; see docs/CLUSTER.md`,
    details,
  })
}
