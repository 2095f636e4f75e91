import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { chainOf, parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { SignatureClaim, SignedRow } from "#ports/signing-record.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const BASE = chainOf(ETH)
const US = "0xus"
const REFUSED = expect.objectContaining({ code: "journal.signature_claimed", disposition: "hold" })

let directory: string
let file: string
let journal: Journal
beforeEach(() => {
  directory = temporaryFolder("signing-record")
  file = join(directory, "journal.db")
  journal = openJournal(file)
  open("a")
  open("b")
})
afterEach(() => journal.close())

function rowOf(id: string): OrderRow {
  return { ...ORDER_ROW, id, state: "any", rule: "manual", from: ETH, to: BTC }
}

function open(id: string): void {
  const work = { body: '"work"', dueAtMs: 0 }
  journal.openOrder(
    rowOf(id),
    { atMs: 1, type: "order.opened", state: "any", body: "{}" },
    work,
    null,
  )
}

const workOf = (id: string): number =>
  journal.listDueWork(9, 9).find(({ orderId }) => orderId === id)?.id ?? -1

function commit(id: string, over: Partial<StepRow>): void {
  const event = { atMs: 2, type: "test.event", state: "any", body: "{}" }
  journal.commit({ ...PLAIN_STEP, order: rowOf(id), event, ...over })
}

function planOf(digest: string, nonce: number): TransactionPlan {
  const at = { chain: BASE, account: US, action: "initiate", attempt: 0 } as const
  const limits = { maxFeeUnits: 10n ** 20n, fromHeight: 5n, expiresAtHeight: null }
  return {
    ...at,
    unsigned: `unsigned ${digest}`,
    digest,
    resources: [`nonce:${nonce}`],
    spends: [],
    ...limits,
  }
}

function signatureOf(
  digest: string,
  nonce: number,
  over: Partial<SignatureClaim> = {},
): SignatureClaim {
  const plan = planOf(digest, nonce)
  const from = { chain: BASE, account: US, attempt: 0, digest, resources: plan.resources, plan }
  return { orderId: "a", purpose: "deposit", ...from, atMs: 1, ...over }
}

const bytesOf = (digest: string, purpose = "deposit"): SignedRow => {
  return { purpose, attempt: 0, digest, txid: `tx ${digest}`, raw: `raw ${digest}` }
}

describe("a second deposit signature of an order", () => {
  test.each(["deposit", "gasless"])(
    "(%s) must exclude the first one, also when that is settled",
    (purpose) => {
      journal.claimSignature(signatureOf("d0", 1, { purpose }))
      commit("a", { settle: purpose })
      expect(() => journal.claimSignature(signatureOf("d1", 2, { purpose }))).toThrow(REFUSED)
      expect(journal.listOf("a")).toHaveLength(1)
      journal.claimSignature(signatureOf("d1", 1, { purpose }))
    },
  )

  test("must exclude every earlier one, and not only the newest", () => {
    journal.claimSignature(signatureOf("d0", 1))
    journal.claimSignature(signatureOf("d1", 1, { resources: ["nonce:1", "nonce:2"] }))
    commit("a", { settle: "deposit" })
    expect(() => journal.claimSignature(signatureOf("d2", 2))).toThrow(REFUSED)
    journal.claimSignature(signatureOf("d2", 1))
  })

  test("cannot exclude one of another account or chain", () => {
    journal.claimSignature(signatureOf("d0", 1))
    expect(() => journal.claimSignature(signatureOf("d1", 1, { account: "0xother" }))).toThrow(
      REFUSED,
    )
    expect(() =>
      journal.claimSignature(signatureOf("d1", 1, { chain: toChainId("other_chain") })),
    ).toThrow(REFUSED)
  })

  test("of another order is judged on its own", () => {
    journal.claimSignature(signatureOf("d0", 1))
    journal.claimSignature(signatureOf("d1", 2, { orderId: "b" }))
  })
})

describe("a second signature for another purpose", () => {
  test("must exclude every live one, and no settled one", () => {
    const refund = (digest: string, nonce: number) =>
      signatureOf(digest, nonce, { purpose: "refund" })
    journal.claimSignature(refund("r0", 1))
    expect(() => journal.claimSignature(refund("r1", 2))).toThrow(REFUSED)
    commit("a", { settle: "refund" })
    journal.claimSignature(refund("r1", 2))
    expect(() => journal.claimSignature(refund("r2", 3))).toThrow(REFUSED)
  })

  test("is refused again when a settled one is needed once more", () => {
    const refund = (digest: string, nonce: number) =>
      signatureOf(digest, nonce, { purpose: "refund" })
    journal.claimSignature(refund("r0", 1))
    commit("a", { settle: "refund" })
    expect(journal.listUnsettled(BASE, US)).toEqual([])
    journal.claimSignature(refund("r0", 1))
    expect(journal.listUnsettled(BASE, US).map(({ digest, settled }) => [digest, settled])).toEqual(
      [["r0", false]],
    )
    expect(() => journal.claimSignature(refund("r1", 2))).toThrow(REFUSED)
  })

  test("stays refused when a signature of a different purpose, or of another order, is settled", () => {
    journal.claimSignature(signatureOf("d0", 1))
    journal.claimSignature(signatureOf("r0", 2, { purpose: "refund" }))
    commit("a", { settle: "deposit" })
    commit("b", { settle: "refund" })
    expect(() => journal.claimSignature(signatureOf("r1", 3, { purpose: "refund" }))).toThrow(
      REFUSED,
    )
    expect(journal.listOf("a").map(({ purpose, settled }) => [purpose, settled])).toEqual([
      ["deposit", true],
      ["refund", false],
    ])
  })
})

describe("a claim", () => {
  test("is read back with its bound plan, by the next process too, until its bytes are stored", () => {
    journal.claimSignature(signatureOf("d0", 7))
    journal.close()
    journal = openJournal(file)
    expect(journal.findOpenClaim("a", "deposit")).toEqual({
      ...signatureOf("d0", 7),
      txid: null,
      raw: null,
      settled: false,
    })
    commit("a", { signed: bytesOf("d0") })
    expect(journal.findOpenClaim("a", "deposit")).toBe(null)
    expect(journal.listOf("a")).toMatchObject([
      { plan: planOf("d0", 7), txid: "tx d0", raw: "raw d0" },
    ])
  })

  test("reserves its resources in the same transaction", () => {
    journal.claimSignature(signatureOf("d0", 7, { reserve: ["base_sepolia/0xus/nonce:7"] }))
    expect([...journal.listReserved("base_sepolia/0xus/")]).toEqual(["nonce:7"])
    const taken = signatureOf("d1", 7, { orderId: "b", reserve: ["base_sepolia/0xus/nonce:7"] })
    expect(() => journal.claimSignature(taken)).toThrow(
      expect.objectContaining({ code: "journal.resource_taken" }),
    )
    expect(journal.listOf("b")).toEqual([])
  })

  test("is refused when another event has replaced the work that signs", () => {
    const cause = workOf("a")
    commit("a", {})
    const late = signatureOf("d0", 7, { cause, reserve: ["base_sepolia/0xus/nonce:7"] })
    expect(() => journal.claimSignature(late)).toThrow(
      expect.objectContaining({ code: "journal.stale_work" }),
    )
    const foreign = signatureOf("d0", 7, { cause: workOf("b") })
    expect(() => journal.claimSignature(foreign)).toThrow(
      expect.objectContaining({ code: "journal.stale_work" }),
    )
    expect(journal.listOf("a")).toEqual([])
    expect(journal.listReserved("").size).toBe(0)
  })

  test("is unsettled for its own account until a final block settles it", () => {
    journal.claimSignature(signatureOf("d0", 7))
    journal.claimSignature(signatureOf("d1", 8, { orderId: "b" }))
    journal.claimSignature(
      signatureOf("d2", 8, { orderId: "b", purpose: "refund", account: "0xother" }),
    )
    journal.settleSignatures("b", "deposit")
    journal.claimSignature(signatureOf("d3", 8, { orderId: "a", purpose: "approve" }))
    journal.claimSignature(
      signatureOf("d4", 9, { orderId: "a", purpose: "gasless", resources: [] }),
    )
    expect(
      journal.listUnsettled(BASE, US).map(({ digest, isUsedUp }) => [digest, isUsedUp]),
    ).toEqual([
      ["d0", false],
      ["d3", true],
    ])
    commit("a", { alsoSettle: ["approve"] })
    expect(journal.listUnsettled(BASE, US).map(({ digest }) => digest)).toEqual(["d0"])
    expect(journal.listUnsettled(BASE, "0xother").map(({ digest }) => digest)).toEqual(["d2"])
    expect(journal.listUnsettled(toChainId("other_chain"), US)).toEqual([])
  })
})

describe("signed bytes", () => {
  test("are added once, and the same bytes again change nothing", () => {
    journal.claimSignature(signatureOf("d0", 7))
    journal.storeSignature("a", bytesOf("d0"))
    journal.storeSignature("a", bytesOf("d0"))
    const changed = expect.objectContaining({
      code: "journal.signature_changed",
      disposition: "hold",
    })
    expect(() => journal.storeSignature("a", { ...bytesOf("d0"), raw: "other" })).toThrow(changed)
    expect(() => commit("a", { signed: { ...bytesOf("d0"), txid: "other" } })).toThrow(changed)
    expect(journal.listOf("a")).toMatchObject([{ txid: "tx d0", raw: "raw d0" }])
  })

  test("without a claim are a mistake, and nothing of their step is written", () => {
    const unclaimed = expect.objectContaining({
      code: "journal.signature_unclaimed",
      disposition: "bug",
    })
    expect(() => commit("a", { signed: bytesOf("d0"), reserve: ["lock/x"] })).toThrow(unclaimed)
    expect(journal.listReserved("").size).toBe(0)
  })

  test("make their transaction ours, on its chain and whatever became of its order", () => {
    journal.claimSignature(signatureOf("d0", 7))
    expect(journal.isOurs(BASE, "tx d0")).toBe(false)
    commit("a", { signed: bytesOf("d0"), settle: "deposit" })
    expect(journal.isOurs(BASE, "tx d0")).toBe(true)
    expect(journal.isOurs(BASE, "TX D0")).toBe(true)
    expect(journal.isOurs(BASE, "tx d1")).toBe(false)
    expect(journal.isOurs(toChainId("other_chain"), "tx d0")).toBe(false)
  })

  test("make their nonce ours, on its chain and for its account", () => {
    const claim = signatureOf("d0", 7)
    const [resource = ""] = claim.resources
    expect(journal.isResourceSigned(BASE, claim.account, resource)).toBe(false)
    journal.claimSignature(claim)
    expect(journal.isResourceSigned(BASE, claim.account, resource)).toBe(true)
    expect(journal.isResourceSigned(BASE, claim.account, resource.slice(0, -1))).toBe(false)
    expect(journal.isResourceSigned(BASE, "another", resource)).toBe(false)
    expect(journal.isResourceSigned(toChainId("other_chain"), claim.account, resource)).toBe(false)
  })
})

describe("the table of the record", () => {
  const write = (sql: string): void => {
    const db = new DatabaseSync(file)
    try {
      db.exec(sql)
    } finally {
      db.close()
    }
  }
  const columns = ["order_id", "purpose", "chain", "account", "digest", "resources", "plan"]

  test.each([
    ...columns.map(
      (column) => `update signing_record set ${column} = 'x', raw = 'r' where digest = 'd0'`,
    ),
    "update signing_record set attempt = 9, raw = 'r' where digest = 'd0'",
    "update signing_record set claimed_at = 9, raw = 'r' where digest = 'd0'",
    "update signing_record set seq = 9, raw = 'r' where digest = 'd0'",
    "update signing_record set txid = 't' where digest = 'd0'",
    "update signing_record set raw = 'other' where digest = 'd1'",
    "update signing_record set txid = null, raw = null where digest = 'd1'",
    "delete from signing_record",
    "delete from signing_record where digest = 'd0'",
    "replace into signing_record select * from signing_record where digest = 'd0'",
    "delete from orders where id = 'a'",
  ])("refuses: %s", (sql) => {
    journal.claimSignature(signatureOf("d0", 7))
    journal.claimSignature(signatureOf("d1", 8, { orderId: "b" }))
    journal.storeSignature("b", bytesOf("d1"))
    const before = [journal.listOf("a"), journal.listOf("b")]
    expect(() => write(sql)).toThrow(/append-only|FOREIGN KEY/)
    expect([journal.listOf("a"), journal.listOf("b")]).toEqual(before)
  })
})
