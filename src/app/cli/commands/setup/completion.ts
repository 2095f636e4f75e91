import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "completion",
  summary: "print the completion script of a shell",
  operands: { shell: { summary: "the shell", values: ["bash", "zsh", "fish"] } },
  examples: ["bash"],
  run: async ({ commands, print }, { operands }) => {
    const { formatCompletion } = await import("../../completion/format-completion.ts")
    print(formatCompletion(operands.shell, commands))
    return 0
  },
})
