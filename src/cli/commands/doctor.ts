import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "doctor",
  summary: "check configuration, keys, nodes, clocks and disk, and name a remedy for each finding",
  examples: ["", "--json"],
  exitCodes: { 1: "a check failed" },
  run: async (context) => (await import("../actions/run-doctor.ts")).runDoctor(context),
})
