import { createHash } from "node:crypto"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { KEPT_DECISIONS } from "#journal/decisions.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import type { NewDecision } from "#ports/journal/decisions.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW } from "../../support/order-row.ts"

const KEPT = 250

let journal: Journal
beforeEach(() => {
  journal = openJournal(":memory:", { keptDecisions: KEPT })
})
afterEach(() => journal.close())

let next = 0
function decision(over: Partial<NewDecision> = {}): NewDecision {
  const atMs = ++next
  return {
    id: `band@${atMs}`,
    atMs,
    rule: "band",
    verdict: "declined",
    body: "{}",
    inputs: "in",
    configHash: "c",
    ...over,
  }
}

const list = (rule: string | null = null) => journal.listDecisions({ rule, limit: 99_999 })
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

function open(id: string, decisions: readonly NewDecision[]): void {
  // CAST: these tests read only the columns that the table requires.
  const order = {
    ...ORDER_ROW,
    id,
    rule: "band",
    from: parseAssetId("a:b"),
    to: parseAssetId("c:d"),
    reservedFeeUnits: 0n,
  } as unknown as OrderRow
  journal.openOrder(
    order,
    { atMs: 1, type: "order.opened", state: "quoting", body: "{}" },
    null,
    null,
    { decisions },
  )
}

test("ten thousand decisions are kept, unless a caller says otherwise", () => {
  expect(KEPT_DECISIONS).toBe(10_000)
})

test("counts the tries of two occurrences that wait in turn", () => {
  const triesOf = (id: string) => decision({ id, body: id })
  const ids = ["dca@1", "dca@1", "dca@2", "dca@1", "dca@2"]
  const isNew = ids.map((id) => journal.recordDecision(triesOf(id)))
  expect(isNew).toEqual([true, false, true, false, false])
  expect(list().map(({ id, times, lastAtMs }) => ({ id, times, lastAtMs }))).toEqual([
    { id: "dca@2", times: 2, lastAtMs: next },
    { id: "dca@1", times: 3, lastAtMs: next - 1 },
  ])
})

describe("a decision", () => {
  test("that equals the last one raises its count, and keeps the first inputs", () => {
    expect(journal.recordDecision(decision({ inputs: "first" }))).toBe(true)
    expect(journal.recordDecision(decision({ inputs: "second" }))).toBe(false)
    const last = decision({ inputs: "third" })
    expect(journal.recordDecision(last)).toBe(false)
    expect(list()).toMatchObject([{ times: 3, lastAtMs: last.atMs, inputs: hashOf("first") }])
    expect(journal.findInputs(hashOf("first"))).toBe("first")
    expect(journal.findInputs(hashOf("second"))).toBeNull()
  })

  test(
    "that is made again with its id raises its count, and an earlier one that is made again is " +
      "written again",
    () => {
      const first = decision()
      journal.recordDecision(first)
      expect(journal.recordDecision({ ...first, atMs: 70 })).toBe(false)
      expect(list()).toMatchObject([{ id: first.id, times: 2, lastAtMs: 70 }])
      const second = decision({ body: '{"x":1}' })
      journal.recordDecision(second)
      expect(journal.recordDecision({ ...first, body: second.body, atMs: 80 })).toBe(true)
      expect(journal.findDecision(first.id)).toMatchObject({ body: second.body, lastAtMs: 80 })
      expect(journal.findDecision(second.id)).toMatchObject({ times: 1 })
    },
  )

  test.each([
    ["says something else", { body: '{"x":1}' }],
    ["has another verdict", { verdict: "proposed" }],
    ["is of another rule", { rule: "other" }],
    ["is made under another configuration", { configHash: "other" }],
  ] as const)("that %s is a record of its own", (_what, over) => {
    journal.recordDecision(decision())
    expect(journal.recordDecision(decision(over))).toBe(true)
    expect(list()).toHaveLength(2)
  })

  test("shares its inputs with the other rules of its tick", () => {
    journal.recordDecision(decision({ rule: "a", inputs: "same" }))
    journal.recordDecision(decision({ rule: "b", inputs: "same" }))
    expect(new Set(list().map(({ inputs }) => inputs))).toEqual(new Set([hashOf("same")]))
  })

  test("that led to an order is written with the order, and is never counted up", () => {
    const first = decision()
    open("order-1", [first])
    expect(journal.findDecision(first.id)).toMatchObject({
      orders: ["order-1"],
      orderId: "order-1",
    })
    journal.recordDecision({ ...first, verdict: "proposed", body: '{"order":"order-1"}' })
    expect(journal.findDecision(first.id)).toMatchObject({
      verdict: "proposed",
      orders: ["order-1"],
    })
    expect(
      journal.recordDecision(decision({ verdict: "proposed", body: '{"order":"order-1"}' })),
    ).toBe(true)
    expect(list()).toHaveLength(2)
  })

  test("that led to several orders names them in their order", () => {
    const one = decision()
    open("z", [one])
    open("a", [one])
    expect(journal.findDecision(one.id)).toMatchObject({ orders: ["z", "a"], orderId: "z" })
  })

  test("is not written when its order cannot be written", () => {
    const one = decision()
    open("order-1", [])
    expect(() => open("order-1", [one])).toThrow()
    expect(journal.findDecision(one.id)).toBeNull()
    expect(journal.findInputs(hashOf("in"))).toBeNull()
  })

  test("that is old is deleted with its inputs, unless it led to an order", () => {
    const kept = decision({ body: "kept", inputs: "kept" })
    open("order-1", [kept])
    journal.recordDecision(decision({ body: "old", inputs: "old" }))
    for (let n = 0; n < KEPT + 200; n++)
      journal.recordDecision(decision({ body: String(n), inputs: "new" }))
    expect(list().length).toBeLessThanOrEqual(KEPT + 101)
    expect(list().length).toBeGreaterThan(KEPT)
    expect(journal.findDecision(kept.id)).toMatchObject({ orders: ["order-1"] })
    expect(journal.findInputs(hashOf("kept"))).toBe("kept")
    expect(journal.findInputs(hashOf("old"))).toBeNull()
    expect(journal.findInputs(hashOf("new"))).toBe("new")
  })

  test("that is made again with other inputs leaves no inputs that no decision refers to", () => {
    const first = decision({ inputs: "first" })
    const second = decision({ rule: "other", inputs: "shared" })
    journal.recordDecision(first)
    journal.recordDecision(second)
    journal.recordDecision({ ...first, body: "again", inputs: "shared" })
    expect([journal.findInputs(hashOf("first")), journal.findInputs(hashOf("shared"))]).toEqual([
      null,
      "shared",
    ])
    journal.recordDecision({ ...first, body: "third", inputs: "third" })
    expect(journal.findInputs(hashOf("shared"))).toBe("shared")
  })
})

test(
  "after any decisions those are kept that a full reading of all of them keeps, with their " +
    "inputs",
  () => {
    const acts = fc.array(
      fc.record({ links: fc.boolean(), inputs: fc.nat({ max: 400 }), many: fc.nat({ max: 60 }) }),
      { minLength: 20, maxLength: 30 },
    )
    fc.assert(
      fc.property(acts, (given) => {
        const made: { readonly decision: NewDecision; readonly isLinked: boolean }[] = []
        journal = openJournal(":memory:", { keptDecisions: KEPT })
        for (const [index, { links, inputs, many }] of given.entries()) {
          for (let n = 0; n <= many; n++) {
            const one = decision({ body: `${index} ${n}`, inputs: `inputs ${inputs + n}` })
            if (links && n === 0) open(`order-${index}`, [one])
            else journal.recordDecision(one)
            made.push({ decision: one, isLinked: links && n === 0 })
          }
        }
        // The last multiple of a hundred at which a decision was recorded, less the kept ones.
        const atSeq =
          made.findLastIndex(({ isLinked }, index) => !isLinked && (index + 1) % 100 === 0) + 1
        const kept = made.filter(({ isLinked }, index) => isLinked || index >= atSeq - KEPT)
        expect(new Set(list().map(({ id }) => id))).toEqual(
          new Set(kept.map(({ decision: { id } }) => id)),
        )
        for (const { decision: one } of made) {
          const isUsed = kept.some(({ decision: { inputs } }) => inputs === one.inputs)
          expect(journal.findInputs(hashOf(mustExist(one.inputs, "inputs"))) !== null).toBe(isUsed)
        }
        journal.close()
      }),
      { numRuns: 8 },
    )
    journal = openJournal(":memory:")
  },
)
