import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { SecretDecision, SignatureClaim } from "#ports/signing-record.ts"
import { ORDER_ROW } from "../../support/order-row.ts"

let journal: Journal
beforeEach(() => {
  journal = openJournal(":memory:")
  const event = { atMs: 1, type: "order.opened", state: "any", body: "{}" }
  for (const id of ["order-1", "order-2"]) journal.openOrder(rowOf(id), event, null, null)
})
afterEach(() => journal.close())

const ASSET = parseAssetId("base_sepolia:eth")
const HASH = "ab".repeat(32)
const decide = (decision: SecretDecision): void =>
  journal.decideSecret({ orderId: "order-1", decision, secretHash: HASH, atMs: 1 })
const claim = (purpose: string, more: Partial<SignatureClaim> = {}): void =>
  journal.claimSignature({
    orderId: "order-1",
    purpose,
    chain: toChainId("base_sepolia"),
    account: "wallet",
    attempt: 0,
    digest: purpose,
    resources: [],
    plan: null,
    atMs: 2,
    ...more,
  })
const refusal = (act: () => void): string => {
  try {
    act()
    return "accepted"
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe("the decisions about an order's own secret", () => {
  test("reveal excludes a withholding and a refund, until the payout is lost", () => {
    decide("reveal")
    decide("reveal")
    expect(refusal(() => decide("withhold"))).toBe("journal.secret_decided")
    expect(refusal(() => claim("refund", { ownSecretHash: HASH }))).toBe("journal.secret_revealed")
    expect(refusal(() => claim("refund"))).toBe("journal.secret_revealed")
    expect(journal.listOf("order-1")).toEqual([])
    decide("lost")
    claim("refund", { ownSecretHash: HASH })
    expect(journal.listSecretDecisions("order-1")).toEqual(["reveal", "lost"])
  })

  test("the claim of a refund withholds the secret for ever", () => {
    claim("refund", { ownSecretHash: HASH })
    expect(journal.listSecretDecisions("order-1")).toEqual(["withhold"])
    expect(refusal(() => decide("reveal"))).toBe("journal.secret_decided")
  })

  test("a refund that names no hash excludes a reveal too", () => {
    claim("refund")
    expect(refusal(() => decide("reveal"))).toBe("journal.secret_decided")
  })

  test("a redemption needs the decision to reveal", () => {
    expect(refusal(() => claim("redeem"))).toBe("journal.secret_unrevealed")
    decide("reveal")
    claim("redeem")
  })

  test("a loss needs a reveal, and other orders are not concerned", () => {
    expect(refusal(() => decide("lost"))).toBe("journal.secret_decided")
    decide("withhold")
    claim("refund", { orderId: "order-2" })
    expect(journal.listSecretDecisions("order-2")).toEqual([])
  })
})

function rowOf(id: string): OrderRow {
  return { ...ORDER_ROW, id, state: "any", rule: "manual", from: ASSET, to: ASSET }
}
