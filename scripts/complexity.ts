import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parse } from "@babel/parser"
import { mustExist } from "#lib/assert.ts"

/**
 * One function of a file. `complexity` as `measureFunctions` defines it; `lines` from its first to
 * its last, both counted.
 */
export type FunctionSize = {
  readonly file: string
  readonly line: number
  /** An anonymous function is named after the function around it: `absorb > arrow`. */
  readonly name: string
  readonly complexity: number
  readonly lines: number
}

/**
 * The cyclomatic complexity and the length of each function in a TypeScript file, in the order of
 * the text.
 *
 * The complexity is McCabe's, counted as ESLint's rule `complexity` does in its `classic` variant
 * (https://eslint.org/docs/latest/rules/complexity): 1, and 1 more for each `if`, `?:`, `for`,
 * `for…of`, `for…in`, `while`, `do`, `catch`, `case` (not `default`), `&&`, `||`, `??`, `&&=`,
 * `||=`, `??=`, `?.`, and default value of a parameter or of a destructured name. Each `case`
 * counts, also where several share a body. A function inside another counts for itself only. The
 * `absorb` of version 0.1 counts 46.
 */
export function measureFunctions(text: string, file: string): readonly FunctionSize[] {
  const { program } = parse(text, {
    sourceType: "module",
    attachComment: false,
    plugins: ["typescript", ...(file.endsWith(".tsx") ? (["jsx"] as const) : [])],
  })
  const found: FunctionSize[] = []
  const visit = (node: SyntaxNode, name: string | null, outer: Counter | null): void => {
    const inner = FUNCTIONS.has(node.type) ? openCounter(node, name, outer) : outer
    if (inner !== null && isDecision(node)) inner.complexity++
    const index = found.length
    for (const [child, childName] of childrenOf(node, name)) visit(child, childName, inner)
    if (inner === null || inner === outer) return
    const { start, end } = mustExist(node.loc, "the parser gives each node its place")
    const size = { complexity: inner.complexity, lines: end.line - start.line + 1 }
    found.splice(index, 0, { file, line: start.line, name: inner.name, ...size })
  }
  visit(program, null, null)
  return found
}

/** The functions of all TypeScript files below these directories. Paths are relative to `root`. */
export function measureDirectories(
  directories: readonly string[],
  root: string,
): readonly FunctionSize[] {
  const files = directories
    .flatMap((directory) => globSync(`${directory}/**/*.{ts,tsx}`, { cwd: root }))
    .sort()
  return files.flatMap((file) => measureFunctions(readFileSync(join(root, file), "utf8"), file))
}

type Counter = { readonly name: string; complexity: number }

/** The part of a Babel node that this file reads (https://babeljs.io/docs/babel-parser#output). */
type SyntaxNode = {
  readonly type: string
  readonly loc?: {
    readonly start: { readonly line: number }
    readonly end: { readonly line: number }
  } | null
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
])

const DECISIONS: ReadonlySet<string> = new Set([
  "IfStatement",
  "ConditionalExpression",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
  "DoWhileStatement",
  "CatchClause",
  "LogicalExpression",
  "AssignmentPattern",
])

const LOGICAL_ASSIGNMENTS: readonly unknown[] = ["&&=", "||=", "??="]

function isDecision(node: SyntaxNode): boolean {
  switch (node.type) {
    case "SwitchCase":
      return read(node, "test") !== null
    case "AssignmentExpression":
      return LOGICAL_ASSIGNMENTS.includes(read(node, "operator"))
    case "OptionalMemberExpression":
    case "OptionalCallExpression":
      return read(node, "optional") === true
    default:
      return DECISIONS.has(node.type)
  }
}

function openCounter(node: SyntaxNode, given: string | null, outer: Counter | null): Counter {
  const own = nameOf(read(node, "id") ?? read(node, "key")) ?? given ?? "arrow"
  return { name: outer === null ? own : `${outer.name} > ${own}`, complexity: 1 }
}

/**
 * Each child with the name that its parent gives it: a variable's, a property's, or the one that
 * goes through a wrapper such as `as`.
 */
function childrenOf(
  node: SyntaxNode,
  name: string | null,
): readonly (readonly [SyntaxNode, string | null])[] {
  const own = nameOf(read(node, "id") ?? read(node, "key") ?? read(node, "left"))
  const passes = /^(TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/.test(node.type)
  const isNaming = /^(VariableDeclarator|ObjectProperty|ClassProperty|AssignmentExpression)$/.test(
    node.type,
  )
  const childName = isNaming ? own : passes ? name : null
  return Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .map((child) => [child, childName])
}

function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null
  const name = read(node, node.type === "StringLiteral" ? "value" : "name")
  return typeof name === "string" ? name : null
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof read(value, "type") === "string" &&
    "loc" in value
  )
}

function read(node: object, key: string): unknown {
  return Reflect.get(node, key)
}

const USAGE = `node scripts/complexity.ts [DIR…] [--top N] [--json]

The functions with the highest cyclomatic complexity, and the longest ones, below each DIR
(src and test).`

function main(): void {
  const options = {
    top: { type: "string", default: "20" },
    json: { type: "boolean", default: false },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const top = Number(values.top)
  if (!Number.isSafeInteger(top) || top < 1) {
    console.error(`${USAGE}\n\n--top must be a whole number above 0, not ${values.top}`)
    process.exitCode = 64
    return
  }
  const all = measureDirectories(
    positionals.length > 0 ? positionals : ["src", "test"],
    process.cwd(),
  )
  const complex = all.toSorted((a, b) => b.complexity - a.complexity).slice(0, top)
  const long = all.toSorted((a, b) => b.lines - a.lines).slice(0, top)
  if (values.json) console.log(JSON.stringify({ functions: all.length, complex, long }, null, 2))
  else
    console.log(
      [`${all.length} functions`, ...formatTable(complex), ...formatTable(long)].join("\n"),
    )
}

function formatTable(rows: readonly FunctionSize[]): readonly string[] {
  const lines = rows.map(({ complexity, lines, file, line, name }) => {
    return (
      `${String(complexity).padStart(10)} | ${String(lines).padStart(5)} | ${file}:${line} ` +
      `${name}`
    )
  })
  return ["", "complexity | lines | function", ...lines]
}

if (import.meta.main) main()
