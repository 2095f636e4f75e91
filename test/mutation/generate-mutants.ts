import { readFileSync } from "node:fs"
import { parse } from "@babel/parser"
import { type Change, changesOf, fieldOf, isNode, type SyntaxNode } from "./generic-changes.ts"
import { SURVIVORS } from "./generic-survivors.ts"
import type { Mistake } from "./mistake.ts"

/**
 * All generic mutants of one TypeScript file, in the order of the text: changes that no person thought of (`changesOf`).
 *
 * Texts for people are left alone, because a test of a sentence would only repeat it; so are types, imports, and assertions.
 */
export function generateMutants(file: string, text: string = readFileSync(file, "utf8")): readonly Mistake[] {
  const { program } = parse(text, { sourceType: "module", attachComment: false, plugins: ["typescript"] })
  const changes: (Change & { readonly within: string })[] = []
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, within: string): void => {
    if (isLeftAlone(node, text)) return
    const name = functionNameOf(node, parent, text) ?? within
    changes.push(...changesOf(node, parent, text).map((change) => ({ ...change, within: name })))
    for (const child of childrenOf(node)) visit(child, node, name)
  }
  if (isNode(program)) visit(program, null, "")
  const seen = new Map<string, number>()
  return changes
    .filter((change) => text.slice(change.start, change.end) !== change.replace && !isInComparator(change, text))
    .map((change) => {
      const base = nameOf(change, text)
      const count = (seen.get(base) ?? 0) + 1
      seen.set(base, count)
      const name = `${file}: ${base}${count === 1 ? "" : ` (${count})`}`
      const survives = SURVIVORS[name]
      return {
        name,
        file,
        within: change.within,
        ...uniqueChange(change, text),
        ...(survives === undefined ? {} : { survives }),
      }
    })
}

/** The name that V8 gives a function: its own, or that of the variable or property that holds it. */
function functionNameOf(node: SyntaxNode, parent: SyntaxNode | null, text: string): string | null {
  if (!/Function|Method/.test(node.type)) return null
  const named = [fieldOf(node, "id"), fieldOf(node, "key")].find(isNode)
  const holder = parent === null ? undefined : [fieldOf(parent, "id"), fieldOf(parent, "key")].find(isNode)
  const name = named ?? holder
  return name === undefined ? null : text.slice(name.start, name.end).split(":")[0]?.trim() || null
}

/** A sort asks only whether an element comes before another one, so `1`, `2` and `0` mean the same for one that does not. */
function isInComparator({ rule, start }: Change, text: string): boolean {
  const line = text.slice(text.lastIndexOf("\n", start) + 1, text.indexOf("\n", start))
  return rule === "a number off by one" && /\? -1 :/.test(line)
}

/** The rule, and the change within its line. The name stays the same when other lines change. */
function nameOf({ rule, start, end, replace }: Change, text: string): string {
  const from = text.lastIndexOf("\n", start - 1) + 1
  const lineEnd = text.indexOf("\n", end)
  const shown = [text.slice(from, start), "[", text.slice(start, end), " -> ", replace, "]", text.slice(end, lineEnd)]
  const line = shown.join("").replaceAll(/\s+/g, " ").trim()
  return `${rule}: ${line.length > 300 ? `${line.slice(0, 300)}…` : line}`
}

/** Takes in so much of the text around the change that it occurs once in the file. */
function uniqueChange({ start, end, replace }: Change, text: string): { find: string; replace: string } {
  for (let reach = 0; ; reach += 8) {
    const [from, to] = [Math.max(0, start - reach), Math.min(text.length, end + reach)]
    const find = text.slice(from, to)
    if (find !== "" && text.indexOf(find) === text.lastIndexOf(find)) {
      return { find, replace: `${text.slice(from, start)}${replace}${text.slice(end, to)}` }
    }
  }
}

/** These TypeScript nodes wrap code; the others are types. */
const WRAPPERS: readonly string[] = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]

function isLeftAlone(node: SyntaxNode, text: string): boolean {
  if (node.type.startsWith("TS")) return !WRAPPERS.includes(node.type)
  if (node.type === "ImportDeclaration") return true
  return node.type === "ObjectProperty" && /^(message|details|code|why)\b/.test(text.slice(node.start, node.end))
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node)
    .flatMap((value: unknown): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
}
