import { defineCommand } from "../../define-command.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "init",
  summary:
    "write a first configuration that only observes, with small limits and an encrypted keystore",
  details:
    "It asks five questions: the treasury's name, the chains with their nodes, the service, " +
    "the keys, and the balance to hold. The default of the second one is the local sandbox: " +
    "then it copies the sandbox's configuration with play keys, and asks no more. " +
    "Options answer them in advance, and --yes takes the default of each other question. " +
    "The password of a new keystore is BALLAST_KEYSTORE_PASSWORD, or is asked for; without a " +
    "terminal it is a line of standard input. No file is replaced.",
  operands: {
    file: {
      optional: true,
      complete: "file",
      summary: "the configuration to write; default ballast.yaml",
    },
  },
  options: {
    treasury: {
      type: "text",
      value: "NAME",
      summary: "the treasury's name; default the name of the folder",
    },
    chains: {
      type: "text",
      value: "sandbox|CHAIN=URL,…",
      summary:
        "sandbox, or chains that Ballast knows, each with the URL of a node, and again for its " +
        "second node; default sandbox",
    },
    set: {
      type: "text",
      value: "CHAIN.KEY=VALUE,…",
      summary: "further keys of a chain that it cannot do without",
    },
    service: {
      type: "text",
      value: "URL",
      summary: "the URL of the swap service, without the version",
    },
    "app-id": {
      type: "text",
      value: "ID",
      summary: "our app id at the service, or a reference such as env:NAME",
    },
    keys: {
      type: "text",
      value: "new|REFERENCE",
      summary:
        "new for an encrypted keystore, or keystore:PATH, env:NAME, file:PATH, pkcs11:…; " +
        "default new",
    },
    hold: {
      type: "text",
      value: "RULE",
      summary:
        'the balance to hold, as "0.01 CHAIN:ASSET from CHAIN:ASSET"; none for no rule; ' +
        "default about 500 usd of the first chain's coin from the second's",
    },
    listen: {
      type: "text",
      value: "HOST:PORT",
      summary:
        "the address of the page, none for no page; default the first free port from " +
        "127.0.0.1:7070 on",
    },
    ...PASSWORD_OPTION,
    yes: { type: "flag", short: "y", summary: "ask no question" },
  },
  examples: [
    "",
    "treasury/ballast.yaml",
    "--yes --chains " +
      "base_sepolia=https://node.example,bitcoin_testnet=https://esplora.example/api --service " +
      "https://swaps.example --app-id env:APP_ID",
  ],
  exitCodes: {
    1: "an answer is wrong, or a file exists already",
    78: "the written configuration has mistakes",
  },
  run: async (context, { operands: { file }, options }) =>
    (await import("../../actions/setup/init-treasury.ts")).initTreasury(context, file, options),
})
