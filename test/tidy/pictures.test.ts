import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const ROOT = join(import.meta.dirname, "..", "..")
const PICTURES = join(ROOT, "docs", "pictures")
const MOST_BYTES = 200_000

/** `scripts/pictures.ts` makes them from a running daemon. */
test("each picture is small and shown in a document, and each shown picture is there", () => {
  const documents = [
    "README.md",
    ...readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md")),
  ]
  const shown = documents.flatMap((name) => {
    const text = readFileSync(join(ROOT, name === "README.md" ? name : join("docs", name)), "utf8")
    return [...text.matchAll(/!\[[^\]]+\]\((?:docs\/)?pictures\/([\w.-]+)\)/g)].map(
      ([, file = ""]) => file,
    )
  })
  const kept = readdirSync(PICTURES)
  expect(kept.length).toBeGreaterThan(2)
  expect([...new Set(shown)].sort()).toEqual(kept.sort())
  for (const file of kept)
    expect(statSync(join(PICTURES, file)).size, file).toBeLessThan(MOST_BYTES)
})
