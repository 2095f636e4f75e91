import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "run",
  isService: true,
  summary: "run the daemon until SIGINT or SIGTERM",
  details: "SIGHUP reloads the configuration. The log goes to standard output.",
  examples: ["", "--config /etc/ballast/ballast.yaml"],
  options: {
    "password-stdin": { type: "flag", summary: "read the password of the keystore from standard input" },
  },
  run: async (context, { options }) =>
    (await import("../actions/run-daemon.ts")).runDaemon(context, { passwordStdin: options["password-stdin"] }),
})
