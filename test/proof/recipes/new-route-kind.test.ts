import { spawnSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"

/** Performs the recipe "A new kind" of src/edges/routes/README.md in a copy of the sources. */
const ROOT = join(import.meta.dirname, "../../..")
const TOY = join(import.meta.dirname, "toy-route")
const VAULT = `0x${"7a".repeat(20)}`
const TIMEOUT_MS = 240_000

/** Each line outside the folders of the kind. */
const LINES = [
  ["routes/registry.ts", "[cctpKind]", "[cctpKind, toyKind]"],
  ["routes/registry.ts", "import type", 'import { toyKind } from "./toy/kind.ts"\nimport type'],
  [
    "routes/route-definition.ts",
    "{ readonly cctp: BurnDomain }",
    "{\n  readonly cctp: BurnDomain\n  readonly toy: { readonly vault: string }\n}",
  ],
  [
    "chains/evm/family.ts",
    "    pins: { cctp:",
    `    pins: {\n      toy: () => ({ vault: "${VAULT}" }),\n      cctp:`,
  ],
  ["chains/evm/family.ts", "given) },\n", "given),\n    },\n"],
  [
    "chains/evm/routes/route-keys.ts",
    "cctp: openBurnKey }",
    "cctp: openBurnKey, toy: openToyKey }",
  ],
  [
    "chains/evm/routes/route-keys.ts",
    "import type { RouteKind }",
    'import { openToyKey } from "../toy/vault.ts"\nimport type { RouteKind }',
  ],
  [
    "chains/evm/routes/route-legs.ts",
    "cctp: openBurnLeg }",
    "cctp: openBurnLeg, toy: openToyLeg }",
  ],
  [
    "chains/evm/routes/route-legs.ts",
    "import type { RouteKind }",
    'import { openToyLeg } from "../toy/open-leg.ts"\nimport type { RouteKind }',
  ],
] as const

let copy = ""
let chain: LocalEvmChain
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "new-route-kind-"))
  for (const name of ["src", "config", "package.json"])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"))
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8"))
  const include = ["src/app/cli/main.ts", "test"]
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ compilerOptions, include }))
  const toRoutes = join(copy, "src/edges/routes/toy")
  cpSync(join(TOY, "kind"), toRoutes, { recursive: true })
  cpSync(join(TOY, "evm"), join(copy, "src/edges/chains/evm/toy"), { recursive: true })
  for (const [name, from, to] of LINES) {
    const file = join(copy, "src/edges", name)
    const text = readFileSync(file, "utf8")
    expect(text, name).toContain(from)
    writeFileSync(file, text.replace(from, to))
  }
  mkdirSync(join(copy, "test"))
  cpSync(join(import.meta.dirname, "try-route-kind.ts"), join(copy, "test/try-route-kind.ts"))
  chain = await startEvmChain({
    name: "base_sepolia",
    chainId: 84_532,
    port: 0,
    blockTimeSeconds: 1,
    assets: [],
    log: silentLogger,
  })
}, TIMEOUT_MS)
afterAll(async () => {
  await chain?.stop()
  rmSync(copy, { recursive: true, force: true })
})

test("two folders and a line in each registry make a kind that loads", {
  timeout: TIMEOUT_MS,
}, () => {
  expect(runIn("node_modules/typescript/bin/tsc", ["-p", "."]).stdout).toBe("")
  const usdc = { decimals: 6, token: VAULT }
  const config = {
    service: { url: "http://127.0.0.1:1" },
    chains: {
      base_sepolia: { family: "evm", chain_id: 84_532, rpc: [chain.rpcUrl], key: "env:KEY" },
      ethereum_sepolia: { family: "evm", chain_id: 11_155_111, rpc: ["http://x"], key: "env:KEY" },
    },
    assets: { "base_sepolia:usdc": usdc, "ethereum_sepolia:usdc": usdc },
    routes: {
      toy: { assets: ["base_sepolia:usdc", "ethereum_sepolia:usdc"], max_in_flight: "1000 usd" },
    },
    mode: "observe",
  }
  writeFileSync(join(copy, "toy.yaml"), JSON.stringify(config))
  const check = ["check", "--config", "toy.yaml", "--json"]
  const { stdout, stderr } = runIn("src/app/cli/main.ts", check, { KEY: generatePrivateKey() })
  expect(JSON.parse(stdout || stderr)).toMatchObject({ ok: true })
})

test("it signs its deposit again after a kill, as the same bytes, and takes its payout", {
  timeout: TIMEOUT_MS,
}, async () => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await chain.setBalance(address, 10n ** 18n)
  const parts = [chain.rpcUrl, key, address, VAULT, join(copy, "plan.json")]
  const killed = runIn("test/try-route-kind.ts", parts, { DIES: "1" })
  expect([killed.signal, killed.stderr]).toEqual(["SIGKILL", ""])
  const { stdout, stderr } = runIn("test/try-route-kind.ts", parts)
  const [again = "", told = ""] = stdout.split("\n")
  expect([again, stderr]).toEqual([killed.stdout.trim(), ""])
  expect(JSON.parse(told)).toMatchObject({
    action: "initiate",
    units: "5",
    refused: "signer.call",
  })
  await expect
    .poll(() => chain.client.getTransactionCount({ address }), { timeout: 30_000 })
    .toBe(2)
})

function runIn(script: string, args: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [script, ...args], {
    cwd: copy,
    env: { ...process.env, ...env },
    encoding: "utf8",
  })
}
