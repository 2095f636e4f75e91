import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { judgeServer, readServer } from "#cluster/judge-server.ts"
import { noteStandby } from "#cluster/members.ts"
import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import type { ClusterWatch } from "#daemon/cluster/cluster-watch.ts"
import { followLog } from "#daemon/cluster/follow-log.ts"
import { joinCluster, type Membership } from "#daemon/cluster/join-cluster.ts"
import { openMemberHost } from "#daemon/cluster/member-host.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { systemClock } from "#lib/clock.ts"
import { createLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

const log = createLogger({ level: "silent", pretty: false, destination: 1 })

describe.skipIf(!hasPostgres())("the PostgreSQL behind a treasury", { timeout: 180_000 }, () => {
  let pair: PostgresPair
  let directory: string
  let ended: { code?: string }[]
  let standby: ClusterWatch | null
  beforeEach(async () => {
    pair = await startPostgres()
    directory = mkdtempSync(join(tmpdir(), "servers-"))
    ended = []
    standby = null
  }, 60_000)
  afterEach(() => {
    pair?.stop()
    rmSync(directory, { recursive: true })
  })

  const file = (): string => join(directory, "a.db")
  const joinAs = (url = pair.url, isReal = false): Promise<Membership> =>
    joinCluster(
      {
        host: openMemberHost({ url: new Secret(url, "test"), file: file(), log }),
        treasury: "t",
        file: file(),
        version: "1",
        isReal,
        clock: systemClock,
        log,
        prepare: async () => undefined,
        // CAST: the daemon's own errors.
        endProcess: (error) => ended.push(error as { code?: string }),
      },
      async (watch) => {
        standby = watch
        return async () => undefined
      },
    )
  const write = async ({ journal }: Membership, value: string): Promise<void> => {
    journal.writeFlag("x", value)
    await journal.durable()
  }
  const leave = async (member: Membership): Promise<void> => {
    await member.drain()
    member.journal.close()
    await member.leave()
  }
  const command = async (url: string, sql: string): Promise<void> => {
    const client = new pg.Client(url)
    // A test that has failed stops the servers below it.
    client.on("error", () => undefined)
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  /** Until a statement with this text waits for the standby: a group of the journal. */
  const untilGroupWaits = async (text = "into ballast.log"): Promise<void> => {
    const waiting =
      "do $$ begin assert exists (select from pg_stat_activity where wait_event = 'SyncRep' " +
      `and query like '%${text}%'); end $$`
    await expect.poll(() => command(pair.url, waiting).catch(() => "none")).toBeUndefined()
  }

  test(
    "a restored older one that still has the lease is recognised, and nothing of the journal " +
      "is overwritten",
    async () => {
      const a = await joinAs()
      await write(a, "before the backup")
      pair.backUp()
      await write(a, "after the backup")
      // No further group takes the last acknowledgement along.
      const last = readReplica(file())?.position
      await expect.poll(() => readReplica(file())?.acknowledged).toEqual(last)
      pair.restore()
      // The leader lives through it, still has the lease there, and ends with its next group.
      a.journal.writeFlag("x", "after the restore")
      await expect.poll(() => ended[0]?.code).toBe("cluster.lease_lost")
      a.journal.close()
      await a.leave()
      await command(pair.url, "update ballast.lease set until = clock_timestamp()")
      const before = readReplica(file())
      void joinAs().catch(() => undefined)
      await expect.poll(() => standby?.read().error).toMatch(`lacks group ${last?.seq} of t`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(readReplica(file())).toEqual(before)
      expect(standby?.read().role).toBe("standby")
    },
  )

  test(
    "a group that a restarted primary has alone is not taken for acknowledged, and a promotion " +
      "without it holds nothing",
    async () => {
      const a = await joinAs()
      await write(a, "1")
      // The append waits a moment for company, and the stop holds up this process: so it is the
      // next statement after it. A renewal of the lease before it would wait for the standby in its
      // place.
      a.journal.writeFlag("x", "on the primary's disk only")
      pair.stopStandby()
      await untilGroupWaits()
      a.journal.close()
      await a.leave()
      pair.stopPrimary()
      pair.startPrimary()
      const copy = join(directory, "b.db")
      const primary = await openClusterDatabase(new Secret(pair.url, "test"), () => undefined)
      const alone = await followLog({ database: primary, treasury: "t", file: copy, log })
      expect(alone).toMatchObject(readReplica(file())?.position ?? {})
      const noted = noteStandby(primary, "t", {
        holder: "b",
        version: "1",
        seq: 0,
        hash: "",
        ...alone,
      })
      await expect(noted).rejects.toMatchObject({ code: "cluster.unreachable" })
      await primary.close()
      pair.stopPrimary()
      pair.startStandby()
      pair.promote()
      const promoted = await openClusterDatabase(
        new Secret(pair.standbyUrl, "test"),
        () => undefined,
      )
      const left = await followLog({ database: promoted, treasury: "t", file: copy, log })
      await promoted.close()
      expect(left?.seq).toBe((alone?.seq ?? 0) - 1)
    },
  )

  test(
    "a former primary gives no proof of the lease, although its own clock says that the lease " +
      "lasts",
    async () => {
      const a = await joinAs()
      await write(a, "1")
      await a.proveLease()
      pair.promote()
      const proof = a.proveLease().catch(({ code }: { code?: string }) => code)
      const read =
        "do $$ begin assert (select until > clock_timestamp() from ballast.lease); end $$"
      await command(pair.url, read)
      expect(await proof).toBe("cluster.unreachable")
      a.journal.close()
      await a.leave()
    },
  )

  test("a leader without its synchronous standby ends, and does not lead again until there is one", async () => {
    const a = await joinAs()
    await write(a, "1")
    pair.demand("")
    await expect.poll(() => ended[0]?.code).toBe("cluster.not_replicated")
    a.journal.close()
    await a.leave()
    const again = joinAs()
    await expect.poll(() => standby?.read().error).toMatch(/no synchronous standby/)
    pair.demand("*")
    await leave(await again)
  })

  test("real money never goes to one without a synchronous standby", async () => {
    pair.demand("")
    const waiting = joinAs(pair.url, true)
    await expect.poll(() => standby?.read().error).toMatch(/no synchronous standby/)
    expect(existsSync(file())).toBe(false)
    pair.demand("*")
    await leave(await waiting)
  })

  test(
    "a leader ends when a commit's wait for the standby is cancelled, and leads again once " +
      "commits are replicated",
    async () => {
      const a = await joinAs()
      await write(a, "1")
      pair.demand("absent")
      a.journal.writeFlag("key", "2")
      const cancel =
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and " +
        "application_name = 'ballast'"
      const readEnd = async (): Promise<string | undefined> => {
        await command(pair.url, cancel)
        return ended[0]?.code
      }
      await expect.poll(readEnd).toBe("cluster.not_replicated")
      a.journal.close()
      await a.leave()
      // The statement that takes the lease waits for the standby too.
      const again = joinAs()
      await expect.poll(() => standby?.read().error).toMatch(/did not carry out a statement/)
      pair.demand("*")
      await leave(await again)
    },
  )

  test("a commit whose wait ends because the standby's name is removed is not acknowledged", async () => {
    const a = await joinAs()
    await write(a, "1")
    pair.demand("absent")
    a.journal.writeFlag("key", "2")
    let isAcknowledged = false
    a.journal.durable().then(
      () => {
        isAcknowledged = true
      },
      () => undefined,
    )
    await untilGroupWaits()
    pair.demand("")
    await expect.poll(() => ended[0]?.code).toBe("cluster.not_replicated")
    expect(isAcknowledged).toBe(false)
    a.journal.close()
    await a.leave()
  })

  test("a proof of the lease whose wait ends so proves nothing", async () => {
    const a = await joinAs()
    await write(a, "1")
    pair.demand("absent")
    const proof = a.proveLease().then(
      () => "proven",
      (error: unknown) => Reflect.get(Object(error), "disposition"),
    )
    await untilGroupWaits("select epoch, until from ballast.lease")
    pair.demand("")
    expect(await proof).toBe("transient")
    await expect.poll(() => ended[0]?.code).toBe("cluster.not_replicated")
    a.journal.close()
    await a.leave()
  })

  test("a promoted standby is the same treasury's, and the former primary is refused from then on", async () => {
    const a = await joinAs()
    await write(a, "1")
    await leave(a)
    const known = readReplica(file())?.server ?? null
    expect(known).toMatchObject({ timeline: 1, synchronous: true })
    pair.promote()
    const promoted = await openClusterDatabase(new Secret(pair.standbyUrl, "test"), () => undefined)
    const found = await readServer(promoted)
    await promoted.close()
    expect(found).toEqual({ system: known?.system, timeline: 2, synchronous: false })
    expect(() => judgeServer(known, found, false)).toThrow(
      expect.objectContaining({ code: "cluster.not_replicated" }),
    )
    const next = judgeServer(known, { ...found, synchronous: true }, false)
    const former = await openClusterDatabase(new Secret(pair.url, "test"), () => undefined).catch(
      () => null,
    )
    const old = former === null ? { ...found, timeline: 1 } : await readServer(former)
    await former?.close()
    expect(() => judgeServer(next, old, false)).toThrow(
      expect.objectContaining({ code: "cluster.old_timeline" }),
    )
    expect(() => judgeServer(next, { ...found, system: "other" }, false)).toThrow(
      expect.objectContaining({ code: "cluster.other_server" }),
    )
  })

  test("a role without special rights can tell the server", async () => {
    await command(
      pair.url,
      "create role plain login; create schema ballast authorization plain; grant all on " +
        "database postgres to plain",
    )
    const database = await openClusterDatabase(
      new Secret(pair.url.replace("postgres@", "plain@"), "test"),
      () => undefined,
    )
    expect(await readServer(database)).toMatchObject({
      timeline: 1,
      synchronous: true,
      system: expect.stringMatching(/^\d{10,}$/),
    })
    await database.close()
  })
})
