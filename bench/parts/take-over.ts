import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import type { OrderView } from "#order/view.ts"
import {
  addMember,
  findDepositFaults,
  findDoubleSignatures,
  MEMBER_CHAINS,
  MEMBER_SWAP,
  type Member,
  restartMember,
  untilAnswers,
} from "../../test/support/cluster-members.ts"
import { acceptSwap, waitForOutcome } from "../../test/support/e2e-orders.ts"
import { type SandboxProcess, startSandboxProcess } from "../../test/support/sandbox-process.ts"
import { hasPostgres, startPostgres } from "../../test/support/start-postgres.ts"
import { quantile } from "../quantile.ts"
import { atMost, type Part, type Row } from "../row.ts"

const ROUNDS = { full: 60, quick: 8 }
/** A leader renews its lease once in this time. */
const RENEWAL_MS = 1_000
const POLL_MS = 10
const MOST_MS = 60_000

/**
 * Two real daemons on local chains share a PostgreSQL that has a synchronous standby. Each round
 * kills the leader by SIGKILL during an order, at another moment between two renewals of its lease,
 * and measures until the other daemon is ready. No rows without PostgreSQL.
 */
export const takeOver: Part = async (quick) => {
  if (!hasPostgres()) return []
  const pair = await startPostgres({ fsync: true })
  const sandbox = await startSandboxProcess(["--chains", MEMBER_CHAINS.join(",")])
  const database = new pg.Client(pair.url)
  const members: Member[] = []
  try {
    await database.connect()
    for (const name of ["a", "b"]) {
      const member = await addMember(sandbox, pair.url, name)
      members.push(member)
      await untilAnswers(member)
    }
    return rowsOf(await killLeaders(sandbox, database, members, quick ? ROUNDS.quick : ROUNDS.full))
  } finally {
    for (const { process } of members) process.child.kill("SIGKILL")
    await database.end()
    await sandbox.stop()
    pair.stop()
  }
}

/**
 * The times are counted from the kill. `heldMs`: the successor has the lease; `readyMs`: it answers
 * that it is ready.
 */
type TakeOver = { readonly leaseEndMs: number; readonly heldMs: number; readonly readyMs: number }

/** Throws when an accepted order did not complete, or when a deposit was made twice. */
async function killLeaders(
  sandbox: SandboxProcess,
  database: pg.Client,
  members: readonly Member[],
  rounds: number,
): Promise<readonly TakeOver[]> {
  const takeOvers: TakeOver[] = []
  const accepted: string[] = []
  await members[0]?.process.ready()
  for (let round = 0; round < rounds; round++) {
    const [leader, successor] = round % 2 === 0 ? members : members.toReversed()
    if (leader === undefined || successor === undefined) throw new Error("there are two members")
    accepted.push(
      await acceptSwap(leader.process, { ...MEMBER_SWAP, amount: `0.00${1_100 + round}` }),
    )
    await sleep((round * RENEWAL_MS) / rounds)
    takeOvers.push(await measureTakeOver(database, leader, successor))
    await restartMember(leader)
    await untilAnswers(leader)
  }
  const last = members[rounds % 2]?.process
  if (last === undefined) throw new Error("there are two members")
  const orders: OrderView[] = []
  for (const id of accepted) orders.push(await waitForOutcome(last, id, MOST_MS))
  const { signatures, doubles } = findDoubleSignatures(sandbox.dir, members)
  const faults = [...(await findDepositFaults(sandbox, orders)), ...doubles]
  if (faults.length > 0 || signatures < rounds)
    throw new Error(`${signatures} signatures; ${faults.join("; ")}`)
  return takeOvers
}

async function measureTakeOver(
  database: pg.Client,
  leader: Member,
  successor: Member,
): Promise<TakeOver> {
  const { epoch } = await readLease(database)
  const killedMs = performance.now()
  const since = (): number => performance.now() - killedMs
  leader.process.child.kill("SIGKILL")
  let leaseEndMs = 0
  // The last renewal may reach PostgreSQL after the kill, so each answer tells the end again.
  for (
    let lease = await readLease(database);
    lease.epoch === epoch;
    lease = await readLease(database)
  ) {
    leaseEndMs = since() + lease.leftMs
    await pollAgain(since)
  }
  const heldMs = since()
  while (!(await isReady(successor))) await pollAgain(since)
  return { leaseEndMs, heldMs, readyMs: since() }
}

async function pollAgain(since: () => number): Promise<void> {
  if (since() > MOST_MS) throw new Error("no daemon took over")
  await sleep(POLL_MS)
}

async function readLease(
  database: pg.Client,
): Promise<{ readonly epoch: string; readonly leftMs: number }> {
  const { rows } = await database.query(
    "select epoch, extract(epoch from until - clock_timestamp()) * 1000 as left_ms from " +
      "ballast.lease",
  )
  return { epoch: String(rows[0]?.epoch), leftMs: Number(rows[0]?.left_ms) }
}

async function isReady({ process }: Member): Promise<boolean> {
  return (await process.call("GET", "/readyz").catch(() => null))?.status === 200
}

function rowsOf(takeOvers: readonly TakeOver[]): readonly Row[] {
  const readySeconds = takeOvers.map(({ readyMs }) => readyMs / 1_000)
  const seconds = (what: string, value: number, goal: Row["goal"] = null): Row => ({
    what,
    value,
    unit: "s",
    goal,
  })
  const median = (list: (one: TakeOver) => number): number =>
    quantile(takeOvers.map(list), 0.5) / 1_000
  return [
    seconds("a leader is killed until its successor is ready, p50", quantile(readySeconds, 0.5)),
    seconds(
      "a leader is killed until its successor is ready, p99",
      quantile(readySeconds, 0.99),
      atMost(5),
    ),
    seconds("a leader is killed until its successor is ready, longest", Math.max(...readySeconds)),
    seconds(
      "of these, until the lease ended by PostgreSQL's clock, p50",
      median(({ leaseEndMs }) => leaseEndMs),
    ),
    seconds(
      "of these, from then until the successor has the lease, p50",
      median(({ leaseEndMs, heldMs }) => heldMs - leaseEndMs),
    ),
    seconds(
      "of these, from then until it is ready, p50",
      median(({ heldMs, readyMs }) => readyMs - heldMs),
    ),
  ]
}
