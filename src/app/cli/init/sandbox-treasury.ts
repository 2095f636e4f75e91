import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import type { NewFile } from "./place-files.ts"

const CONFIG = join(import.meta.dirname, "..", "..", "..", "..", "config")
/** The folder of the play keys, in the program and beside the new configuration. */
export const PLAY_FOLDER = "sandbox-keys"

type Sandbox = {
  readonly path: string
  readonly folder: string
  readonly treasury: string
  readonly listen: string | null
  /** The file name of the page's token. */
  readonly token: string
}

/**
 * A copy of the sandbox's configuration with its play keys, to change and to run: its rules act
 * within seconds.
 */
export function listSandboxFiles({
  path,
  folder,
  treasury,
  listen,
  token,
}: Sandbox): readonly NewFile[] {
  const text = readFileSync(join(CONFIG, "sandbox.yaml"), "utf8")
  const ops = listen === null ? "" : `ops: { listen: "${listen}", token: "file:${token}" }`
  const own = text
    .replace(/^(#.*\n)+/, HEAD)
    .replace(/^data_dir: .*$/m, `data_dir: ./data\ntreasury: ${JSON.stringify(treasury)}`)
    .replace(/^ops: .*$/m, ops)
  const keys = readdirSync(join(CONFIG, PLAY_FOLDER)).filter((name) => name !== "ops-token")
  return [
    ...keys.map((name) => ({
      path: join(folder, PLAY_FOLDER, name),
      text: readFileSync(join(CONFIG, PLAY_FOLDER, name), "utf8"),
    })),
    { path, text: own },
  ]
}

const HEAD = [
  "# Written by `ballast init`: a treasury in the local sandbox. Its keys are public and its coins",
  "# worthless, so each line may be tried; docs/CONFIG.md explains them all.",
  "",
].join("\n")

/** The next commands, each for a terminal of its own. */
export function tellSandbox(
  { json, print }: CommandContext,
  { listen, tokenFile }: { readonly listen: string | null; readonly tokenFile: string },
  written: readonly string[],
): number {
  const next = [
    ["ballast sandbox", "local chains and a swap service; leave it running"],
    ["ballast run", "in a second terminal: the rules act within seconds"],
    ["ballast orders", "in a third one: their orders"],
    [`ballast swap ${PAIR}`, "a swap of your own"],
  ] as const
  const url = listen === null ? null : `http://${listen}`
  if (json) {
    const commands = next.map(([command]) => command)
    print(plainJson({ ok: true, written, page: { url, tokenFile }, next: commands }, 2))
    return EXIT.ok
  }
  const width = Math.max(...next.map(([command]) => command.length))
  const page = `The page is ${url} once Ballast runs; log in with the token: cat ${tokenFile}`
  print(
    [
      `Wrote ${written.join(", ")}: a treasury of the sandbox. PLAY KEYS, never fund.`,
      ...(url === null ? [] : [page]),
      "Next:",
      ...next.map(([command, purpose]) => `  ${command.padEnd(width)}  ${purpose}`),
      "For chains of your own, run `ballast init` in another folder and name them.",
    ].join("\n"),
  )
  return EXIT.ok
}

const PAIR = "bitcoin_testnet:btc base_sepolia:wbtc 0.001"
