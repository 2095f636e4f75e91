import type { Command } from "../define-command.ts"
import { formatBashCompletion } from "./format-bash-completion.ts"
import { formatFishCompletion } from "./format-fish-completion.ts"
import { formatZshCompletion } from "./format-zsh-completion.ts"

/** A script that completes the commands, options and fixed values of `ballast` in a shell. */
export function formatCompletion(
  shell: "bash" | "zsh" | "fish",
  commands: readonly Command[],
): string {
  switch (shell) {
    case "bash":
      return formatBashCompletion(commands)
    case "zsh":
      return formatZshCompletion(commands)
    case "fish":
      return formatFishCompletion(commands)
  }
}
