import { DESK_CHECKLIST, DESK_VIEWS, type DeskRule } from "../test/support/desk-checklist.ts"

/** The checklist of docs/DESK.md, from the table that names a test for each of its lines. */
function describeDesk(): string {
  const head = ["rule", ...DESK_VIEWS, "test"]
  return [
    rowOf(head),
    `|${"---|".repeat(head.length)}`,
    ...Object.entries(DESK_CHECKLIST).flatMap(([part, rules]) => [
      rowOf([`**${part}**`, ...DESK_VIEWS.map(() => ""), ""]),
      ...rules.map(describe),
    ]),
  ].join("\n")
}

function describe({ rule, views, file, test }: DeskRule): string {
  const ticks = DESK_VIEWS.map((view) => (views.includes(view) ? "✓" : "–"))
  const name = file.split("/").at(-1) ?? file
  return rowOf([rule, ...ticks, `[${name}](../${file}): ${test}`])
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`
}

/** The text of docs/DESK.md with the checklist as the tests have it now. */
export function refreshDeskChecklist(text: string): string {
  const before = text.split(BEGIN)[0]
  const rest = text.split(END)[1]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/DESK.md lacks the marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${describeDesk()}\n${END}${rest}`
}

const BEGIN = "<!-- desk-checklist:start -->"
const END = "<!-- desk-checklist:end -->"
