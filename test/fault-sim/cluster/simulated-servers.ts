import type { QueryAnswer } from "#cluster/open-cluster-database.ts"
import { AppError } from "#lib/app-error.ts"
import { createRowLocks, type RowLocks } from "./row-locks.ts"
import { findStatement } from "./statements.ts"
import { emptyTables, type Tables } from "./tables.ts"
import type { Change, Transaction } from "./transaction.ts"

/** Two servers of PostgreSQL, of which one takes writes; each commit waits for the other one. */
export type SimulatedServers = {
  readonly nowMs: () => number
  readonly shiftClock: (ms: number) => void
  readonly tables: () => Tables
  readonly server: () => { readonly system: string; readonly timeline: number; readonly synchronous: boolean }
  /** Runs a statement to its end, also if its client has gone. `isOpen`: the connection of the client. */
  readonly run: (sql: string, values: readonly unknown[], session: Session) => Promise<QueryAnswer>
  /** The second server gets nothing more, until `join`. */
  readonly part: () => void
  readonly join: () => void
  /** Ends every wait for the second server, as an administrator can. */
  readonly cancelWaits: () => void
  /** The writing server restarts: its commits are on its disk, its connections are gone. */
  readonly crash: () => void
  /** The writing server is lost, and the other one takes its place. */
  readonly promote: () => void
}

export type Session = { readonly onUnreplicated: () => void }

export type ServersOptions = {
  readonly now: () => number
  /** Without it commits do not wait for the second server: a planted mistake. */
  readonly synchronous: boolean
  /** Lasts as long as a statement stands still between its lock and its write. */
  readonly stall?: () => Promise<void>
  /** A commit is visible, with the tables as they are now. */
  readonly onCommit?: (tables: Tables) => void
}

type Waiting = { readonly position: number; readonly end: (how: "replicated" | "cancelled" | "crashed") => void }

const LAG = 30

/**
 * As PostgreSQL does it: a statement locks rows, writes, and commits; the commit is on this server's disk at once, and neither visible nor acknowledged
 * before the second server has it. Its locks are held until then.
 */
export function createSimulatedServers({ now, synchronous, stall, onCommit }: ServersOptions): SimulatedServers {
  let [shiftMs, timeline, transactions] = [0, 1, 0]
  let isParted = false
  /** The changes since the second server was made; it has the first `shipped` of them. */
  let changes: Change[] = []
  let shipped = 0
  let [tables, copy] = [emptyTables(), emptyTables()]
  let locks: RowLocks = createRowLocks()
  let waiting: Waiting[] = []

  const ship = (): void => {
    if (isParted) return
    // Without its acknowledgements the second server is behind by a few commits.
    for (; shipped < changes.length - (synchronous ? 0 : LAG); shipped++) changes[shipped]?.(copy)
    for (const one of waiting.filter(({ position }) => position <= shipped)) one.end("replicated")
    waiting = waiting.filter(({ position }) => position > shipped)
  }
  const endWaits = (how: "cancelled" | "crashed"): void => {
    const ended = waiting
    waiting = []
    for (const one of ended) one.end(how)
  }

  async function run(sql: string, values: readonly unknown[], session: Session): Promise<QueryAnswer> {
    const statement = findStatement(sql)
    const id = ++transactions
    const place = locks
    const written: Change[] = []
    const transaction: Transaction = {
      tables: () => tables,
      snapshot: tables.version,
      nowMs: () => now() + shiftMs,
      lock: (name, mode) => place.lock(id, name, mode),
      write: (change) => written.push(change),
      stall: async () => stall?.(),
    }
    try {
      const answer = await statement.run(transaction, values, sql, server())
      if (place !== locks) throw gone()
      if (written.length > 0) await commit(written, place, session)
      return answer
    } finally {
      place.release(id)
    }
  }

  async function commit(written: readonly Change[], place: RowLocks, session: Session): Promise<void> {
    const all: Change = (target) => {
      for (const change of written) change(target)
      target.version++
    }
    changes.push(all)
    const position = changes.length
    const show = (): void => {
      all(tables)
      onCommit?.(tables)
    }
    if (!synchronous) {
      show()
      ship()
      return
    }
    ship()
    if (shipped >= position) return show()
    const how = await new Promise<"replicated" | "cancelled" | "crashed" | "lost">((resolve) => {
      waiting.push({
        position,
        end: (ended) => {
          // Visible in the order of the commits, whichever client hears of it first.
          if (place === locks || ended === "crashed") show()
          resolve(place === locks || ended === "crashed" ? ended : "lost")
        },
      })
    })
    if (how === "cancelled") session.onUnreplicated()
    if (how === "crashed" || how === "lost") throw gone()
  }

  const server = (): ReturnType<SimulatedServers["server"]> => ({ system: "7", timeline, synchronous })

  return {
    nowMs: () => now() + shiftMs,
    shiftClock: (ms) => {
      shiftMs = ms
    },
    tables: () => tables,
    server,
    run,
    part: () => {
      isParted = true
    },
    join: () => {
      isParted = false
      ship()
    },
    cancelWaits: () => endWaits("cancelled"),
    crash: () => {
      endWaits("crashed")
      locks.end()
      locks = createRowLocks()
    },
    promote: () => {
      locks.end()
      locks = createRowLocks()
      tables = copy
      timeline++
      changes = []
      shipped = 0
      const lost = waiting
      waiting = []
      for (const one of lost) one.end("cancelled")
      copy = copyOf(tables)
      isParted = false
    },
  }
}

/** Rows are never changed in place, so the maps alone are copied. */
function copyOf({ version, lease, log, snapshot, parts, members, wallets }: Tables): Tables {
  return {
    version,
    lease: new Map(lease),
    log: new Map(log),
    snapshot: new Map(snapshot),
    parts: new Map(parts),
    members: new Map(members),
    wallets: new Map(wallets),
  }
}

function gone(): AppError {
  return new AppError({
    code: "cluster.unreachable",
    disposition: "uncertain",
    message: "The simulated server ended the connection",
  })
}
