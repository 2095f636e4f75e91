import { COMMANDS } from "#cli/command-list.ts"
import { formatCommandTable } from "#cli/format/format-help.ts"

/** The text of docs/COMMANDS.md with its table of commands generated anew from the declarations. */
export function refreshCommandDocs(text: string): string {
  const before = text.split(BEGIN)[0]
  const rest = text.split(END)[1]
  if (before === undefined || rest === undefined)
    throw new Error(`docs/COMMANDS.md lacks its marks ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${formatCommandTable(COMMANDS)}\n${END}${rest}`
}

const BEGIN = "<!-- commands:start -->"
const END = "<!-- commands:end -->"
