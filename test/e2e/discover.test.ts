import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { mustExist } from "#lib/assert.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

type Asset = {
  decimals: number
  token?: string
  htlc?: string[]
  pinned?: Record<string, string>[]
}
type Finding = { severity: string; code: string }
type Discovery = {
  configuration: string
  chains: { name: string; findings: Finding[]; assets: { id: string; findings: Finding[] }[] }[]
}

let sandbox: SandboxProcess
let config: E2eConfig
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  config = await writeE2eConfig(sandbox, "discover")
}, 180_000)
afterAll(() => sandbox?.stop())

const ballast = (args: readonly string[], { file, env } = config): Promise<CliResult> =>
  runBallast([...args, "--config", file], { env })
const discover = async (
  args: readonly string[] = [],
  over = config,
): Promise<{ code: unknown; found: Discovery }> => {
  const { code, stdout, stderr } = await ballast(["discover", "--json", ...args], over)
  if (stdout === "") throw new Error(stderr)
  return { code, found: JSON.parse(stdout) }
}
const codesOf = ({ chains }: Discovery): string[] =>
  chains
    .flatMap(({ findings, assets }) => [...findings, ...assets.flatMap((asset) => asset.findings)])
    .map(({ code }) => code)
const urlOf = (chain: string): string =>
  mustExist(sandbox.chains.find(({ name }) => name === chain)?.url, chain)

/** The configuration with the discovered pins added, as a person pastes them. */
async function writePinned(name: string): Promise<E2eConfig> {
  const { found } = await discover()
  const discovered: Record<string, Asset> = parse(found.configuration).assets
  const file: { assets: Record<string, Asset> } = JSON.parse(readFileSync(config.file, "utf8"))
  for (const [id, asset] of Object.entries(file.assets)) {
    const pinned = discovered[id]?.pinned
    if (pinned) asset.pinned = pinned
  }
  const path = join(sandbox.dir, `${name}.yaml`)
  writeFileSync(path, JSON.stringify(file))
  return { ...config, file: path }
}

async function anvil(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(urlOf("base_sepolia"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  // CAST: anvil's own answer.
  return ((await answer.json()) as { result: unknown }).result
}

describe("ballast discover", () => {
  test(
    "prints the listed contracts of every family with the pins of the chain, at most two lines " +
      "an asset",
    async () => {
      const { code, found } = await discover()
      expect(
        codesOf(found).filter(
          (each) => !["discover.not_pinned", "discover.upgradeable"].includes(each),
        ),
      ).toEqual([])
      expect(code).toBe(0)
      const { assets } = parse(found.configuration) as { assets: Record<string, Asset> }
      const known = sandbox.chains.flatMap((chain) => chain.assets)
      expect(Object.keys(assets).sort()).toEqual(known.map(({ id }) => id).sort())
      for (const { id, decimals, htlc } of known) {
        expect(assets[id]).toMatchObject({ decimals })
        expect(assets[id]?.htlc?.map((each) => each.toLowerCase())).toEqual(
          htlc === null ? undefined : [htlc.toLowerCase()],
        )
        expect(Object.keys(assets[id]?.pinned?.[0] ?? {})[0]).toBe(
          htlc === null
            ? undefined
            : { base: "code", ethereum: "code", solana: "program", starknet: "class" }[
                id.split("_")[0] ?? ""
              ],
        )
      }
      const lines = found.configuration.split("\n").slice(1)
      expect(lines.length).toBeLessThanOrEqual(2 * known.length)
    },
  )

  test("works without a configuration, and names what it cannot compare", async () => {
    const args = ["discover", "--service", sandbox.service, "--app-id", "ballast-sandbox"]
    const { code, stdout } = await runBallast([
      ...args,
      "--rpc",
      `base_sepolia=${urlOf("base_sepolia")}`,
    ])
    expect(code).toBe(0)
    expect(stdout).toContain("preset: base_sepolia")
    expect(stdout).toContain("base_sepolia:wbtc: {")
    expect(stdout).toContain("solana_testnet: no node is known")
    expect(stdout).not.toContain("solana_testnet:sol: {")
  })

  test("gives the pins that doctor and check accept", async () => {
    const pinned = await writePinned("discover-pinned")
    const { found } = await discover([], pinned)
    expect(codesOf(found)).not.toContain("discover.not_pinned")
    const { code, stdout } = await ballast(["doctor", "--json"], pinned)
    const checks: { check: string; status: string }[] = JSON.parse(stdout).checks
    expect(
      checks.filter(({ check }) => check.endsWith(" contracts")).map(({ status }) => status),
    ).toEqual(sandbox.chains.filter(({ name }) => !name.startsWith("bitcoin")).map(() => "ok"))
    expect(code).toBe(0)
    expect((await ballast(["check"], pinned)).stdout).not.toContain("not pinned")
    expect((await ballast(["check"])).stdout).toContain("base_sepolia:wbtc (contract not pinned)")
  })

  test("ends with 75 when a node is silent, and with 78 for a bad configuration", async () => {
    const silent = await writeE2eConfig(sandbox, "discover-silent", {
      chains: { base_sepolia: { rpc: ["http://127.0.0.1:1"] } },
    })
    const { code, found } = await discover(["--chain", "base_sepolia"], silent)
    expect(codesOf(found)).toEqual(["discover.node_silent"])
    expect(code).toBe(75)
    const unreachable = await writeE2eConfig(sandbox, "discover-unreachable", {
      service: { url: "http://127.0.0.1:1" },
    })
    expect((await ballast(["discover"], unreachable)).code).toBe(75)
    const missing = { ...config, file: join(sandbox.dir, "nowhere.yaml") }
    expect((await ballast(["discover"], missing)).code).toBe(78)
  })
})

describe("a contract whose code changes", () => {
  const ROUTE = ["base_sepolia:wbtc", "bitcoin_testnet:btc", "0.001"]

  test("is found by discover and doctor, and no order would pay it", async () => {
    const pinned = await writePinned("discover-changed")
    const dryRun = () =>
      ballast(["swap", ...ROUTE, "--deposit", "onchain", "--dry-run", "--json"], pinned)
    const before = JSON.parse((await dryRun()).stdout)
    expect(before).toMatchObject({ ok: true, findings: [] })
    const htlc = before.deposit.htlc
    const code = String(await anvil("eth_getCode", [htlc, "latest"]))
    await anvil("anvil_setCode", [htlc, `${code.slice(0, -2)}00`])
    try {
      const after = await dryRun()
      expect(after.code).toBe(1)
      expect(JSON.parse(after.stdout)).toMatchObject({
        ok: false,
        findings: [{ code: "verify.contract_changed" }],
        signatures: [],
      })
      const { code: exit, found } = await discover(["--chain", "base_sepolia"], pinned)
      expect(codesOf(found)).toContain("discover.pin_differs")
      expect(exit).toBe(1)
      expect((await ballast(["doctor"], pinned)).code).toBe(1)
    } finally {
      await anvil("anvil_setCode", [htlc, code])
    }
  })
})
