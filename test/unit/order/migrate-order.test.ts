import { describe, expect, test } from "vitest"
import { encodeJson } from "#lib/json.ts"
import { createOrderData, type OrderData } from "#order/data.ts"
import { MACHINE_VERSION } from "#order/machine.ts"
import { migrateWork } from "#order/migrate-work.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"

const fresh = createOrderData(SAMPLE.input)
const untouched = { plan: null, signed: [], sentAt: null, mined: null }
const mined = { txid: "t", ok: true, height: 5n, final: true, feeUnits: 7n, heldUnits: 0n }

/** An order in the words of this version. */
const order: OrderData = {
  ...fresh,
  created: SAMPLE.created,
  serviceOrder: SAMPLE.order,
  transactions: {
    ...fresh.transactions,
    deposit: {
      ...untouched,
      plan: samplePlan("deposit", 1),
      signed: [sampleTransaction(samplePlan("deposit", 0))],
    },
  },
  mined: [{ ...mined, purpose: "deposit" }],
}

describe("an order that Ballast 0.1 stored", () => {
  test("is read in the words of this version, its nested plans too", () => {
    expect(decodeOrder(encodeJson(inWordsOf01())).data).toEqual(order)
  })

  test("is stored again in this version", () => {
    const again = encodeOrder(decodeOrder(encodeJson(inWordsOf01())))
    expect(again).toContain(`"version":${MACHINE_VERSION}`)
    expect(decodeOrder(again).data).toEqual(order)
  })

  test("before some fields existed has them empty", () => {
    const {
      mined: _,
      patienceSince,
      allowanceCleared,
      receipt,
      prices,
      ...early
    } = inWordsOf01().data
    const { data } = decodeOrder(encodeJson({ ...inWordsOf01(), data: early }))
    expect(data).toMatchObject({
      mined: [],
      patienceSince: fresh.createdAt,
      allowanceCleared: false,
      receipt: null,
    })
  })
})

test.each([
  ["of a newer version", { version: MACHINE_VERSION + 1, state: "funded", data: order }],
  ["in an unknown state", { version: MACHINE_VERSION, state: "nowhere", data: order }],
  ["of version 1 without its transactions", { version: 1, state: "funded", data: {} }],
  ["without data", { version: 1, state: "funded", data: null }],
])("a snapshot %s stops the daemon", (_name, snapshot) => {
  expect(() => decodeOrder(encodeJson(snapshot))).toThrow(
    expect.objectContaining({ code: "journal.snapshot", disposition: "fatal" }),
  )
})

test("work that Ballast 0.1 wrote is read under its present name", () => {
  expect(migrateWork({ kind: "planMove", move: "deposit" })).toEqual({
    kind: "planTransaction",
    purpose: "deposit",
  })
  expect(migrateWork({ kind: "signMove", move: "void" })).toEqual({
    kind: "signTransaction",
    purpose: "void",
  })
  expect(migrateWork({ kind: "broadcastMove", move: "approve" })).toEqual({
    kind: "broadcastTransaction",
    purpose: "approve",
  })
  expect(migrateWork({ kind: "observeMove", move: "refund" })).toEqual({
    kind: "observeTransaction",
    purpose: "refund",
  })
  expect(migrateWork({ kind: "bumpMove", move: "revoke" })).toEqual({
    kind: "bumpTransaction",
    purpose: "revoke",
  })
  expect(migrateWork({ kind: "verifyDeposit" })).toEqual({ kind: "verifyOrder" })
  expect(migrateWork({ kind: "fetchQuote" })).toEqual({ kind: "fetchQuote" })
})

function inWordsOf01() {
  const { transactions, serviceOrder, created, mined: _, ...same } = order
  const toPlan = ({ action, resources, ...plan }: ReturnType<typeof samplePlan>) => ({
    ...plan,
    purpose: action,
    claims: resources,
  })
  const deposit = {
    ...transactions.deposit,
    plan: toPlan(samplePlan("deposit", 1)),
    signed: transactions.deposit.signed.map((signed) => ({ ...signed, plan: toPlan(signed.plan) })),
  }
  const data = {
    ...same,
    moves: { ...transactions, deposit },
    claims: serviceOrder,
    created: created === null ? null : { orderId: created.orderId, claim: created.depositRequest },
    mined: [{ ...mined, kind: "deposit" }],
  }
  return { version: 1, state: "deposit-signing", data }
}
