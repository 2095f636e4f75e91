import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const PAGE = join(import.meta.dirname, "..", "docs", "POLICY-BENCH.md")

/** Replaces one made part of docs/POLICY-BENCH.md. */
export function writePart(name: "treasuries" | "scenarios", text: string): void {
  const page = readFileSync(PAGE, "utf8")
  const start = `<!-- ${name}:start -->`
  const before = page.slice(0, page.indexOf(start) + start.length)
  const after = page.slice(page.indexOf(`<!-- ${name}:end -->`))
  writeFileSync(PAGE, `${before}\n${text}\n${after}`)
}
