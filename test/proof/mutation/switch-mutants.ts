import { childrenOf, fieldOf, parseModule, type SyntaxNode } from "./syntax.ts"

/** A change with the number that switches it on. */
export type Switched = {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly replace: string
}

type Host = { readonly node: SyntaxNode; readonly own: Switched[] }

/**
 * The text with all changes in it, each behind a question: `(__m(7) ? a >= b : (a > b))`.
 *
 * One loaded module then serves all of its mutants. Each change stands at the smallest expression
 * or statement around it that may be replaced as a whole.
 */
export function switchMutants(text: string, changes: readonly Switched[]): string {
  const hosts: Host[] = []
  const visit = (node: SyntaxNode, inside: readonly Switched[], may: boolean): void => {
    const children = childrenOf(node)
    const rest = inside.filter((change) => {
      if (isWhole(node, change)) return true
      return !children.some(
        ([key, child]) => contains(child, change) && hasHost(child, node, key, change),
      )
    })
    // A statement gets braces: a parenthesis at its start would continue the line before it.
    const isBraced = node.type === "ExpressionStatement"
    if (may && (rest.length > 0 || isBraced)) hosts.push({ node, own: [...rest] })
    for (const [key, child] of children) {
      const within = inside.filter((change) => !rest.includes(change) && contains(child, change))
      if (within.length > 0) visit(child, within, isSafe(child, node, key))
    }
  }
  const tree = parseModule(text)
  visit(tree, changes, false)
  const placed = hosts.reduce((sum, { own }) => sum + own.length, 0)
  if (placed !== changes.length) throw new Error(`${changes.length - placed} changes have no place`)
  return countLoops(render(text, 0, text.length, hosts))
}

const LOOP = /^(For|ForOf|ForIn|While|DoWhile)Statement$/

/** Each turn of a loop asks `__m(0)`, which ends a loop that a mutant made endless. */
function countLoops(text: string): string {
  const places: number[] = []
  const visit = (node: SyntaxNode): void => {
    for (const [key, child] of childrenOf(node)) {
      if (LOOP.test(node.type) && key === "body" && child.type === "BlockStatement") {
        places.push(child.start + 1)
      }
      visit(child)
    }
  }
  visit(parseModule(text))
  let result = ""
  let at = 0
  for (const place of places.sort((a, b) => a - b)) {
    result += `${text.slice(at, place)} __m(0);`
    at = place
  }
  return result + text.slice(at)
}

function contains(node: SyntaxNode, { start, end }: Switched): boolean {
  return node.start <= start && end <= node.end
}

/** The change removes or replaces a statement. */
function isWhole(node: SyntaxNode, { start, end }: Switched): boolean {
  return STATEMENTS.test(node.type) && node.start === start && node.end === end
}

/** Nothing of the node would be left, so that the change belongs to the list around it. */
function isEmptied(node: SyntaxNode, { start, end, replace }: Switched): boolean {
  return start <= node.start && node.end <= end && replace === ""
}

/** This node or one in it can be replaced as a whole to make the change. */
function hasHost(node: SyntaxNode, parent: SyntaxNode, key: string, change: Switched): boolean {
  if (isEmptied(node, change)) return false
  if (isSafe(node, parent, key)) return true
  return childrenOf(node).some(
    ([name, child]) => contains(child, change) && hasHost(child, node, name, change),
  )
}

const STATEMENTS =
  /^(Expression|If|Return|Throw|For|ForOf|ForIn|While|DoWhile|Block|Switch|Try)Statement$/
const EXPRESSIONS = /(Expression|Literal)$/
const TARGETS: Readonly<Record<string, string>> = {
  CallExpression: "callee",
  OptionalCallExpression: "callee",
  OptionalMemberExpression: "object",
  NewExpression: "callee",
  TaggedTemplateExpression: "tag quasi",
  UpdateExpression: "argument",
  AssignmentExpression: "left",
  AssignmentPattern: "left",
  ForOfStatement: "left",
  ForInStatement: "left",
  ImportExpression: "source",
  TryStatement: "block handler finalizer",
  ArrayPattern: "elements",
  RestElement: "argument",
  ImportDeclaration: "source",
  ExportNamedDeclaration: "source",
  ExportAllDeclaration: "source",
  TSNonNullExpression: "expression",
}

/** `(condition ? x : node)` means the same as the node in this place. */
function isSafe(node: SyntaxNode, parent: SyntaxNode, key: string): boolean {
  if (STATEMENTS.test(node.type)) return !(TARGETS[parent.type] ?? "").split(" ").includes(key)
  if (!EXPRESSIONS.test(node.type) || node.type === "DirectiveLiteral") return false
  if (parent.type.startsWith("TS") && parent.type === "TSLiteralType") return false
  if (parent.type === "UnaryExpression" && fieldOf(parent, "operator") === "delete") return false
  if ((key === "key" || key === "property") && fieldOf(parent, "computed") !== true) return false
  return !(TARGETS[parent.type] ?? "").split(" ").includes(key)
}

function render(text: string, start: number, end: number, hosts: readonly Host[]): string {
  const outer = hosts
    .filter(({ node }) => node.start >= start && node.end <= end)
    .filter((host, _, all) => !all.some((other) => other !== host && isAround(other, host)))
    .sort((a, b) => a.node.start - b.node.start)
  let result = ""
  let at = start
  for (const host of outer) {
    const { node, own } = host
    const inner = hosts.filter((other) => other !== host && isAround(host, other))
    const original = render(text, node.start, node.end, inner)
    result += text.slice(at, node.start) + wrap(text, node, own, original)
    at = node.end
  }
  return result + text.slice(at, end)
}

/** Two hosts of one range are an expression and its statement; the list has the outer one first. */
function isAround({ node: a }: Host, { node: b }: Host): boolean {
  if (a.start === b.start && a.end === b.end) return STATEMENTS.test(a.type)
  return a.start <= b.start && b.end <= a.end
}

function wrap(text: string, node: SyntaxNode, own: readonly Switched[], original: string): string {
  const changed = ({ start, end, replace }: Switched): string =>
    text.slice(node.start, start) + replace + text.slice(end, node.end)
  if (!STATEMENTS.test(node.type)) {
    const others = own.map((one) => `__m(${one.number}) ? (${changed(one)}) : `).join("")
    return `(${others}(${original}))`
  }
  const others = own.map((one) => `if (__m(${one.number})) { ${changed(one)} } else `).join("")
  return `{ ${others}{ ${original} } }`
}
