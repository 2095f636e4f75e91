import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "reload",
  summary:
    "make the daemon read its configuration again, as a whole or not at all; shows the changes",
  options: YES_OPTION,
  examples: [""],
  run: async (context, { options }) =>
    (await import("../../actions/host/reload-config.ts")).reloadConfig(context, options.yes),
})
