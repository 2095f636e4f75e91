import { parse } from "@babel/parser"

/** The part of a Babel node that is read here (https://babeljs.io/docs/babel-parser#output). */
export type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number }

/** One change of a source text. */
export type Change = {
  readonly rule: string
  readonly start: number
  readonly end: number
  readonly replace: string
}

/** The syntax tree of a TypeScript module. */
export function parseModule(text: string): SyntaxNode {
  const { program } = parse(text, {
    sourceType: "module",
    attachComment: false,
    plugins: ["typescript"],
  })
  if (!isNode(program)) throw new Error("The parser returned no tree")
  return program
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    "start" in value &&
    "end" in value
  )
}

export function fieldOf(node: SyntaxNode, key: string): unknown {
  return Reflect.get(node, key)
}

export function nodeAt(node: SyntaxNode, key: string): SyntaxNode {
  const child = fieldOf(node, key)
  if (!isNode(child)) throw new Error(`${node.type} has no ${key}`)
  return child
}

export function nodesAt(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const children = fieldOf(node, key)
  return Array.isArray(children) ? children.filter(isNode) : []
}

/** The children of a node with the name of their field, in no order. */
export function childrenOf(node: SyntaxNode): readonly (readonly [key: string, SyntaxNode])[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value])
      .filter(isNode)
      .map((child): readonly [string, SyntaxNode] => [key, child]),
  )
}

/** A function's own name, or that of the variable or property that holds it; otherwise null. */
export function functionNameOf(node: SyntaxNode, parent: SyntaxNode | null): string | null {
  if (!/Function|Method/.test(node.type)) return null
  const own = [fieldOf(node, "id"), fieldOf(node, "key")].find(isNode)
  const holders = parent === null ? [] : [fieldOf(parent, "id"), fieldOf(parent, "key")]
  const name = own ?? holders.find(isNode)
  if (name === undefined) return null
  const text = fieldOf(name, "name") ?? fieldOf(name, "value")
  return typeof text === "string" ? text : null
}
