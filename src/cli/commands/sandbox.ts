import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "sandbox",
  summary: "run local chains and a swap service",
  options: {
    port: { type: "number", min: 0, default: 4400, summary: "the port of the service; 0 takes a free one" },
    chains: { type: "text", value: "A,B", summary: "run only these chains" },
    dir: { type: "text", value: "FOLDER", summary: "the folder for the data of the chains" },
    dialect: {
      type: "choice",
      values: ["contract", "2026"],
      default: "contract",
      summary: "the form of the service's answers; 2026 also takes the header and id of the published client",
    },
    gasless: {
      type: "choice",
      values: ["on", "off"],
      default: "on",
      summary: "whether the service offers gasless deposits",
    },
    "app-id": { type: "text", value: "ID", summary: "the only app id that the service knows" },
    "app-id-header": { type: "text", value: "NAME", summary: "the only header for it; default service-app-id" },
    contracts: {
      type: "choice",
      values: ["v1", "v2", "v3"],
      default: "v3",
      summary: "the generation of the HTLC contracts",
    },
    hostile: {
      type: "text",
      value: "NAME",
      summary: "make the (last) service lie in this way; a wrong name lists all",
    },
    services: { type: "number", min: 1, default: 1, summary: "how many services run on the same chains" },
  },
  examples: ["", "--chains base_sepolia,ethereum_sepolia --json"],
  run: async (context, { options }) => (await import("../actions/run-sandbox.ts")).runSandbox(context, options),
})
