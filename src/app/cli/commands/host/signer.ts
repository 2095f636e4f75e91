import { defineCommand } from "../../define-command.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "signer",
  isService: true,
  summary: "run the process that holds the keys, for a daemon with signer.socket",
  details:
    "In live mode the daemon starts its own signer. Run this one under another user or " +
    "service, and give the daemon its socket.",
  examples: ["--config /etc/ballast/signer.yaml"],
  options: PASSWORD_OPTION,
  run: async (context, { options }) =>
    (await import("../../actions/host/run-signer.ts")).runSigner(context, {
      passwordStdin: options["password-stdin"],
    }),
})
