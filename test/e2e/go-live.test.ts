import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup, PASSWORD_VARIABLE } from "#config/secrets/secrets.ts"
import { readAccounts } from "#daemon/views/read-accounts.ts"
import { mustExist } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { demoConfig } from "../../src/app/cli/demo/demo-config.ts"
import { freePort } from "../support/free-port.ts"
import {
  bareEnvironment,
  LAUNCHER,
  type SandboxProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import { type Block, pathWithBallast, readBlocks } from "../support/typed-page.ts"

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/GO-LIVE.md"), "utf8")
const CHAINS = ["bitcoin_testnet", "base_sepolia", "solana_testnet", "starknet_sepolia"]
const BLOCKS = readBlocks(PAGE)
const KEYS = join(import.meta.dirname, "../../config/sandbox-keys")

let sandbox: SandboxProcess
let folder: string
let port: number
let shell: ChildProcessWithoutNullStreams
let daemon: ChildProcess | null = null
/** All that the page's commands have printed. */
let printed = ""

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", CHAINS.join(",")])
  port = await freePort()
  folder = join(sandbox.dir, "go-live")
  const urlOf = (name: string): string =>
    mustExist(sandbox.chains.find((chain) => chain.name === name)?.url, name)
  const env = bareEnvironment({
    PATH: pathWithBallast(folder),
    SERVICE: sandbox.service,
    APP_ID: "ballast-sandbox",
    BASE_RPC: urlOf("base_sepolia"),
    SOLANA_RPC: urlOf("solana_testnet"),
    STARKNET_RPC: urlOf("starknet_sepolia"),
  })
  // The page asks for one key of a wallet application, which a person types.
  copyFileSync(join(KEYS, "starknet"), join(folder, "typed"))
  shell = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, env, stdio: "pipe" })
  shell.stderr.setEncoding("utf8")
  shell.stdout.setEncoding("utf8")
  shell.stdin.write("set -E\n")
}, 180_000)
afterAll(async () => {
  shell?.kill("SIGKILL")
  if (daemon !== null && daemon.exitCode === null) {
    daemon.kill("SIGTERM")
    await once(daemon, "exit")
  }
  await sandbox?.stop()
})

describe("the page GO-LIVE.md", () => {
  test("has a swap, a dry run and a stop of every kind", () => {
    const text = BLOCKS.map((block) => block.text).join("\n")
    for (const chain of CHAINS)
      expect(text.match(new RegExp(`swap(_and_wait)? ${chain}:`, "g"))?.length).toBeGreaterThan(1)
    for (const verb of [
      "discover",
      "check",
      "doctor",
      "pause",
      "resume",
      "abandon",
      "refund",
      "rescue",
      "backup",
    ])
      expect(text).toContain(`ballast ${verb}`)
  })

  for (const [index, block] of BLOCKS.entries()) {
    const [first = ""] = block.text.split("\n")
    if (block.skip === undefined)
      test(`block ${index + 1}: ${first}`, () => runBlock(block), 240_000)
  }

  test("has made each secret of its configuration, and shown none", async () => {
    const text = mustExist(BLOCKS.find(({ kind }) => kind === "yaml")?.text, "the configuration")
    const secrets = createSecretLookup({ [PASSWORD_VARIABLE]: "file:keystore-password" }, folder)
    const own = text.replace('account: "0x1"', 'account: "0x1234567"')
    const config = parseConfig(own, { file: "GO-LIVE.md", secrets })
    const [bitcoin, evm, solana] = [...(await readAccounts(config)).values()]
    for (const account of [bitcoin, evm, solana]) expect(printed).toContain(account)
    for (const name of ["keystore-password", "keystore.json", "ops-token", "starknet.json"])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const keys = config.chains.map(({ key }) => key.reveal().replace(/^bip39 \d+ /, ""))
    expect(new Set(keys).size).toBe(2)
    for (const secret of [...keys, mustExist(config.ops.token, "a token").reveal()])
      expect(printed).not.toContain(secret)
  })
})

async function runBlock(block: Block): Promise<void> {
  if (block.kind === "yaml") return writeConfiguration(block.text)
  if (block.background) return startInBackground(block.text)
  const { exit, output } = await run(block.text)
  expect({ exit, output }).toEqual({
    exit: block.exit,
    output: expect.stringContaining(block.prints),
  })
}

/**
 * Runs one block in the shell of the whole page, so that variables and functions last. `exit`: the
 * code of the last command that failed.
 */
async function run(text: string): Promise<{ exit: number; output: string }> {
  writeFileSync(join(folder, "block.sh"), text)
  let output = ""
  const done = new Promise<number>((resolve) => {
    const read = (chunk: string): void => {
      output += chunk
      const end = /::exit (\d+)\n/.exec(output)
      if (end) resolve(Number(end[1]))
    }
    shell.stdout.removeAllListeners("data").on("data", read)
    shell.stderr.removeAllListeners("data").on("data", (chunk: string) => {
      output += chunk
    })
  })
  shell.stdin.write(
    "FAILED=0; trap 'FAILED=$?' ERR; . ./block.sh < typed; trap - ERR; " +
      'echo; echo "::exit $FAILED"\n',
  )
  const exit = await done
  printed += output
  return { exit, output: output.replace(/\n::exit \d+\n/, "") }
}

/**
 * The page's configuration with the addresses of the sandbox, and with the assets that `discover`
 * has printed.
 */
function writeConfiguration(text: string): void {
  const secrets = (reference: string): Secret => new Secret("", reference)
  expect(
    parseConfig(text, { file: "GO-LIVE.md", secrets }).chains.map(({ preset }) => preset),
  ).toEqual(CHAINS)
  const page = parse(text)
  const local = demoConfig(sandbox, { dataDir: "./data", routes: [], deposit: "auto" })
  // CAST: the sandbox's own configuration has a map of chains.
  const chains = local["chains"] as Record<string, object>
  expect(Object.keys(page.chains).sort()).toEqual(Object.keys(chains).sort())
  for (const [name, chain] of Object.entries<Record<string, unknown>>(page.chains)) {
    expect(chain["preset"]).toBe(name)
    // A local chain has other blocks and another Bitcoin network than the preset's.
    page.chains[name] = { ...chain, ...chains[name], preset: undefined }
  }
  const discovered = parse(readFileSync(join(folder, "discovered.yaml"), "utf8"))
  page.assets = discovered.assets
  page.service = {
    ...page.service,
    url: sandbox.service,
    app_id: "ballast-sandbox",
    poll: { min: "1s", max: "3s" },
  }
  page.ops = { ...page.ops, listen: `127.0.0.1:${port}` }
  expect(
    Object.values<{ htlc?: string[] }>(page.assets).some(({ htlc }) => htlc !== undefined),
  ).toBe(true)
  writeFileSync(join(folder, "ballast.yaml"), JSON.stringify(page))
}

async function startInBackground(text: string): Promise<void> {
  const env = { ...bareEnvironment(), BALLAST_CONFIG: "ballast.yaml" }
  const [command, ...args] = text.trim().split(" ")
  expect(command).toBe("ballast")
  const child = spawn(process.execPath, [LAUNCHER, ...args], { cwd: folder, env, stdio: "ignore" })
  daemon = child
  await until("the daemon is ready", async () => {
    expect(child.exitCode).toBeNull()
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answer?.status === 200
  })
}
