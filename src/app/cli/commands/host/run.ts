import { defineCommand } from "../../define-command.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "run",
  isService: true,
  summary: "run the daemon until SIGINT or SIGTERM",
  details: "SIGHUP reloads the configuration. The log goes to standard output.",
  examples: ["", "--config /etc/ballast/ballast.yaml", "--shadow other.yaml"],
  options: {
    shadow: {
      type: "text",
      value: "FILE",
      summary:
        "follow the running daemon on paper with the rules of this configuration, without a key",
    },
    ...PASSWORD_OPTION,
  },
  run: async (context, { options }) =>
    (await import("../../actions/host/run-daemon.ts")).runDaemon(context, {
      passwordStdin: options["password-stdin"],
      shadow: options.shadow,
    }),
})
