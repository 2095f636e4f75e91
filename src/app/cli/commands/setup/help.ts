import { defineCommand } from "../../define-command.ts"
import { findCommand } from "../../find-command.ts"
import { formatCommandHelp, formatOverview } from "../../format/format-help.ts"

export const command = defineCommand({
  name: "help",
  summary: "show all commands, or the options of one",
  operands: { command: { summary: "the name of a command", optional: true, complete: "command" } },
  examples: ["swap"],
  run: async ({ commands, print }, { operands }) => {
    const { command } = operands
    print(
      command === null
        ? formatOverview(commands)
        : formatCommandHelp(findCommand(command, commands)),
    )
    return 0
  },
})
