import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "discover",
  summary:
    "compare the contracts that a service lists with the chains, and print a configuration " +
    "to review",
  details:
    "It reads chains, assets and pairs from the first service of the configuration, from " +
    "another one by its name, or from a URL without a configuration. It needs no keys, " +
    "changes nothing, and trusts nothing: a person reviews the findings and pastes what is " +
    "right. On Bitcoin there is nothing to pin.",
  options: {
    chain: { type: "text", value: "NAME", summary: "only this chain" },
    service: {
      type: "text",
      value: "URL|NAME",
      summary: "this URL, without a configuration, or a configured service",
    },
    "app-id": {
      type: "text",
      value: "ID",
      summary: "the application identifier for --service URL",
    },
    "app-id-header": {
      type: "text",
      value: "NAME",
      summary: "the header for it; default service-app-id",
    },
    rpc: {
      type: "text",
      value: "CHAIN=URL,…",
      summary: "nodes of chains that the configuration lacks",
    },
  },
  examples: [
    "",
    "--chain base_sepolia --json",
    "--service https://swaps.example --app-id my-app --rpc base_sepolia=https://base-node.example",
  ],
  exitCodes: { 1: "a listed contract cannot be used", 75: "the service or a node did not answer" },
  run: async (context, { options }) =>
    (await import("../../actions/setup/discover-contracts.ts")).discoverContracts(context, options),
})
