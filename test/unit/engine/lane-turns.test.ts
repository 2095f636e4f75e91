import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { hasTimeToTell } from "#domain/time-to-redeem.ts"
import { createMemory } from "#engine/memory.ts"
import {
  nextTurnMs,
  noteLaneTurn,
  noteTelling,
  readQueueMs,
} from "#engine/orders/pay/lane-turns.ts"
import { signsBump } from "#engine/orders/signs-bump.ts"
import type { Work } from "#order/work.ts"
import { ARB, BTC } from "../../support/fake-world.ts"
import { samplePlan } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

test.each([
  [0, 0, 0],
  [0, 4_000, 4_000],
  [4_000, 9_000, 9_000],
  [8_000, 0, 6_000],
  [8_000, 4_000, 7_000],
])("after a turn of %i ms, one of %i ms gives %i ms", (knownMs, tookMs, expected) => {
  expect(nextTurnMs(knownMs, tookMs)).toBe(expected)
})

describe("the wait of a redemption for those before it", () => {
  const chain = chainOf(ARB)
  /** `states`: of the orders whose secret this process tells. */
  function queueMs(
    redeemed: number,
    states: Record<string, string>,
    turnMs: number | null,
    readMs = 0,
  ) {
    const memory = createMemory()
    if (turnMs !== null) noteLaneTurn({ memory }, chain, turnMs)
    noteLaneTurn({ memory }, chainOf(BTC), 60_000)
    for (const id of Object.keys(states)) noteTelling({ memory }, id, chain)
    noteTelling({ memory }, "elsewhere", chainOf(BTC))
    const journal = {
      countRedeemedOn: (on: string) => (on === chain ? redeemed : 99),
      findOrder: (id: string) => ({ state: id === "elsewhere" ? "revealing" : states[id] }),
    }
    // CAST: only these parts are used.
    const context = { journal, memory } as unknown as Parameters<typeof readQueueMs>[0]
    return [readQueueMs(context, chain, readMs), [...memory.telling.keys()].join()]
  }

  test.each<[string, Parameters<typeof queueMs>, number, string]>([
    ["none", [0, {}, null], 0, "elsewhere"],
    ["none, at a slow node", [0, {}, 20_000], 0, "elsewhere"],
    ["each at a node that was never measured", [3, {}, null], 9_000, "elsewhere"],
    ["no turn counts as shorter", [3, {}, 10], 9_000, "elsewhere"],
    ["each at a slow node", [3, {}, 5_000], 15_000, "elsewhere"],
    ["each at a node that became slow", [3, {}, 5_000, 7_000], 21_000, "elsewhere"],
    ["a decision that its order does not say yet", [1, { a: "revealing" }, null], 6_000, "a"],
    ["each order once", [1, { a: "revealed", b: "redeem-signing" }, null], 3_000, "elsewhere"],
  ])("%s", (_name, parts, expected, kept) => {
    const [ms, telling] = queueMs(...parts)
    expect([ms, telling]).toEqual([expected, kept === "a" ? "a,elsewhere" : kept])
  })
})

describe("the time to tell a secret behind other redemptions", () => {
  const timelocks = {
    source: { min: 1n, max: 2n, secondsPerUnit: 1 },
    destination: { min: 1n, max: 2n, secondsPerUnit: 2 },
  }
  // CAST: only these parts of a policy are used.
  const policy = { timelocks, stuckAfterMs: 10_000 } as Parameters<typeof hasTimeToTell>[0]

  // Half a minute for the service or the queue, and two bumps: 50 s, which are 25 units.
  test.each([
    [25n, 0, true],
    [24n, 0, false],
    [25n, 30_000, true],
    [25n, 30_001, false],
    [40n, 60_000, true],
    [40n, 60_001, false],
    [100n, 180_000, true],
  ])("%i units of a lock, behind %i ms: %s", (left, queueMs, expected) => {
    expect(hasTimeToTell(policy, 2n * left, left, queueMs)).toBe(expected)
    expect(hasTimeToTell(policy, 2n * left + 1n, left, queueMs)).toBe(false)
  })
})

describe("a signature of a higher fee", () => {
  const isBump = (work: Work, attempt: number | null): boolean => {
    const { transactions, ...data } = sampleData()
    const plan = attempt === null ? null : samplePlan("redeem", attempt)
    const redeem = { ...transactions.redeem, plan }
    const order = {
      state: "redeem-signing",
      data: { ...data, transactions: { ...transactions, redeem } },
    }
    const journal = { findOrder: () => ({ id: "order-1" }) }
    // CAST: only these parts are used.
    const context = {
      journal,
      memory: { orders: { readOrNull: () => order } },
    } as unknown as Parameters<typeof signsBump>[0]
    // CAST: an id is enough.
    const row = { orderId: "order-1" } as Parameters<typeof signsBump>[2]
    return signsBump(context, new WeakMap(), row, work)
  }
  const SIGN: Work = { kind: "signTransaction", purpose: "redeem" }

  test.each<[string, Work, number | null, boolean]>([
    ["the first signature", SIGN, 0, false],
    ["the next one", SIGN, 1, true],
    ["without a plan", SIGN, null, false],
    ["of another transaction", { kind: "signTransaction", purpose: "refund" }, 1, false],
    ["other work", { kind: "planTransaction", purpose: "redeem" }, 1, false],
  ])("%s", (_name, work, attempt, expected) => {
    expect(isBump(work, attempt)).toBe(expected)
  })
})
