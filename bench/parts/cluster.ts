import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { APPEND, appendValues, type LogEntry } from "#cluster/log.ts"
import { joinCluster, type MemberHost, type Membership } from "#daemon/cluster/join-cluster.ts"
import { openMemberHost } from "#daemon/cluster/member-host.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { hasPostgres, startPostgres } from "../../test/support/start-postgres.ts"
import { quantile } from "../quantile.ts"
import { atMost, bySpeed, type Part, type Row } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

const SIZES = [
  { count: 64, atOnce: 1 },
  { count: 640, atOnce: 16 },
  { count: 1_024, atOnce: 256 },
]
/**
 * Runs with and without the cluster take turns, and the shortest of each counts: one run of a
 * second or two varies by a fifth.
 */
const ROUNDS = 5
const WARM = { count: 128, atOnce: 64 }
const APPENDS = 2_000

/**
 * The cost of a treasury on two machines: orders with the journal in PostgreSQL, beside orders with
 * the journal on this machine alone. Each commit of PostgreSQL waits for the disk and for a
 * synchronous standby. The time of a fenced commit is that of a step's acknowledgement by the log.
 * No rows without PostgreSQL.
 */
export const cluster: Part = async (quick) => {
  if (!hasPostgres()) return []
  const pair = await startPostgres({ fsync: true })
  const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-cluster-"))
  try {
    let members = 0
    const appends: number[] = []
    const take = (): Promise<Membership> => {
      appends.length = 0
      return lead({
        url: new Secret(pair.url, "bench"),
        folder,
        treasury: `t${++members}`,
        appends,
      })
    }
    const rows: Row[] = []
    const commits = await timeCommits(await take(), quick ? APPENDS / 10 : APPENDS)
    await measureOrders(WARM)
    for (const { count, atOnce } of SIZES) {
      const alone: number[] = []
      const together: number[] = []
      const bare: number[] = []
      for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
        alone.push((await measureOrders({ count, atOnce })).seconds)
        together.push((await measureOrders({ count, atOnce, member: await take() })).seconds)
        bare.push(await timeBareAppends(pair.url, `t${members}`, appends))
      }
      const base = Math.min(...alone)
      rows.push({
        what: `time of an order beside one machine's, ${atOnce} at once`,
        unit: "×",
        goal: atMost(1.3),
        value: Math.min(...together) / base,
        floor: (base + Math.min(...bare)) / base,
      })
    }
    rows.push({ what: "fenced commit, p50", value: commits.p50, unit: "ms", goal: null })
    rows.push({
      what: "fenced commit, p99",
      value: commits.p99,
      unit: "ms",
      goal: bySpeed(atMost(10)),
    })
    return rows
  } finally {
    pair.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `appends` receives how many groups each statement appends. */
function lead({
  url,
  folder,
  treasury,
  appends,
}: {
  readonly url: Secret
  readonly folder: string
  readonly treasury: string
  readonly appends: number[]
}): Promise<Membership> {
  const file = join(folder, `${treasury}.db`)
  const host = openMemberHost({ url, file, log: silentLogger })
  const openDatabase: MemberHost["openDatabase"] = async (onUnreplicated) => {
    const database = await host.openDatabase(onUnreplicated)
    const query: typeof database.query = (sql, values) => {
      if (sql === APPEND && Array.isArray(values[3])) appends.push(values[3].length)
      return database.query(sql, values)
    }
    return { ...database, query }
  }
  return joinCluster(
    {
      host: { ...host, openDatabase },
      treasury,
      file,
      version: "bench",
      isReal: false,
      clock: systemClock,
      log: silentLogger,
      prepare: async () => undefined,
      endProcess: (error) => {
        throw error
      },
    },
    async () => async () => undefined,
  )
}

/**
 * The floor of the cluster's cost: a plain client appends the same groups in the same statements to
 * a treasury of its own, one after another, and does nothing else. It is as if Ballast's own work
 * on the other machine were free.
 */
async function timeBareAppends(
  url: string,
  treasury: string,
  appends: readonly number[],
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<LogEntry>(
      "select seq, hash, changeset from ballast.log where treasury = $1 order by seq",
      [treasury],
    )
    const floor = `floor of ${treasury}`
    const lease = [floor, "1", "bench"]
    await client.query(
      "insert into ballast.lease values ($1, $2, $3, clock_timestamp() + interval '1 hour')",
      lease,
    )
    let at = 0
    const startMs = performance.now()
    for (const size of appends) {
      const part = rows.slice(at, at + size)
      at += size
      const answer = await client.query({
        name: "append",
        text: APPEND,
        values: [...lease, ...appendValues(part)],
      })
      if (Number(answer.rows[0]?.appended) !== part.length)
        throw new Error("a bare append was refused")
    }
    return (performance.now() - startMs) / 1_000
  } finally {
    await client.end()
  }
}

/**
 * One write after another, each until the log has acknowledged it and so proven the lease, as a
 * call outside waits.
 */
async function timeCommits(
  { journal, proveLease: prove, countProofs, leave }: Membership,
  count: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const startMs = performance.now()
    const since = countProofs()
    journal.writeFlag("bench", String(index).padEnd(2_000, "x"))
    await journal.durable()
    await prove(since)
    times.push(performance.now() - startMs)
  }
  journal.close()
  await leave()
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}
