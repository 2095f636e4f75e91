import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { measureFunctions } from "../../scripts/complexity.ts"

describe("the complexity of a function", () => {
  test("is 46 for the `absorb` of version 0.1, as it was measured then", () => {
    const file = "../fixtures/complexity/absorb-0.1.ts.txt"
    const text = readFileSync(join(import.meta.dirname, file), "utf8")
    expect(measureFunctions(text, file)[0]).toEqual({
      file,
      line: 1,
      name: "absorb",
      complexity: 46,
      lines: 104,
    })
  })

  test.each([
    ["nothing to decide", "return a", 1],
    ["if and else if", "if (a) return 1; else if (b) return 2; else return 3", 3],
    ["a conditional expression", "return a ? 1 : 2", 2],
    [
      "each loop",
      "for (;;) {} for (const x of a) {} for (const x in a) {} while (a) {} do {} while (b)",
      6,
    ],
    [
      "each case but not the default",
      "switch (a) { case 1: case 2: return 1; default: return 2 }",
      3,
    ],
    ["catch but not finally", "try { a() } catch { b() } finally { c() }", 2],
    ["each logical operator", "return (a && b) || (c ?? d)", 4],
    ["each logical assignment but no other", "a &&= b; a ||= b; a ??= b; a += b; a = b", 4],
    ["each question mark of a chain", "return a?.b.c?.[0]?.()", 4],
    ["default values", "const { x = 1, y: [z = 2] } = a", 3],
    ["no types", "const x: A extends B ? C : D = a as E | F; return x!", 1],
  ])("counts %s", (_what, body, complexity) => {
    expect(measureFunctions(`function f(a, b, c, d) { ${body} }`, "f.ts")).toMatchObject([
      { name: "f", complexity },
    ])
  })

  test("counts a default value of a parameter", () => {
    expect(measureFunctions("function f(a = 1, { b = 2 } = {}) {}", "f.ts")).toMatchObject([
      { complexity: 4 },
    ])
  })

  test("leaves out the functions inside, which are listed on their own after it", () => {
    const text =
      "function f(a) {\n  if (a) return a.map((x) => x ?? 1)\n  const g = () => a || 2\n  " +
      "return g\n}"
    expect(measureFunctions(text, "f.ts")).toEqual([
      { file: "f.ts", line: 1, name: "f", complexity: 2, lines: 5 },
      { file: "f.ts", line: 2, name: "f > arrow", complexity: 2, lines: 1 },
      { file: "f.ts", line: 3, name: "f > g", complexity: 2, lines: 1 },
    ])
  })

  test("finds each form of function, with its name", () => {
    const text = `
      export const a = async () => 1
      const b = { c: () => 1, d() {}, get e() { return 1 }, "f g": function () {} }
      class H { #i() {} constructor() {} j = (x) => x }
      const k = ((x) => x) satisfies unknown
      declare function l(): void
    `
    const names = measureFunctions(text, "f.ts").map(({ name }) => name)
    expect(names).toEqual(["a", "c", "d", "e", "f g", "arrow", "constructor", "j", "k"])
  })

  test("throws where the text is no TypeScript", () => {
    expect(() => measureFunctions("function (", "f.ts")).toThrow(SyntaxError)
  })
})
