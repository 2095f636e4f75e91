import { mkdtempSync, writeFileSync } from "node:fs"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { freePort } from "../../support/free-port.ts"
import { runScenario, startRelay } from "../../support/mcp-conformance.ts"
import { type DaemonProcess, startDaemonProcess } from "../../support/sandbox-process.ts"

/** No service and no node answers here: reading tools must not need them. */
const DEAD = "http://127.0.0.1:1"
const TOKEN = "agent-agent-agent-agent"
const LEGACY = "2025-11-25"
const MODERN = "2026-07-28"

let daemon: DaemonProcess
let relay: { readonly url: string; readonly server: Server }

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-conformance-"))
  const file = join(dir, "ballast.yaml")
  const port = await freePort()
  writeFileSync(
    file,
    `service: { url: "${DEAD}" }
data_dir: "${join(dir, "data")}"
ops:
  listen: "127.0.0.1:${port}"
  token: "env:BALLAST_OPS_TOKEN"
  agents: [{ name: reader, token: "env:AGENT_TOKEN" }]
chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["${DEAD}"], key: "env:EVM_KEY" } }
assets: { "base_sepolia:eth": { decimals: 18 } }
`,
  )
  const env = { EVM_KEY: `0x${"4c".repeat(32)}`, AGENT_TOKEN: TOKEN }
  daemon = startDaemonProcess({ file, port }, env)
  await daemon.serves()
  relay = await startRelay(port, TOKEN)
}, 60_000)
afterAll(async () => {
  relay?.server.close()
  await daemon?.stop()
})

/** The scenarios that name no tool of a fixture, at the revisions that have them. */
test.each([
  ["tools-list", LEGACY],
  ["resources-list", LEGACY],
  ["prompts-list", LEGACY],
  ["dns-rebinding-protection", LEGACY],
  ["server-initialize", LEGACY],
  ["ping", LEGACY],
  ["tools-list", MODERN],
  ["resources-list", MODERN],
  ["prompts-list", MODERN],
  ["dns-rebinding-protection", MODERN],
  ["caching", MODERN],
  ["sep-2164-resource-not-found", MODERN],
  ["http-header-validation", MODERN],
  ["server-sse-multiple-streams", MODERN],
])("the official scenario %s of %s passes", { timeout: 120_000 }, async (scenario, revision) => {
  const { code, output } = await runScenario(relay.url, scenario, revision)
  expect(code, output).toBe(0)
  expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
})
