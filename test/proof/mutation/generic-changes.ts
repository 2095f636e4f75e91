import { type Change, fieldOf, isNode, nodeAt, nodesAt, type SyntaxNode } from "./syntax.ts"

/**
 * The changes of one node: the mutators of Stryker that apply to code about money
 * (https://stryker-mutator.io/docs/mutation-testing-elements/supported-mutators/), "a condition
 * dropped", and changes of SQL.
 */
export function changesOf(
  node: SyntaxNode,
  parent: SyntaxNode | null,
  text: string,
): readonly Change[] {
  const whole = (rule: string, replace: string, of = node): Change => ({
    rule,
    start: of.start,
    end: of.end,
    replace,
  })
  const source = (of: SyntaxNode): string => text.slice(of.start, of.end)
  switch (node.type) {
    case "BinaryExpression": {
      const changes = operatorChanges(node, text, isTextual(node) ? TEXT_OPERATORS : OPERATORS)
      if (!isStrictOrNot(node, parent, text)) return changes
      const own = String(fieldOf(node, "operator"))
      return changes.filter(({ replace }) => !isStrictness(own, replace))
    }
    case "LogicalExpression": {
      const [left, right] = [nodeAt(node, "left"), nodeAt(node, "right")] as const
      const dropped = [left, right].map((kept) => whole("a condition dropped", `(${source(kept)})`))
      if (fieldOf(node, "operator") !== "??")
        return [...operatorChanges(node, text, LOGICAL), ...dropped]
      return [whole("a default turned", `((${source(left)}) && (${source(right)}))`)]
    }
    case "IfStatement":
    case "ConditionalExpression": {
      const test = nodeAt(node, "test")
      const isGuard = node.type === "IfStatement" && LEAVES.test(source(nodeAt(node, "consequent")))
      return [
        whole(isGuard ? "an early end removed" : "a condition never true", "false", test),
        whole("a condition always true", "true", test),
      ]
    }
    case "WhileStatement":
      return [whole("a loop skipped", "false", nodeAt(node, "test"))]
    case "UnaryExpression":
      return ["!", "-"].includes(String(fieldOf(node, "operator")))
        ? [whole("a sign or negation removed", source(nodeAt(node, "argument")))]
        : []
    case "BooleanLiteral":
      return [whole("a flag turned", source(node) === "true" ? "false" : "true")]
    case "NumericLiteral":
    case "BigIntLiteral":
      return parent?.type === "MemberExpression" ? [] : numberChanges(node, source(node))
    case "ArrayExpression":
      return listChanges(node, text)
    case "ExpressionStatement":
      return isAssertion(source(node)) ? [] : [whole("a statement removed", ";")]
    case "SwitchCase":
      return switchChanges(node, source)
    case "CallExpression":
      return callChanges(node, text)
    case "OptionalMemberExpression":
    case "OptionalCallExpression":
      return optionalChanges(node, text)
    case "StringLiteral":
    case "TemplateElement":
      return sqlChanges(node, source(node))
    default:
      return []
  }
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
}
const TEXT_OPERATORS: Readonly<Record<string, readonly string[]>> = { ...OPERATORS, "+": [] }
const LOGICAL: Readonly<Record<string, readonly string[]>> = { "&&": ["||"], "||": ["&&"] }
const LEAVES = /^\{?\s*(return|throw|continue|break)\b/

/** An assertion of our own promise never fails, so no test can notice that it is gone. */
function isAssertion(code: string): boolean {
  return /^(assert|mustExist)\w*\(/.test(code)
}

function isTextual(node: SyntaxNode): boolean {
  return [nodeAt(node, "left"), nodeAt(node, "right")].some(({ type }) =>
    /^(StringLiteral|TemplateLiteral)$/.test(type),
  )
}

/**
 * `a < b ? a : b` and `a === b ? 0 : a < b ? -1 : 1`: where both sides are equal, `<=` gives the
 * same value.
 */
function isStrictOrNot(node: SyntaxNode, parent: SyntaxNode | null, text: string): boolean {
  if (parent?.type !== "ConditionalExpression" || fieldOf(parent, "test") !== node) return false
  const source = (of: SyntaxNode): string => text.slice(of.start, of.end)
  const sides = ["left", "right"].map((key) => source(nodeAt(node, key)))
  const chosen = ["consequent", "alternate"].map((key) => source(nodeAt(parent, key)))
  if (sides.toSorted().join("\n") === chosen.toSorted().join("\n")) return true
  return text
    .slice(0, parent.start)
    .replaceAll(/\s+/g, " ")
    .endsWith(`${sides.join(" === ")} ? 0 : `)
}

function isStrictness(own: string, other: string): boolean {
  return own.replace("=", "") === other.replace("=", "")
}

function operatorChanges(
  node: SyntaxNode,
  text: string,
  replacements: Readonly<Record<string, readonly string[]>>,
): readonly Change[] {
  const operator = String(fieldOf(node, "operator"))
  const start = text.indexOf(operator, nodeAt(node, "left").end)
  return (replacements[operator] ?? []).map((replace) => {
    return { rule: "an operator turned", start, end: start + operator.length, replace }
  })
}

function numberChanges({ start, end }: SyntaxNode, code: string): readonly Change[] {
  const plain = /^(\d[\d_]*)(n?)$/.exec(code)
  if (plain === null) return []
  const value = BigInt((plain[1] ?? "").replaceAll("_", ""))
  const suffix = plain[2] ?? ""
  const others = value === 0n ? [1n] : [value + 1n, value - 1n]
  return others.map((other) => ({
    rule: "a number off by one",
    start,
    end,
    replace: `${other}${suffix}`,
  }))
}

function listChanges(node: SyntaxNode, text: string): readonly Change[] {
  const entries = nodesAt(node, "elements")
  const first = entries[0]
  const last = entries.at(-1)
  if (first === undefined || last === undefined) return []
  const rule = "an entry of a list dropped"
  if (first === last) return [{ rule, start: node.start, end: node.end, replace: "[]" }]
  const second = entries[1] ?? first
  const before = entries.at(-2) ?? last
  return [
    { rule, start: first.start, end: second.start, replace: "" },
    { rule, start: before.end, end: last.end, replace: text.slice(before.end, before.end) },
  ]
}

function switchChanges(node: SyntaxNode, source: (of: SyntaxNode) => string): readonly Change[] {
  const test = fieldOf(node, "test")
  if (!isNode(test) || test.type !== "StringLiteral") return []
  return [
    {
      rule: "a case dropped",
      start: test.start,
      end: test.end,
      replace: `${source(test).slice(0, -1)}-never"`,
    },
  ]
}

const SWAPPED: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["toLowerCase", "toUpperCase"],
  ["toUpperCase", "toLowerCase"],
])
const DROPPED: readonly string[] = [
  "filter",
  "slice",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "trim",
]

function callChanges(node: SyntaxNode, text: string): readonly Change[] {
  const callee = nodeAt(node, "callee")
  if (callee.type !== "MemberExpression" || fieldOf(callee, "computed") === true) return []
  const object = nodeAt(callee, "object")
  const property = nodeAt(callee, "property")
  const name = text.slice(property.start, property.end)
  const swapped = SWAPPED.get(name)
  if (swapped !== undefined)
    return [{ rule: "a method turned", ...bounds(property), replace: swapped }]
  if (!DROPPED.includes(name)) return []
  return [
    { rule: "a method dropped", ...bounds(node), replace: text.slice(object.start, object.end) },
  ]
}

function optionalChanges(node: SyntaxNode, text: string): readonly Change[] {
  if (fieldOf(node, "optional") !== true) return []
  const from = nodeAt(node, node.type === "OptionalCallExpression" ? "callee" : "object").end
  const start = text.indexOf("?.", from)
  const isAccess = node.type === "OptionalMemberExpression" && fieldOf(node, "computed") !== true
  return [
    { rule: "a missing value not expected", start, end: start + 2, replace: isAccess ? "." : "" },
  ]
}

const SQL = /\b(select|delete from|update|insert into|outcome is null|state not in|where)\b/
const SQL_CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ and /g, " or "],
  [/ or /g, " and "],
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/ = \?(?=( and| or|\)|$| order))/g, " <> ?"],
  [/ <> /g, " = "],
  [/ is null/g, " is not null"],
  [/ is not null/g, " is null"],
  [/ is not (?!null)/g, " is "],
  [/\bnot (?=exists|in )/g, ""],
  [/ desc\b/g, " asc"],
  [/\bmax\(/g, "min("],
  [/\bmin\(/g, "max("],
]

function sqlChanges(node: SyntaxNode, code: string): readonly Change[] {
  if (!SQL.test(code)) return []
  return SQL_CHANGES.flatMap(([pattern, replace]) =>
    [...code.matchAll(pattern)].map(({ index, 0: found }) => {
      const start = node.start + index
      return { rule: "SQL changed", start, end: start + found.length, replace }
    }),
  )
}

function bounds({ start, end }: SyntaxNode): { start: number; end: number } {
  return { start, end }
}
