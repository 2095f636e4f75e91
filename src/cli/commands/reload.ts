import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "reload",
  summary: "make the daemon read its configuration again, as a whole or not at all; shows the changes",
  examples: [""],
  run: async (context) => (await import("../actions/reload-config.ts")).reloadConfig(context),
})
