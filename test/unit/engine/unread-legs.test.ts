import { beforeEach, describe, expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import {
  chainOfLeg,
  findUnreadLegs,
  findUnreadPair,
  type LegSide,
  noteLegRead,
  noteLegUnread,
  shortenWait,
} from "#engine/watches/unread-legs.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData } from "#order/data.ts"
import type { StateName } from "#order/states.ts"
import { NOTHING_SEEN, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const LONG_MS = 40_000
const silent = new AppError({ code: "evm.unreachable", disposition: "transient", message: "gone" })
const AT = { txid: "a", height: 1n, final: true, at: 1 }
const LONE = { ...AT, final: false, isAlone: true } as const
const DEPOSITED = sampleData({ deposit: [sampleTransaction(samplePlan("deposit", 0))] })
const { from, to } = DEPOSITED.request
// CAST: the status is all that counts.
const REVEALED = { status: "revealed" } as OrderData["ownSecret"]
const seen = (over: Partial<OrderData["seen"]>): Partial<OrderData> => ({
  seen: { ...NOTHING_SEEN, ...over },
})

type Context = Parameters<typeof noteLegRead>[0]
let flag: string | null
let writes: number
let state: string | null
let order: { readonly state: StateName; readonly data: OrderData } | null
let nowMs: number
let context: Context
beforeEach(() => {
  flag = null
  writes = 0
  state = "funded"
  order = null
  nowMs = 1_000
  restart()
})

/** The journal stays, and the memory is empty again. */
function restart(): void {
  // CAST: only these parts are used.
  context = {
    clock: { now: () => nowMs },
    memory: { ...createMemory(), orders: { readOrNull: () => order } },
    journal: {
      readFlag: () => flag,
      writeFlag: (_name: string, text: string) => {
        flag = text
        writes++
      },
      findOrder: () => (state === null ? null : { state }),
    },
  } as unknown as Context
}
const miss = (side: LegSide = "source", error: unknown = silent, data = DEPOSITED): void =>
  noteLegUnread(context, data, side, error)
const unread = (data: OrderData = DEPOSITED) =>
  findUnreadLegs(context, data).map(({ side, cause, sinceMs }) => `${side} ${cause} ${sinceMs}`)
const refusals = (pair = { from, to }): readonly unknown[] =>
  findUnreadPair(context, pair).map(({ code, order, side }) => [code, order, side])
const REFUSED = [["deposit.leg_unreadable", DEPOSITED.id, "source"]]

describe("a leg that cannot be read", () => {
  test("counts from its first failure on, after forty seconds, until it is read", () => {
    miss()
    nowMs += 30_000
    miss("source", new Error("no code"))
    nowMs += 9_999
    expect([unread(), refusals()]).toEqual([[], []])
    nowMs += 1
    expect(unread()).toEqual(["source engine.unexpected 1000"])
    expect(refusals()).toEqual(REFUSED)
    noteLegRead(context, DEPOSITED.id, "destination")
    expect(refusals()).toEqual(REFUSED)
    noteLegRead(context, DEPOSITED.id, "source")
    expect([unread(), refusals()]).toEqual([[], []])
  })

  test("is kept on disk from its second failure on", () => {
    miss()
    restart()
    nowMs += LONG_MS
    expect([refusals(), writes]).toEqual([[], 0])
    miss()
    miss()
    restart()
    nowMs += LONG_MS
    expect(refusals()).toEqual(REFUSED)
    miss()
    expect(writes).toBe(1)
    noteLegRead(context, DEPOSITED.id, "source")
    expect([flag, writes]).toEqual(["[]", 2])
    noteLegRead(context, DEPOSITED.id, "source")
    expect(writes).toBe(2)
  })

  test.each<readonly [StateName, OrderData, boolean]>([
    ["quoting", sampleData(), false],
    ["allowing", sampleData(), false],
    ["gasless-signing", sampleData(), false],
    ["deposit-planning", DEPOSITED, false],
    ["deposit-signing", sampleData(), false],
    // A fee bump belongs to a deposit that is out.
    ["deposit-signing", DEPOSITED, true],
    ["deposit-sending", DEPOSITED, true],
    ["deposit-confirming", DEPOSITED, true],
    ["gasless-confirming", sampleData(), true],
    ["held", DEPOSITED, true],
    ["refund-watch", DEPOSITED, true],
  ])("counts in %s as long as a step will read it", (name, data, counts) => {
    miss()
    miss()
    nowMs += LONG_MS
    state = name
    order = { state: name, data }
    expect(refusals()).toEqual(counts ? REFUSED : [])
    expect(JSON.parse(flag ?? "")).toHaveLength(counts ? 1 : 0)
  })

  test("counts anew when the clock was set back", () => {
    nowMs = 100_000
    miss()
    nowMs = 5_000
    miss()
    nowMs += LONG_MS
    expect(unread()).toEqual(["source evm.unreachable 5000"])
  })

  test("holds back deposits of its own pair, and only while its order is open", () => {
    miss()
    miss()
    miss("destination")
    nowMs += LONG_MS
    expect(refusals()).toHaveLength(2)
    expect(refusals({ from: to, to: from })).toEqual([])
    expect(refusals({ from, to: from })).toEqual([])
    expect(refusals({ from: to, to })).toEqual([])
    state = "no state of this version"
    expect(refusals()).toHaveLength(2)
    state = "completed"
    expect(refusals()).toEqual([])
    expect(flag).toBe("[]")
    state = "funded"
    expect(refusals(), "it is forgotten").toEqual([])
    miss()
    nowMs += LONG_MS
    state = null
    expect(refusals()).toEqual([])
  })
})

test.each<[LegSide, boolean, string, OrderData]>([
  ["source", true, "a signed deposit", DEPOSITED],
  ["source", false, "nothing", sampleData()],
  ["source", true, "a seen deposit", sampleData({}, seen({ sourceInitiated: AT }))],
  ["source", false, "a taken deposit", { ...DEPOSITED, ...seen({ sourceRedeemed: AT }) }],
  ["source", false, "a returned deposit", { ...DEPOSITED, ...seen({ sourceRefunded: AT }) }],
  ["source", true, "a lone end", { ...DEPOSITED, ...seen({ sourceRedeemed: LONE }) }],
  ["source", true, "a lone refund", { ...DEPOSITED, ...seen({ sourceRefunded: LONE }) }],
  [
    "destination",
    true,
    "a payout that one endpoint alone shows as redeemed",
    sampleData({}, { ownSecret: REVEALED, ...seen({ destinationRedeemed: LONE }) }),
  ],
  ["destination", false, "a signed deposit", DEPOSITED],
  ["destination", true, "a told secret", sampleData({}, { ownSecret: REVEALED })],
  ["destination", true, "a taken deposit", sampleData({}, seen({ sourceRedeemed: AT }))],
  ["destination", true, "a report", sampleData({}, { reportedAt: 1 })],
  [
    "destination",
    false,
    "a redeemed payout",
    sampleData({}, { ownSecret: REVEALED, ...seen({ destinationRedeemed: AT }) }),
  ],
])("at stake in the %s: %s, with %s", (side, expected, _name, data) => {
  miss(side)
  nowMs += LONG_MS
  expect(unread(data).length > 0).toBe(expected)
  const { pollMinMs } = data.policy
  expect(shortenWait(context, data, 60_000)).toBe(expected ? 5_000 : 60_000)
  expect(shortenWait(context, data, 10)).toBe(10)
  const slow = { ...data, policy: { ...data.policy, pollMinMs: 8_000 } }
  expect(shortenWait(context, slow, 60_000)).toBe(expected ? 8_000 : 60_000)
  expect(pollMinMs).toBeLessThan(5_000)
  noteLegRead(context, data.id, side)
  expect(shortenWait(context, data, 60_000)).toBe(60_000)
})

test("a leg is on the chain of its side", () => {
  expect(
    ["source", "destination"].map((side) => chainOfLeg({ side: side as LegSide, from, to })),
  ).toEqual(["base_sepolia", "bitcoin_testnet"])
})
