import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Lease } from "#cluster/lease.ts"
import { putSnapshot, readEntries, readSnapshotState } from "#cluster/log.ts"
import { noteStandby } from "#cluster/members.ts"
import { type ClusterDatabase, openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { followLog } from "#daemon/cluster/follow-log.ts"
import { joinCluster, type Membership } from "#daemon/cluster/join-cluster.ts"
import { openMemberHost } from "#daemon/cluster/member-host.ts"
import { publishSnapshot } from "#daemon/cluster/publish-snapshot.ts"
import { backUpJournal } from "#journal/disk/back-up-journal.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { SCHEMA_VERSION } from "#journal/schema-version.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { createLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

const log = createLogger({ level: "silent", pretty: false, destination: 1 })
const GROUPS = 4

describe.skipIf(!hasPostgres())("the renewal of the log's snapshot", () => {
  let pair: PostgresPair
  let admin: pg.Client
  let database: ClusterDatabase
  let directory: string
  let leader: Membership
  let lease: Lease
  beforeAll(async () => {
    pair = await startPostgres()
    admin = new pg.Client(pair.url)
    await admin.connect()
    database = await openClusterDatabase(new Secret(pair.url, "test"), () => undefined)
  })
  afterAll(async () => {
    await database?.close()
    await admin?.end()
    pair?.stop()
  })
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "renewal-"))
    leader = await lead("leader")
    const { rows } = await admin.query("select epoch, holder from ballast.lease")
    lease = { treasury: "t", epoch: String(rows[0].epoch), holder: String(rows[0].holder) }
    await write(GROUPS)
  })
  afterEach(async () => {
    leader.journal.close()
    await leader.leave()
    rmSync(directory, { recursive: true })
    await admin.query(
      "truncate ballast.lease, ballast.log, ballast.snapshot, ballast.snapshot_part, " +
        "ballast.member, ballast.wallet",
    )
  })

  const fileOf = (name: string): string => join(directory, `${name}.db`)
  const lead = (name: string): Promise<Membership> =>
    joinCluster(
      {
        host: openMemberHost({ url: new Secret(pair.url, "test"), file: fileOf(name), log }),
        treasury: "t",
        file: fileOf(name),
        version: "1",
        isReal: false,
        clock: systemClock,
        log,
        prepare: async () => undefined,
        endProcess: () => undefined,
      },
      async () => async () => undefined,
    )
  let written = 0
  const write = async (groups: number): Promise<void> => {
    for (let group = 0; group < groups; group++) {
      leader.journal.writeFlag("x", String(++written))
      await leader.journal.durable()
    }
  }
  const follow = (name: string, over = database) =>
    followLog({ database: over, treasury: "t", file: fileOf(name), log })
  const renew = (delivered = async (): Promise<void> => undefined): Promise<void> =>
    publishSnapshot(database, lease, fileOf("leader"), delivered, 1)
  const entries = async (): Promise<readonly number[]> =>
    (await readEntries(database, "t", 0, 100)).map(({ seq }) => seq)
  const countParts = async (): Promise<number> =>
    (await admin.query("select count(*)::int as n from ballast.snapshot_part")).rows[0].n

  /** The copy is the leader's journal, and none of it was set aside. */
  function expectCopy(name: string): void {
    expect(readReplica(fileOf(name))?.position).toEqual(readReplica(fileOf("leader"))?.position)
    const copy = openJournal(fileOf(name))
    expect(copy.readFlag("x")).toBe(String(written))
    copy.close()
    expect(readdirSync(directory).filter((file) => file.includes("discarded"))).toEqual([])
  }

  /** The leader's journal in parts of 16 kB. */
  async function putInParts(over = database): Promise<void> {
    const copy = `${fileOf("leader")}.copy`
    backUpJournal(fileOf("leader"), copy)
    const bytes = readFileSync(copy)
    const position = mustExist(readReplica(copy)?.position, "the position of the copy")
    const parts: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += 16_384) parts.push(bytes.subarray(at, at + 16_384))
    expect(parts.length).toBeGreaterThan(3)
    await putSnapshot(over, lease, { ...position, schema: SCHEMA_VERSION }, parts)
  }

  test("leaves a log from which a new standby gets everything, with the groups after it", async () => {
    await renew()
    expect(await entries()).toEqual([])
    await write(2)
    expect(await entries()).toEqual([GROUPS + 1, GROUPS + 2])
    await follow("new")
    expectCopy("new")
  })

  test("waits until the log has every group of the copy", async () => {
    const logged = Promise.withResolvers<void>()
    const before = await countParts()
    await write(2)
    const renewed = renew(() => logged.promise)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await entries()).not.toEqual([])
    expect(await countParts()).toBe(before)
    logged.resolve()
    await renewed
    expect(await entries()).toEqual([])
  })

  test("rebuilds a standby that was away while its groups were deleted", async () => {
    await follow("away")
    await write(2)
    await renew()
    await write(2)
    await renew()
    await write(1)
    expect(await entries()).toEqual([GROUPS + 5])
    await follow("away")
    expectCopy("away")
  })

  test("keeps the groups that the slower one of two standbys needs, and both follow at once", async () => {
    await follow("slow")
    await noteStandby(database, "t", { holder: "slow", version: "1", seq: GROUPS, hash: "" })
    await write(2)
    await follow("quick")
    await noteStandby(database, "t", { holder: "quick", version: "1", seq: GROUPS + 2, hash: "" })
    await write(1)
    await renew()
    // The last group of the slow one stays too: by it the standby knows its place.
    expect(await entries()).toEqual([GROUPS, GROUPS + 1, GROUPS + 2, GROUPS + 3])
    await write(1)
    await Promise.all([follow("slow"), follow("quick"), follow("new")])
    for (const name of ["slow", "quick", "new"]) expectCopy(name)
  })

  test(
    "that a crash ends leaves the former snapshot and its log in force, and the next one " +
      "clears it away",
    async () => {
      const known = await readSnapshotState(database, "t")
      const crash = putInParts(
        between("insert into ballast.snapshot_part", 4, () =>
          Promise.reject(new Error("the process died")),
        ),
      )
      await expect(crash).rejects.toThrow("the process died")
      expect(await readSnapshotState(database, "t")).toEqual(known)
      expect(await entries()).toHaveLength(GROUPS)
      await follow("new")
      expectCopy("new")
      // At the same position the next one has fewer parts.
      await renew()
      expect(await countParts()).toBe((await readSnapshotState(database, "t"))?.parts)
      await write(1)
      await follow("late")
      expectCopy("late")
    },
  )

  test("by a leader that loses its lease meanwhile puts nothing in force", async () => {
    const known = await readSnapshotState(database, "t")
    const takeOver = async (): Promise<void> =>
      void (await admin.query("update ballast.lease set epoch = epoch + 1, holder = 'next'"))
    const renewal = putInParts(between("insert into ballast.snapshot_part", 4, takeOver))
    await expect(renewal).rejects.toMatchObject({ code: "cluster.lease_lost" })
    expect(await readSnapshotState(database, "t")).toEqual(known)
    await follow("new")
    expectCopy("new")
  })

  test(
    "while a standby reads the former one lets it begin again, and neither mixes nor keeps " +
      "anything",
    async () => {
      await putInParts()
      await write(1)
      // The part after the first one is gone when the standby asks for it.
      await expect(follow("new", between("select bytes", 2, renew))).rejects.toMatchObject({
        code: "cluster.unreachable",
      })
      await follow("new")
      expectCopy("new")
    },
  )

  test("after a standby has read the former one, and before it reads the log, rebuilds it", async () => {
    await write(1)
    const renewal = async (): Promise<void> => {
      await renew()
      await write(1)
    }
    await follow("new", between("select seq, hash, changeset", 1, renewal))
    expectCopy("new")
  })

  /** Something else happens before the nth statement of this kind. */
  function between(sql: string, nth: number, act: () => Promise<void>): ClusterDatabase {
    let count = 0
    return {
      ...database,
      query: async (text, values) => {
        if (text.includes(sql) && ++count === nth) await act()
        return database.query(text, values)
      },
    }
  }
})
