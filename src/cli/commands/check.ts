import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "check",
  summary: "check the configuration without network access, and show its meaning",
  operands: { file: { summary: "the configuration file, instead of --config", optional: true, complete: "file" } },
  examples: ["", "ballast.yaml"],
  exitCodes: { 78: "the configuration has mistakes" },
  run: async (context, { operands }) =>
    (await import("../actions/check-config.ts")).checkConfig(context, operands.file),
})
