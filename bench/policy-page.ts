import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const PAGE = join(import.meta.dirname, "..", "docs", "POLICY-BENCH.md")

/** Replaces one made part of docs/POLICY-BENCH.md. */
export function writePart(name: "treasuries" | "scenarios", text: string): void {
  const page = readFileSync(PAGE, "utf8")
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const before = page.slice(0, page.indexOf(start) + start.length)
  writeFileSync(PAGE, `${before}\n${text}\n${page.slice(page.indexOf(end))}`)
}
