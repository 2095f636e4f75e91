import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import { signWebhook } from "../../../src/edges/alerts/format-webhook.ts"
import type { CliResult } from "../../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../../support/e2e-config.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
  until,
} from "../../support/sandbox-process.ts"
import { pathWithBallast } from "../../support/typed-page.ts"

/*
 * The first examples of the pages for programs, agents and people who approve, as they stand there,
 * against one daemon. Only ids, the port and the configuration's path are put in.
 */

const DESK = mkdtempSync(join(tmpdir(), "ballast-e2e-pages-"))
let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess

beforeAll(async () => {
  const chains = "base_sepolia,bitcoin_testnet,ethereum_sepolia"
  sandbox = await startSandboxProcess(["--chains", chains])
  config = await writeE2eConfig(sandbox, "pages", {
    guards: { approve_above: "0.0001", max_order: "0.1", max_cost: "500bps" },
    prices: { trust_service: true },
    ...parse(blocksOf("AGENTS.md", "yaml")[0] ?? ""),
  })
  const env = { ANNA_TOKEN: "anna-anna-anna-anna-anna", AGENT_TOKEN: "agent-agent-agent-agent" }
  daemon = startDaemonProcess(config, env)
  await daemon.ready()
  symlinkSync(join(sandbox.dir, "pages"), join(DESK, "data"))
}, 120_000)
afterAll(() => stopAll(daemon, sandbox))

function pageOf(page: string): string {
  return readFileSync(join(import.meta.dirname, "../../../docs", page), "utf8")
}

/** The blocks of a page, in their order. */
function blocksOf(page: string, language: string): readonly string[] {
  return [...pageOf(page).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, block = ""]) => block,
  )
}

/** The commands of the first block that has this text; a command may have several lines. */
function commandsWith(page: string, part: string): readonly string[] {
  const block = blocksOf(page, "sh").find((one) => one.includes(part)) ?? ""
  expect(block, `${page} has an example with ${part}`).not.toBe("")
  return block.split(/(?<!\\)\n/).filter((line) => line.trim() !== "")
}

function type(command: string, more: Record<string, string> = {}): Promise<CliResult> {
  const env = bareEnvironment({
    PATH: pathWithBallast(DESK),
    BALLAST_OPS_TOKEN: TOKEN,
    ...more,
  })
  const typed = command
    .replaceAll("127.0.0.1:7070", `127.0.0.1:${config.port}`)
    .replace(
      /^ballast (?!.*--config).*?(?=\s*#|$)/,
      (called) => `${called} --config ${config.file}`,
    )
  return new Promise((resolve) => {
    execFile("bash", ["-c", typed], { env, cwd: DESK, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? "timeout"), stdout, stderr }),
    )
  })
}

async function newest(): Promise<string> {
  // CAST: the daemon's own list.
  const { orders } = (await daemon.call("GET", "/api/v1/orders?limit=1")).body as {
    orders: readonly { id: string }[]
  }
  const id = orders[0]?.id ?? ""
  await until("the order waits", async () => (await daemon.order(id)).state === "awaiting-approval")
  return id
}

test("HTTP.md: each curl of the page", { timeout: 90_000 }, async () => {
  const lists = commandsWith("HTTP.md", "external_id=nightly-1")
  const all = commandsWith("HTTP.md", "api/v1/events")
  expect([lists.length, all.length]).toEqual([2, 6])
  for (const command of [...lists, ...all]) {
    // The stream has no end of its own.
    const isStream = command.includes("/events")
    const bounded = command.replace("curl", isStream ? "curl -sS --max-time 3" : "curl -sS")
    const { code, stdout, stderr } = await type(bounded)
    expect(code, `${command}\n${stderr}`).toBe(isStream ? 28 : 0)
    if (isStream) continue
    expect(JSON.parse(stdout), command).not.toHaveProperty("status", 401)
    expect(JSON.parse(stdout), command).not.toHaveProperty("reasons")
  }
  await type("ballast resume --chain base_sepolia")
})

test("RUN.md: a person reads an order, approves one and rejects one", {
  timeout: 90_000,
}, async () => {
  const [show = "", approve = "", reject = ""] = commandsWith("RUN.md", "ballast reject 5f3a…")
  const id = await newest()
  const seen = await type(show.replace("5f3a", id))
  expect([seen.code, seen.stdout]).toEqual([0, expect.stringMatching(/intent/)])
  const { intent } = await daemon.order(id)
  const named = approve.replace("5f3a…", id).replace("9c41…", String(intent))
  expect(await type(named)).toMatchObject({ code: 0 })
  const swap = { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.001" }
  expect((await daemon.call("POST", "/api/v1/swap", swap)).status).toBe(202)
  const other = await newest()
  expect(await type(reject.replace("5f3a…", other))).toMatchObject({ code: 0 })
  await until("it is rejected", async () => (await daemon.order(other)).outcome === "rejected")
})

test("AGENTS.md: a client starts the desk by its own configuration, and the daemon has the page's", {
  timeout: 60_000,
}, async () => {
  const [text = ""] = blocksOf("AGENTS.md", "json")
  const { ballast } = JSON.parse(text).mcpServers
  const args = ballast.args.map((arg: string) =>
    arg.replace("/etc/ballast/ballast.yaml", config.file),
  )
  const env = { PATH: pathWithBallast(DESK) }
  const client = new Client({ name: "test", version: "1" })
  await client.connect(new StdioClientTransport({ command: ballast.command, args, env }))
  const answer = await client.callTool({ name: "status", arguments: {} })
  const limits = { maxOrderUsd: "250.00" }
  expect(answer.structuredContent).toMatchObject({ mode: "live", agent: { name: "desk", limits } })
  await client.close()
  const [list = ""] = commandsWith("AGENTS.md", "ballast proposals ")
  expect(await type(list)).toMatchObject({ code: 0, stdout: expect.stringMatching(/No agent/) })
})

test("TRUST.md: what a month costs, of a treasury that a reader copies", async () => {
  for (const block of blocksOf("TRUST.md", "yaml")) {
    const [, name = ""] = /^# (\S+\.yaml)\n/.exec(block) ?? []
    writeFileSync(join(DESK, name), block)
  }
  const [simulate = ""] = commandsWith("TRUST.md", "ballast simulate --config")
  const { code, stdout, stderr } = await type(simulate)
  const [, told = ""] = /last line says `([^`]+)`/.exec(pageOf("TRUST.md")) ?? []
  expect({ code, stderr, last: stdout.trim().split("\n").at(-1) }).toEqual({
    code: 0,
    stderr: "",
    last: expect.stringContaining(told),
  })
  expect(told).toMatch(/^\d+ moves in the middle run, for [\d.]+ in fees/)
})

test("TRUST.md: the monthly close", { timeout: 60_000 }, async () => {
  const lines = commandsWith("TRUST.md", "ballast export --format csv")
  expect(lines).toHaveLength(4)
  for (const line of lines) {
    const { code, stderr } = await type(line)
    expect(code, `${line}\n${stderr}`).toBe(0)
  }
  for (const file of ["october.csv", "books.journal"])
    expect(existsSync(join(DESK, file))).toBe(true)
})

test("OBSERVE.md: the signature of a webhook is checked with openssl", async () => {
  const [key = "", print = ""] = commandsWith("OBSERVE.md", "openssl dgst")
  const secret = Buffer.from("a key of 24 bytes, or so").toString("base64")
  const body = '{"type":"order.opened"}'
  const sent = signWebhook(secret, "msg_1", 1_764_380_000_000, body)
  const { stdout } = await type(`${key}\n${print}`, {
    LEDGER_KEY: secret,
    webhook_id: "msg_1",
    webhook_timestamp: "1764380000",
    body,
  })
  expect(`v1,${stdout.trim()}`).toBe(sent["webhook-signature"])
})

test("RECOVER.md: pause, recover, resume", { timeout: 90_000 }, async () => {
  const lines = ["ballast recover --yes", "ballast resume"].flatMap((line) =>
    commandsWith("RECOVER.md", line),
  )
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const { code, stdout, stderr } = await type(line)
    expect(code, `${line}\n${stdout}\n${stderr}`).toBe(0)
  }
})
