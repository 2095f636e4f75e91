import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readServer } from "#cluster/judge-server.ts"
import {
  LEASE_MS,
  type Lease,
  proveLease,
  releaseLease,
  renewLease,
  takeLease,
} from "#cluster/lease.ts"
import {
  appendEntries,
  fetchParts,
  putSnapshot,
  readEntries,
  readSnapshotState,
  renewAndReadLog,
} from "#cluster/log.ts"
import { forgetStandby, listStandbys, noteStandby } from "#cluster/members.ts"
import { type ClusterDatabase, openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { readHolder } from "#cluster/read-cluster.ts"
import { registerWallets } from "#cluster/register-wallets.ts"
import { Secret } from "#lib/secret.ts"
import { createSimulatedServers } from "../../proof/fault-sim/cluster/simulated-servers.ts"
import { createRandom, type Random } from "../../proof/fault-sim/random.ts"
import { SEED } from "../../support/fixed-seed.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../../support/start-postgres.ts"

/** A call of the room `cluster`, by the same values on both sides. */
type Call = (database: ClusterDatabase) => Promise<unknown>

describe.skipIf(!hasPostgres())("the simulated servers and PostgreSQL", () => {
  let pair: PostgresPair
  let real: ClusterDatabase
  let admin: pg.Client
  beforeAll(async () => {
    pair = await startPostgres()
    real = await openClusterDatabase(new Secret(pair.url, "test"), () => undefined)
    admin = new pg.Client(pair.url)
    await admin.connect()
  })
  afterAll(async () => {
    await real?.close()
    await admin?.end()
    pair?.stop()
  })

  test("answer the same random calls alike", { timeout: 60_000 }, async () => {
    const first = SEED
    const counts = new Map<string, number>()
    for (let seed = first; seed < first + 40; seed++) await compare(seed, counts)
    // Both outcomes of each call that can be refused were met.
    for (const name of ["take", "renew", "prove", "append", "read"])
      for (const how of ["ok", "refused"])
        expect(counts.get(`${name} ${how}`), `${name} ${how}, ${first}`).toBeGreaterThan(5)
  })

  async function compare(seed: number, counts: Map<string, number>): Promise<void> {
    const random = createRandom(seed)
    await admin.query(
      "truncate ballast.lease, ballast.log, ballast.snapshot, ballast.snapshot_part, " +
        "ballast.member, ballast.wallet",
    )
    let nowMs = 1_000_000
    const servers = createSimulatedServers({ now: () => nowMs, synchronous: true })
    const session = { onUnreplicated: () => undefined }
    const simulated: ClusterDatabase = {
      query: (sql, values) => servers.run(sql, values, session),
      close: async () => undefined,
    }
    const leases: [Lease, ...Lease[]] = [{ treasury: "t", epoch: "1", holder: "nobody yet" }]
    for (let step = 0; step < 60; step++) {
      if (random.chance(0.12)) {
        // Every lease ends.
        nowMs += LEASE_MS
        await admin.query("update ballast.lease set until = clock_timestamp()")
        await admin.query(
          `update ballast.member set seen = seen - ${LEASE_MS} * interval '1 millisecond'`,
        )
      }
      const [name, call] = drawCall(random, leases)
      const answers = [await answerOf(call, real), await answerOf(call, simulated)]
      expect(answers[1], `seed ${seed}, step ${step}: ${name}`).toEqual(answers[0])
      const how =
        answers[0]?.ok === null || answers[0]?.ok === false || answers[0]?.code !== undefined
          ? "refused"
          : "ok"
      counts.set(`${name} ${how}`, (counts.get(`${name} ${how}`) ?? 0) + 1)
      const taken = answers[0]?.ok
      // CAST: the answer of `takeLease`.
      if (name === "take" && taken !== null) leases.push(taken as Lease)
    }
  }
})

async function answerOf(
  call: Call,
  database: ClusterDatabase,
): Promise<{ readonly ok?: unknown; readonly code?: string }> {
  try {
    return { ok: await call(database) }
  } catch (error) {
    // PostgreSQL's own errors, such as a second entry with one number, are "unreachable" to the
    // caller.
    const code =
      error instanceof Error && "code" in error ? String(error.code) : "cluster.unreachable"
    return { code }
  }
}

const judge = async (): Promise<void> => undefined

function drawCall(
  random: Random,
  leases: readonly [Lease, ...Lease[]],
): readonly [name: string, call: Call] {
  const lease = random.chance(0.7) ? (leases.at(-1) ?? leases[0]) : random.pick(leases)
  const seq = 1 + random.below(6)
  const entries = Array.from({ length: 1 + random.below(2) }, (_, index) => ({
    seq: seq + index,
    hash: `hash ${seq + index} ${random.below(2)}`,
    changeset: Uint8Array.of(seq, index),
  }))
  const { hash } = entries[0] ?? { hash: "" }
  const holder = random.pick(["a", "b"])
  const calls: readonly [readonly [string, Call], ...(readonly [string, Call])[]] = [
    ["take", (database) => takeLease(database, "t", holder)],
    ["renew", (database) => renewLease(database, lease)],
    ["prove", (database) => proveLease(database, lease, () => 0, judge)],
    ["append", async (database) => (await appendEntries(database, lease, entries)) !== null],
    ["append", async (database) => (await appendEntries(database, lease, entries)) !== null],
    ["read", (database) => renewAndReadLog(database, lease, seq - 1, 2)],
    ["entries", async (database) => (await readEntries(database, "t", seq - 1, 3)).map(plain)],
    [
      "snapshot",
      (database) =>
        putSnapshot(database, lease, { seq, hash: "s", schema: 1 }, [
          Uint8Array.of(1),
          Uint8Array.of(2),
        ]),
    ],
    ["state", (database) => readSnapshotState(database, "t")],
    ["parts", async (database) => readAll(database)],
    ["note", (database) => noteStandby(database, "t", { holder, version: "1", seq, hash })],
    ["forget", (database) => forgetStandby(database, "t", holder)],
    [
      "standbys",
      async (database) => (await listStandbys(database, "t")).map(({ ageMs: _, ...rest }) => rest),
    ],
    ["holder", async (database) => withoutTime(await readHolder(database, "t"))],
    [
      "wallet",
      (database) =>
        registerWallets(database, random.pick(["t", "u"]), [{ chain: "c", account: holder }]),
    ],
    ["server", async (database) => (await readServer(database)).synchronous],
    ...(random.chance(0.1)
      ? [["release", (database: ClusterDatabase) => releaseLease(database, lease)] as const]
      : []),
  ]
  const [name, call] = random.pick(calls)
  if (name !== "wallet") return [name, call]
  const treasury = random.pick(["t", "u"])
  return [
    name,
    (database) => registerWallets(database, treasury, [{ chain: "c", account: holder }]),
  ]
}

async function readAll(database: ClusterDatabase): Promise<unknown> {
  const state = await readSnapshotState(database, "t")
  if (state === null) return null
  const parts: unknown[] = []
  for await (const bytes of fetchParts(database, "t", state)) parts.push([...bytes])
  return parts
}

function plain({
  seq,
  hash,
  changeset,
}: {
  seq: number
  hash: string
  changeset: Uint8Array
}): unknown {
  return { seq, hash, changeset: [...changeset] }
}

/** Both clocks go on between the two answers. */
function withoutTime({ leftMs, ...found }: Awaited<ReturnType<typeof readHolder>>): unknown {
  return { ...found, isHeld: Number.isFinite(leftMs) }
}
