import { globSync } from "node:fs"
import { parse } from "@babel/parser"
import { describe, expect, test } from "vitest"
import { listFiles, ROOT, readText } from "./sources.ts"

const WIDTH = 100
const FILES = [
  ...listFiles("src", "test", "scripts", "bench", "web"),
  ...globSync("web/**/*.tsx", { cwd: ROOT }),
].filter((file) => !file.startsWith("test/fixtures/"))

/** Lines that no break makes better to read. */
const MAY_BE_WIDE = [
  // The title of a test is one sentence of the report.
  /^\s*(test|it|describe)\b/,
  /\/\/ biome-ignore /,
  // The type of an ABI follows from each signature as one literal.
  /^\s*"(function|event|error|constructor) /,
  // An address or a hash has no place for a break.
  /^\s*([\w"]+: )?\S+$/,
]

describe("the format of the sources", () => {
  test("no line is wider than 100 columns", () => {
    expect(FILES.length).toBeGreaterThan(1_000)
    expect(FILES.flatMap((file) => findWideLines(file, readText(file)))).toEqual([])
  })

  test("no properties or names are folded into one line", () => {
    expect(FILES.flatMap((file) => findFolds(file, readText(file)))).toEqual([])
  })

  test("the rules can fail", () => {
    const wide = `const text = "${"word ".repeat(20)}"`
    expect(findWideLines("x.ts", `\n${wide}`)).toEqual([`x.ts:2 (${wide.length})`])
    expect(findWideLines("x.ts", `  test("${wide}", () => {`)).toEqual([])
    expect(findWideLines("x.ts", `  "0x${"ab".repeat(60)}",`)).toEqual([])
    expect(findFolds("x.ts", "const a = { b, ...{ c, d } }")).toEqual(["x.ts:1"])
    expect(findFolds("x.ts", "\nconst [a, b] = [c, d]")).toEqual(["x.ts:2"])
    expect(findFolds("x.ts", "const [a, b] = [c, d].map(f)\n;[a, b] = [b, a]")).toEqual([])
    expect(findFolds("x.ts", "const [a, b] = [...set]\nlet [c, d]: X[] = []")).toEqual([])
  })
})

function findWideLines(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const { length } = [...line]
    const isWide = length > WIDTH && !MAY_BE_WIDE.some((pattern) => pattern.test(line))
    return isWide ? [`${file}:${index + 1} (${length})`] : []
  })
}

/** Object literals that are spread into another one, and lists taken apart where they are made. */
function findFolds(file: string, text: string): string[] {
  // Nearly all files have neither, and parsing all of them takes long.
  if (!/\.\.\.\{|(const|let) \[[^\]]*\][^=]*=\s*\[/.test(text)) return []
  const { program } = parse(text, {
    sourceType: "module",
    attachComment: false,
    plugins: ["typescript", ...(file.endsWith(".tsx") ? (["jsx"] as const) : [])],
  })
  const lines: number[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (!isNode(node)) return
    if (isFold(node)) lines.push(node.loc.start.line)
    Object.values(node).forEach(visit)
  }
  visit(program)
  return lines.map((line) => `${file}:${line}`)
}

type Literal = {
  readonly type: string
  readonly elements?: readonly ({ readonly type: string } | null)[]
}

type SyntaxNode = {
  readonly type: string
  readonly loc: { readonly start: { readonly line: number } }
  readonly argument?: { readonly type: string } | null
  readonly id?: { readonly type: string } | null
  readonly init?: Literal | null
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "loc" in value
}

function isFold({ type, argument, id, init }: SyntaxNode): boolean {
  if (type === "SpreadElement") return argument?.type === "ObjectExpression"
  if (type !== "VariableDeclarator") return false
  if (id?.type !== "ArrayPattern" || init?.type !== "ArrayExpression") return false
  const { elements = [] } = init
  return elements.length > 1 && elements.every((element) => element?.type !== "SpreadElement")
}
