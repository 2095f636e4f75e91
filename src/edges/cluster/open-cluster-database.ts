import { createHash } from "node:crypto"
import pg from "pg"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import { advisePostgres, nameFile } from "#nodes/advise-postgres.ts"
import { describeFailure } from "#nodes/exchange.ts"
import { CLUSTER_SCHEMA } from "./schema.ts"

/**
 * One statement at a time, each a transaction of its own. Throws `cluster.unreachable` (uncertain):
 * a write may have happened.
 */
export type ClusterDatabase = {
  readonly query: (sql: string, values: readonly unknown[]) => Promise<QueryAnswer>
  readonly close: () => Promise<void>
}

export type QueryAnswer = {
  readonly rows: readonly Record<string, unknown>[]
  readonly count: number
}

const QUERY_TIMEOUT_MS = 3_000
/** A standby has what it had a moment ago: an acknowledged group would seem to be lost. */
const STANDBY = "it is a standby of PostgreSQL, and journal has to lead to the primary"
/** A pooler gives each transaction another connection, whose settings and locks are not ours. */
const POOLER = "journal leads to a connection pooler; name PostgreSQL itself"
/**
 * Why a connection is of no use. The server tells a client the process that serves it, and a pooler
 * invents that number. `options` of the URL may replace ours.
 */
const FAULT = `select case when pg_is_in_recovery() then '${STANDBY}'
  when pg_backend_pid() <> $1 then '${POOLER}'
  when current_setting('synchronous_commit') not in ('on', 'remote_apply')
  then 'synchronous_commit waits for no standby; remove options from journal' end fault`
const NO_URL =
  "The secret that journal names is not in this shell; give it the daemon's environment file"

/**
 * Connects to PostgreSQL and creates the tables that are missing.
 *
 * `onUnreplicated` hears that the server ended a commit without its synchronous standby, so an
 * acknowledged write may be on one machine only.
 */
export async function openClusterDatabase(
  url: Secret,
  onUnreplicated: () => void,
): Promise<ClusterDatabase> {
  const connectionString = url.reveal()
  // Without a URL the client would take any PostgreSQL of this machine.
  if (connectionString === "")
    throw new AppError({ code: "cluster.no_url", disposition: "fatal", message: NO_URL })
  const pool = new pg.Pool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: "ballast",
    options: "-c synchronous_commit=on",
    verify: (client, done) =>
      client.query(FAULT, [Reflect.get(client, "processID")], (error, answer) => {
        const fault: unknown = answer?.rows[0]?.fault
        done(error ?? (typeof fault === "string" ? new Error(fault) : undefined))
      }),
  })
  // The pool replaces a broken idle connection by itself; the next statement fails if it cannot.
  pool.on("error", () => undefined)
  pool.on("connect", (client) => {
    // The function that waits for the standby is the only source of this warning, in every language
    // of the server.
    client.on("notice", ({ routine }) => routine === "SyncRepWaitForLSN" && onUnreplicated())
  })
  const query: ClusterDatabase["query"] = async (sql, values) => {
    // With a name a connection prepares the statement once: to parse and plan an append takes as
    // long as half of its commit.
    const name = createHash("sha256").update(sql).digest("base64")
    try {
      const { rows, rowCount } = await pool.query({ name, text: sql, values: [...values] })
      return { rows, count: rowCount ?? 0 }
    } catch (error) {
      throw unreachable(error, connectionString)
    }
  }
  try {
    await pool.query(CLUSTER_SCHEMA)
  } catch (error) {
    await pool.end()
    throw unreachable(error, connectionString)
  }
  return { query, close: () => pool.end() }
}

/** In the words of every client, and the server's own ones, without the password of the URL. */
function unreachable(cause: unknown, url: string): AppError {
  const key = URL.canParse(url) ? decodeURIComponent(new URL(url).password) : ""
  const words = nameFile(describeFailure(cause), url)
  const told = key === "" ? words : words.replaceAll(key, "***")
  // PgBouncer refuses what it cannot pass on, and PostgreSQL knows every parameter that we send.
  const why = told.startsWith("unsupported startup parameter") ? `${told}: ${POOLER}` : told
  const message = `PostgreSQL did not carry out a statement: ${why}; ${advisePostgres(why)}`
  return new AppError({ code: "cluster.unreachable", disposition: "uncertain", message, cause })
}
