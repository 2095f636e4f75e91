import { describe, expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { applyEvent } from "#engine/orders/stepper.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import type { StateName } from "#order/states.ts"
import { encodeOrder } from "#order/step.ts"
import type { StepRow } from "#ports/journal/orders.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const SIGNED = sampleData({ deposit: [DEPOSIT] })
const MINED = {
  type: "transaction.mined",
  txid: DEPOSIT.txid,
  ok: true,
  height: 7n,
  feeUnits: 1n,
  heldUnits: 0n,
} as const

describe("what a step releases and settles", () => {
  test("is nothing while the deposit may still be on its way", () => {
    const sent = stepOf("deposit-sending", { type: "transaction.sent", txid: DEPOSIT.txid })
    expect(sent).toMatchObject({
      order: { state: "deposit-confirming" },
      release: null,
      settle: null,
    })
    const young = stepOf("deposit-confirming", { ...MINED, seen: false, final: false })
    expect(young).toMatchObject({
      order: { state: "deposit-confirming" },
      release: null,
      settle: null,
    })
  })

  test(
    "is the lock of the allowance once a block shows the deposit, and the signature once the " +
      "block is final",
    () => {
      const seen = stepOf("deposit-confirming", { ...MINED, seen: true, final: false })
      expect(seen).toMatchObject({ order: { state: "funded" }, release: "lock/", settle: null })
      const final = stepOf("deposit-confirming", { ...MINED, seen: true, final: true })
      expect(final).toMatchObject({
        order: { state: "funded" },
        release: "lock/",
        settle: "deposit",
      })
    },
  )

  test("is everything when the order ends, with each mined transaction", () => {
    const mined = { txid: DEPOSIT.txid, height: 7n, final: true }
    const transactions = {
      ...SIGNED.transactions,
      deposit: { ...SIGNED.transactions.deposit, mined },
    }
    const ended = stepOf(
      "proving-unfunded",
      { type: "order.unfunded", height: 9n, rivals: [] },
      { ...SIGNED, transactions },
    )
    expect(ended).toMatchObject({ release: "all", alsoSettle: ["deposit"] })
    const declined = stepOf("verifying", { type: "order.declined", reasons: [] }, sampleData())
    expect(declined).toMatchObject({ order: { state: "rejected" }, release: "all", alsoSettle: [] })
  })
})

describe("the time at which an order counts for the limits", () => {
  test("follows the clock of the limits where that is ahead, and never goes back", () => {
    const countedAt = (confirmedMs: number | null, countedAtMs = 0): number | undefined =>
      stepOf("verifying", { type: "order.declined", reasons: [] }, sampleData(), {
        confirmedMs,
        countedAtMs,
      }).order.countedAtMs
    expect(countedAt(null)).toBe(SAMPLE.input.createdAt)
    expect(countedAt(NOW)).toBe(SAMPLE.input.createdAt)
    expect(countedAt(NOW + 500)).toBe(SAMPLE.input.createdAt + 500)
    expect(countedAt(NOW, 700)).toBe(700)
  })
})

test("the row of an order names its service, and none before its quote", () => {
  const serviceOf = (over: Partial<OrderData>): string | null | undefined =>
    stepOf("verifying", { type: "order.declined", reasons: [] }, { ...sampleData(), ...over }).order
      .service
  expect([
    serviceOf({ service: "beta" }),
    serviceOf({ service: null, quote: SAMPLE.quote }),
  ]).toEqual(["beta", null])
})

test("the event of a second judgement replaces the first", () => {
  const recheck = (): UntimedOrderEvent => ({
    type: "order.declined",
    reasons: [{ code: "limit.window", message: "" }],
  })
  const wanted = { event: { type: "work.deferred", reasons: [] } as const, recheck }
  expect(commit("verifying", sampleData(), wanted).event.type).toBe("order.declined")
})

const NOW = 1_000

type Clock = { readonly confirmedMs?: number | null; readonly countedAtMs?: number }

function stepOf(
  state: StateName,
  event: UntimedOrderEvent,
  data: OrderData = SIGNED,
  clock: Clock = {},
): StepRow {
  return commit(state, data, { event }, clock)
}

/** The row that the step writes. */
function commit(
  state: StateName,
  data: OrderData,
  wanted: Parameters<typeof applyEvent>[2],
  { confirmedMs = null, countedAtMs = 0 }: Clock = {},
): StepRow {
  const rows: StepRow[] = []
  const flag =
    confirmedMs === null ? null : encodeJson({ ms: confirmedMs, byOperator: false, alarmed: false })
  const none = (): void => undefined
  const log = { debug: none, info: none, warn: none, error: none, child: () => log }
  // CAST: a step uses only this part of the context.
  const context = {
    journal: {
      findOrder: () => ({ snapshot: encodeOrder({ state, data }), countedAtMs }),
      listRouteSummaries: () => [],
      readFlag: () => flag,
      commit: (row: StepRow) => void rows.push(row),
    },
    clock: { now: () => NOW },
    services: new Map(),
    settings: { assets: new Map() },
    chains: new Map(),
    log,
    memory: createMemory(),
  } as unknown as EngineContext
  applyEvent(context, data.id, wanted, null)
  const [row] = rows
  if (row === undefined) throw new Error("The step changed nothing")
  return row
}
