import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "doctor",
  summary: "check configuration, keys, nodes, clocks and disk, each with advice; exit 1 when a check fails",
  examples: ["", "--json"],
  exitCodes: { 1: "a check failed" },
  run: async (context) => (await import("../actions/run-doctor.ts")).runDoctor(context),
})
