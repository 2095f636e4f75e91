import { describe, expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import {
  countTries,
  dropLastTry,
  isUnchangedTry,
  keepLastTry,
  withLastTry,
} from "#engine/orders/unchanged-tries.ts"
import type { OrderData } from "#order/data.ts"
import type { Step } from "#order/step.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const MINUTE_MS = 60_000
const NOW = 100 * MINUTE_MS
const WAIT = { dueMs: 1, step: 1 }

type Change = {
  readonly data?: object
  readonly state?: string
  readonly work?: string | null
  readonly ageMs?: number
  readonly before?: object
}

/** Whether a try at `NOW` is one that changes nothing. */
function isUnchanged({ data = {}, state = "funded", work, ageMs = 1, before = {} }: Change) {
  // CAST: a try is judged by these parts of orders and steps alone.
  const of = (over: object) => sampleData({}, over as Partial<OrderData>)
  const order = { state, data: of({ ...before, ...data }) }
  const next = work === null ? null : { work: { kind: work ?? "observeOrder" } }
  return isUnchangedTry(
    // CAST: as above.
    { state: "funded", data: of(before) } as never,
    // CAST: as above.
    { order, next } as unknown as Step,
    NOW,
    NOW - ageMs,
  )
}

const seen = (over: object) => ({ seen: { ...NOTHING_SEEN, ...over } })
const lock = (refundableAt: bigint, height = 1n) => {
  return seen({ payoutLock: { refundableAt, height, readAt: NOW } })
}
const report = (over: object, side: "source" | "destination" = "source") => {
  const { serviceOrder } = sampleData()
  if (serviceOrder === null) throw new Error("no order")
  return { serviceOrder: { ...serviceOrder, [side]: { ...serviceOrder[side], ...over } } }
}

describe("a try", () => {
  test.each<[string, boolean, Change]>([
    ["of the same read finds nothing new", true, {}],
    ["of a transaction finds nothing new", true, { work: "observeTransaction" }],
    ["of a deposit by a relay finds nothing new", true, { work: "observeInitiation" }],
    ["of a proof finds nothing new", true, { work: "proveUnfunded" }],
    ["that writes is new", false, { work: "sendDeposit" }],
    ["without a next one is new", false, { work: null }],
    ["with another state is new", false, { state: "settling" }],
    [
      "counts itself, its wait and the height",
      true,
      {
        data: { tries: 9, waitMs: 9, ...seen({ sourceHeight: 9n }) },
      },
    ],
    ["counts confirmations", true, { data: report({ currentConfirmations: 9 }) }],
    [
      "counts confirmations of the payout",
      true,
      {
        data: report({ currentConfirmations: 9 }, "destination"),
      },
    ],
    ["with other reports is new", false, { data: report({ initiateTx: "x" }) }],
    [
      "with another fact of a chain is new",
      false,
      {
        data: seen({ sourceInitiated: { txid: "x", height: 1n, final: false, at: 1 } }),
      },
    ],
    ["with another part of the order is new", false, { data: { reportedAt: 5 } }],
    ["with a part that was not there is new", false, { data: { voucher: { message: "0x" } } }],
    [
      "without a part that was there is new",
      false,
      {
        before: { extra: 1 },
        data: { extra: undefined },
      },
    ],
    ["with a later end of the lock is new", false, { before: lock(5n), data: lock(6n) }],
    ["with the same end of the lock is not", true, { before: lock(5n), data: lock(5n, 2n) }],
    ["with the first wait for a payout is new", false, { data: seen({ payoutWait: WAIT }) }],
    [
      "with a later one is not",
      true,
      {
        before: seen({ payoutWait: WAIT }),
        data: seen({ payoutWait: { ...WAIT, step: 2 } }),
      },
    ],
    ["is written every ten minutes", false, { ageMs: 10 * MINUTE_MS }],
    ["is not written before", true, { ageMs: 10 * MINUTE_MS - 1 }],
    [
      "that waits for a payout is written every minute",
      false,
      {
        before: seen({ payoutWait: WAIT }),
        ageMs: MINUTE_MS,
      },
    ],
    [
      "that waits for a payout is not written before",
      true,
      {
        before: seen({ payoutWait: WAIT }),
        ageMs: MINUTE_MS - 1,
      },
    ],
    ["at the time of the last write is not written", true, { ageMs: 0 }],
    ["is written once the clock was set back", false, { ageMs: -1 }],
  ])("%s: %s", (_name, expected, change) => {
    expect(isUnchanged(change)).toBe(expected)
  })

  test("of an order whose data lost a part is new", () => {
    const data = sampleData()
    const { reportedAt: _, ...less } = data
    const step = {
      order: { state: "funded", data: less },
      next: { work: { kind: "observeOrder" } },
    }
    // CAST: an order as an older version wrote it.
    const found = isUnchangedTry({ state: "funded", data } as never, step as never, NOW, NOW)
    expect(found).toBe(false)
  })
})

test("the last try of a work is remembered beside its order, and of no other work", () => {
  const context = { memory: createMemory() }
  const payoutLock = { refundableAt: 9n, height: 1n, readAt: 1 }
  const written = { state: "funded", data: sampleData({}, { tries: 2, waitMs: 5 }) } as const
  const tried = {
    ...written,
    data: {
      ...written.data,
      tries: 6,
      waitMs: 40,
      seen: { ...NOTHING_SEEN, sourceHeight: 7n, payoutLock },
    },
  }
  expect(withLastTry(context, written, 1)).toBe(written)
  expect(countTries(context, written, 1)).toBe(0)
  keepLastTry(context, tried, 1)
  expect(withLastTry(context, written, 1).data).toMatchObject({
    tries: 6,
    waitMs: 40,
    seen: { sourceHeight: 7n, payoutWait: null, payoutLock },
  })
  expect([countTries(context, written, 1), countTries(context, written, 2)]).toEqual([4, 0])
  expect(withLastTry(context, written, 2)).toBe(written)
  keepLastTry(context, { ...tried, data: { ...tried.data, seen: NOTHING_SEEN } }, 1)
  expect(withLastTry(context, written, 1).data.seen).not.toHaveProperty("payoutLock")
  dropLastTry(context, written.data.id)
  expect(withLastTry(context, written, 1)).toBe(written)
})
