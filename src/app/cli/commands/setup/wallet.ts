import { defineCommand } from "../../define-command.ts"
import { PASSWORD_OPTION } from "../../signer/password-option.ts"

export const command = defineCommand({
  name: "wallet",
  summary: "show the addresses to fund, or make and show keystores and other secrets",
  details:
    "Without an action it shows the addresses of the configuration. new makes a keystore " +
    "with a mnemonic for every family, import and encrypt put an existing mnemonic or key " +
    "into one. random writes 32 random bytes in hex to a new file, for secrets.key or a " +
    "token. No file is replaced. The password is BALLAST_KEYSTORE_PASSWORD, or is asked for; " +
    "without a terminal it is a line of standard input, after the imported text.",
  operands: {
    action: {
      optional: true,
      values: ["new", "import", "encrypt", "random", "show"],
      summary: "what to do with a file of secrets; without it the addresses to fund",
    },
    file: {
      optional: true,
      complete: "file",
      summary: "the keystore; for encrypt the file with the key, for random the new file",
    },
    keystore: { optional: true, complete: "file", summary: "the new keystore of encrypt" },
  },
  options: {
    account: {
      type: "number",
      min: 0,
      max: 999_999,
      default: 0,
      summary: "show this account of a mnemonic",
    },
    ...PASSWORD_OPTION,
    reveal: { type: "flag", summary: "with show: print the mnemonic or key too" },
  },
  examples: [
    "",
    "new keystore.json",
    "import keystore.json",
    "encrypt evm.key keystore.json",
    "random ops-token",
    "show keystore.json --account 2",
  ],
  run: async (context, { operands: { action, file, keystore }, options }) => {
    if (action === null)
      return (await import("../../actions/setup/show-wallets.ts")).showWallets(context, {
        passwordStdin: options["password-stdin"],
      })
    return (await import("../../actions/setup/manage-keystore.ts")).manageKeystore(context, {
      action,
      file,
      keystore,
      ...options,
    })
  },
})
