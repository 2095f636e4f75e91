import {
  type Change,
  childrenOf,
  fieldOf,
  functionNameOf,
  isNode,
  nodeAt,
  nodesAt,
  parseModule,
  type SyntaxNode,
} from "./syntax.ts"

/**
 * One change inside a named function, found by the names that the code uses, so that a new layout
 * or a change elsewhere leaves it alone. Each must fit exactly one place of its function.
 *
 * `names` are identifiers, members, literals or operators; the place is the one that has them all,
 * and no smaller place of its kind does.
 */
export type Edit =
  /** The whole body is replaced. */
  | { readonly kind: "returns"; readonly code: string }
  /** A statement is left out: a call, or an `if` with its body. */
  | { readonly kind: "withoutStatement"; readonly names: string }
  /** A condition, or one part of it, always has this value. */
  | { readonly kind: "conditionIs"; readonly names: string; readonly code: "true" | "false" }
  /** Another operator between the same two sides. */
  | { readonly kind: "operatorIs"; readonly names: string; readonly code: string }
  /** An entry of a list, a property or an argument is left out. */
  | { readonly kind: "withoutEntry"; readonly names: string }
  /** The value of a variable, a property or a default. */
  | { readonly kind: "valueIs"; readonly names: string; readonly code: string }
  /** One argument of a call. `names` begins with the function; `at` counts from 0. */
  | {
      readonly kind: "argumentIs"
      readonly names: string
      readonly at: number
      readonly code: string
    }
  /**
   * A call is replaced, for instance by one of its own arguments. `names` begins with the function.
   */
  | { readonly kind: "callIs"; readonly names: string; readonly code: string }
  /** What one `return` gives back. */
  | { readonly kind: "resultIs"; readonly names: string; readonly code: string }
  /** The text of a query, of which a part is replaced. */
  | { readonly kind: "queryIs"; readonly names: string; readonly code: string }

export const returns = (code: string): Edit => ({ kind: "returns", code })
export const withoutStatement = (names: string): Edit => ({ kind: "withoutStatement", names })
export const withoutEntry = (names: string): Edit => ({ kind: "withoutEntry", names })
export const conditionIs = (names: string, is: boolean): Edit => {
  return { kind: "conditionIs", names, code: is ? "true" : "false" }
}
export const operatorIs = (names: string, code: string): Edit => ({
  kind: "operatorIs",
  names,
  code,
})
export const valueIs = (names: string, code: string): Edit => ({ kind: "valueIs", names, code })
export const argumentIs = (names: string, at: number, code: string): Edit => {
  return { kind: "argumentIs", names, at, code }
}
export const callIs = (names: string, code: string): Edit => ({ kind: "callIs", names, code })
export const resultIs = (names: string, code: string): Edit => ({ kind: "resultIs", names, code })
export const queryIs = (names: string, before: string, after: string): Edit => {
  return { kind: "queryIs", names, code: `${before} => ${after}` }
}

/** Where an edit applies, and the code that it puts there. */
type Place = { readonly node: SyntaxNode; readonly start: number; readonly end: number }

/** The change of the text that an edit makes. Throws unless it fits exactly one place. */
export function applyEdit(text: string, path: string, edit: Edit): Omit<Change, "rule"> {
  const places = placesOf(findFunction(parseModule(text), path), text, edit)
  const smallest = places.filter((one) => {
    return !places.some((other) => other !== one && isInside(other, one))
  })
  const [place] = smallest
  if (place === undefined || smallest.length > 1) {
    const where = `${path}: ${JSON.stringify(edit)}`
    throw new Error(`${where} fits ${smallest.length} places`)
  }
  return { start: place.start, end: place.end, replace: codeOf(text, place, edit) }
}

function isInside({ node: a }: Place, { node: b }: Place): boolean {
  return b.start <= a.start && a.end <= b.end && (b.start < a.start || a.end < b.end)
}

/** The function of this path: its name, with the names of the functions around it where needed. */
export function findFunction(tree: SyntaxNode, path: string): SyntaxNode {
  if (path === "") return tree
  const found = listFunctions(tree).filter(({ name }) => name === path || name.endsWith(`.${path}`))
  const exact = found.filter(({ name }) => name === path)
  const [one] = exact.length > 0 ? exact : found
  if (one === undefined || (exact.length > 0 ? exact : found).length > 1) {
    throw new Error(`${found.length} functions are named ${path}`)
  }
  return one.node
}

/**
 * All named functions with their paths. A function of a call's option has the path of its property.
 */
export function listFunctions(
  node: SyntaxNode,
  parent: SyntaxNode | null = null,
  path = "",
): readonly { readonly name: string; readonly node: SyntaxNode }[] {
  const own = functionNameOf(node, parent)
  const name = own === null ? path : path === "" ? own : `${path}.${own}`
  const inner = childrenOf(node).flatMap(([, child]) => listFunctions(child, node, name))
  return own === null ? inner : [{ name, node }, ...inner]
}

function placesOf(root: SyntaxNode, text: string, edit: Edit): readonly Place[] {
  if (edit.kind === "returns") {
    const body = nodeAt(root, "body")
    return [{ node: body, start: body.start, end: body.end }]
  }
  const places: Place[] = []
  const visit = (node: SyntaxNode): void => {
    if (node !== root && node.type.startsWith("TS") && !/As|Satis|NonNull/.test(node.type)) return
    for (const place of placesAt(node, text, edit)) {
      if (hasNames(place, edit.names, text)) places.push(place)
    }
    for (const [, child] of childrenOf(node)) visit(child)
  }
  visit(root)
  return places
}

const whole = (node: SyntaxNode, within = node): Place => {
  return { node: within, start: node.start, end: node.end }
}

/** The places of an edit's kind at one node. */
function placesAt(
  node: SyntaxNode,
  text: string,
  edit: Exclude<Edit, { kind: "returns" }>,
): readonly Place[] {
  const { type } = node
  switch (edit.kind) {
    case "withoutStatement":
      return /^(Expression|If|Throw|For|ForOf|While)Statement$/.test(type) ? [whole(node)] : []
    case "conditionIs":
      return conditionsAt(node)
    case "operatorIs":
      return /^(Binary|Logical|Assignment)Expression$/.test(type) ? [operatorAt(node, text)] : []
    case "withoutEntry":
      return entriesAt(node)
    case "valueIs":
      return valuesAt(node)
    case "argumentIs":
    case "callIs":
      return callsAt(node, text, edit)
    case "resultIs":
      return resultsAt(node)
    case "queryIs":
      return /^(StringLiteral|TemplateLiteral)$/.test(type) ? [whole(node)] : []
  }
}

function conditionsAt(node: SyntaxNode): readonly Place[] {
  const { type } = node
  if (type === "LogicalExpression" && fieldOf(node, "operator") !== "??") {
    return [whole(nodeAt(node, "left")), whole(nodeAt(node, "right"))]
  }
  const hasTest = /^(If|While|DoWhile|Conditional)(Statement|Expression)$/.test(type)
  if (hasTest) return [whole(nodeAt(node, "test"))]
  return type === "UnaryExpression" && fieldOf(node, "operator") === "!" ? [whole(node)] : []
}

function operatorAt(node: SyntaxNode, text: string): Place {
  const operator = String(fieldOf(node, "operator"))
  const start = text.indexOf(operator, nodeAt(node, "left").end)
  return { node, start, end: start + operator.length }
}

function entriesAt(node: SyntaxNode): readonly Place[] {
  const lists: Readonly<Record<string, string>> = {
    ArrayExpression: "elements",
    ObjectExpression: "properties",
    CallExpression: "arguments",
    NewExpression: "arguments",
  }
  const key = lists[node.type]
  if (key === undefined) return []
  const entries = nodesAt(node, key)
  return entries.map((entry, index) => {
    const next = entries[index + 1]
    const last = entries[index - 1]
    if (next !== undefined) return { node: entry, start: entry.start, end: next.start }
    return { node: entry, start: last?.end ?? entry.start, end: entry.end }
  })
}

function valuesAt(node: SyntaxNode): readonly Place[] {
  const value = [fieldOf(node, "init"), fieldOf(node, "value"), fieldOf(node, "right")].find(isNode)
  const holds = /^(VariableDeclarator|ObjectProperty|ClassProperty|Assignment\w+)$/.test(node.type)
  if (!holds || value === undefined || fieldOf(node, "shorthand") === true) return []
  return [whole(value, node)]
}

/** Calls of the function that the first name says, with or without an object before it. */
function callsAt(
  node: SyntaxNode,
  text: string,
  edit: Extract<Edit, { kind: "argumentIs" | "callIs" }>,
): readonly Place[] {
  if (!/^(Optional)?(Call|New)Expression$/.test(node.type)) return []
  const callee = nodeAt(node, "callee")
  const name = edit.names.split(" ")[0] ?? ""
  const called = text
    .slice(callee.start, callee.end)
    .split(/\?\.|[.\s]+/)
    .at(-1)
  if (called !== name) return []
  if (edit.kind === "callIs") return [whole(node)]
  const argument = nodesAt(node, "arguments")[edit.at]
  return argument === undefined ? [] : [whole(argument, node)]
}

function resultsAt(node: SyntaxNode): readonly Place[] {
  if (node.type === "ReturnStatement") {
    const argument = fieldOf(node, "argument")
    return isNode(argument) ? [whole(argument, node)] : []
  }
  if (node.type !== "ArrowFunctionExpression") return []
  const body = nodeAt(node, "body")
  return body.type === "BlockStatement" ? [] : [whole(body)]
}

/** Words, numbers, texts and operators of the code; each wanted one is among them. */
function hasNames({ node }: Place, names: string, text: string): boolean {
  const found = new Set(namesOf(text.slice(node.start, node.end)))
  return names.split(" ").every((name) => found.has(name))
}

export function namesOf(code: string): readonly string[] {
  return code.match(/[\w$]+|[<>=!&|?+\-*/%.]+/g) ?? []
}

function codeOf(text: string, place: Place, edit: Edit): string {
  switch (edit.kind) {
    case "returns":
      return place.node.type === "BlockStatement" ? `{ return ${edit.code} }` : `(${edit.code})`
    case "withoutStatement":
      return "{}"
    case "withoutEntry":
      return ""
    case "queryIs":
      return replaceInQuery(text.slice(place.start, place.end), edit.code)
    default:
      return edit.code
  }
}

/** `code` is `before => after`, words of the query. */
function replaceInQuery(query: string, code: string): string {
  const [before = "", after = ""] = code.split(" => ")
  if (query.split(before).length !== 2) throw new Error(`${query} does not have ${before} once`)
  return query.replace(before, () => after)
}
