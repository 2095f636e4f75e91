import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { joinCluster, type Membership } from "#daemon/join-cluster.ts"
import { openMemberHost } from "#daemon/member-host.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { hasPostgres, startPostgres } from "../../test/support/start-postgres.ts"
import { atMost, type Part, type Row } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

const SIZES = [1, 16, 256]
const WARM = { count: 128, atOnce: 64 }
const APPENDS = 2_000

/**
 * The cost of a treasury on two machines: orders with the journal in PostgreSQL, beside orders with the journal on this machine alone. Each commit of
 * PostgreSQL waits for the disk and for a synchronous standby. The time of a fenced commit is that of a step's acknowledgement by the log. No rows without PostgreSQL.
 */
export const cluster: Part = async (quick) => {
  if (!hasPostgres()) return []
  const pair = await startPostgres({ fsync: true })
  const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-cluster-"))
  try {
    let members = 0
    const take = (): Promise<Membership> => lead(new Secret(pair.url, "bench"), folder, `t${++members}`)
    const rows: Row[] = []
    const commits = await timeCommits(await take(), quick ? APPENDS / 10 : APPENDS)
    await measureOrders(WARM)
    for (const atOnce of SIZES) {
      const size = { count: Math.max(32, Math.min(atOnce * 2, 512)), atOnce }
      const alone = await measureOrders(size)
      const together = await measureOrders({ ...size, member: await take() })
      rows.push({
        ...{ what: `time of an order beside one machine's, ${atOnce} at once`, unit: "×", goal: atMost(1.3) },
        value: together.seconds / alone.seconds,
      })
    }
    rows.push({ what: "fenced commit, p50", value: commits.p50, unit: "ms", goal: null })
    rows.push({ what: "fenced commit, p99", value: commits.p99, unit: "ms", goal: atMost(10) })
    return rows
  } finally {
    pair.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function lead(url: Secret, folder: string, treasury: string): Promise<Membership> {
  const file = join(folder, `${treasury}.db`)
  return joinCluster(
    {
      host: openMemberHost({ url, file, log: silentLogger }),
      ...{ treasury, file, version: "bench", clock: systemClock, log: silentLogger },
      prepare: async () => undefined,
      endProcess: (error) => {
        throw error
      },
    },
    async () => async () => undefined,
  )
}

/** One write after another, each until the log has acknowledged it, and the lease's proof that every call outside waits for. */
async function timeCommits(
  { journal, proveLease: prove, leave }: Membership,
  count: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const startMs = performance.now()
    journal.writeFlag("bench", String(index).padEnd(2_000, "x"))
    await journal.durable()
    await prove()
    times.push(performance.now() - startMs)
  }
  journal.close()
  await leave()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
