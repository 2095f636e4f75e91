import { defineCommand } from "../../define-command.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "doctor",
  summary:
    "check configuration, keys, nodes, clocks and disk, each with advice; " +
    "exit 1 when a check fails",
  options: PASSWORD_OPTION,
  examples: ["", "--json"],
  exitCodes: { 1: "a check failed" },
  run: async (context, { options }) =>
    (await import("../../actions/setup/run-doctor.ts")).runDoctor(context, {
      passwordStdin: options["password-stdin"],
    }),
})
