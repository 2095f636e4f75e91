import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"

/** Texts of a value that is missing, and words that may be the code of a reason or an error. */
const MISSING = /\bNaN\b|\bundefined\b|\[object/
const DOTTED = /\b[a-z_]+(?:\.[a-z_]+)+\b/g
const CODES: ReadonlySet<string> = new Set(
  [
    ...readFileSync(join(import.meta.dirname, "../../docs/ERRORS.md"), "utf8").matchAll(
      /^\| `([a-z_.]+)`/gm,
    ),
  ].map(([, code = ""]) => code),
)

/**
 * What the view shows to a person in the words of the program: codes, missing values, and numbers
 * with more than six digits. Code, hashes, times, fields and ids of orders keep theirs: one id in
 * forty begins with eight digits.
 */
export async function findRawText(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    const found = []
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode
      const named = "code, pre, time, .hash, .hidden, a[href^='#/orders/']"
      if (parentElement.closest(named) === null) found.push(data)
    }
    return found
  })()`)
  // CAST: the texts of the nodes.
  return (texts as string[]).flatMap((text) => {
    const raw = [...(text.match(DOTTED) ?? []).filter((word) => CODES.has(word))]
    const missing = text.match(MISSING) ?? []
    return [...[...raw, ...missing].map((word) => `the words ${word}`), ...longNumbers(text)]
  })
}

const ORDER = /\border [0-9a-f]{8}\b/gi

function longNumbers(text: string): readonly string[] {
  const numbers =
    text.replace(ORDER, "").match(/(?<![\w.:-])\d[\d,\u202f\u00a0]*(?:\.\d+)?(?![\w:-])/g) ?? []
  return numbers
    .filter((number) => number.replace(/[^\d]/g, "").replace(/^0+/, "").length > 6)
    .map((number) => `the number ${number}`)
}
