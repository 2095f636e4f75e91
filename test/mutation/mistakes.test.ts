import { readFileSync } from "node:fs"
import { parse } from "@babel/parser"
import { expect, test } from "vitest"
import { ALL_MISTAKES } from "./all-mistakes.ts"
import { generateMutants } from "./generate-mutants.ts"
import { listGenericMutants } from "./generic-mutants.ts"
import { SURVIVORS } from "./generic-survivors.ts"
import { withTable } from "./results.ts"

const all = ALL_MISTAKES.flatMap(({ mistakes }) => mistakes)

test("each mistake fits its file exactly once, so that none is tried in vain", () => {
  const stale = all.filter(
    ({ file, find, replace }) => readFileSync(file, "utf8").split(find).length !== 2 || find === replace,
  )
  expect(stale.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})

test("each mistake has a name of its own", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

const generated = listGenericMutants().flatMap(({ mistakes }) => mistakes)

test("each generated mutant fits its file exactly once, has a name of its own, and is TypeScript", () => {
  const texts = new Map<string, string>()
  for (const { name, file, find, replace } of generated) {
    const text = texts.get(file) ?? readFileSync(file, "utf8")
    texts.set(file, text)
    expect(text.split(find), name).toHaveLength(2)
    expect(find, name).not.toBe(replace)
  }
  expect(new Set(generated.map(({ name }) => name)).size).toBe(generated.length)
  for (const { file, find, replace, name } of generated.filter((_, index) => index % 20 === 0)) {
    const text = (texts.get(file) ?? "").replace(find, () => replace)
    expect(() => parse(text, { sourceType: "module", plugins: ["typescript"] }), name).not.toThrow()
  }
}, 60_000)

test("each listed survivor is a mutant of the code as it is", () => {
  const names = new Set(generated.map(({ name }) => name))
  expect(Object.keys(SURVIVORS).filter((name) => !names.has(name))).toEqual([])
})

test("generated mutants turn operators, drop conditions, move bounds, remove ends and statements, and change SQL", () => {
  const code = [
    "export function judge(a: bigint, b: bigint | null): string[] {",
    "  if (b === null) return []",
    "  assertSound(a)",
    "  note(a)",
    '  if (a > 10n && a + b <= 5n) return [...rows("select x from y where z is null and w >= ?")]',
    '  return [{ code: "text.of_people", message: note(a + 1) }].filter(isOurs)',
    "}",
  ].join("\n")
  const found = generateMutants("sample.ts", code).map(({ name }) => name.replace("sample.ts: ", ""))
  expect(found).toEqual(expect.arrayContaining(EXPECTED))
  expect(found.filter((name) => /\[assertSound|\[\+ -> -\] 1|code: \[/.test(name))).toEqual([])
})

const EXPECTED = [
  "an early end removed: if ([b === null -> false]) return []",
  "an operator turned: if (b [=== -> !==] null) return []",
  "a statement removed: [note(a) -> ;]",
  'an operator turned: if (a [> -> >=] 10n && a + b <= 5n) return [...rows("select x from y where z is null and w >= ?")]',
  'an operator turned: if (a > 10n [&& -> ||] a + b <= 5n) return [...rows("select x from y where z is null and w >= ?")]',
  'a condition dropped: if ([a > 10n && a + b <= 5n -> (a > 10n)]) return [...rows("select x from y where z is null and w >= ?")]',
  'a number off by one: if (a > [10n -> 11n] && a + b <= 5n) return [...rows("select x from y where z is null and w >= ?")]',
  'SQL changed: if (a > 10n && a + b <= 5n) return [...rows("select x from y where z is null and w[ >= -> > ]?")]',
]

test("the table in docs/RELIABILITY.md shows the kept results (npm run mutate -- --table)", () => {
  const text = readFileSync("docs/RELIABILITY.md", "utf8")
  expect(withTable(text)).toBe(text)
})
