import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "sandbox",
  isService: true,
  summary: "run local chains and a swap service, or rehearse incidents in a running sandbox",
  details:
    "A chain that dies is started again. break stops a part of a running sandbox as an " +
    "incident would: the chain hangs, the service answers 503, or it closes a pair. mend ends " +
    "that; status shows each part.",
  operands: {
    action: {
      optional: true,
      values: ["start", "status", "break", "mend"],
      summary: "without it start; the others act on a running sandbox",
    },
    part: {
      optional: true,
      summary:
        "service, a chain by name, family or unique beginning, or a pair FROM/TO; mend without " +
        "it mends all",
    },
  },
  options: {
    port: {
      type: "number",
      min: 0,
      summary: "the port of the service; default 4400, and 0 takes a free one",
    },
    chains: { type: "text", value: "A,B", summary: "run only these chains" },
    dir: { type: "text", value: "FOLDER", summary: "the folder for the data of the chains" },
    dialect: {
      type: "choice",
      values: ["contract", "2026"],
      default: "contract",
      summary:
        "the form of the service's answers; 2026 also takes the header and id of the " +
        "published client",
    },
    gasless: {
      type: "choice",
      values: ["on", "off"],
      default: "on",
      summary: "whether the service offers gasless deposits",
    },
    "app-id": { type: "text", value: "ID", summary: "the only app id that the service knows" },
    "app-id-header": {
      type: "text",
      value: "NAME",
      summary: "the only header for it; default service-app-id",
    },
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
    for: {
      type: "text",
      value: "DURATION",
      summary: "with break: mend it again after this time, such as 30s",
    },
    "bitcoin-block": {
      type: "number",
      min: 1,
      default: 1,
      summary: "the seconds between blocks of Bitcoin",
    },
    "solana-slot": {
      type: "number",
      min: 20,
      default: 400,
      summary: "the milliseconds of a slot of Solana",
    },
    routes: {
      type: "choice",
      values: ["none", "all"],
      default: "none",
      summary: "all: USDC can also be burnt and minted between the EVM chains",
    },
    services: {
      type: "number",
      min: 1,
      default: 1,
      summary: "how many services run on the same chains",
    },
  },
  examples: [
    "",
    "--chains base_sepolia,ethereum_sepolia --json",
    "status",
    "break solana --for 30s",
    "break base_sepolia:wbtc/bitcoin_testnet:btc",
    "mend",
  ],
  run: async (context, { operands: { action, part }, options }) => {
    if (action === null || action === "start") {
      ;(await import("../../sandbox/require-sandbox.ts")).requireSandbox()
      return (await import("../../actions/setup/run-sandbox.ts")).runSandbox(context, options, part)
    }
    return (await import("../../actions/setup/rehearse.ts")).rehearse(context, {
      action,
      part,
      for: options.for,
      port: options.port,
    })
  },
})
