import { childrenOf, functionNameOf, nodeAt, parseModule, type SyntaxNode } from "./syntax.ts"

type Insertion = { readonly at: number; readonly code: string }

/**
 * The text with a call of `__m` at the start of each function, which tells the function's place.
 */
export function probeFunctions(file: string, text: string): string {
  const insertions: Insertion[] = []
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, within: string): void => {
    const name = functionNameOf(node, parent) ?? within
    if (/^(ArrowFunction|Function|ObjectMethod|Class\w*Method)/.test(node.type)) {
      insertions.push(...probesOf(nodeAt(node, "body"), JSON.stringify(`${file} ${name}`)))
    }
    for (const [, child] of childrenOf(node)) {
      if (!child.type.startsWith("TS") || /As|Satis|NonNull/.test(child.type))
        visit(child, node, name)
    }
  }
  visit(parseModule(text), null, "module")
  let result = ""
  let at = 0
  for (const one of insertions.sort((a, b) => a.at - b.at)) {
    result += text.slice(at, one.at) + one.code
    at = one.at
  }
  return result + text.slice(at)
}

function probesOf(body: SyntaxNode, place: string): readonly Insertion[] {
  if (body.type === "BlockStatement") return [{ at: body.start + 1, code: ` __m(${place}); ` }]
  return [
    { at: body.start, code: `(__m(${place}), ` },
    { at: body.end, code: ")" },
  ]
}
