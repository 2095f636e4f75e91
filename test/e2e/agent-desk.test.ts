import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, expect, test } from "vitest"
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

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
const open: Client[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "agent-desk", {
    guards: { max_order: "0.1", max_cost: "500bps" },
    prices: { trust_service: true },
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
