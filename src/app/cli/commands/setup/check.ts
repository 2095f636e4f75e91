import { defineCommand } from "../../define-command.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "check",
  summary: "check the configuration without network access, and show its meaning",
  operands: {
    file: {
      summary: "the configuration file, instead of --config",
      optional: true,
      complete: "file",
    },
  },
  options: {
    ...PASSWORD_OPTION,
    explain: {
      type: "flag",
      summary: "explain each error and warning, and how far each chain is trusted",
    },
  },
  examples: ["", "ballast.yaml", "--explain"],
  exitCodes: { 78: "the configuration has mistakes" },
  run: async (context, { operands, options }) =>
    (await import("../../actions/setup/check-config.ts")).checkConfig(
      context,
      { file: operands.file, explain: options.explain },
      { passwordStdin: options["password-stdin"] },
    ),
})
