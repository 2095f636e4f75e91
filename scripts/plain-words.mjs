// Counts headless relative clauses (`what is due`, `whoever signs`, `nobody looks`) in comments and docs, per 1000 words, and lists the
// sentences with the most of them. They are the commonest symptom of prose that is hard to read; CONTRIBUTING.md gives the limits.
//
//   node scripts/plain-words.mjs [DIR] [--list 20] [--limit 2]     exit 1 when a rate is over the limit (default: only report)
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"

const args = process.argv.slice(2)
const option = (name) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : null)
const root =
  args.find((arg, i) => !arg.startsWith("--") && !(args[i - 1] ?? "").startsWith("--")) ?? "."
const SKIP = new Set(["node_modules", ".git", "dist", "data"])

function* files(dir) {
  for (const name of readdirSync(dir).sort()) {
    if (SKIP.has(name)) continue
    const path = join(dir, name)
    if (statSync(path).isDirectory()) yield* files(path)
    else if (/\.(ts|mts|cts|mjs|cjs|md)$/.test(name)) yield path
  }
}

/** The prose of one file: comment text of code, text of Markdown without code blocks, inline code and tables of identifiers. */
function prose(path) {
  const text = readFileSync(path, "utf8")
  if (path.endsWith(".md")) return text.replace(/```[\s\S]*?```/g, " ").replace(/`[^`\n]*`/g, " ")
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? []
  return comments
    .join("\n")
    .replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)/gm, " ")
    .replace(/`[^`\n]*`/g, " ")
}

const KINDS = {
  "what/whatever": /\b(what|whatever)\b/gi,
  "who/nobody/somebody": /\b(who|whom|whose|whoever|nobody|somebody|anybody|everybody|one's)\b/gi,
}
let words = 0
const counts = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0]))
const sentences = []
for (const path of files(root)) {
  const text = prose(path)
  words += (text.match(/[A-Za-z']+/g) ?? []).length
  for (const sentence of text.split(/(?<=[.!?:])\s+|\n\s*\n|\|/)) {
    let hits = 0
    for (const [kind, pattern] of Object.entries(KINDS)) {
      const found = (sentence.match(pattern) ?? []).length
      counts[kind] += found
      hits += found
    }
    if (hits > 0 && !sentence.trim().endsWith("?"))
      sentences.push({
        hits,
        path: relative(root, path),
        sentence: sentence.replace(/\s+/g, " ").trim(),
      })
  }
}
const limit = option("--limit")
let over = false
for (const [kind, count] of Object.entries(counts)) {
  const rate = words === 0 ? 0 : (1000 * count) / words
  over ||= limit !== null && rate > limit
  console.log(`${kind}: ${rate.toFixed(2)} per 1000 words (${count} of ${words})`)
}
sentences.sort((a, b) => b.hits - a.hits)
for (const { path, sentence } of sentences.slice(0, option("--list") ?? 0))
  console.log(`${path}: ${sentence.slice(0, 220)}`)
process.exit(over ? 1 : 0)
