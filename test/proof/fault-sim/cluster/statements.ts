import type { QueryAnswer } from "#cluster/open-cluster-database.ts"
import { type LeaseRow, type LogRow, listLog, type MemberRow, type Tables } from "./tables.ts"
import type { Transaction } from "./transaction.ts"

type Server = { readonly system: string; readonly timeline: number; readonly synchronous: boolean }
type Run = (
  transaction: Transaction,
  values: readonly unknown[],
  sql: string,
  server: Server,
) => QueryAnswer | Promise<QueryAnswer>

/** A statement of `src/edges/cluster`, recognised by a part of its text. */
export type Statement = { readonly part: string; readonly run: Run }

export function findStatement(sql: string): Statement {
  const found = STATEMENTS.find(({ part }) => sql.includes(part))
  if (found === undefined)
    throw new Error(`the simulated servers do not know this statement: ${sql}`)
  return found
}

/** The first that fits counts. */
const STATEMENTS: readonly Statement[] = [
  {
    part: "pg_control_system",
    run: (_, _values, _sql, { system, timeline, synchronous }) =>
      rows([{ system, wal: timeline.toString(16).padStart(8, "0").padEnd(24, "0"), synchronous }]),
  },
  { part: "insert into ballast.lease", run: takeLease },
  { part: "with renewed AS", run: renewAndRead },
  { part: "update ballast.lease set until = clock_timestamp() + $4", run: renew },
  {
    part: "update ballast.lease set until = clock_timestamp() where",
    run: (transaction, values) => setUntil(transaction, values, transaction.nowMs),
  },
  {
    part: "as left_ms from proof",
    run: async (transaction, values, sql) => {
      const lease = await prove(transaction, values, sql)
      if (lease === null) return none(0)
      // The lock of a row is in PostgreSQL's log, so its commit waits as that of any write.
      transaction.write(() => undefined)
      return rows([{ left_ms: countedMs(lease, transaction) }])
    },
  },
  { part: "insert into ballast.log", run: append },
  { part: "insert into ballast.snapshot_part", run: putPart },
  { part: "insert into ballast.snapshot ", run: putSnapshot },
  { part: "select seq, hash, changeset from ballast.log", run: readEntries },
  {
    part: "select seq, hash, schema, parts from ballast.snapshot",
    run: ({ tables }, [treasury]) => {
      const row = tables().snapshot.get(String(treasury))
      return rows(row === undefined ? [] : [row])
    },
  },
  {
    part: "select bytes from ballast.snapshot_part",
    run: ({ tables }, key) => {
      const bytes = tables().parts.get(key.join("/"))
      return rows(bytes === undefined ? [] : [{ bytes }])
    },
  },
  { part: "insert into ballast.member", run: note },
  {
    part: "delete from ballast.member where treasury = $1 and holder = $2",
    run: ({ tables, write }, [treasury, holder]) => {
      const key = `${treasury}/${holder}`
      if (!tables().members.has(key)) return none(0)
      write(({ members }) => void members.delete(key))
      return none(1)
    },
  },
  { part: "from ballast.member", run: listMembers },
  {
    part: "select holder, epoch, extract",
    run: ({ tables, nowMs }, [treasury]) => {
      const lease = tables().lease.get(String(treasury))
      return rows(
        lease === undefined || lease.untilMs <= nowMs()
          ? []
          : [{ ...lease, left: lease.untilMs - nowMs() }],
      )
    },
  },
  { part: "insert into ballast.wallet", run: registerWallet },
]

const rows = (found: readonly object[]): QueryAnswer => ({
  rows: found.map((row) => ({ ...row })),
  count: found.length,
})
const none = (count: number): QueryAnswer => ({ rows: [], count })
const leaseLock = (treasury: unknown): string => `lease/${treasury}`

/** The lease of these values, if it holds now. */
function holding(
  { tables, nowMs }: Transaction,
  [treasury, epoch, holder]: readonly unknown[],
): LeaseRow | null {
  const lease = tables().lease.get(String(treasury))
  if (lease === undefined || lease.epoch !== Number(epoch) || lease.holder !== holder) return null
  return lease.untilMs > nowMs() ? lease : null
}

async function takeLease(
  transaction: Transaction,
  [treasury, holder, ms]: readonly unknown[],
): Promise<QueryAnswer> {
  await transaction.lock(leaseLock(treasury), "update")
  const found = transaction.tables().lease.get(String(treasury))
  if (found !== undefined && found.untilMs > transaction.nowMs()) return none(0)
  const lease = {
    epoch: (found?.epoch ?? 0) + 1,
    holder: String(holder),
    untilMs: transaction.nowMs() + Number(ms),
  }
  transaction.write((tables) => void tables.lease.set(String(treasury), lease))
  return rows([{ epoch: lease.epoch }])
}

function renew(transaction: Transaction, values: readonly unknown[]): Promise<QueryAnswer> {
  return setUntil(transaction, values, () => transaction.nowMs() + Number(values[3]))
}

async function setUntil(
  transaction: Transaction,
  values: readonly unknown[],
  untilMs: () => number,
): Promise<QueryAnswer> {
  // A row that does not fit the condition is not locked.
  if (holding(transaction, values) === null) return none(0)
  await transaction.lock(leaseLock(values[0]), "update")
  const lease = holding(transaction, values)
  if (lease === null) return none(0)
  const renewed = { ...lease, untilMs: untilMs() }
  transaction.write((tables) => void tables.lease.set(String(values[0]), renewed))
  return none(1)
}

async function renewAndRead(
  transaction: Transaction,
  values: readonly unknown[],
): Promise<QueryAnswer> {
  const { count } = await renew(transaction, values)
  if (count === 0) return none(0)
  const found = listVisible(transaction, values[0], Number(values[4]), Number(values[5]))
  return rows(
    found.length === 0
      ? [{ seq: null, hash: null }]
      : found.map(({ seq, hash }) => ({ seq, hash })),
  )
}

/** The row of the lease, locked as the statement's text demands. */
async function prove(
  transaction: Transaction,
  values: readonly unknown[],
  sql: string,
): Promise<LeaseRow | null> {
  if (holding(transaction, values) === null) return null
  await transaction.lock(
    leaseLock(values[0]),
    sql.includes("for key share") ? "key share" : "share",
  )
  return holding(transaction, values)
}

/** How long an answer about the lease counts. */
function countedMs({ untilMs }: LeaseRow, { nowMs }: Transaction): number {
  return Math.min(untilMs - nowMs(), 1_000)
}

async function append(
  transaction: Transaction,
  values: readonly unknown[],
  sql: string,
): Promise<QueryAnswer> {
  const [treasury] = values
  const lease = await prove(transaction, values, sql)
  if (lease === null) return none(0)
  const leftMs = countedMs(lease, transaction)
  await transaction.stall()
  // CAST: the arrays of the statement's own values.
  const [seqs, hashes, starts, lengths, bytes] = values.slice(3) as [
    number[],
    string[],
    number[],
    number[],
    Buffer,
  ]
  const before = (seqs[0] ?? 0) - 1
  const snapshot = transaction.tables().snapshot.get(String(treasury))?.seq ?? 0
  const isGap = snapshot < before && !transaction.tables().log.has(`${treasury}/${before}`)
  if (isGap) return rows([{ appended: 0, left_ms: leftMs }])
  for (const [index, seq] of seqs.entries()) {
    await transaction.lock(`log/${treasury}/${seq}`, "update")
    if (transaction.tables().log.has(`${treasury}/${seq}`)) throw duplicate()
    const start = (starts[index] ?? 1) - 1
    const changeset = Uint8Array.from(bytes.subarray(start, start + (lengths[index] ?? 0)))
    const entry = {
      treasury: String(treasury),
      seq,
      epoch: lease.epoch,
      hash: hashes[index] ?? "",
      changeset,
    }
    transaction.write((tables) => {
      tables.log.set(`${treasury}/${seq}`, {
        ...entry,
        version: tables.version + 1,
      } satisfies LogRow)
    })
  }
  return rows([{ appended: seqs.length, left_ms: leftMs }])
}

function duplicate(): Error {
  return new Error("duplicate key value violates unique constraint")
}

/** The statement's snapshot was made before it waited for any lock. */
function listVisible(
  { tables, snapshot }: Transaction,
  treasury: unknown,
  seq: number,
  limit: number,
): LogRow[] {
  const found = listLog(tables(), String(treasury)).filter(
    (row) => row.seq > seq && row.version <= snapshot,
  )
  return found.slice(0, limit)
}

function readEntries(
  transaction: Transaction,
  [treasury, seq, limit]: readonly unknown[],
): QueryAnswer {
  const found = listVisible(transaction, treasury, Number(seq), Number(limit))
  return rows(found.map(({ seq, hash, changeset }) => ({ seq, hash, changeset })))
}

async function putPart(
  transaction: Transaction,
  values: readonly unknown[],
  sql: string,
): Promise<QueryAnswer> {
  if ((await prove(transaction, values, sql)) === null) return none(0)
  const [treasury, , , seq, part, bytes] = values
  // CAST: the statement's own bytes.
  const copy = Uint8Array.from(bytes as Uint8Array)
  transaction.write(({ parts }) => void parts.set(`${treasury}/${seq}/${part}`, copy))
  return none(1)
}

async function putSnapshot(
  transaction: Transaction,
  values: readonly unknown[],
  sql: string,
): Promise<QueryAnswer> {
  const lease = await prove(transaction, values, sql)
  if (lease === null) return none(0)
  const [treasury, , , seq, hash, schema, parts, goneMs] = values
  const snapshot = {
    seq: Number(seq),
    hash: String(hash),
    schema: Number(schema),
    epoch: lease.epoch,
    parts: Number(parts),
  }
  const seen = listSeen(transaction, treasury, Number(goneMs)).map((member) => member.seq)
  const needed = seen.length === 0 ? snapshot.seq + 1 : Math.min(...seen)
  const old = listVisible(
    transaction,
    treasury,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ).filter((row) => row.seq <= snapshot.seq && row.seq < needed)
  transaction.write((tables) => {
    tables.snapshot.set(String(treasury), snapshot)
    for (const row of old) tables.log.delete(`${treasury}/${row.seq}`)
    for (const key of [...tables.parts.keys()]) {
      const [owner, of, part] = key.split("/")
      if (owner === treasury && (of !== String(seq) || Number(part) >= Number(parts)))
        tables.parts.delete(key)
    }
  })
  return rows([{ seq: snapshot.seq }])
}

const DAY_MS = 86_400_000

function note(
  transaction: Transaction,
  [treasury, holder, version, seq, hash]: readonly unknown[],
): QueryAnswer {
  const { write, nowMs } = transaction
  const seenMs = nowMs()
  const [found] = listVisible(transaction, treasury, Number(seq) - 1, 1)
  const row = { holder: String(holder), version: String(version), seq: Number(seq), seenMs }
  write(({ members }) => {
    for (const [key, member] of [...members])
      if (
        key.startsWith(`${treasury}/`) &&
        member.holder !== holder &&
        member.seenMs < seenMs - DAY_MS
      )
        members.delete(key)
    members.set(`${treasury}/${holder}`, row)
  })
  return rows([{ has: found?.seq === Number(seq) && found.hash === hash }])
}

function listSeen(
  { tables, nowMs }: Transaction,
  treasury: unknown,
  goneMs: number,
): readonly MemberRow[] {
  return membersOf(tables(), treasury).filter(({ seenMs }) => seenMs > nowMs() - goneMs)
}

function membersOf({ members }: Tables, treasury: unknown): MemberRow[] {
  const found = [...members].filter(([key]) => key.startsWith(`${treasury}/`)).map(([, row]) => row)
  return found.sort((a, b) => (a.holder < b.holder ? -1 : 1))
}

function listMembers(
  transaction: Transaction,
  [treasury, goneMs]: readonly unknown[],
): QueryAnswer {
  const found = listSeen(transaction, treasury, Number(goneMs))
  return rows(found.map(({ seenMs, ...row }) => ({ ...row, age_ms: transaction.nowMs() - seenMs })))
}

async function registerWallet(
  { tables, lock, write }: Transaction,
  [chain, account, treasury]: readonly unknown[],
): Promise<QueryAnswer> {
  const key = `${chain}/${account}`
  await lock(`wallet/${key}`, "update")
  const owner = tables().wallets.get(key) ?? String(treasury)
  write(({ wallets }) => void wallets.set(key, owner))
  return rows([{ treasury: owner }])
}
