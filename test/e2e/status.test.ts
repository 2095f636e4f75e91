import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type Anvil, startAnvil } from "../../src/lab/sandbox/evm/start-anvil.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { replies, type Stub, startStub } from "../support/service-stub.ts"

/** The address of this key is the wallet that the test funds. */
const KEY = `0x${"4c".repeat(32)}`
const ENV = { EVM_KEY: KEY, BALLAST_OPS_TOKEN: TOKEN }
const CHAIN = { chainId: 84532, blockTimeSeconds: 1, log: silentLogger }

let node: Anvil | null = null
let service: Stub | null = null
let file = ""
let address = ""
let daemon: DaemonProcess | null = null

beforeAll(async () => {
  node = await startAnvil({ ...CHAIN, port: 0 })
  service = await startStub()
  service.answer = replies(200, { status: "Ok", result: [] })
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-status-"))
  const port = await freePort()
  file = join(dir, "ballast.yaml")
  const lines = [
    `service: { url: "${service.url}", timeout: 1s }`,
    "data_dir: ./data",
    `ops: { listen: "127.0.0.1:${port}", token: "env:BALLAST_OPS_TOKEN" }`,
    "chains:",
    `  base_sepolia: { family: evm, chain_id: 84532, rpc: ["${node.url}"], key: ` +
      `"env:EVM_KEY" }`,
    'assets: { "base_sepolia:eth": { decimals: 18 } }',
    // The new node of the test starts without the wallet's balance, which would be a loss.
    "books: { reconcile_every: 1h }",
    "prices: { trust_service: true }",
    "health: { check_every: 1s, alarm_after: 3s }",
    "",
  ]
  writeFileSync(file, lines.join("\n"))
  const shown = await runBallast(["wallet", "--json", "--config", file], { env: ENV })
  address = /0x[0-9a-fA-F]{40}/.exec(shown.stdout)?.[0] ?? ""
  await fundWallet()
  daemon = startDaemonProcess({ file, port }, ENV)
  await daemon.serves()
}, 120_000)

afterAll(async () => {
  await daemon?.stop()
  await Promise.all([node?.stop(), service?.stop()])
})

async function fundWallet(): Promise<void> {
  await callNode("anvil_setBalance", [address, `0x${(10n ** 18n).toString(16)}`])
}

async function callNode(method: string, params: readonly unknown[]): Promise<void> {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  expect((await fetch(node?.url ?? "", { method: "POST", headers, body })).status).toBe(200)
}

async function readOverview(): Promise<Overview> {
  return (await daemon?.call("GET", "/api/v1/overview"))?.body as Overview
}

const status = (...more: string[]) =>
  runBallast(["status", "--config", file, ...more], { env: ENV })

test("a dead node is an alarm and the verdict, its return closes the alarm, and a stopped daemon " +
  "is trouble", async () => {
  await until("all is well", async () => (await readOverview()).level === "ok", 30_000)
  expect(await status()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("ok  All is well: 1 chain and 1 service answer"),
  })

  await node?.stop()
  const diedMs = Date.now()
  await until(
    "the alarm is open",
    async () => (await readOverview()).alarms.some(isSilence),
    20_000,
  )
  expect(Date.now() - diedMs).toBeLessThan(15_000)
  const dead = await readOverview()
  expect(dead.verdict).toMatch(
    /^base_sepolia has not answered for \d+ s \(the connection is refused.*\); no order/,
  )
  expect(dead).toMatchObject({
    level: "attention",
    nodes: [{ chain: "base_sepolia", state: "silent" }],
  })
  const { code, stdout } = await status()
  expect(code).toBe(1)
  expect(stdout).toMatch(/^ATTENTION {2}base_sepolia has not answered for/)
  expect(JSON.parse((await status("--json")).stdout)).toMatchObject({
    alerts: expect.arrayContaining([
      expect.objectContaining({ reason: expect.objectContaining({ code: "node.silent" }) }),
    ]),
  })

  node = await startAnvil({ ...CHAIN, port: node?.port ?? 0 })
  await fundWallet()
  await until(
    "the alarm closes itself",
    async () => !(await readOverview()).alarms.some(isSilence),
    20_000,
  )

  const since = (await status("--since", "1h")).stdout
  expect(since).toMatch(/since {5}\d{4}-\d\d-\d\d[\s\S]*moved {3}0\.00 usd, cost 0\.00 usd/)
  expect(since).toMatch(/alarm {3}.* The endpoint \S+ of base_sepolia does not answer \(/)
  expect(JSON.parse((await status("--since", "1h", "--json")).stdout)).toMatchObject({
    summary: { swaps: { orders: 0 }, assets: [{ asset: "base_sepolia:eth" }] },
  })
  expect(await status("--since", "yesterday")).toMatchObject({ code: 64 })

  await daemon?.stop()
  const stopped = await status()
  expect(stopped.code).toBe(2)
  expect(stopped.stdout).toMatch(/^TROUBLE {2}The daemon is not running; last seen \d+ s ago/)
  expect(stopped.stdout).toContain("ballast run")
  const past = await runBallast(["alerts", "--all", "--config", file], { env: ENV })
  expect(past.stdout).toMatch(/over after \d+ s {2}node\.silent/)
}, 120_000)

function isSilence({ reason }: Overview["alarms"][number]): boolean {
  return reason.code === "node.silent"
}
