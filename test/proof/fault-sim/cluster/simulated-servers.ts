import type { QueryAnswer } from "#cluster/open-cluster-database.ts"
import { AppError } from "#lib/app-error.ts"
import { createRowLocks, type RowLocks } from "./row-locks.ts"
import { findStatement } from "./statements.ts"
import { emptyTables, type Tables } from "./tables.ts"
import type { Change, Transaction } from "./transaction.ts"

/**
 * Two servers of PostgreSQL, of which one takes writes; each commit waits for the other one. After
 * a promotion the former primary may go on beside the new one for the clients on its side of a cut.
 */
export type SimulatedServers = {
  readonly nowMs: () => number
  readonly shiftClock: (ms: number) => void
  /** Those of the server that was promoted last. */
  readonly tables: () => Tables
  /**
   * The part of them that a promotion keeps. A commit that became visible by a restart may be on
   * one server only.
   */
  readonly kept: () => Tables
  /**
   * Runs a statement to its end, also if its client has gone. `isOpen`: the connection of the
   * client.
   */
  readonly run: (sql: string, values: readonly unknown[], session: Session) => Promise<QueryAnswer>
  /** The second server gets nothing more, until `join`. */
  readonly part: () => void
  readonly join: () => void
  /** Ends every wait for the second server, as an administrator can. */
  readonly cancelWaits: () => void
  /** The writing server restarts: its commits are on its disk, its connections are gone. */
  readonly crash: () => void
  /**
   * The other server takes the writing one's place. That one is lost, or goes on as the former
   * primary, whose commits no second server has.
   */
  readonly promote: (keepsFormer?: boolean) => void
  readonly dropFormer: () => void
}

/** `isAtFormer`: this client reaches the former primary, while there is one. */
export type Session = { readonly onUnreplicated: () => void; readonly isAtFormer?: () => boolean }

export type ServersOptions = {
  readonly now: () => number
  /** Without it commits do not wait for the second server: a planted mistake. */
  readonly synchronous: boolean
  /** Lasts as long as a statement stands still between its lock and its write. */
  readonly stall?: () => Promise<void>
  /** A commit is visible, with the tables as they are now. */
  readonly onCommit?: (tables: Tables) => void
}

type Waiting = {
  readonly position: number
  readonly end: (how: "replicated" | "cancelled" | "crashed") => void
}

const LAG = 30

/** A writing server, and the second one behind it. */
type Primary = {
  readonly timeline: number
  readonly tables: Tables
  readonly copy: Tables
  /** The changes since the second server was made; it has the first `shipped` of them. */
  readonly changes: Change[]
  shipped: number
  isParted: boolean
  locks: RowLocks
  waiting: Waiting[]
}

function createPrimary(tables: Tables, timeline: number): Primary {
  const copy = copyOf(tables)
  return {
    timeline,
    tables,
    copy,
    changes: [],
    shipped: 0,
    isParted: false,
    locks: createRowLocks(),
    waiting: [],
  }
}

/**
 * As PostgreSQL does it: a statement locks rows, writes, and commits; the commit is on this
 * server's disk at once, and neither visible nor acknowledged before the second server has it. Its
 * locks are held until then.
 */
export function createSimulatedServers(options: ServersOptions): SimulatedServers {
  const { now, synchronous, stall } = options
  let shiftMs = 0
  let transactions = 0
  let primary = createPrimary(emptyTables(), 1)
  let former: Primary | null = null

  async function run(
    sql: string,
    values: readonly unknown[],
    session: Session,
  ): Promise<QueryAnswer> {
    const at = (session.isAtFormer?.() ? former : null) ?? primary
    const statement = findStatement(sql)
    const id = ++transactions
    const place = at.locks
    const written: Change[] = []
    const transaction: Transaction = {
      tables: () => at.tables,
      snapshot: at.tables.version,
      nowMs: () => now() + shiftMs,
      lock: (name, mode) => place.lock(id, name, mode),
      write: (change) => written.push(change),
      stall: async () => stall?.(),
    }
    try {
      const answer = await statement.run(transaction, values, sql, {
        system: "7",
        timeline: at.timeline,
        synchronous,
      })
      if (place !== at.locks) throw gone()
      if (written.length > 0) await commit(at, written, session, options)
      return answer
    } finally {
      place.release(id)
    }
  }

  const dropFormer = (): void => {
    if (former !== null) lose(former)
    former = null
  }

  return {
    nowMs: () => now() + shiftMs,
    shiftClock: (ms) => {
      shiftMs = ms
    },
    tables: () => primary.tables,
    kept: () => (synchronous ? primary.copy : primary.tables),
    run,
    part: () => {
      primary.isParted = true
    },
    join: () => {
      primary.isParted = false
      ship(primary, synchronous)
    },
    cancelWaits: () => {
      for (const one of [primary, former]) if (one !== null) endWaits(one, "cancelled")
    },
    crash: () => {
      endWaits(primary, "crashed")
      dropConnections(primary)
    },
    promote: (keepsFormer = false) => {
      dropFormer()
      const old = primary
      primary = createPrimary(old.copy, old.timeline + 1)
      if (!keepsFormer) return lose(old)
      old.isParted = true
      former = old
    },
    dropFormer,
  }
}

async function commit(
  at: Primary,
  written: readonly Change[],
  session: Session,
  { synchronous, onCommit }: ServersOptions,
): Promise<void> {
  const place = at.locks
  const all: Change = (target) => {
    for (const change of written) change(target)
    target.version++
  }
  at.changes.push(all)
  const position = at.changes.length
  const show = (): void => {
    all(at.tables)
    onCommit?.(at.tables)
  }
  if (!synchronous) {
    show()
    ship(at, synchronous)
    return
  }
  ship(at, synchronous)
  if (at.shipped >= position) return show()
  const how = await new Promise<"replicated" | "cancelled" | "crashed" | "lost">((resolve) => {
    at.waiting.push({
      position,
      end: (ended) => {
        // Visible in the order of the commits, whichever client hears of it first.
        if (place === at.locks || ended === "crashed") show()
        resolve(place === at.locks || ended === "crashed" ? ended : "lost")
      },
    })
  })
  if (how === "cancelled") session.onUnreplicated()
  if (how === "crashed" || how === "lost") throw gone()
}

function ship(at: Primary, synchronous: boolean): void {
  if (at.isParted) return
  // Without its acknowledgements the second server is behind by a few commits.
  for (; at.shipped < at.changes.length - (synchronous ? 0 : LAG); at.shipped++)
    at.changes[at.shipped]?.(at.copy)
  const { waiting, shipped } = at
  for (const one of waiting.filter(({ position }) => position <= shipped)) one.end("replicated")
  at.waiting = at.waiting.filter(({ position }) => position > shipped)
}

function endWaits(at: Primary, how: "cancelled" | "crashed"): void {
  const ended = at.waiting
  at.waiting = []
  for (const one of ended) one.end(how)
}

function dropConnections(at: Primary): void {
  at.locks.end()
  at.locks = createRowLocks()
}

/** Its clients get no answer any more, and no commit of it counts. */
function lose(at: Primary): void {
  dropConnections(at)
  endWaits(at, "cancelled")
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
