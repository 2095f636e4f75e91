import fc from "fast-check"
import { expect, test } from "vitest"
import { fitWidth } from "./fit-width.ts"
import { formatTable } from "./table.ts"
import { colour, usesColour } from "./tone.ts"

test("a long line breaks at a space, and the rest is indented", () => {
  expect(fitWidth("  one two three four five", 20)).toBe("  one two three four\n    five")
})

test("the rest of a line with a name stands below its text", () => {
  expect(fitWidth("worst     one two three four five", 30)).toBe(
    "worst     one two three four\n          five",
  )
  expect(fitWidth("  --yes  do not ask, and go on at once", 30)).toBe(
    "  --yes  do not ask, and go on\n         at once",
  )
})

test("a name that takes half of the line leaves the text below itself", () => {
  expect(fitWidth("a-very-long-name  one two three four", 24)).toBe(
    "a-very-long-name  one\n  two three four",
  )
})

test("no line is wider, and no letter gets lost", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,40}$/), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 100 }), (list, columns) => {
      const text = fitWidth(list.join(" "), columns)
      expect(text.split("\n").every((line) => line.length <= columns)).toBe(true)
      expect(text.replace(/\s/g, "")).toBe(list.join(""))
    }),
  )
})

test("a file and a pipe get whole lines", () => {
  expect(fitWidth("a ".repeat(200), null)).toBe("a ".repeat(200))
})

test("a table cuts its widest columns, and never the first", () => {
  const text = formatTable(
    ["order", "reasons"],
    [["5f3a5f3a5f3a5f3a5f3a", "limit.order limit.window funds.gas"]],
    40,
  )
  expect(text.split("\n").map((line) => line.length <= 40)).toEqual([true, true, true])
  expect(text).toContain("5f3a5f3a5f3a5f3a5f3a  limit.order limit…")
})

test("a table never cuts a word: half an address is of no use", () => {
  const address = "bcrt1pzc5kh3humgcctqjjl9sxrytxmvydej4rhfkq5gu85lhp5twqcxwq87g8jk"
  const text = formatTable(
    ["asset", "balance", "account"],
    [["bitcoin_testnet:btc", "0.5", address]],
    80,
  )
  expect(text).toBe(`bitcoin_testnet:btc\n  balance  0.5\n  account  ${address}`)
})

test("a table that would cut its cells to nothing of use becomes a block of lines for each row", () => {
  const head = ["rule", "kind", "state", "last decision", "verdict", "reasons"]
  const row = [
    "hot-wallet",
    "recurring",
    "on",
    "2026-11-25 13:24 UTC",
    "declined",
    "policy.target_satisfied",
  ]
  const empty = ["weekly", "band", "", "", "none yet", ""]
  expect(formatTable(head, [row, empty], 60)).toBe(
    [
      "hot-wallet",
      "  kind           recurring",
      "  state          on",
      "  last decision  2026-11-25 13:24 UTC",
      "  verdict        declined",
      "  reasons        policy.target_satisfied",
      "weekly",
      "  kind           band",
      "  verdict        none yet",
    ].join("\n"),
  )
  expect(formatTable(head, [row, empty], 120).split("\n")).toHaveLength(4)
})

test("colour is for terminals, and ends with each line", () => {
  expect(colour("a\nb", "trouble")).toBe("\u001b[1;31ma\u001b[0m\n\u001b[1;31mb\u001b[0m")
  expect([
    usesColour({}, true),
    usesColour({}, false),
    usesColour({ NO_COLOR: "1" }, true),
    usesColour({ TERM: "dumb" }, true),
  ]).toEqual([true, false, false, false])
})
