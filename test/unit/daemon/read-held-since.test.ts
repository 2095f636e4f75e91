import { describe, expect, test } from "vitest"
import { readHeldSince } from "#daemon/watch/read-held-since.ts"
import { encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const NONE = { code: "policy.quote_missing", message: "no", cause: "quote.none" }
type Decision = { readonly verdict?: string; readonly reasons: readonly object[] }

/** Decisions, newest first, each five seconds older than the one before. */
function read(decisions: readonly Decision[], lateMs = 0, everyMs?: number): number | null {
  const rows = decisions.map(({ verdict = "declined", reasons }, index) => ({
    verdict,
    atMs: NOW - 5_000 * (index + 1),
    lastAtMs: NOW - 5_000 * index - lateMs,
    body: encodeJson({ version: 1, decided: { reasons, proposals: [], plan: null }, outcomes: [] }),
  }))
  const journal = { listDecisions: ({ limit }: { limit: number }) => rows.slice(0, limit) }
  // CAST: the reader asks for decisions.
  return readHeldSince(journal as unknown as Journal, "payroll", NOW, everyMs).heldSinceMs ?? null
}

describe("the time since which a rule has no quote or no coin", () => {
  test("is that of the oldest decision of an unbroken row", () => {
    const met = { verdict: "proposed", reasons: [NONE] }
    expect(read([{ reasons: [NONE] }, { reasons: [NONE] }, met, { reasons: [NONE] }])).toBe(
      NOW - 10_000,
    )
  })

  test.each([
    ["a service that fails", { ...NONE, cause: "service.silent" }],
    ["a pair that the service lacks", { ...NONE, cause: "service.no_pair" }],
    ["a balance that is not known", { code: "policy.view_incomplete", message: "no quote yet" }],
    ["too little coin", { code: "policy.gas", message: "no coin" }],
    ["no pair at all", { code: NONE.code, message: NONE.message }],
  ])("counts %s", (_name, reason) => expect(read([{ reasons: [reason] }])).toBe(NOW - 5_000))

  test.each([
    ["no decision", []],
    ["a rule that swaps", [{ verdict: "proposed", reasons: [NONE] }]],
    ["another reason too", [{ reasons: [NONE, { code: "policy.too_dear", message: "dear" }] }]],
  ])("is absent with %s", (_name, decisions) => expect(read(decisions)).toBeNull())

  const dear = { code: "policy.too_dear", message: "dear", bps: "90", max: "10 bps" }
  const queued = { code: "limit.in_flight", message: "8 orders are in flight" }

  test("counts each refusal of a rule with an interval, until its next evaluation is late", () => {
    const row = [{ reasons: [dear] }, { reasons: [NONE, dear] }]
    expect(read(row)).toBeNull()
    expect(read(row, 0, 60_000)).toBe(NOW - 10_000)
    expect(read(row, 110_000, 60_000)).toBe(NOW - 10_000)
    expect(read(row, 130_000, 60_000)).toBeNull()
  })

  test.each([
    ["another order", [dear, queued]],
    ["nothing", [{ code: "policy.target_satisfied", message: "fine" }]],
    ["quiet hours", [{ code: "limit.quiet_hours", message: "night" }]],
  ])("is absent of a rule with an interval that waits for %s", (_name, reasons) => {
    expect(read([{ reasons }], 0, 60_000)).toBeNull()
  })

  const partner = { code: "policy.partner_needs", message: "a is itself to be refilled by b" }

  test("counts a refusal also where a partner needs the same", () => {
    expect(read([{ reasons: [partner, dear] }], 0, 60_000)).toBe(NOW - 5_000)
    expect(read([{ reasons: [NONE, partner] }])).toBe(NOW - 5_000)
    expect(read([{ reasons: [partner] }], 0, 60_000)).toBeNull()
  })

  test("is absent once the rule no longer tries", () =>
    expect(read([{ reasons: [NONE] }], 61_000)).toBeNull())
})
