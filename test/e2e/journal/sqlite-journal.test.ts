import { spawn } from "node:child_process"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { chainOf, parseAssetId, toChainId } from "#domain/asset.ts"
import type { InFlightScope } from "../../../src/core/ports/journal/order-sums.ts"
import type { OrderRow, StepRow } from "../../../src/core/ports/journal/orders.ts"
import type { Journal } from "../../../src/core/ports/journal.ts"
import type { SignatureClaim } from "../../../src/core/ports/signing-record.ts"
import { openDatabase } from "../../../src/edges/journal/disk/open-database.ts"
import { initial } from "../../../src/edges/journal/migrations/0001-initial.ts"
import { SCHEMA_VERSION } from "../../../src/edges/journal/schema-version.ts"
import { openJournal } from "../../../src/edges/journal/sqlite-journal.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")

let directory: string
let file: string
let journal: Journal
beforeEach(() => {
  directory = temporaryFolder("journal")
  file = join(directory, "journal.db")
  journal = openJournal(file)
})
afterEach(() => journal.close())

function row(id: string, over: Partial<OrderRow> = {}): OrderRow {
  return {
    ...ORDER_ROW,
    id,
    secondRule: "band",
    from: ETH,
    to: BTC,
    sourceUnits: 10n ** 30n,
    sourceFiat: 5n,
    feeFiat: 1n,
    countedAtMs: 1_000,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    ...over,
  }
}

function open(id: string, over: Partial<OrderRow> = {}): number {
  const work = { body: '"first"', dueAtMs: 0 }
  journal.openOrder(
    row(id, over),
    { atMs: 1, type: "order.opened", state: "quoting", body: "{}" },
    work,
    null,
  )
  return workOf(id)
}

function workOf(id: string): number {
  return (
    journal.listDueWork(Number.MAX_SAFE_INTEGER, 99).find(({ orderId }) => orderId === id)?.id ?? -1
  )
}

function stepOf(id: string, over: Partial<StepRow> = {}): StepRow {
  return {
    ...PLAIN_STEP,
    order: row(id, { state: "next" }),
    event: { atMs: 2, type: "test.event", state: "next", body: "{}" },
    work: { body: '"second"', dueAtMs: 0 },
    ...over,
  }
}

/** The first deposit of an order on the chain of `ETH`. */
function signatureOf(orderId: string): SignatureClaim {
  const where = { chain: chainOf(ETH), account: "0xus", resources: ["nonce:1"], plan: null }
  return { orderId, purpose: "deposit", attempt: 0, digest: "d0", ...where, atMs: 1 }
}

/** Everything that the journal holds about an order. */
function recordsOf(id: string): unknown {
  const work = journal.listDueWork(Number.MAX_SAFE_INTEGER, 99)
  return [
    journal.findOrder(id),
    journal.listEvents(id),
    work,
    [...journal.listReserved("")],
    journal.listAlerts(9),
  ]
}

describe("a step", () => {
  test("is written as a whole, and read back exactly, also by the next process", () => {
    const cause = open("a")
    const alert = { code: "alarm.test", message: "test" }
    journal.commit(stepOf("a", { cause, reserve: ["c/w/nonce:1"], alerts: [alert] }))
    const before = recordsOf("a")
    journal.close()
    journal = openJournal(file)
    expect(recordsOf("a")).toEqual(before)
    expect(journal.findOrder("a")).toEqual(row("a", { state: "next" }))
    expect(journal.listEvents("a").map(({ type }) => type)).toEqual(["order.opened", "test.event"])
    expect([...journal.listReserved("c/w/")]).toEqual(["nonce:1"])
    expect(journal.listAlerts(9)[0]?.reason).toEqual(alert)
  })

  test("stores each of its alerts", () => {
    open("a")
    const alerts = ["alarm.first", "alarm.second", "alarm.third"].map((code) => ({
      code,
      message: "test",
    }))
    journal.commit(stepOf("a", { alerts }))
    expect(
      journal
        .listAlerts(9)
        .map(({ reason }) => reason.code)
        .reverse(),
    ).toEqual(alerts.map(({ code }) => code))
    expect(journal.listAlerts(9).every(({ orderId }) => orderId === "a")).toBe(true)
  })

  test("that fails half-way leaves nothing behind", () => {
    open("a")
    open("b")
    journal.commit(stepOf("b", { reserve: ["c/w/nonce:1"] }))
    const before = recordsOf("a")
    const step = stepOf("a", {
      reserve: ["c/w/nonce:0", "c/w/nonce:1"],
      alerts: [{ code: "x", message: "" }],
    })
    expect(() => journal.commit(step)).toThrow(
      expect.objectContaining({ code: "journal.resource_taken" }),
    )
    expect(recordsOf("a")).toEqual(before)
    expect(journal.listReserved("c/w/nonce:0").size).toBe(0)
  })

  test("is refused when another event replaced its work", () => {
    const stale = open("a")
    journal.commit(stepOf("a"))
    const before = recordsOf("a")
    expect(() => journal.commit(stepOf("a", { cause: stale }))).toThrow(
      expect.objectContaining({ code: "journal.stale_work", disposition: "aborted" }),
    )
    expect(recordsOf("a")).toEqual(before)
    expect(journal.hasWork(stale)).toBe(false)
  })

  test("is refused when its work belongs to another order", () => {
    open("a")
    const foreign = open("b")
    expect(() => journal.commit(stepOf("a", { cause: foreign }))).toThrow(
      expect.objectContaining({ code: "journal.stale_work" }),
    )
  })

  test("releases the reservations that it names, and none of another order", () => {
    open("a")
    open("b")
    journal.commit(stepOf("a", { reserve: ["lock/x", "c/w/nonce:1"] }))
    journal.commit(stepOf("b", { reserve: ["lock/y"] }))
    journal.commit(stepOf("a", { release: "lock/" }))
    expect([...journal.listReserved("")].sort()).toEqual(["c/w/nonce:1", "lock/y"])
    journal.commit(stepOf("a", { release: "all" }))
    expect([...journal.listReserved("")]).toEqual(["lock/y"])
  })

  test("is refused when another order has its secret hash", () => {
    open("a")
    open("b")
    journal.commit(stepOf("a", { order: row("a", { secretHash: "ab" }) }))
    journal.commit(stepOf("a", { order: row("a", { secretHash: "ab" }) }))
    expect(journal.isSecretHashKnown("ab", "a")).toBe(false)
    expect(() => journal.commit(stepOf("b", { order: row("b", { secretHash: "ab" }) }))).toThrow(
      expect.objectContaining({ code: "journal.secret_hash_taken", disposition: "refused" }),
    )
  })
})

describe("an order", () => {
  test("is not written when its occurrence was settled before", () => {
    const occurrence = { id: "dca@1", rule: "dca", atMs: 1 }
    const event = { atMs: 1, type: "order.opened", state: "quoting", body: "{}" }
    journal.openOrder(row("a"), event, null, occurrence)
    expect(() => journal.openOrder(row("b"), event, null, occurrence)).toThrow(
      expect.objectContaining({ code: "journal.occurrence_taken" }),
    )
    expect(journal.findOrder("b")).toBeNull()
    expect(journal.findOccurrence("dca@1")?.orderId).toBe("a")
    expect(() => journal.settleOccurrence(occurrence, "[]")).toThrow(
      expect.objectContaining({ code: "journal.occurrence_taken" }),
    )
  })

  test("counts in a window while it is in flight, and then until it is exactly as old as the window", () => {
    open("a", { countedAtMs: 1_000, feeFiat: 1n })
    open("b", { countedAtMs: 1_001, sourceUnits: 7n, sourceFiat: null, feeFiat: null })
    const both = { units: 10n ** 30n + 7n, fiat: 5n, feesFiat: 1n, count: 2 }
    expect(journal.sumWindow(9_999, ETH, null)).toEqual(both)
    expect(journal.sumWindow(9_999, ETH, "a")).toEqual({
      units: 7n,
      fiat: 0n,
      feesFiat: 0n,
      count: 1,
    })
    expect(journal.sumWindow(0, BTC, null)).toMatchObject({ units: 0n, count: 2 })
    journal.commit(stepOf("a", { order: row("a", { outcome: "completed" }) }))
    expect(journal.sumWindow(999, ETH, null)).toEqual(both)
    expect(journal.sumWindow(1_000, ETH, null)).toMatchObject({ units: 7n, count: 1 })
  })

  test.each([
    ["rejected", { count: 0, units: 0n, fiat: 0n, feesFiat: 3n }],
    ["abandoned", { count: 0, units: 0n, fiat: 0n, feesFiat: 3n }],
    ["refunded", { count: 1, units: 10n ** 30n, fiat: 5n, feesFiat: 3n }],
    ["completed", { count: 1, units: 10n ** 30n, fiat: 5n, feesFiat: 3n }],
  ])("that was %s counts in windows with its own amounts", (outcome, sum) => {
    open("a")
    journal.commit(stepOf("a", { order: row("a", { outcome, feeFiat: 3n }) }))
    expect(journal.sumWindow(0, ETH, null)).toEqual(sum)
  })

  test(
    "in flight counts for its rule, its pair and both its chains, and reserves network fees on " +
      "the first",
    () => {
      const bitcoin = parseAssetId("bitcoin_testnet:btc")
      open("a", { rule: "dca", feeUnits: 7n })
      open("b", { rule: "band", from: BTC, to: ETH, feeUnits: 2n })
      const count = (scope: InFlightScope): number => journal.countInFlight(scope)
      expect([
        count({ rule: "dca" }),
        count({ from: ETH, to: BTC }),
        count({ from: BTC, to: BTC }),
      ]).toEqual([1, 1, 0])
      expect([
        count({ chain: chainOf(ETH) }),
        count({ chain: chainOf(bitcoin) }),
        journal.countInFlight(),
      ]).toEqual([2, 2, 2])
      expect(journal.sumReservedFees(chainOf(ETH), null)).toBe(7n)
      expect(journal.sumReservedFees(chainOf(ETH), "a")).toBe(0n)
      journal.commit(
        stepOf("a", { order: row("a", { rule: "dca", outcome: "completed", feeUnits: 7n }) }),
      )
      expect([
        count({ rule: "dca" }),
        count({ chain: chainOf(ETH) }),
        journal.sumReservedFees(chainOf(ETH), null),
      ]).toEqual([0, 1, 0n])
    },
  )

  test.each(["settling", "proving-unfunded"])(
    "that is %s takes no slot, and every limit still counts its amounts and fees",
    (state) => {
      open("a", { rule: "dca", feeUnits: 7n })
      journal.commit(stepOf("a", { order: row("a", { rule: "dca", feeUnits: 7n, state }) }))
      const scopes: InFlightScope[] = [
        { rule: "dca" },
        { from: ETH, to: BTC },
        { chain: chainOf(ETH) },
      ]
      expect([
        journal.countInFlight(),
        ...scopes.map((scope) => journal.countInFlight(scope)),
      ]).toEqual([0, 0, 0, 0])
      expect(journal.sumWindow(10_000, ETH, null)).toEqual({
        fiat: 5n,
        feesFiat: 1n,
        count: 1,
        units: 10n ** 30n,
      })
      expect(journal.sumReservedFees(chainOf(ETH), null)).toBe(7n)
      expect(journal.sumCommitted(ETH, null)).toBe(10n ** 30n)
      expect(journal.listOrders({ limit: 9, open: true })).toHaveLength(1)
    },
  )

  test("that failed counts until another order of its pair, or of its rule, completes", () => {
    const end = (id: string, outcome: string, updatedAtMs: number): void => {
      open(id, { rule: "dca" })
      journal.commit(stepOf(id, { order: row(id, { rule: "dca", outcome, updatedAtMs }) }))
    }
    const failures = (): unknown => [
      journal.readFailures({ from: ETH, to: BTC }),
      journal.readFailures({ rule: "dca" }),
    ]
    expect(failures()).toEqual([
      { count: 0, lastMs: null },
      { count: 0, lastMs: null },
    ])
    end("a", "rejected", 10)
    end("b", "refunded", 20)
    end("c", "abandoned", 30)
    expect(failures()).toEqual([
      { count: 2, lastMs: 20 },
      { count: 2, lastMs: 20 },
    ])
    end("d", "completed", 40)
    expect(failures()).toEqual([
      { count: 0, lastMs: null },
      { count: 0, lastMs: null },
    ])
    end("e", "rejected", 50)
    expect(failures()).toEqual([
      { count: 1, lastMs: 50 },
      { count: 1, lastMs: 50 },
    ])
    expect(journal.readFailures({ rule: "other" })).toEqual({ count: 0, lastMs: null })
  })

  test("counts as committed until it is deposited or final", () => {
    open("a", { sourceUnits: 7n })
    expect(journal.sumCommitted(ETH, null)).toBe(7n)
    expect(journal.sumCommitted(ETH, "a")).toBe(0n)
    journal.commit(stepOf("a", { order: row("a", { deposited: true }) }))
    expect(journal.sumCommitted(ETH, null)).toBe(0n)
    expect(journal.countInFlight()).toBe(1)
    journal.commit(stepOf("a", { order: row("a", { outcome: "completed" }) }))
    expect(journal.countInFlight()).toBe(0)
  })
})

describe("a signature", () => {
  const claim = signatureOf("a")
  const refused = expect.objectContaining({
    code: "journal.signature_claimed",
    disposition: "hold",
  })
  beforeEach(() => void open("a"))

  test("is claimed once for a purpose; the same signature, and one that excludes it, are legal", () => {
    journal.claimSignature(claim)
    journal.claimSignature(claim)
    journal.claimSignature({
      ...claim,
      digest: "d1",
      attempt: 1,
      resources: ["nonce:1", "nonce:2"],
    })
    expect(() =>
      journal.claimSignature({ ...claim, digest: "d2", resources: ["nonce:2"] }),
    ).toThrow(refused)
    expect(() => journal.claimSignature({ ...claim, digest: "d2", resources: [] })).toThrow(refused)
    journal.claimSignature({ ...claim, purpose: "refund", digest: "d2", resources: ["nonce:9"] })
  })

  test("is refused after a restart too, and legal again when the first one is settled", () => {
    journal.claimSignature(claim)
    journal.close()
    journal = openJournal(file)
    expect(() =>
      journal.claimSignature({ ...claim, digest: "d2", resources: ["nonce:2"] }),
    ).toThrow(refused)
    const refund = { ...claim, purpose: "refund" }
    journal.claimSignature(refund)
    journal.commit(stepOf("a", { settle: "refund" }))
    journal.claimSignature({ ...refund, digest: "d2", resources: ["nonce:2"] })
  })

  test("that was settled may be claimed again with the same bytes, and then blocks others again", () => {
    journal.claimSignature(claim)
    journal.commit(stepOf("a", { settle: "deposit" }))
    journal.claimSignature(claim)
    expect(() =>
      journal.claimSignature({ ...claim, digest: "d2", resources: ["nonce:2"] }),
    ).toThrow(refused)
  })
})

describe("the claim of a signature", () => {
  const claim = signatureOf("a")
  const isOpen = (digest = "d0"): boolean =>
    journal.findOpenClaim("a", "deposit")?.digest === digest
  beforeEach(() => void open("a"))

  test("shows another order of the chain the same bytes once they are stored, and not before", () => {
    const chain = chainOf(row("a").from)
    journal.claimSignature(claim)
    expect(journal.listSigners("d0", chain, "b")).toEqual([])
    const signed = { purpose: "deposit", attempt: 0, digest: "d0", txid: "0x1", raw: "0xsigned" }
    journal.commit(stepOf("a", { signed, settle: "deposit" }))
    expect(journal.listSigners("d0", chain, "b")).toEqual([{ orderId: "a", purpose: "deposit" }])
    expect(journal.listSigners("d0", chain, "a")).toEqual([])
    expect(journal.listSigners("d1", chain, "b")).toEqual([])
    expect(journal.listSigners("d0", toChainId("another_chain"), "b")).toEqual([])
  })

  test("is open until its bytes are stored, also across a restart", () => {
    expect(isOpen()).toBe(false)
    journal.claimSignature(claim)
    journal.close()
    journal = openJournal(file)
    expect(isOpen()).toBe(true)
    journal.commit(
      stepOf("a", {
        signed: { purpose: "deposit", attempt: 0, digest: "d0", txid: "0x1", raw: "0xsigned" },
      }),
    )
    expect(isOpen()).toBe(false)
  })

  test("is open for its own order, purpose and digest only", () => {
    journal.claimSignature(claim)
    expect(isOpen("d1")).toBe(false)
    expect(journal.findOpenClaim("a", "refund")).toBe(null)
    expect(journal.findOpenClaim("b", "deposit")).toBe(null)
  })

  test("is closed when its bytes can never land", () => {
    journal.claimSignature(claim)
    journal.commit(stepOf("a", { settle: "deposit" }))
    expect(isOpen()).toBe(false)
  })
})

describe("work", () => {
  test("is listed when it is due, oldest first, and counts its beginnings", () => {
    const work = open("a")
    journal.postponeWork(work, 500)
    open("b")
    expect(journal.listDueWork(499, 9).map(({ orderId }) => orderId)).toEqual(["b"])
    expect(journal.listDueWork(500, 9).map(({ orderId }) => orderId)).toEqual(["b", "a"])
    journal.beginWork(work)
    expect(journal.listDueWork(500, 9)[1]?.begun).toBe(1)
  })

  test(
    "of an order that changed after the present time is listed too, because the clock was set " +
      "back",
    () => {
      journal.postponeWork(open("a", { updatedAtMs: 900_000 }), 900_005)
      expect(journal.listDueWork(500, 9)).toEqual([])
      expect(journal.listDueWork(500, 9, 899_999)).toMatchObject([{ orderId: "a", isAhead: true }])
      expect(journal.listDueWork(500, 9, 900_000)).toEqual([])
      expect(journal.listDueWork(900_005, 9, 900_000)).toMatchObject([
        { orderId: "a", isAhead: false },
      ])
    },
  )
})

describe("a database", () => {
  test("of a newer version is refused and left as it is", () => {
    journal.close()
    const db = new DatabaseSync(file)
    db.exec("pragma user_version = 99")
    db.close()
    expect(() => openDatabase(file)).toThrow(
      expect.objectContaining({ code: "journal.future_schema", disposition: "fatal" }),
    )
    reset(file)
  })

  test("whose migration fails half-way is left as it was", () => {
    const half = join(directory, "half.db")
    const db = new DatabaseSync(half)
    db.exec("create table decisions (x integer)")
    expect(() => openDatabase(half)).toThrow(
      expect.objectContaining({ code: "journal.open", disposition: "fatal" }),
    )
    const tables = db.prepare("select name from sqlite_schema where type = 'table'").all()
    expect(tables.map(({ name }) => name)).toEqual(["decisions"])
    expect(db.prepare("pragma user_version").get()?.["user_version"]).toBe(0)
    db.close()
  })

  test("whose migration was interrupted is migrated by the next process", () => {
    const half = join(directory, "half.db")
    const db = new DatabaseSync(half)
    db.exec(`pragma journal_mode = wal; begin immediate; ${initial}`)
    db.close()
    const opened = openDatabase(half)
    expect(opened.prepare("pragma user_version").get()?.["user_version"]).toBe(SCHEMA_VERSION)
    opened.close()
  })

  test("that is no database is refused with a sentence that says what to do", () => {
    expect(() => openDatabase(join(file, "impossible.db"))).toThrow(
      expect.objectContaining({ code: "journal.open" }),
    )
  })

  test("waits for the disk with each commit, so that a power cut takes back nothing", () => {
    const opened = openDatabase(join(directory, "fresh.db"))
    // 2 is `full`: SQLite syncs the log of each transaction before the commit returns.
    expect(opened.prepare("pragma synchronous").get()).toEqual({ synchronous: 2 })
    expect(opened.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" })
    opened.close()
  })

  test("keeps every write that was acknowledged when the process is killed at any moment", {
    timeout: 30_000,
  }, async () => {
    journal.close()
    for (const ms of [60, 130, 210]) {
      const acknowledged = await writeUntilKilled(ms)
      journal = openJournal(file)
      const stored = Number(journal.readFlag("counter") ?? -1)
      expect(acknowledged).toBeGreaterThan(0)
      expect(stored).toBeGreaterThanOrEqual(acknowledged)
      expect(stored).toBeLessThanOrEqual(acknowledged + 1)
      journal.close()
    }
    journal = openJournal(file)
  })
})

/**
 * A separate process that writes 1, 2, 3, … and acknowledges each write; resolves with the last
 * number that it acknowledged.
 */
function writeUntilKilled(afterFirstMs: number): Promise<number> {
  const module = join(import.meta.dirname, "../../../src/edges/journal/sqlite-journal.ts")
  const script = `
    import { openJournal } from ${JSON.stringify(module)}
    import { writeSync } from "node:fs"
    const journal = openJournal(${JSON.stringify(file)})
    for (let n = 1; ; n++) { journal.writeFlag("counter", String(n)); writeSync(1, n + "\\n") }`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: join(import.meta.dirname, "../../.."),
    stdio: ["ignore", "pipe", "inherit"],
  })
  let said = ""
  child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), afterFirstMs))
  child.stdout.on("data", (chunk) => {
    said += String(chunk)
  })
  return new Promise((resolve) =>
    child.once("close", () => {
      const complete = said
        .slice(0, said.lastIndexOf("\n") + 1)
        .trim()
        .split("\n")
      resolve(Number(complete.at(-1)))
    }),
  )
}

/** The shared clean-up closes this journal. */
function reset(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(`pragma user_version = ${SCHEMA_VERSION}`)
  db.close()
  journal = openJournal(path)
}
