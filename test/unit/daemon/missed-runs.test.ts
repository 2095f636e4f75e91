import { describe, expect, test } from "vitest"
import { readMissedRuns, whyResting } from "#daemon/views/read-missed-runs.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
type Run = string | Partial<OrderRow>

/** Runs, newest first: the code for which one has no order, or the outcome of its order. */
function read(runs: readonly Run[]) {
  const listed = runs.map((run, index) => ({
    id: `payroll@${index}`,
    atMs: NOW - index,
    orderId: typeof run === "string" ? null : String(index),
    reasons: typeof run === "string" ? encodeJson([{ code: run, message: "no" }]) : null,
  }))
  const journal = {
    listOccurrences: (_rule: string, limit: number) => listed.slice(0, limit),
    findOrder: (id: string) => Object.assign({ snapshot: "{}" }, runs[Number(id)]),
  }
  // CAST: the reader asks for these two.
  return readMissedRuns(journal as unknown as Journal, "payroll", (reason) => reason)
}

describe("the missed runs of a rule", () => {
  test("are counted up to the last one that made an order, whatever their reason", () => {
    const runs = [
      "service.no_pair",
      "price.too_dear",
      "policy.missed",
      { outcome: "completed" },
      "service.no_pair",
    ]
    expect(read(runs)).toEqual({
      count: 3,
      isMore: false,
      sinceMs: NOW - 2,
      reason: "no [service.no_pair]",
    })
  })

  test.each(["rejected", "abandoned", "refunded"])(
    "include a run whose order ended %s",
    (outcome) => {
      expect(read([{ outcome }, { outcome }, { outcome }])).toMatchObject({
        count: 3,
        reason: `its order 0 ended ${outcome}`,
      })
    },
  )

  test.each(["limit.cooldown", "limit.in_flight_pair"])(
    "show the cause of a row of %s, which only follows from it",
    (symptom) => {
      expect(read([symptom, symptom, "service.no_pair"])?.reason).toBe("no [service.no_pair]")
      expect(read([symptom, { outcome: "rejected" }])?.reason).toBe("its order 1 ended rejected")
      expect(read([symptom, symptom])?.reason).toBe(`no [${symptom}]`)
    },
  )

  test("end with a deposit, with a pause and with mode observe", () => {
    const deposited = { outcome: null, state: "funded", deposited: true }
    const waiting = { outcome: null, state: "awaiting-approval", deposited: false }
    for (const last of [deposited, waiting, "paused", "mode.observe"])
      expect(read([last, "service.no_pair", "service.no_pair", "service.no_pair"])).toBeNull()
  })

  test("neither end with an order that has only begun, nor count it", () => {
    const begun = { outcome: null, state: "creating", deposited: false }
    const failed = { outcome: "rejected" }
    expect(read([begun, failed, begun, failed, failed])).toMatchObject({
      count: 3,
      reason: "its order 1 ended rejected",
    })
    expect(read([begun, begun])).toBeNull()
    expect(read([begun, { outcome: "completed" }, failed, failed, failed])).toBeNull()
  })

  test("are at least as many as are read", () => {
    expect(read(Array.from({ length: 30 }, () => "limit.window"))).toMatchObject({
      count: 20,
      isMore: true,
    })
  })
})

describe("a rule that rests after its newest order", () => {
  const why = (row: object | null): string | null => {
    const journal = {
      listOrders: () => (row === null ? [] : [{ id: "ab12", snapshot: "{}", ...row }]),
    }
    // CAST: the reader asks for the newest order.
    return whyResting(journal as unknown as Journal, "hot", (reason) => reason)
  }

  test("shows how that order ended", () => {
    expect(why({ outcome: "rejected" })).toBe("its order ab12 ended rejected")
  })

  test.each([
    ["no order", null],
    ["an order that swapped", { outcome: "completed" }],
    ["an order that goes on", { outcome: null }],
  ])("shows nothing of %s", (_what, row) => expect(why(row)).toBeNull())
})
