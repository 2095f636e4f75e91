import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "run",
  summary: "run the daemon until SIGINT or SIGTERM",
  details: "SIGHUP reloads the configuration. The log goes to standard output.",
  examples: ["", "--config /etc/ballast/ballast.yaml"],
  run: async (context) => (await import("../actions/run-daemon.ts")).runDaemon(context),
})
