import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { applyChange, encodeChange } from "#journal/text-change.ts"

/**
 * Long texts, so that a change is worth its place; with characters of two units, whose halves
 * cannot be stored.
 */
const letters = fc.string({
  unit: fc.constantFrom("a", "b", "{", '"', "\n", "é", "😀", "😁", "\ud83d"),
  maxLength: 40,
})
const stored = letters.map((text) => text.toWellFormed())
const pieces = fc.array(stored, { minLength: 3, maxLength: 8 })
const body = fc.string({ minLength: 60, maxLength: 90 })

describe("a change of a text", () => {
  test("leads from the text before to the text after, whatever either of them is", () => {
    let encoded = 0
    fc.assert(
      fc.property(
        pieces,
        fc.array(fc.tuple(fc.nat(9), stored)),
        fc.nat(4),
        body,
        (before, edits, grow, event) => {
          const frame = (middle: readonly string[]): string[] => [
            "start ".repeat(60),
            ...middle,
            "end",
          ]
          const after = [...before, ...Array.from({ length: grow }, () => event.slice(7))]
          for (const [at, text] of edits) after[at % after.length] = text
          const old = frame(before)
          const fresh = frame(after)
          for (const [from, to] of [
            [old, fresh],
            [fresh, old],
          ] as const) {
            const change = encodeChange(from, to, event)
            if (change === null) continue
            encoded++
            expect(change.isWellFormed()).toBe(true)
            expect(applyChange(from.join(""), change, event)).toBe(to.join(""))
          }
        },
      ),
      { numRuns: 500 },
    )
    expect(encoded).toBeGreaterThan(500)
  })

  test("names text of the event by its place there", () => {
    const raw = "0x".padEnd(600, "0123456789abcdef")
    const event = `{"type":"transaction.signed","raw":"${raw}"}`
    const before = ['{"version":2', `,"signed":[]`, `,"rest":"${"r".repeat(400)}"`, "}"]
    const after = ['{"version":2', `,"signed":[{"raw":"${raw}"}]`, before[2] ?? "", "}"]
    const change = encodeChange(before, after, event) ?? ""
    expect(change.length).toBeLessThan(120)
    expect(applyChange(before.join(""), change, event)).toBe(after.join(""))
  })

  test("is none when the text has no pieces, or when hardly anything of it stays", () => {
    expect(encodeChange(["{}"], ["{}"], "")).toBeNull()
    expect(encodeChange(["a", "b", "c"], ["x".repeat(50), "y".repeat(50), "c"], "")).toBeNull()
  })

  test("fits no other text, and says so", () => {
    const before = ["start", "x".repeat(100), "end"]
    const change = encodeChange(before, ["start", `${"x".repeat(100)}y`, "end"], "") ?? ""
    expect(applyChange(before.join(""), change, "")).toBe(`start${"x".repeat(100)}yend`)
    for (const other of ["", before.join("").slice(1), `${before.join("")}!`])
      expect(applyChange(other, change, "")).toBeNull()
    for (const damaged of [
      "",
      "[]\n",
      "{}",
      change.slice(1),
      change.slice(0, -1),
      `${change}!`,
      "[108,109,0,0,0]\n",
    ])
      expect(applyChange(before.join(""), damaged, "")).toBeNull()
  })
})
