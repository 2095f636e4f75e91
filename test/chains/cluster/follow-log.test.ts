import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { readSnapshotState } from "#cluster/log.ts"
import { noteStandby } from "#cluster/members.ts"
import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { followLog } from "#daemon/cluster/follow-log.ts"
import { joinCluster, type MemberHost, type Membership } from "#daemon/cluster/join-cluster.ts"
import { openMemberHost } from "#daemon/cluster/member-host.ts"
import { publishSnapshot } from "#daemon/cluster/publish-snapshot.ts"
import { refuseReplica } from "#daemon/start/refuse-replica.ts"
import { parseAssetId } from "#domain/asset.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"
import { createLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

const log = createLogger({ level: "silent", pretty: false, destination: 1 })

describe.skipIf(!hasPostgres())("a daemon's journal and the log", () => {
  let pair: PostgresPair
  let admin: pg.Client
  let directory: string
  let ended: unknown[]
  beforeAll(async () => {
    pair = await startPostgres()
    admin = new pg.Client(pair.url)
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    pair?.stop()
  })
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "follow-"))
    ended = []
  })
  afterEach(async () => {
    rmSync(directory, { recursive: true })
    await admin.query(
      "truncate ballast.lease, ballast.log, ballast.snapshot, ballast.snapshot_part, " +
        "ballast.member, ballast.wallet",
    )
  })

  const fileOf = (name: string): string => join(directory, `${name}.db`)
  const lead = (
    name: string,
    prepare = async (): Promise<void> => undefined,
    treasury = "t",
    adaptHost = (host: MemberHost): MemberHost => host,
  ): Promise<Membership> =>
    joinCluster(
      {
        host: adaptHost(
          openMemberHost({ url: new Secret(pair.url, "test"), file: fileOf(name), log }),
        ),
        treasury,
        file: fileOf(name),
        version: "1",
        isReal: false,
        clock: systemClock,
        log,
        prepare,
        endProcess: (error) => ended.push(error),
      },
      async () => async () => undefined,
    )
  const write = async ({ journal }: Membership, key: string, value: string): Promise<void> => {
    journal.writeFlag(key, value)
    await journal.durable()
  }
  const leave = async (member: Membership): Promise<void> => {
    await member.drain()
    member.journal.close()
    await member.leave()
  }

  test("the next leader has everything that was acknowledged, and goes on from there", async () => {
    const a = await lead("a")
    await write(a, "x", "1")
    await leave(a)
    const b = await lead("b")
    expect(b.journal.readFlag("x")).toBe("1")
    await write(b, "x", "2")
    await leave(b)
    const again = await lead("a")
    expect(again.journal.readFlag("x")).toBe("2")
    await leave(again)
    expect(ended).toEqual([])
  })

  test("a copied group counts as acknowledged once the standby's own write has found it in the log", async () => {
    const a = await lead("a")
    const b = lead("b")
    // This one's write comes to a server that lacks the group.
    const c = lead("c", undefined, undefined, (host) => ({
      ...host,
      openDatabase: async (onUnreplicated) => {
        const database = await host.openDatabase(onUnreplicated)
        const query: typeof database.query = async (sql, values) => {
          const answer = await database.query(sql, values)
          return sql.includes("into ballast.member")
            ? { ...answer, rows: [{ has: false }] }
            : answer
        }
        return { ...database, query }
      },
    }))
    await write(a, "x", "1")
    const { position } = readReplica(fileOf("a")) ?? {}
    await expect.poll(() => readReplica(fileOf("b"))?.acknowledged).toEqual(position)
    await expect.poll(() => readReplica(fileOf("c"))?.position).toEqual(position)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(readReplica(fileOf("c"))?.acknowledged).toBeNull()
    await leave(a)
    await Promise.all([b.then(leave), c.then(leave)])
  })

  test("a daemon asks for the lease only when its long preparations are done", async () => {
    const leases: number[] = []
    const a = await lead("a", async () => {
      const { rows } = await admin.query("select count(*)::integer as n from ballast.lease")
      leases.push(rows[0].n)
    })
    expect(leases).toEqual([0])
    await leave(a)
  })

  /**
   * Joins while another holder has the lease for a second; the answers to the standby's question
   * for the time that is left come from `askLeft`.
   */
  async function followHolder(
    askLeft: () => number,
    parts: Partial<Parameters<typeof joinCluster>[0]>,
    lease = "1 second",
  ): Promise<void> {
    const until = `clock_timestamp() + interval '${lease}'`
    const held = `insert into ballast.lease values ('t', 1, 'other', ${until})`
    const host = openMemberHost({ url: new Secret(pair.url, "test"), file: fileOf("a"), log })
    const openDatabase: typeof host.openDatabase = async (onUnreplicated) => {
      const database = await host.openDatabase(onUnreplicated)
      await admin.query(held)
      return {
        ...database,
        query: async (sql, values) =>
          sql.startsWith("select holder")
            ? { rows: [{ holder: "other", epoch: 1, left: askLeft() }], count: 1 }
            : database.query(sql, values),
      }
    }
    const member = await joinCluster(
      {
        host: { ...host, openDatabase },
        treasury: "t",
        file: fileOf("a"),
        version: "1",
        isReal: false,
        clock: systemClock,
        log,
        prepare: async () => undefined,
        endProcess: (error) => ended.push(error),
        ...parts,
      },
      async () => async () => undefined,
    )
    await leave(member)
  }

  test("a standby asks for the lease at its end, and not up to a poll later", async () => {
    const slept: number[] = []
    const sleep: typeof systemClock.sleep = (ms, signal) => {
      slept.push(ms)
      return systemClock.sleep(ms, signal)
    }
    await followHolder(() => 40, { clock: { ...systemClock, sleep } })
    expect(slept[0]).toBe(40)
  })

  test("a standby hears of a missed renewal, and of no late answer to one", async () => {
    // The leader renews every second, and its lease lasts four.
    const lefts = [3_990, 2_900, 2_000, 1_999]
    let left = Number.POSITIVE_INFINITY
    const heard: number[] = []
    const askLeft = (): number => {
      left = lefts.shift() ?? 100
      return left
    }
    // Four polls take a second, and more beside other work.
    await followHolder(askLeft, { onMissedRenewal: () => void heard.push(left) }, "4 seconds")
    expect([lefts, heard.slice(0, 1), heard.includes(2_000)]).toEqual([[], [1_999], false])
  })

  test("groups that never reached the log are discarded with their journal, which is kept", async () => {
    const a = await lead("a")
    await write(a, "x", "1")
    await leave(a)
    // As after a kill between the local commit and the append.
    const alone = openJournal(fileOf("a"), {
      group: { schedule: (run) => void run, onFailure: () => undefined },
      groupLog: { append: async () => undefined, urge: () => undefined },
    })
    alone.writeFlag("x", "never in the log")
    alone.close()
    const again = await lead("a")
    expect(again.journal.readFlag("x")).toBe("1")
    await leave(again)
    const kept = readdirSync(directory).filter((file) =>
      /^a\.db\.discarded-\d+-[0-9a-f]{8}$/.test(file),
    )
    expect(kept).toHaveLength(1)
    const discarded = openJournal(join(directory, kept[0] ?? ""))
    expect(discarded.readFlag("x")).toBe("never in the log")
    discarded.close()
  })

  test("a leader whose lease is gone writes nothing more and ends", async () => {
    const a = await lead("a")
    await write(a, "x", "1")
    await admin.query(
      "update ballast.lease set epoch = epoch + 1, holder = 'other', until = " +
        "clock_timestamp() + interval '1 hour'",
    )
    await expect(a.proveLease()).rejects.toMatchObject({ code: "cluster.lease_lost" })
    a.journal.writeFlag("x", "2")
    let isDurable = false
    a.journal.durable().then(
      () => {
        isDurable = true
      },
      () => undefined,
    )
    await expect.poll(() => ended).toMatchObject([{ code: "cluster.lease_lost" }])
    expect(isDurable).toBe(false)
    const { rows } = await admin.query("select count(*)::int as n from ballast.log")
    expect(rows).toEqual([{ n: 1 }])
    a.journal.close()
    await a.leave()
  })

  test(
    "a write that the log acknowledged proves the lease to the calls that were asked for " +
      "before, and to no other",
    async () => {
      let lateMs = 0
      const asked: string[] = []
      const member = await lead("a", undefined, undefined, (host) => ({
        ...host,
        monotonicMs: () => host.monotonicMs() + lateMs,
        openDatabase: async (onUnreplicated) => {
          const database = await host.openDatabase(onUnreplicated)
          const query: typeof database.query = (sql, values) => {
            asked.push(sql)
            return database.query(sql, values)
          }
          return { ...database, query }
        },
      }))
      const proves = async (since?: number): Promise<"asked" | "known"> => {
        asked.length = 0
        await member.proveLease(since)
        return asked.some((sql) => sql.endsWith("as left_ms from proof")) ? "asked" : "known"
      }
      const before = member.countProofs()
      expect(await proves(before)).toBe("asked")
      await write(member, "x", "1")
      expect(await proves(before)).toBe("known")
      expect(await proves(member.countProofs())).toBe("asked")
      expect(await proves()).toBe("asked")
      // The process stood still for longer than an answer counts.
      lateMs = 1_001
      expect(await proves(before)).toBe("asked")
      await leave(member)
      expect(ended).toEqual([])
    },
  )

  test(
    "treasuries share a database: each has its lease and its log, and a wallet belongs to one " +
      "of them",
    async () => {
      const t = await lead("t1", undefined, "t")
      const u = await lead("u1", undefined, "u")
      await t.registerWallets([{ chain: "c", account: "0x1" }])
      await u.registerWallets([{ chain: "c", account: "0x2" }])
      await write(t, "x", "of t")
      await write(u, "x", "of u")
      // The next leader of one treasury changes nothing for the other one.
      await leave(t)
      const next = await lead("t2", undefined, "t")
      expect(next.journal.readFlag("x")).toBe("of t")
      await u.proveLease()
      await write(u, "x", "still of u")
      const taken = { code: "cluster.wallet_taken", disposition: "fatal" }
      await expect(u.registerWallets([{ chain: "c", account: "0x1" }])).rejects.toMatchObject(taken)
      await leave(next)
      await expect(u.registerWallets([{ chain: "c", account: "0x1" }])).rejects.toMatchObject(taken)
      await leave(u)
      expect(ended).toEqual([])
    },
  )

  test(
    "a copy behind the snapshot goes on from the log where it can, and is rebuilt where it " +
      "cannot",
    async () => {
      const a = await lead("a")
      await write(a, "x", "1")
      await leave(a)
      const b = await lead("b")
      for (const value of ["2", "3", "4"]) await write(b, "x", value)
      const { rows } = await admin.query("select epoch, holder from ballast.lease")
      const lease = { treasury: "t", epoch: String(rows[0].epoch), holder: String(rows[0].holder) }
      const database = await openClusterDatabase(new Secret(pair.url, "test"), () => undefined)
      // The copy of "a" is at group 1, and tells so.
      await noteStandby(database, "t", { holder: "a", version: "1", seq: 1, hash: "" })
      await publishSnapshot(database, lease, fileOf("b"), async () => undefined, 2)
      expect(await readSnapshotState(database, "t")).toMatchObject({ seq: 4, parts: 1 })
      await followLog({ database, treasury: "t", file: fileOf("a"), log })
      expect(readReplica(fileOf("a"))?.position).toEqual(readReplica(fileOf("b"))?.position)
      await write(b, "x", "5")
      await write(b, "x", "6")
      await admin.query("truncate ballast.member")
      await publishSnapshot(database, lease, fileOf("b"), async () => undefined, 2)
      const { rows: left } = await admin.query("select count(*)::int as n from ballast.log")
      expect(left).toEqual([{ n: 0 }])
      await followLog({ database, treasury: "t", file: fileOf("a"), log })
      expect(readReplica(fileOf("a"))?.position).toEqual(readReplica(fileOf("b"))?.position)
      // It was only behind, so nothing of it is kept.
      expect(readdirSync(directory).filter((file) => file.includes("discarded"))).toEqual([])
      await database.close()
      await leave(b)
    },
  )

  test("a journal with orders that the log does not have is refused, and stays as it is", async () => {
    const a = await lead("a")
    await write(a, "x", "1")
    await leave(a)
    const own = openJournal(fileOf("b"))
    openOrder(own, "elsewhere")
    own.close()
    await expect(lead("b")).rejects.toMatchObject({ code: "cluster.foreign_journal" })
    const after = openJournal(fileOf("b"))
    expect(after.listOrders({}).map(({ id }) => id)).toEqual(["elsewhere"])
    after.close()
    // One without orders has nothing to lose: the copy of the log takes its place.
    openJournal(fileOf("c")).close()
    const c = await lead("c")
    expect(c.journal.readFlag("x")).toBe("1")
    await leave(c)
  })

  test("a database without the log of the journal is refused", async () => {
    const a = await lead("a")
    await write(a, "x", "1")
    await leave(a)
    await admin.query("truncate ballast.log, ballast.snapshot")
    await expect(lead("a")).rejects.toMatchObject({ code: "cluster.log_missing" })
  })

  test("a copy of a cluster's journal is no journal for a daemon on its own", async () => {
    refuseReplica(fileOf("a"))
    const a = await lead("a")
    await leave(a)
    expect(readReplica(fileOf("a"))?.position?.seq).toBe(0)
    expect(() => refuseReplica(fileOf("a"))).toThrow(
      expect.objectContaining({ code: "cluster.journal_is_copy" }),
    )
  })
})

function openOrder(journal: Journal, id: string): void {
  const from = parseAssetId("a:usd")
  const to = parseAssetId("b:usd")
  journal.openOrder(
    {
      ...ORDER_ROW,
      id,
      state: "funded",
      from,
      to,
      countedAtMs: 0,
      deposited: true,
      createdAtMs: 0,
      updatedAtMs: 0,
    },
    { atMs: 0, type: "order.opened", state: "quoting", body: "{}" },
    null,
    null,
  )
}
