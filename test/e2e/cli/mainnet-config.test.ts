import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { findPreset } from "#chains/families.ts"
import { loadConfig } from "#config/load.ts"
import { toSettings } from "#daemon/start/settings.ts"
import { chainOf } from "#domain/asset.ts"
import { verifyDeposit } from "#guards/verify-deposit.ts"
import { evidenceOf } from "../../support/deposit-evidence.ts"
import { runBallast } from "../../support/e2e-cli.ts"
import { liveTimelocks, PRESETS } from "../../support/live-timelocks.ts"
import { PUBLISHED } from "../../support/published-chains.ts"

const KEYS = join(import.meta.dirname, "../../../config/sandbox-keys")
const ENV = {
  // The private key 1, compressed, for the main network: a published example.
  BITCOIN_WIF: "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
  EVM_KEY: readFileSync(join(KEYS, "evm"), "utf8").trim(),
  SOLANA_KEY: readFileSync(join(KEYS, "solana"), "utf8").trim(),
  STARKNET_KEY: readFileSync(join(KEYS, "starknet"), "utf8").trim(),
}
/** No node listens there: `check` makes no request. */
const NODE = '["http://127.0.0.1:1", "http://127.0.0.1:2"]'

/** The old name of hyperevm: two names of one chain are refused. */
const OLD_NAME = "hyperliquid"
const MAINS = PRESETS.filter(({ network, name }) => network === "main" && name !== OLD_NAME)
const CHAINS = MAINS.map(({ name, family }) => {
  const lines: Readonly<Record<string, readonly string[]>> = {
    bitcoin: [`esplora: ${NODE}`, 'key: "env:BITCOIN_WIF"'],
    evm: [`rpc: ${NODE}`, 'key: "env:EVM_KEY"'],
    solana: [`rpc: ${NODE}`, 'key: "env:SOLANA_KEY"'],
    starknet: [`rpc: ${NODE}`, 'account: "0x1234"', 'key: "env:STARKNET_KEY"'],
  }
  return [
    `  ${name}:`,
    ...[`preset: ${name}`, ...(lines[family] ?? [])].map((line) => `    ${line}`),
  ]
})
const ASSETS = PUBLISHED.filter(
  ({ name, network }) => network === "mainnet" && findPreset(name) !== null,
).flatMap(({ assets }) =>
  assets.map(({ id, decimals, token, htlc }) => [
    `  ${id}:`,
    "    { decimals: " +
      `${decimals}${token ? `, token: "${token}"` : ""}${htlc ? `, htlc: ["${htlc}"]` : ""} }`,
  ]),
)
const TEXT = [
  'service: { url: "https://swap.example.com" }',
  // Without prices and limits of our own this file may watch, and not swap.
  "mode: observe",
  "chains:",
  ...CHAINS.flat(),
  "assets:",
  ...ASSETS.flat(),
  "",
].join("\n")

const file = join(mkdtempSync(join(tmpdir(), "mainnet-")), "ballast.yaml")
writeFileSync(file, TEXT)

describe("a configuration with every preset of a main network and every published asset", () => {
  test("has at most six lines for each chain and two for each asset", () => {
    expect(CHAINS.length).toBeGreaterThan(17)
    expect(ASSETS.length).toBeGreaterThan(25)
    expect(Math.max(...CHAINS.map((lines) => lines.length))).toBeLessThanOrEqual(6)
    expect(Math.max(...ASSETS.map((lines) => lines.length))).toBeLessThanOrEqual(2)
  })

  test("passes `ballast check` without a network, and without a warning", async () => {
    const { code, stdout, stderr } = await runBallast(["check", "--config", file, "--json"], {
      env: ENV,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const summary = JSON.parse(stdout)
    expect(summary).toMatchObject({ ok: true, warnings: [] })
    expect(summary.chains).toHaveLength(CHAINS.length)
    expect(summary.assets).toHaveLength(ASSETS.length)
  })

  test("lets each of its routes pass the timelock guards with the timelocks of live orders", () => {
    const { config } = loadConfig(file, ENV)
    const { policyFor } = toSettings(config, new Map())
    const ids = config.assets.map(({ id }) => id)
    const refused = ids.flatMap((from) =>
      ids
        .filter((to) => to !== from)
        .flatMap((to) => {
          const source = liveTimelocks(chainOf(from)).source
          const timelocks = { source, destination: liveTimelocks(chainOf(to)).destination }
          const verdict = verifyDeposit(evidenceOf({ from, to }, policyFor(from, to), timelocks))
          return verdict.ok
            ? []
            : [`${from} → ${to}: ${verdict.reasons.map(({ code }) => code).join(", ")}`]
        }),
    )
    expect(refused).toEqual([])
  })
})
