import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from "yaml"
import type { Path, Problem } from "#schema/problem.ts"

/** A YAML text as plain data; `positionOf` finds line and column of a path. */
export type YamlSource = {
  readonly value: unknown
  readonly problems: readonly Problem[]
  positionOf(path: Path, at: "key" | "value"): { readonly line: number; readonly column: number }
}

/**
 * Reads one YAML document. It returns syntax errors, duplicate keys, unknown tags and dangling
 * aliases as problems and throws none; `value` has a meaning only without problems. Messages do not
 * quote the text, because it may hold a private key by mistake.
 */
export function readYamlSource(text: string, file: string): YamlSource {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // "silent" would drop the error of a second document.
    logLevel: "error",
  })
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const found = [...document.errors, ...document.warnings]
  const invalid = found.map((error) => ({
    offset: error.pos[0],
    message:
      SENTENCES[error.code] ??
      "this is not valid YAML here; check brackets, quotes and indentation",
  }))
  // One marker breaks the lines around it too, in ways that tell nothing.
  const markers = listMergeMarkers(text)
  const broken = markers.length > 0 ? markers : invalid
  const problems = [...broken, ...listInheritedNames(document)].map(({ offset, message }) => ({
    file,
    ...at(offset),
    path: "",
    message,
  }))
  const value = problems.length === 0 ? toPlain(document) : { problem: "not read" }
  if ("problem" in value) {
    if (problems.length === 0)
      problems.push({ file, line: 1, column: 1, path: "", message: value.problem })
    return { value: null, problems, positionOf: () => ({ line: 1, column: 1 }) }
  }
  return {
    value: value.plain,
    problems,
    positionOf: (path, part) => at(offsetOf(document, path, part)),
  }
}

/** The lines that a version control system writes around two changes of the same lines. */
function listMergeMarkers(text: string): { offset: number; message: string }[] {
  return [...text.matchAll(/^(<{7}|>{7})( .*)?$/gm)].map(({ index }) => ({
    offset: index,
    message: "this is the marker of a merge that is not finished; keep one side, and remove it",
  }))
}

/**
 * Keys with the name of something that every JavaScript object inherits. A lookup by such a name
 * would find that instead of nothing.
 */
function listInheritedNames(document: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = []
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || typeof key.value !== "string" || !(key.value in Object.prototype))
        return
      found.push({
        offset: startOf(key) ?? 0,
        message: `a key cannot be named ${key.value}; choose another name`,
      })
    },
  })
  return found
}

/** Messages by error code. The parser's own messages may quote the text. */
const SENTENCES: Readonly<Record<string, string>> = {
  BAD_INDENT: "wrong indentation, or a bracket or quote that was opened before is not closed",
  BAD_SCALAR_START: "a value cannot start with this character; put the value in quotes",
  DUPLICATE_KEY: "this key occurs twice in the same map; keep one",
  MISSING_CHAR: "a character is missing here: a closing quote or bracket, a colon or a comma",
  MULTIPLE_DOCS: "a second document starts here; the configuration is one document",
  NON_STRING_KEY: "a key must be plain text",
  TAB_AS_INDENT: "tabs cannot indent; use spaces",
  TAG_RESOLVE_FAILED: "this tag is unknown or does not fit the value; remove it",
  UNEXPECTED_TOKEN: "this does not belong here; check brackets, commas and quotes",
}

function toPlain(document: Document): { plain: unknown } | { problem: string } {
  try {
    return { plain: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    // Only aliases fail here: an unresolvable one, or so many that they would fill the memory.
    return {
      problem:
        "an alias (*name) cannot be " +
        `resolved${error instanceof ReferenceError ? "" : " in this file"}`,
    }
  }
}

/** The offset of the node at `path`, or of its deepest existing ancestor. */
function offsetOf(document: Document, path: Path, part: "key" | "value"): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, segment] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    const child = childOf(node, segment)
    if (child === null) return offset
    const wanted = part === "key" && depth === path.length - 1 ? child.key : child.value
    offset = startOf(wanted) ?? startOf(child.key) ?? offset
    node = child.value
  }
  return offset
}

function childOf(node: unknown, segment: string | number): { key: unknown; value: unknown } | null {
  if (isSeq(node) && typeof segment === "number") {
    const value = node.items[segment]
    return value === undefined ? null : { key: value, value }
  }
  if (!isMap(node)) return null
  const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === segment)
  return pair ? { key: pair.key, value: pair.value } : null
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null
}
