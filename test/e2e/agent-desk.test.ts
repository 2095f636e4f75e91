import { readFileSync, writeFileSync } from "node:fs"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
const ANNA = "anna-anna-anna-anna-anna"
const AGENT = "agent-agent-agent-agent"
const LIMITS = { max_order: "250 usd", max_day: "450 usd", pairs: [{ from: FROM, to: TO }] }

/** Never evaluated, so that no order of its own comes between. */
const RULE = {
  id: "stock",
  kind: "band",
  asset: TO,
  min: "0.2",
  target: "0.4",
  max: "0.8",
  sources: [FROM],
  every: "1h",
  enabled: false,
}

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
const open: Client[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "agent-desk", {
    guards: { max_order: "0.1", max_cost: "500bps" },
    prices: { trust_service: true },
    rules: [RULE],
    ops: {
      tokens: [{ name: "anna", token: "env:ANNA_TOKEN", scopes: ["read", "approve"] }],
      agents: [
        {
          name: "desk",
          token: "env:AGENT_TOKEN",
          socket: true,
          tools: ["read", "quote", "swap"],
          max_in_flight: 2,
          ...LIMITS,
        },
        { name: "reader", socket: true },
        { name: "planner", socket: true, tools: ["read", "simulate", "propose"] },
      ],
    },
  })
  daemon = startDaemonProcess(config, { ANNA_TOKEN: ANNA, AGENT_TOKEN: AGENT })
  await daemon.ready()
}, 90_000)
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()))
  await daemon?.stop()
  await sandbox?.stop()
})

type Era = "legacy" | "auto"

async function connect(era: Era, way: "http" | "stdio", agent = "desk"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } })
  const transport =
    way === "http"
      ? new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${config.port}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${AGENT}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [LAUNCHER, "mcp", "--agent", agent, "--config", config.file],
          // No token and no key.
          env: Object.fromEntries(
            Object.entries(bareEnvironment()).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, value]],
            ),
          ),
        })
  await client.connect(transport)
  open.push(client)
  return client
}

type Called = { readonly isError: boolean; readonly body: Record<string, unknown> }

async function call(client: Client, name: string, args: object = {}): Promise<Called> {
  const answer = await client.callTool({ name, arguments: { ...args } })
  const [text] = answer.content
  // The text is the same answer, for clients that read no structured content.
  expect(text).toEqual({ type: "text", text: JSON.stringify(answer.structuredContent) })
  // CAST: the desk answers with an object.
  const body = answer.structuredContent as Record<string, unknown>
  return { isError: answer.isError === true, body }
}

async function ask(token: string, path: string, body: object): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${config.port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  return answer.status
}

test.each<[Era, "http" | "stdio"]>([
  ["auto", "http"],
  ["legacy", "stdio"],
])(
  "a client (%s, %s) watches, explains, asks, waits for a person, and is done",
  {
    timeout: 120_000,
  },
  async (era, way) => {
    const client = await connect(era, way)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      "status",
      "orders",
      "order",
      "explain",
      "plan",
      "report",
      "quote",
      "request_swap",
    ])
    expect(JSON.stringify(tools).length).toBeLessThan(14_000)
    expect((await call(client, "status")).body).toMatchObject({
      mode: "live",
      agent: { name: "desk", limits: { maxOrderUsd: "250.00", pairs: LIMITS.pairs } },
    })
    expect(await call(client, "explain", { rule: "none" })).toMatchObject({
      body: { decisions: [] },
    })
    expect((await call(client, "plan")).isError).toBe(false)
    const swap = { from: FROM, to: TO, amount: "0.002" }
    expect((await call(client, "quote", swap)).body).toMatchObject({
      needsApproval: true,
      reasons: [],
    })

    const key = `first-${way}`
    const asked = await call(client, "request_swap", { ...swap, key, again: true })
    expect(asked).toMatchObject({ isError: false, body: { askedBy: "agent.desk" } })
    const id = String(asked.body["id"])
    await until(
      "the order waits",
      async () => (await daemon.order(id)).state === "awaiting-approval",
    )
    const { body: waiting } = await call(client, "order", { id })
    expect(waiting).toMatchObject({ state: "awaiting-approval", approved: false })
    const path = `/api/v1/orders/${id}/approve`
    const intent = { intent: waiting["intent"] }
    // Neither the agent nor a caller without a name stands for a person.
    expect(await ask(AGENT, path, intent)).toBe(403)
    expect(await daemon.call("POST", path, intent)).toMatchObject({
      status: 409,
      body: { reasons: [{ code: "approval.named_person" }] },
    })
    expect(await ask(ANNA, path, intent)).toBe(200)
    await until("the order ended", async () => (await daemon.order(id)).outcome !== null)
    expect((await call(client, "order", { id })).body).toMatchObject({ outcome: "completed" })

    const repeated = await call(client, "request_swap", { ...swap, key, again: true })
    expect(repeated.body["id"]).toBe(id)
    expect(await codes(client, { ...swap, amount: "0.001", key })).toEqual(["request.key_reused"])
    expect(await codes(client, { ...swap, key: `second-${way}` })).toEqual(["agent.duplicate"])
    expect(await codes(client, { ...swap, amount: "0.01", key: "large" })).toContain("agent.order")
    expect(await codes(client, { from: TO, to: FROM, amount: "0.001", key: "back" })).toContain(
      "agent.pair",
    )
  },
)

async function codes(client: Client, request: object): Promise<readonly string[]> {
  const { isError, body } = await call(client, "request_swap", request)
  expect(isError).toBe(true)
  // CAST: the desk's own form of a refusal.
  return (body["reasons"] as readonly { code: string }[]).map(({ code }) => code)
}

test("the token of an agent opens no other path, and an agent sees only its tools", {
  timeout: 30_000,
}, async () => {
  const get = (path: string, token: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${config.port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  for (const path of ["/api/v1/status", "/api/v1/orders", "/metrics", "/api/v1/settings"])
    expect((await get(path, AGENT)).status).toBe(403)
  for (const path of ["/api/v1/swap", "/api/v1/pause", "/api/v1/resume", "/api/v1/reload"])
    expect(await ask(AGENT, path, {})).toBe(403)
  expect(await ask(ANNA, "/mcp", {})).toBe(403)
  expect(await ask(AGENT, "/api/v1/agent/call", { agent: "desk", tool: "status" })).toBe(403)
  const wrong = await get("/mcp", "wrong-wrong-wrong-wrong")
  expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, "Bearer"])

  const reader = await connect("auto", "stdio", "reader")
  const { tools } = await reader.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    "status",
    "orders",
    "order",
    "explain",
    "plan",
    "report",
  ])
  await expect(
    call(reader, "request_swap", { from: FROM, to: TO, amount: "0.001", key: "x" }),
  ).rejects.toThrow()
})

test("an agent proposes a change of a rule, and only a person's file applies it", {
  timeout: 90_000,
}, async () => {
  const client = await connect("auto", "stdio", "planner")
  const change = { rule: RULE.id, change: { min: "0.3" }, days: 2, runs: 1, key: "wider" }
  const { isError, body } = await call(client, "propose", change)
  expect({ isError, body }).toMatchObject({
    isError: false,
    body: {
      state: "open",
      changes: [{ key: "min", from: "0.2", to: "0.3" }],
      simulation: { days: 2, runs: 1, now: { moves: expect.any(Number) } },
    },
  })
  const id = String(body["id"])
  expect((await call(client, "propose", change)).body["id"]).toBe(id)
  // The checks of a file judge the change.
  const refused = await call(client, "propose", { ...change, change: { min: "9" }, key: "wrong" })
  expect(refused).toMatchObject({ isError: true, body: { reasons: [{ code: "config.invalid" }] } })
  expect((await daemon.call("GET", "/api/v1/overview")).body).toMatchObject({
    tasks: expect.arrayContaining([expect.objectContaining({ code: "rule.proposed" })]),
  })
  expect(await ask(AGENT, `/api/v1/proposals/${id}/dismiss`, {})).toBe(403)

  const ballast = (...args: readonly string[]) =>
    runBallast([...args, "--config", config.file], { env: config.env })
  expect((await ballast("proposals")).stdout).toMatch(/planner +stock +min: 0\.3 +open/)
  expect((await ballast("proposals", id)).stdout).toContain("min: 0.2 -> 0.3")
  const text = readFileSync(config.file, "utf8")
  writeFileSync(config.file, text.replace('"min": "0.2"', '"min": "0.3"'))
  expect((await ballast("reload")).stdout).toContain("rules.stock.min: 0.2 → 0.3")
  expect((await call(client, "proposals")).body).toMatchObject({
    proposals: [{ id, state: "applied" }],
  })
  expect(await ask(ANNA, `/api/v1/proposals/${id}/dismiss`, {})).toBe(409)
  const other = await call(client, "propose", { ...change, change: { min: "0.1" }, key: "back" })
  const dismissed = await ballast("proposals", String(other.body["id"]), "--dismiss")
  expect(dismissed).toMatchObject({ code: 0, stdout: expect.stringContaining("is dismissed") })
})

test("while the daemon is away the tools say so, and work again after its return", {
  timeout: 60_000,
}, async () => {
  const client = await connect("auto", "stdio")
  await daemon.stop()
  expect(await call(client, "status")).toMatchObject({
    isError: true,
    body: { reasons: [{ code: "daemon.unreachable" }], happened: "no", retry: "later" },
  })
  daemon = startDaemonProcess(config, { ANNA_TOKEN: ANNA, AGENT_TOKEN: AGENT })
  await daemon.ready()
  expect(await call(client, "status")).toMatchObject({ isError: false })
})
