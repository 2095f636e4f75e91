import { readFileSync } from "node:fs"
import { transformSync } from "esbuild"
import { describe, expect, test } from "vitest"
import { ALL_MISTAKES } from "./all-mistakes.ts"
import { createCollector, runTests } from "./collect-tests.ts"
import {
  applyEdit,
  argumentIs,
  callIs,
  conditionIs,
  type Edit,
  operatorIs,
  queryIs,
  resultIs,
  returns,
  valueIs,
  withoutEntry,
  withoutStatement,
} from "./edits.ts"
import { generateMutants, takeSample } from "./generate-mutants.ts"
import { mutantOf } from "./mistake.ts"
import { probeFunctions } from "./probe-functions.ts"
import { withTable } from "./results.ts"
import { SURVIVORS } from "./survivors.ts"
import { switchMutants } from "./switch-mutants.ts"
import { parseModule } from "./syntax.ts"

const all = ALL_MISTAKES.flatMap(({ mistakes }) => mistakes)

describe("written mistakes", () => {
  test("each fits exactly one place of its function, and is TypeScript", () => {
    const texts = new Map(all.map(({ file }) => [file, readFileSync(file, "utf8")]))
    for (const mistake of all) {
      const text = texts.get(mistake.file) ?? ""
      const { start, end, replace } = mutantOf(mistake, text)
      expect(text.slice(start, end), mistake.name).not.toBe(replace)
      const changed = text.slice(0, start) + replace + text.slice(end)
      expect(() => parseModule(changed), mistake.name).not.toThrow()
    }
  })

  test("each has a name of its own, and there are about 150", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(120)
    expect(all.length).toBeLessThanOrEqual(180)
  })
})

describe("an edit", () => {
  const code = [
    "const LIMIT = 3",
    "function judge(a: number, list: readonly number[]) {",
    "  note(a)",
    "  if (a > LIMIT && list.length > 0) return [a, least(a, LIMIT)]",
    "  const text = `select x where y = ? and z is null`",
    "  return find(text, { a, limit: LIMIT })",
    "}",
    "function judgeAll(list: readonly number[]) { return list.map((one) => judge(one, list)) }",
  ].join("\n")
  const changed = (name: string, edit: Edit): string => {
    const { start, end, replace } = applyEdit(code, name, edit)
    return code.slice(0, start) + replace + code.slice(end)
  }

  test.each<[string, Edit, string]>([
    ["judge", returns("[]"), "list: readonly number[]) { return [] }"],
    ["judge", withoutStatement("note"), "{\n  {}\n  if"],
    ["judge", conditionIs("list length", true), "if (a > LIMIT && true) return"],
    ["judge", operatorIs("a LIMIT >", ">="), "a >= LIMIT &&"],
    ["judge", withoutEntry("least"), "return [a]"],
    ["judge", withoutEntry("limit"), "find(text, { a })"],
    ["judge", argumentIs("least a", 1, "0"), "least(a, 0)"],
    ["judge", callIs("least", "a"), "return [a, a]"],
    ["judge", resultIs("find", "null"), "return null\n"],
    ["judge", queryIs("select", " and z is null", ""), "where y = ?`"],
    ["judge", valueIs("limit", "9"), "{ a, limit: 9 }"],
    ["", valueIs("LIMIT 3", "30"), "const LIMIT = 30"],
    ["judgeAll", argumentIs("judge", 1, "[]"), "judge(one, [])"],
  ])("of %s: %o", (name, edit, expected) => {
    expect(changed(name, edit)).toContain(expected)
  })

  test.each<[string, Edit]>([
    ["judge", withoutStatement("gone")],
    ["judge", operatorIs(">", ">=")],
    ["missing", returns("[]")],
  ])("that fits no place of %s, or several ones, is out of date: %o", (name, edit) => {
    expect(() => changed(name, edit)).toThrow()
  })
})

const SAMPLE = [
  "export function judge(a: number, b: number | null): readonly unknown[] {",
  "  if (b === null) return []",
  "  assertSound(a)",
  "  const found: unknown[] = []",
  "  note(found, a)",
  "  for (const one of [1, 2, 3]) {",
  "    if (one > a) found.push(one)",
  "    else if (one === b) break",
  "  }",
  '  if (a > 10 && a + b <= 20) found.push(...rows("select x where z is null and w >= ?"))',
  '  log.warn({ a: a + 1 }, "A text")',
  '  if (a > 12) log.warn({}, "A text")',
  '  else for (const one of found) { log.warn({ one, more: a > 13 }, "A text") }',
  "  const kept = found.filter((one) => one !== 2).map((one) => (a < 0 ? -a : one))",
  "  const most = a > 3 ? a : 3",
  '  const said = a > 5 ? "much" : "little"',
  "  const told = { message: note(found, a + 1), said }",
  "  return [...kept, most, told, b?.toFixed(1), !found.includes(3)]",
  "}",
].join("\n")

test("generated mutants turn operators, drop conditions, move bounds, remove ends and statements", () => {
  const found = generateMutants("sample.ts", SAMPLE).map(({ name }) => name)
  expect(found).toEqual(
    expect.arrayContaining([
      "sample.ts judge: an early end removed: if ([b === null -> false]) return []",
      "sample.ts judge: an operator turned: b [=== -> !==] null",
      "sample.ts judge: a statement removed: [note(found, a) -> ;]",
      "sample.ts judge: an operator turned: a > 10 [&& -> ||] a + b <= 20",
      "sample.ts judge: a condition dropped: [a > 10 && a + b <= 20 -> (a > 10)]",
      "sample.ts judge: a number off by one: [10 -> 11]",
    ]),
  )
  expect(
    found.filter((name) => /\[assertSound|a \[\+ -> -\] 1|> -> >=\] 3|much|1[23]\b/.test(name)),
  ).toEqual([])
  expect(new Set(found).size).toBe(found.length)
})

type Judge = (a: number, b: number | null) => unknown
type IsOn = (number: number) => boolean

/** What the sample does for some inputs: results or errors. */
function compile(text: string): (isOn: IsOn) => string {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" })
  const names = ["module", "__m", "note", "rows", "log", "assertSound"]
  const create = new Function(...names, `const exports = module.exports;${code}`)
  const note = (list: unknown[], value: number): number => list.push(value)
  const rows = (query: string): readonly string[] => [query]
  return (isOn) => {
    const module: { exports: { judge?: Judge } } = { exports: {} }
    let turns = 0
    const ask = (number: number): boolean => {
      if (number === 0 && ++turns > 1000) throw new Error("endless")
      return isOn(number)
    }
    create(module, ask, note, rows, { warn: () => {} }, () => {})
    const results = INPUTS.map(([a, b]) => {
      try {
        return module.exports.judge?.(a, b)
      } catch (error) {
        return String(error)
      }
    })
    return JSON.stringify(results)
  }
}

const INPUTS: readonly (readonly [number, number | null])[] = [
  [0, 2],
  [2, 2],
  [3, null],
  [10, 10],
  [11, 9],
  [11, 30],
  [-1, 3],
]
const off: IsOn = () => false

test("a switched mutant does what the changed text does; without one the code stays the same", () => {
  const mutants = generateMutants("sample.ts", SAMPLE)
  const numbered = mutants.map((one, index) => ({ ...one, number: index + 1 }))
  const switched = compile(switchMutants(SAMPLE, numbered))
  const plain = compile(SAMPLE)(off)
  expect(switched(off)).toBe(plain)
  const results = numbered.map(({ number, name, start, end, replace }) => {
    const changed = compile(SAMPLE.slice(0, start) + replace + SAMPLE.slice(end))(off)
    expect(
      switched((asked) => asked === number),
      name,
    ).toBe(changed)
    return changed
  })
  expect(results.filter((result) => result !== plain).length).toBeGreaterThan(30)
})

test("a function tells its place when it runs", () => {
  const text = "const f = (a: number) => ({ a })\nclass C { get() { return f(1) } }"
  expect(probeFunctions("x.ts", text)).toBe(
    'const f = (a: number) => ((__m("x.ts f"), { a }))\nclass C { get() { __m("x.ts get");  ' +
      "return f(1) } }",
  )
})

test("a sample stays the same when the code around it changes", () => {
  const list = Array.from({ length: 40 }, (_, index) => ({ name: `mutant ${index}` }))
  const sample = takeSample(list, 10, "1")
  expect(takeSample(list.toReversed(), 10, "1")).toEqual(sample)
  expect(
    takeSample(
      list.filter((one) => sample.includes(one)),
      10,
      "1",
    ),
  ).toEqual(sample)
  expect(takeSample(list, 10, "2")).not.toEqual(sample)
})

test("collected tests run again and again, with their hooks, and tell the first failure", async () => {
  const { api, collect } = createCollector({ expect })
  const seen: string[] = []
  // CAST: the stand-in has Vitest's functions under their names.
  const {
    test: add,
    describe: group,
    beforeEach: before,
  } = api as unknown as typeof import("vitest")
  const file = await collect(async () => {
    before(() => {
      seen.push("before")
      return () => seen.push("after")
    })
    group("group", () => {
      add.each([1, 2])("number %d", (value) => {
        seen.push(`test ${value}`)
        expect(value).toBe(1)
      })
    })
    add.skip("never", () => {})
  })
  expect(file.names).toEqual(["group > number %d #0", "group > number %d #1"])
  const failed: number[] = []
  const run = (wanted: number[]): Promise<void> =>
    runTests({
      file,
      wanted: new Set(wanted),
      timeoutMs: () => 1_000,
      ended: ({ index, error }) => (error === null ? undefined : failed.push(index)),
      isOver: () => false,
    })
  await run([0])
  await run([0, 1])
  expect(seen.filter((one) => one.startsWith("test"))).toEqual(["test 1", "test 1", "test 2"])
  expect(seen.slice(0, 3)).toEqual(["before", "test 1", "after"])
  expect(failed).toEqual([1])
})

test("each listed survivor is a mutant of the code as it is", () => {
  const names = Object.keys(SURVIVORS)
  const files = new Set(names.map((name) => name.split(" ")[0] ?? ""))
  const known = new Set([...files].flatMap((file) => generateMutants(file).map(({ name }) => name)))
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test("the table in docs/RELIABILITY.md shows the kept results (npm run mutate -- --table)", () => {
  const text = readFileSync("docs/RELIABILITY.md", "utf8")
  expect(withTable(text)).toBe(text)
})
