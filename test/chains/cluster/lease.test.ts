import { createHash } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createAppender } from "#cluster/create-appender.ts"
import {
  LEASE_MS,
  type Lease,
  proveLease,
  releaseLease,
  renewLease,
  takeLease,
  valuesOf,
} from "#cluster/lease.ts"
import {
  APPEND,
  appendEntries,
  appendValues,
  fetchParts,
  type LogEntry,
  putSnapshot,
  readEntries,
  readSnapshotState,
  type SnapshotState,
} from "#cluster/log.ts"
import { noteStandby } from "#cluster/members.ts"
import { type ClusterDatabase, openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { registerWallets } from "#cluster/register-wallets.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { createLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

const log = createLogger({ level: "silent", pretty: false, destination: 1 })
const monotonicMs = (): number => performance.now()
/** PostgreSQL has its standby. */
const judge = async (): Promise<void> => undefined

describe.skipIf(!hasPostgres())("the lease and the log in PostgreSQL", () => {
  let pair: PostgresPair
  let database: ClusterDatabase
  let admin: pg.Client
  beforeAll(async () => {
    pair = await startPostgres()
    database = await openClusterDatabase(new Secret(pair.url, "test"), () => undefined)
    admin = new pg.Client(pair.url)
    await admin.connect()
  })
  afterAll(async () => {
    await database?.close()
    await admin?.end()
    pair?.stop()
  })
  beforeEach(() =>
    admin.query(
      "truncate ballast.lease, ballast.log, ballast.snapshot, ballast.snapshot_part, " +
        "ballast.member, ballast.wallet",
    ),
  )

  const take = async (holder: string): Promise<Lease> => {
    const lease = await takeLease(database, "t", holder)
    if (lease === null) throw new Error(`${holder} got no lease`)
    return lease
  }
  const expire = (): Promise<unknown> =>
    admin.query("update ballast.lease set until = clock_timestamp() - interval '1 millisecond'")
  const count = async (): Promise<number> =>
    Number((await admin.query("select count(*) n from ballast.log")).rows[0].n)

  test("the standby of the pair is synchronous", async () => {
    const { rows } = await admin.query("select sync_state from pg_stat_replication")
    expect(rows).toEqual([{ sync_state: "sync" }])
  })

  test("one holder at a time, and each take-over has a higher epoch", async () => {
    const first = await take("a")
    expect(await takeLease(database, "t", "b")).toBeNull()
    await expire()
    const second = await take("b")
    expect(Number(second.epoch)).toBe(Number(first.epoch) + 1)
    await expect(renewLease(database, first)).rejects.toMatchObject({ code: "cluster.lease_lost" })
    await expect(proveLease(database, first, () => 0, judge)).rejects.toMatchObject({
      code: "cluster.lease_lost",
    })
    await proveLease(database, second, () => 0, judge)
  })

  test("only the database's clock ends a lease", async () => {
    const lease = await take("a")
    // The lease is over in the database, whatever this process believes.
    await expire()
    expect(await appendEntries(database, lease, [entry(1)])).toBeNull()
    await expect(proveLease(database, lease, () => 0, judge)).rejects.toMatchObject({
      code: "cluster.lease_lost",
    })
    await expect(renewLease(database, lease)).rejects.toMatchObject({ code: "cluster.lease_lost" })
    expect(await count()).toBe(0)
  })

  test("a released lease is free at once", async () => {
    const lease = await take("a")
    await releaseLease(database, lease)
    await take("b")
  })

  test("a former holder appends nothing and replaces no snapshot", async () => {
    const former = await take("a")
    await expire()
    const lease = await take("b")
    expect(await appendEntries(database, former, [entry(1)])).toBeNull()
    await expect(putSnapshot(database, former, snapshot(1), PARTS)).rejects.toMatchObject({
      code: "cluster.lease_lost",
    })
    expect(await appendEntries(database, lease, [entry(1), entry(2), entry(3)])).toBeGreaterThan(0)
    await putSnapshot(database, lease, snapshot(2), PARTS)
    expect((await readEntries(database, "t", 0, 10)).map(({ seq }) => seq)).toEqual([3])
  })

  test(
    "nothing follows a group that the log lacks, as after the promotion of a standby that was " +
      "behind",
    async () => {
      const lease = await take("a")
      expect(await appendEntries(database, lease, [entry(1), entry(2)])).toBeGreaterThan(0)
      await admin.query("delete from ballast.log where seq = 2")
      expect(await appendEntries(database, lease, [entry(3)])).toBeNull()
      // A snapshot up to that group has it.
      await putSnapshot(database, lease, snapshot(2), PARTS)
      expect(await appendEntries(database, lease, [entry(3)])).toBeGreaterThan(0)
      expect(await count()).toBe(1)
    },
  )

  test("a snapshot comes back part by part, and replaces the former one", async () => {
    const lease = await take("a")
    expect(
      await appendEntries(database, lease, [entry(1), entry(2), entry(3), entry(4)]),
    ).toBeGreaterThan(0)
    await putSnapshot(database, lease, snapshot(1), [Buffer.from("former")])
    await putSnapshot(database, lease, snapshot(3), PARTS)
    const state = await readSnapshotState(database, "t")
    expect(state).toEqual({ ...snapshot(3), parts: 2 })
    if (state === null) throw new Error("the snapshot is there")
    expect(await readAll(state)).toBe("one, two")
    // A reader of the former one is told to begin again.
    await expect(readAll({ ...state, seq: 1 })).rejects.toMatchObject({
      code: "cluster.unreachable",
    })
    expect((await readEntries(database, "t", 0, 10)).map(({ seq }) => seq)).toEqual([4])
  })

  test("the log keeps the entries that a standby still needs, and not those of one that is gone", async () => {
    const lease = await take("a")
    const rest = async () => (await readEntries(database, "t", 0, 10)).map(({ seq }) => seq)
    expect(await appendEntries(database, lease, [1, 2, 3, 4, 5].map(entry))).toBeGreaterThan(0)
    await noteStandby(database, "t", { holder: "slow", version: "1", seq: 2, hash: "" })
    await putSnapshot(database, lease, snapshot(4), PARTS)
    // Its own last entry stays, by which it knows that its copy is the log's.
    expect(await rest()).toEqual([2, 3, 4, 5])
    await admin.query("update ballast.member set seen = clock_timestamp() - interval '1 minute'")
    await putSnapshot(database, lease, snapshot(4), PARTS)
    expect(await rest()).toEqual([5])
  })

  async function readAll(state: SnapshotState): Promise<string> {
    let text = ""
    for await (const bytes of fetchParts(database, "t", state))
      text += Buffer.from(bytes).toString()
    return text
  }

  test("a take-over waits for an append that has proven its lease", async () => {
    const former = await take("a")
    await admin.query("begin")
    const one = entry(1)
    await admin.query(APPEND, [...valuesOf(former), ...appendValues([one])])
    // The lease ends while the append's transaction is open.
    await systemClock.sleep(LEASE_MS + 200)
    let taken: Lease | null | "waits" = "waits"
    const takeOver = takeLease(database, "t", "b").then((lease) => {
      taken = lease
    })
    await systemClock.sleep(500)
    const before = taken
    await admin.query("commit")
    await takeOver
    expect(before).toBe("waits")
    expect(taken).not.toBeNull()
    // So the new holder sees everything that the former one has appended.
    expect(await count()).toBe(1)
  })

  test("a proof that a frozen process reads too late is asked for again", async () => {
    const lease = await take("a")
    let asked = 0
    const counting: ClusterDatabase = {
      ...database,
      query: (sql, values) => {
        asked += 1
        return database.query(sql, values)
      },
    }
    // The process stands still between the first question and its answer for longer than the lease
    // lasts.
    const times = [0, LEASE_MS + 1, LEASE_MS + 1, LEASE_MS + 2]
    await proveLease(counting, lease, () => times.shift() ?? Number.NaN, judge)
    expect(asked).toBe(2)
  })

  test(
    "each entry of a statement keeps its own bytes, and the connection prepares the statement " +
      "once",
    async () => {
      const lease = await take("a")
      const sized = [300, 0, 5_000, 1].map((size, at) => ({
        ...entry(at + 1),
        changeset: Buffer.alloc(size, at + 65),
      }))
      await appendEntries(database, lease, sized)
      await appendEntries(database, lease, [entry(5)])
      const stored = await readEntries(database, "t", 0, 10)
      expect(stored.map(({ changeset }) => Buffer.from(changeset))).toEqual(
        [...sized, entry(5)].map(({ changeset }) => Buffer.from(changeset)),
      )
      const known = await database.query(
        "select 1 from pg_prepared_statements where statement = $1",
        [APPEND],
      )
      expect(known.count).toBe(1)
    },
  )

  test("entries share a statement until a caller waits for them, or their time is over", async () => {
    const lease = await take("a")
    const sizes: number[] = []
    const counting: ClusterDatabase = {
      ...database,
      query: (sql, values) => {
        if (sql === APPEND && Array.isArray(values[3])) sizes.push(values[3].length)
        return database.query(sql, values)
      },
    }
    let pass = (): void => undefined
    const clock: Clock = {
      ...systemClock,
      sleep: (_, signal) =>
        new Promise((resolve) => {
          pass = resolve
          if (signal?.aborted) resolve()
          signal?.addEventListener("abort", () => resolve())
        }),
    }
    const lost: unknown[] = []
    const appender = createAppender(
      { database: counting, lease, clock, log, monotonicMs, judge },
      (error) => lost.push(error),
    )
    const first = [1, 2].map((seq) => appender.append(entry(seq)))
    await systemClock.sleep(100)
    expect(sizes).toEqual([])
    appender.urge()
    // It comes while the statement runs.
    await systemClock.turn?.()
    const second = appender.append(entry(3))
    await Promise.all(first)
    await systemClock.sleep(100)
    expect(sizes).toEqual([2])
    pass()
    await second
    expect(sizes).toEqual([2, 1])
    // A caller that waits for an entry on its way makes no later entry leave early.
    const fourth = appender.append(entry(4))
    pass()
    await systemClock.turn?.()
    appender.urge()
    await fourth
    const fifth = appender.append(entry(5))
    await systemClock.sleep(100)
    expect(sizes).toEqual([2, 1, 1])
    appender.urge()
    await fifth
    expect(lost).toEqual([])
    expect((await readEntries(database, "t", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })

  test.each(["before", "after"] as const)(
    "an append that breaks %s its commit is settled",
    async (moment) => {
      const lease = await take("a")
      let isBroken = true
      const breaking: ClusterDatabase = {
        ...database,
        query: async (sql, values) => {
          if (!(isBroken && sql === APPEND)) return database.query(sql, values)
          isBroken = false
          if (moment === "after") await database.query(sql, values)
          throw new Error("connection lost")
        },
      }
      const lost: unknown[] = []
      const appender = createAppender(
        { database: breaking, lease, clock: systemClock, log, monotonicMs, judge },
        (error) => lost.push(error),
      )
      await Promise.all([1, 2, 3].map((seq) => appender.append(entry(seq))))
      expect((await readEntries(database, "t", 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect(lost).toEqual([])
    },
  )

  test("an entry that only the lost primary had is appended again", async () => {
    const lease = await take("a")
    let isFirst = true
    const failingOver: ClusterDatabase = {
      ...database,
      query: async (sql, values) => {
        // The standby takes over just before the lease is renewed there, and it never had the
        // entry.
        if (/update ballast.lease/.test(sql) && isFirst) {
          isFirst = false
          await admin.query("delete from ballast.log")
        }
        const answer = await database.query(sql, values)
        if (sql === APPEND && isFirst) throw new Error("the connection is lost")
        return answer
      },
    }
    const appender = createAppender(
      { database: failingOver, lease, clock: systemClock, log, monotonicMs, judge },
      () => undefined,
    )
    await appender.append(entry(1))
    expect((await readEntries(database, "t", 0, 10)).map(({ seq }) => seq)).toEqual([1])
  })

  test("an append resolves never and reports the loss when another holder has its place", async () => {
    const lease = await take("a")
    await expire()
    const successor = await take("b")
    await appendEntries(database, successor, [{ ...entry(1), hash: "other" }])
    const lost = Promise.withResolvers<unknown>()
    const appender = createAppender(
      { database, lease, clock: systemClock, log, monotonicMs, judge },
      lost.resolve,
    )
    let isDone = false
    appender.append(entry(1)).then(() => {
      isDone = true
    })
    expect(await lost.promise).toMatchObject({ code: "cluster.lease_lost" })
    expect(isDone).toBe(false)
  })

  test("a wallet belongs to one treasury", async () => {
    const wallets = [{ chain: "base", account: "0x1" }]
    await registerWallets(database, "t", wallets)
    await registerWallets(database, "t", wallets)
    await expect(registerWallets(database, "u", wallets)).rejects.toMatchObject({
      code: "cluster.wallet_taken",
    })
  })
})

function entry(seq: number): LogEntry {
  return {
    seq,
    hash: createHash("sha256").update(String(seq)).digest("hex"),
    changeset: Buffer.from(`changes ${seq}`),
  }
}

function snapshot(seq: number): Parameters<typeof putSnapshot>[2] {
  return { seq, hash: entry(seq).hash, schema: 13 }
}

const PARTS = [Buffer.from("one, "), Buffer.from("two")]
