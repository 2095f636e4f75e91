import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "reload",
  summary: "have the daemon reload its configuration, and show the differences",
  details: "The daemon refuses a faulty file as a whole.",
  examples: [""],
  run: async (context) => (await import("../actions/reload-config.ts")).reloadConfig(context),
})
