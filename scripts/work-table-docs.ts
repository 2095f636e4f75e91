import { readdirSync } from "node:fs"
import { join } from "node:path"
import { WORK } from "#engine/orders/work-table.ts"

/** The table "Repeat stories" of docs/ARCHITECTURE.md, from the engine's table of work. */
export function describeWork(): string {
  const rows = Object.entries(WORK).map(
    ([kind, { lane, spends, repeat }]) =>
      `| \`${kind}\` | ${lane ?? "none"} | ${spends ? "yes" : "no"} | ${linkDecisions(repeat)} |`,
  )
  return ["| work | lane | signs or sends | when repeated |", "|---|---|---|---|", ...rows].join(
    "\n",
  )
}

/** The text of docs/ARCHITECTURE.md with the table as the code has it now. */
export function refreshWorkTable(text: string): string {
  const before = text.split(BEGIN)[0]
  const rest = text.split(END)[1]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/ARCHITECTURE.md lacks the marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${describeWork()}\n${END}${rest}`
}

const BEGIN = "<!-- work-table:start -->"
const END = "<!-- work-table:end -->"
const DECISIONS = readdirSync(join(import.meta.dirname, "..", "docs", "adr"))

/** `ADR 3` becomes a link to its file. */
function linkDecisions(text: string): string {
  return text.replace(/ADR (\d+)/g, (name, number: string) => {
    const file = DECISIONS.find((one) => one.startsWith(`${number.padStart(4, "0")}-`))
    if (file === undefined) throw new Error(`docs/adr has no file for ${name}`)
    return `[${name}](adr/${file})`
  })
}
