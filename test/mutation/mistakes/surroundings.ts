// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code with templates.

import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

const OPS = ["src/ops/create-app.test.ts"]
const LISTEN = ["test/e2e/daemon/listen.test.ts"]
const KILL = ["test/e2e/kill-switch.test.ts"]
const PACKAGE = ["test/e2e/cli/installed-package.test.ts"]
const COMMANDS = ["test/unit/cli/command-docs.test.ts"]
const STOP = ["test/proof/engine/stop-on-alarm.test.ts"]
const TOKEN = ["test/e2e/signer/token-keys.test.ts"]

/** The behaviour of earlier versions around keys, files and commands, planted again one at a time. */
export const surroundingsMistakes: MistakesOfRoom = {
  room: "surroundings",
  tests: OPS,
  mistakes: [
    ...mistakesIn("src/ops/check-origin.ts", OPS, [
      [
        "a page of another owner may write",
        'if (origin !== undefined && !isOwnOrigin(origin, host ?? "", tls)) return true\n',
        "",
      ],
      [
        "a browser that tells no site counts as our page",
        'if (write) return origin === undefined && site !== "same-origin"',
        'if (write) return site !== undefined && site !== "same-origin"',
      ],
      [
        "any name may lead to the listener",
        'return name === "localhost" || isIP(name) !== 0 || known.includes(name)',
        "return known.length >= 0",
      ],
    ]),
    ...mistakesIn("src/ops/create-app.ts", OPS, [
      [
        "a form of a page may write",
        'return /^application\\/json\\s{0,8}(;|$)/i.test(c.req.header("content-type") ?? "")',
        'return (c.req.header("content-type") ?? "") !== "x"',
      ],
    ]),
    ...mistakesIn("src/cli/call-daemon.ts", LISTEN, [
      ["the command line speaks to a socket of any owner", "  checkOwner(socket)\n", ""],
      [
        "the command line speaks to a socket that others may open",
        "(found.mode & 0o077) !== 0 || (folder.mode & 0o022) !== 0",
        "false",
      ],
    ]),
    ...mistakesIn("src/cli/find-treasury.ts", KILL, [
      [
        "a typo in the configuration stops the kill switch",
        '["config.invalid", "config.secret"].includes(error.code)',
        'error.code === "config.secret"',
      ],
    ]),
    ...mistakesIn("src/cli/actions/set-pause.ts", KILL, [
      [
        "a pause needs a daemon",
        "    context.warn(error.message)\n    return null\n  }\n}\n\ntype Wanted",
        "    throw error\n  }\n}\n\ntype Wanted",
      ],
      ["a frozen daemon holds up a pause for a minute", "const PAUSE_MS = 3_000", "const PAUSE_MS = 60_000"],
      [
        "a locked journal stops the kill switch",
        'if (change === "resume" || scope.kind !== "all") throw error\n    context',
        "throw error\n    context",
      ],
    ]),
    ...mistakesIn("src/cli/find-config-file.ts", KILL, [
      [
        "an empty directory means the sandbox",
        'if (existsSync("ballast.yaml")) return "ballast.yaml"\n',
        'return existsSync("ballast.yaml") ? "ballast.yaml" : EMBEDDED\n',
      ],
    ]),
    ...mistakesIn(
      "src/cli/open-config.ts",
      ["src/cli/open-config.test.ts"],
      [["public keys are wallets to fund", 'hasPlayKeys(config) ? ` · ${PLAY_KEYS}` : ""', '""']],
    ),
    ...mistakesIn("src/config/build-config.ts", KILL, [
      [
        "data_dir follows the working directory",
        "dataDir: resolve(home.dataFrom, file.data_dir)",
        "dataDir: resolve(file.data_dir)",
      ],
    ]),
    ...mistakesIn(
      "src/cli/open-journal.ts",
      ["src/cli/open-journal.test.ts"],
      [
        [
          "a missing journal has no orders yet",
          "if (journal !== null) return journal\n",
          "return journal ?? openJournal(journalFile(home))\n",
        ],
      ],
    ),
    ...mistakesIn("package.json", PACKAGE, [
      ["the package has a name that a stranger can take", '"name": "@ballast-daemon/ballast"', '"name": "ballast"'],
    ]),
    ...mistakesIn("docs/OPERATIONS.md", COMMANDS, [
      ["a page sends the reader to the public registry", "Do not run `npx ballast`", "Run `npx ballast`"],
    ]),
    ...mistakesIn("src/daemon/private-files.ts", KILL, [
      ["a data_dir that others can read starts", "if ((stats.mode & 0o077) === 0) return []\n", "return []\n"],
      ["a configuration that others can change starts", "if ((stats.mode & 0o022) === 0) return []\n", "return []\n"],
      [
        "a journal of an earlier version stays readable for all",
        "for (const path of open) chmodSync(path, 0o600)\n",
        "",
      ],
    ]),
    ...mistakesIn("src/journal/orders.ts", STOP, [
      [
        "the pause comes a commit later than its alarm",
        "if (stopping.length > 0) pauseForAlarms(run, one, stopping, event.atMs)",
        "const late = ((globalThis as { late?: PauseAlarm[][] }).late ??= [])\n  for (const alarms of late.splice(0)) pauseForAlarms(run, one, alarms, event.atMs)\n  if (stopping.length > 0) late.push(stopping)",
      ],
    ]),
    ...mistakesIn(
      "src/engine/asset-gate.ts",
      ["test/unit/engine/asset-gate.test.ts"],
      [
        [
          "an asset that differs from its chain passes",
          "faults.filter(({ ofWallet = false }) => !ofWallet)",
          "faults.slice(0, 0)",
        ],
        ["a fault of the wallet stops an asset", "faults.filter(({ ofWallet = false }) => !ofWallet)", "faults"],
      ],
    ),
    ...mistakesIn(
      "src/daemon/start-daemon.ts",
      ["test/e2e/asset-mismatch.test.ts"],
      [
        [
          "the daemon starts with an asset that differs",
          "filter(({ code }) => code === ASSET_MISMATCH)\n",
          "filter(({ code }) => code === ASSET_MISMATCH && code.length === 0)\n",
        ],
      ],
    ),
    ...mistakesIn(
      "src/chains/starknet/check-asset.ts",
      ["test/chains/starknet/check-asset.test.ts"],
      [
        [
          "a Starknet contract without a token view passes as an HTLC",
          "if (found === token) return []",
          "if (found === null || found === token) return []",
        ],
      ],
    ),
    ...mistakesIn(
      "src/engine/is-unsent.ts",
      ["test/unit/engine/gap-filler.test.ts"],
      [
        [
          "one node's word makes bytes sent",
          "return !journal.listEvents(id).some(isSent)",
          "return transactions[kind].sentAt === null && !journal.listEvents(id).some(isSent)",
        ],
      ],
    ),
    ...mistakesIn("src/chains/evm/token-account.ts", TOKEN, [
      ["a token's high s goes out", "return s > ORDER / 2n ? ORDER - s : s", "return s"],
      [
        "the recovery id is a guess",
        "if (signer === address) return signature",
        "if (signer !== null) return signature",
      ],
    ]),
    ...mistakesIn("src/signer/create-signing-desk.ts", TOKEN, [
      ["a token signs one plan with other bytes each time", "  signatures.keepAnswer(chain, digest, fresh)\n", ""],
    ]),
    ...mistakesIn("src/pkcs11/open-token-key.ts", TOKEN, [
      ["a refused PIN is tried until the token locks", "if (pinRefusal !== null) throw pinRefusal\n", ""],
      ["every process may sign with a token", "if (!isUnlocked) throw locked()\n", ""],
      [
        "a lost session stays lost",
        "return verified(content, signWith(module, reopen(), curve)(content))",
        "throw new Error(`${String(reopen)} is not used`)",
      ],
      [
        "a key of another curve is used",
        "CURVES[curve].params.some((params) => params ===",
        "CURVES[curve].params.some((params) => params !==",
      ],
    ]),
  ],
}
