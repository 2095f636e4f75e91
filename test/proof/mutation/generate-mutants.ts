import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { changesOf } from "./generic-changes.ts"
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

/** One change of one file, to be tried alone. */
export type Mutant = {
  /** The file, the function and the change; other code may change without a new name. */
  readonly name: string
  readonly file: string
  /** The file and the innermost named function around the change. */
  readonly place: string
  readonly start: number
  readonly end: number
  readonly replace: string
}

/**
 * All generated mutants of one TypeScript file, in the order of the text: changes that no person
 * thought of (`changesOf`).
 *
 * Texts for people and the log are left alone, because a test of a sentence would only repeat it;
 * so are types, imports, and assertions.
 */
export function generateMutants(
  file: string,
  text = readFileSync(file, "utf8"),
): readonly Mutant[] {
  const found: { change: Change; node: SyntaxNode; within: string }[] = []
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, within: string): void => {
    if (isLeftAlone(node, text)) return
    const name = functionNameOf(node, parent) ?? within
    for (const change of changesOf(node, parent, text)) found.push({ change, node, within: name })
    for (const [, child] of childrenOf(node)) visit(child, node, name)
  }
  visit(parseModule(text), null, "module")
  const seen = new Map<string, number>()
  return found
    .filter(({ change }) => text.slice(change.start, change.end) !== change.replace)
    .filter(({ change }) => !isInComparator(change, text))
    .sort((a, b) => a.change.start - b.change.start)
    .map(({ change: { rule, start, end, replace }, node, within }) => {
      const shown = showChange({ start, end, replace }, node, text)
      const place = `${file} ${within}`
      const base = `${place}: ${rule}: ${shown}`
      const count = (seen.get(base) ?? 0) + 1
      seen.set(base, count)
      return { name: count === 1 ? base : `${base} (${count})`, file, place, start, end, replace }
    })
}

/** A short id that depends on the name alone. */
export function idOf({ name }: { readonly name: string }): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 12)
}

/** Always the same mutants for a seed, whatever else the list has. */
export function takeSample<T extends { readonly name: string }>(
  mutants: readonly T[],
  count: number,
  seed: string,
): readonly T[] {
  const ranked = mutants.map((one) => ({ one, rank: idOf({ name: `${seed} ${one.name}` }) }))
  return ranked
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one)
}

/**
 * A sort asks only whether an element comes before another one, so `1`, `2` and `0` mean the same.
 */
function isInComparator({ rule, start }: Change, text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n", start) + 1, text.indexOf("\n", start))
  return rule === "a number off by one" && /\? -1 :/.test(line)
}

const SHOWN = 60

/** The change within its expression, cut to a readable length. */
function showChange(
  { start, end, replace }: Pick<Change, "start" | "end" | "replace">,
  node: SyntaxNode,
  text: string,
): string {
  const flat = (part: string): string => part.replaceAll(/\s+/g, " ")
  const cut = (part: string): string => {
    const line = flat(part)
    return line.length > 2 * SHOWN ? `${line.slice(0, SHOWN)}…${line.slice(-SHOWN)}` : line
  }
  const before = flat(text.slice(node.start, start)).slice(-SHOWN)
  const after = flat(text.slice(end, node.end)).slice(0, SHOWN)
  return `${before}[${cut(text.slice(start, end))} -> ${cut(replace)}]${after}`.trim()
}

/** These TypeScript nodes wrap code; the others are types. */
const WRAPPERS = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]
const TEXTS = /^(message|details|code|why)\b/
/** Parts of a sentence, by the names that they have everywhere. */
const SENTENCES = /^(message|said)\b/

function isLeftAlone(node: SyntaxNode, text: string): boolean {
  if (node.type.startsWith("TS")) return !WRAPPERS.includes(node.type)
  if (node.type === "ImportDeclaration" || isLog(node, text)) return true
  const own = text.slice(node.start, node.end)
  if (node.type === "VariableDeclarator") return SENTENCES.test(own)
  return node.type === "ObjectProperty" && TEXTS.test(own)
}

/** A line of the log, or the condition or loop around nothing else. */
function isLog(node: SyntaxNode, text: string): boolean {
  const source = ({ start, end }: SyntaxNode): string => text.slice(start, end)
  const isLogAt = (key: string): boolean => isLog(nodeAt(node, key), text)
  switch (node.type) {
    case "ExpressionStatement":
      return /^(\w+\.)*log\.(debug|info|warn|error)\(/.test(source(node))
    case "BlockStatement":
      return nodesAt(node, "body").every((one) => isLog(one, text))
    case "IfStatement":
      return (
        !/\bawait\b/.test(source(nodeAt(node, "test"))) &&
        isLogAt("consequent") &&
        (!isNode(fieldOf(node, "alternate")) || isLogAt("alternate"))
      )
    case "ForOfStatement":
      return isLogAt("body")
    default:
      return false
  }
}
