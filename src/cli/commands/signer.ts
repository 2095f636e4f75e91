import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "signer",
  summary: "run the process that holds the keys, for a daemon with signer.socket",
  details:
    "In live mode the daemon starts its own signer. Run this one under another user or service, and give the daemon its socket.",
  examples: ["--config /etc/ballast/signer.yaml"],
  run: async (context) => (await import("../actions/run-signer.ts")).runSigner(context),
})
