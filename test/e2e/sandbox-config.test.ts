import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { loadConfig } from "../../src/app/config/load.ts"
import { openChains } from "../../src/app/daemon/compose.ts"
import { systemClock } from "../../src/core/lib/clock.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

const CONFIG = loadConfig(
  join(import.meta.dirname, "..", "..", "config", "sandbox.yaml"),
  {},
).config
let sandbox: SandboxProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess()
}, 180_000)
afterAll(() => sandbox?.stop())

test("config/sandbox.yaml names the addresses that the sandbox deploys to", () => {
  const deployed = new Map(
    sandbox.chains.flatMap(({ assets }) => assets.map((asset) => [asset.id as string, asset])),
  )
  expect(CONFIG.assets.length).toBeGreaterThan(5)
  for (const { id, decimals, token, htlc } of CONFIG.assets) {
    const found = deployed.get(id)
    expect({ id, decimals, token, htlc }).toEqual({
      id,
      decimals: found?.decimals,
      token: found?.token ?? null,
      htlc: found?.htlc ? [found.htlc] : [],
    })
  }
})

test("the sandbox keys belong to the addresses that the sandbox funds", async () => {
  const chains = [...(await openChains(CONFIG, systemClock)).values()]
  expect(chains).toHaveLength(5)
  for (const { family, account } of chains) expect(SANDBOX_WALLETS).toHaveProperty(family, account)
})
