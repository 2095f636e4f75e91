import { copyFileSync } from "node:fs"
import { beforeEach, expect, test } from "vitest"
import type { KeyUse, RecordedUse } from "#domain/key-use.ts"
import { readPause } from "#domain/pause.ts"
import type { KeyRecord } from "#engine/context.ts"
import { compareKeyRecord, JOURNAL_RESTORED } from "#engine/restore/restored-journal.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { lostUnits } from "../../support/money.ts"

const UNITS = 10_000n
const MINUTE_MS = 60_000
const POLICY = {
  approveAbove: { kind: "units", units: UNITS - 1n },
  approvalTtlMs: 60 * MINUTE_MS,
  depositWindowMs: 4 * 60 * MINUTE_MS,
} as const

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  world.service.conduct.deadlineAfterMs = null
})

/** The record of a signer that has signed every claim of the journal so far. */
function recordOfSigner(): KeyRecord & {
  readonly uses: KeyUse[]
  readonly imported: RecordedUse[]
} {
  const uses = daemon.context.journal.listRecorded(0, 1_000).map((claim): KeyUse => {
    const { seq, atMs, orderId: order, chain, account, digest, resources, plan } = claim
    const secretHash =
      plan?.action === "initiate" ? daemon.order(order).data.deposit?.secretHash : null
    const action = plan?.action ?? "gasless"
    return {
      seq,
      atMs,
      order,
      chain,
      account,
      action,
      digest,
      resources,
      secretHash: secretHash ?? null,
    }
  })
  const imported: RecordedUse[] = []
  return {
    uses,
    imported,
    listUses: async (before) => ({
      first: uses[0]?.digest ?? null,
      uses: uses.filter(({ seq }) => seq < (before ?? Number.POSITIVE_INFINITY)).toReversed(),
    }),
    importUses: async (part) => {
      imported.push(...part)
      const last = imported.at(-1)
      return last === undefined ? null : { seq: last.seq, digest: last.digest }
    },
  }
}

const backup = (): string => `${world.journalFile}.backup`
const compare = (keyRecord: KeyRecord) => compareKeyRecord({ ...daemon.context, keyRecord })

function restart(use: () => void): void {
  daemon.kill()
  use()
  daemon = world.start({ policy: POLICY })
}

/**
 * An order waits for its approval in the backup, and has deposited since. Returns the signer's
 * record of then.
 */
async function restoreBeforeDeposit(): Promise<ReturnType<typeof recordOfSigner>> {
  daemon = world.start({ policy: POLICY })
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
  await daemon.reach("awaiting-approval")
  restart(() => copyFileSync(world.journalFile, backup()))
  world.serviceActs = false
  daemon.engine.operate(
    "order-1",
    "approve",
    "anna",
    daemon.order("order-1").data.intent?.hash ?? "",
  )
  await daemon.reach("funded")
  const record = recordOfSigner()
  expect(record.uses.map(({ action }) => action)).toContain("initiate")
  restart(() => copyFileSync(backup(), world.journalFile))
  return record
}

test("a journal behind the signer's record pauses everything, and its order never deposits twice", async () => {
  const record = await restoreBeforeDeposit()
  expect(await compare(record)).toBe(true)
  const pause = readPause(daemon.context.journal)
  expect(pause?.alarms.map(({ code }) => code)).toEqual([JOURNAL_RESTORED])
  expect(daemon.context.journal.listAlerts(1)[0]?.reason).toMatchObject({
    deposits: "1",
    orders: "1",
    knownOrders: "1",
  })
  // Completed with the claims of the journal, which has the lost one again.
  expect(record.imported.map(({ order }) => order)).toEqual(["order-1"])

  const ids = pause?.alarms.map(({ id }) => id) ?? []
  expect(daemon.engine.resume({ kind: "all" }, ids)).toEqual({ ok: true })
  daemon.engine.operate(
    "order-1",
    "approve",
    "anna",
    daemon.order("order-1").data.intent?.hash ?? "",
  )
  await world.pass(5 * MINUTE_MS)
  world.serviceActs = true
  await world.run(() => ["completed", "held"].includes(daemon.state("order-1")), 60 * MINUTE_MS)
  await world.pass(10 * MINUTE_MS)
  expect(lostUnits(world, ETH)).toBe(UNITS)
  expect(daemon.state("order-1")).toBe("completed")
})

/**
 * The backup has the request alone: its service order, its deposit and its secret hash are lost.
 * Returns the signer's record of then.
 */
async function restoreBeforeCreation(): Promise<ReturnType<typeof recordOfSigner>> {
  daemon = world.start()
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
  expect(daemon.state("order-1")).toMatch(/^(quoting|creating)$/)
  daemon.kill()
  copyFileSync(world.journalFile, backup())
  daemon = world.start()
  world.serviceActs = false
  await daemon.reach("funded")
  const record = recordOfSigner()
  daemon.kill()
  copyFileSync(backup(), world.journalFile)
  daemon = world.start()
  return record
}

test("a request whose service order and deposit are lost ends, and makes no second deposit", async () => {
  const record = await restoreBeforeCreation()
  expect(await compare(record)).toBe(true)
  await world.pass(5 * MINUTE_MS)
  expect(daemon.state("order-1")).toBe("rejected")
  daemon.engine.resume(
    { kind: "all" },
    readPause(daemon.context.journal)?.alarms.map(({ id }) => id) ?? [],
  )
  await world.pass(10 * MINUTE_MS)
  expect(lostUnits(world, ETH)).toBe(UNITS)
})

test("an occurrence of the lost time does not fire again", async () => {
  const record = await restoreBeforeDeposit()
  const { context } = daemon
  context.journal.writeFlag("rule/dca/settled-until", "1")
  context.journal.writeFlag("rule/later/settled-until", String(Number.MAX_SAFE_INTEGER))
  // CAST: only the ids of the rules are read.
  const rules = ["dca", "later", "new"].map((id) => ({
    id,
  })) as unknown as typeof context.settings.rules
  const settings = { ...context.settings, rules }
  await compareKeyRecord({ ...context, settings, keyRecord: record })
  const read = (rule: string) => context.journal.readFlag(`rule/${rule}/settled-until`)
  const lastMs = Math.max(...record.uses.map(({ atMs }) => atMs))
  expect([read("dca"), read("later"), read("new")]).toEqual([
    `${lastMs}`,
    `${Number.MAX_SAFE_INTEGER}`,
    null,
  ])
})

test("a known record is quiet, and the same loss is told once", async () => {
  const record = await restoreBeforeDeposit()
  expect(await compare(record)).toBe(true)
  expect(await compare(record)).toBe(false)
  expect(daemon.alerts().filter((code) => code === JOURNAL_RESTORED)).toHaveLength(1)
})

test("without a signer's record nothing is older", async () => {
  daemon = world.start({ policy: POLICY })
  expect(await compareKeyRecord(daemon.context)).toBe(false)
})

test("an opening of a token account, which has no claim, proves nothing", async () => {
  daemon = world.start({ policy: POLICY })
  const record = recordOfSigner()
  const opening = {
    seq: 1,
    atMs: 1,
    order: "open",
    account: "us",
    action: "openTokenAccount",
    digest: "d",
  } as const
  const chain = [...daemon.context.chains.keys()][0]
  if (chain === undefined) throw new Error("a chain")
  record.uses.push({ ...opening, chain, resources: [], secretHash: null })
  expect(await compare(record)).toBe(false)
  expect(readPause(daemon.context.journal)).toBeNull()
})

test("of several lost signatures the last one says which occurrences are over", async () => {
  const record = await restoreBeforeDeposit()
  const last = record.uses.at(-1)
  if (last === undefined) throw new Error("a use")
  const earlier = { ...last, seq: last.seq + 1, digest: "earlier", atMs: last.atMs - MINUTE_MS }
  record.uses.push(earlier)
  const { context } = daemon
  context.journal.writeFlag("rule/dca/settled-until", "1")
  // CAST: only the ids of the rules are read.
  const rules = [{ id: "dca" }] as unknown as typeof context.settings.rules
  const settings = { ...context.settings, rules }
  await compareKeyRecord({ ...context, settings, keyRecord: record })
  expect(context.journal.readFlag("rule/dca/settled-until")).toBe(`${last.atMs}`)
  expect(context.journal.listAlerts(1)[0]?.reason).toMatchObject({
    signatures: "2",
    from: new Date(earlier.atMs).toISOString(),
    to: new Date(last.atMs).toISOString(),
  })
})

test.each([
  ["has none of the claims", null, 0],
  ["has the first claim", "own", 1],
  ["has a claim of another journal in its place", "another", 0],
])("a signer's record that %s is completed from there", async (_what, mark, known) => {
  daemon = world.start()
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
  await daemon.reach("funded")
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
  await daemon.reach("funded", "order-2")
  const record = recordOfSigner()
  const [first] = record.uses
  if (first === undefined || mark === null) {
    await compare(record)
  } else {
    const before = { seq: first.seq, digest: mark === "own" ? first.digest : mark }
    const importUses: KeyRecord["importUses"] = async (uses) =>
      uses.length === 0 ? before : record.importUses(uses)
    await compare({ ...record, importUses })
  }
  expect(record.imported.map(({ seq }) => seq)).toEqual(
    record.uses.slice(known).map(({ seq }) => seq),
  )
})
