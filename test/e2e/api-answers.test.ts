import { afterAll, beforeAll, expect, test } from "vitest"
import { type ApiDocument, createAnswerCheck } from "../support/check-api-answer.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"

const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.0005" }
const LARGE = { ...SWAP, amount: "0.002" }

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let document: ApiDocument
let check: ReturnType<typeof createAnswerCheck>
const called = new Set<string>()
const faults: string[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "api", {
    guards: { approve_above: "0.001", max_order: "0.1" },
    books: { reconcile_every: "2s" },
    rules: [
      {
        id: "stock",
        kind: "band",
        asset: SWAP.to,
        min: "0.0001",
        target: "1000",
        max: "2000",
        sources: [SWAP.from],
      },
    ],
  })
  daemon = startDaemonProcess(config)
  await daemon.ready()
  const answer = await send("GET", "/api/v1/openapi.json")
  document = JSON.parse(answer.body)
  check = createAnswerCheck(document)
}, 90_000)
afterAll(() => stopAll(daemon, sandbox))

async function send(method: string, path: string, body?: unknown) {
  const origin = `http://127.0.0.1:${config.port}`
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", origin },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: answer.status,
    media: answer.headers.get("content-type") ?? "",
    body: await answer.text(),
  }
}

/** Calls a route and compares its answer with the document. */
async function call(
  method: string,
  route: string,
  { id = "", query = "", body }: Given = {},
  expected = 200,
) {
  const answer = await send(method, route.replace(/\{(id|key|asset)\}/, id) + query, body)
  called.add(`${method} ${route}`)
  faults.push(...check({ method, route, ...answer }))
  if (answer.status !== expected)
    faults.push(`${method} ${route}: ${answer.status} ${answer.body.slice(0, 300)}`)
  return answer.body.startsWith("{") ? JSON.parse(answer.body) : answer.body
}
type Given = { readonly id?: string; readonly query?: string; readonly body?: unknown }

async function readAll(id: string): Promise<void> {
  for (const path of ["/", "/healthz", "/readyz", "/metrics"]) await call("GET", path)
  for (const name of [
    "session",
    "openapi.json",
    "status",
    "overview",
    "balances",
    "orders",
    "rules",
    "decisions",
  ])
    await call("GET", `/api/v1/${name}`)
  for (const name of [
    "plan",
    "reconciliation",
    "alerts",
    "books",
    "settings",
    "log",
    "summary",
    "flows",
    "bookings",
    "audit",
  ])
    await call("GET", `/api/v1/${name}`)
  await call("GET", "/api/v1/series/{asset}", { id: SWAP.from })
  await call("GET", "/api/v1/orders/{id}", { id })
  await study()
}

/** Answers from the whole journal, which a thread of its own reads. */
async function study(): Promise<void> {
  for (const by of ["pair", "rule", "period", "service", "solver"])
    await call("GET", "/api/v1/report", { query: `?by=${by}` })
  await call("GET", "/api/v1/report/affiliate")
  await call("GET", "/api/v1/rules/{id}/why", { id: "stock" })
  await call("GET", "/api/v1/rules/{id}/why", { id: "none" }, 404)
  const csv = await call("GET", "/api/v1/export")
  expect(csv).toContain("order_id,service_order_id,rule")
  await call("GET", "/api/v1/export", { query: "?format=ledger&since=2026-01-01T00:00:00Z" })
  const { subjects } = await call("GET", "/api/v1/simulate", { query: "?days=2&seeds=1" })
  expect(subjects[0].summary).toHaveProperty("moves")
  await call("GET", "/api/v1/simulate", { query: "?days=4000" }, 400)
  expect(await call("GET", "/api/v1/advise")).toMatchObject({ enough: false, advice: [] })
  expect(await call("GET", "/api/v1/proposals")).toEqual({ proposals: [] })
  expect(await call("GET", "/api/v1/earnings")).toHaveProperty("services")
}

test("a running daemon answers every route as the document says", {
  timeout: 120_000,
}, async () => {
  const events = await firstEvent(async () => {
    const { id } = await call("POST", "/api/v1/swap", { body: SWAP }, 202)
    await readAll(id)
    await waitForOutcome(daemon, id)
    await readAll(id)
  })
  called.add("GET /api/v1/events")
  expect(events).toMatchObject({ media: "text/event-stream", order: { from: SWAP.from } })

  await call("GET", "/api/v1/swap/{key}", { id: "unknown" }, 404)
  await call("POST", "/api/v1/swap/{key}/withdraw", { id: "unknown" })
  await call("POST", "/api/v1/swap", { body: { ...SWAP, dryRun: true } })
  await call("GET", "/api/v1/quote", { query: `?${new URLSearchParams(SWAP)}` })
  await call("GET", "/api/v1/quote", { query: "?from=x" }, 400)
  await call("GET", "/api/v1/summary", { query: "?since=yesterday" }, 400)
  await call("GET", "/api/v1/series/{asset}", { id: "none:none" }, 404)
  await decide()
  await replay()
  await call("POST", "/api/v1/recover", { body: { adopt: false } })
  await call("POST", "/api/v1/confirm-clock")
  await call("POST", "/api/v1/reload")
  // This treasury has no other machine.
  await call("POST", "/api/v1/cluster/hand-over", {}, 409)
  await call("POST", "/api/v1/reconcile", { body: {} })
  await call("POST", "/api/v1/alerts/{id}/acknowledge", { id: "1" }, 409)
  await call("POST", "/api/v1/proposals/{id}/dismiss", { id: "none" }, 409)
  for (const body of [{}, { chain: "base_sepolia" }, { rule: "stock" }]) {
    await call("POST", "/api/v1/pause", { body })
    await call("POST", "/api/v1/swap", { body: SWAP }, "rule" in body ? 202 : 409)
    for (const name of ["status", "overview", "plan", "rules"]) await call("GET", `/api/v1/${name}`)
    await call("POST", "/api/v1/resume", { body })
  }
  for (const method of ["GET", "DELETE", "POST"]) await call(method, "/mcp", {}, 403)
  await call("POST", "/api/v1/agent/call", { body: { agent: "none", tool: "status" } }, 403)
  const login = await call("POST", "/api/v1/session", { body: { token: TOKEN } })
  expect(login).toMatchObject({ name: "ops.token" })
  await call("DELETE", "/api/v1/session")
  expect(faults).toEqual([])

  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect([...called].sort()).toEqual(routes.sort())
})

/**
 * Each verb once: an order that waits can be approved, rejected or abandoned, and an ended one
 * refuses the others.
 */
async function decide(): Promise<void> {
  for (const verb of ["approve", "reject", "abandon"]) {
    const { id } = await call("POST", "/api/v1/swap", { body: LARGE }, 202)
    await until(
      "the order waits",
      async () => (await daemon.order(id)).state === "awaiting-approval",
    )
    const { intent } = await call("GET", "/api/v1/orders/{id}", { id })
    const body = verb === "approve" ? { intent } : {}
    await call("POST", `/api/v1/orders/{id}/${verb}`, { id, body }, 200)
    await waitForOutcome(daemon, id)
    await call("GET", "/api/v1/orders/{id}", { id })
    for (const other of ["retry", "refund", "redeem"])
      await call("POST", `/api/v1/orders/{id}/${other}`, { id }, 409)
  }
  await call("POST", "/api/v1/orders/{id}/retry", { id: "unknown" }, 404)
}

async function replay(): Promise<void> {
  await until("the rule has decided", async () => (await decisions()).length > 0)
  const [first] = await decisions()
  await call("GET", "/api/v1/decisions/{id}/replay", { id: first?.id ?? "" })
}

async function decisions(): Promise<readonly { readonly id: string }[]> {
  return (await call("GET", "/api/v1/decisions", { query: "?rule=stock&limit=5" })).decisions
}

const ORDER_EVENT = /^event: order\ndata: (.*)\n/m

/** The first order that the stream of events shows while `act` runs. */
async function firstEvent(
  act: () => Promise<void>,
): Promise<{ readonly media: string; readonly order: unknown }> {
  const stop = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${config.port}/api/v1/events`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: stop.signal,
  })
  await act()
  let text = ""
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (ORDER_EVENT.test(text)) break
  }
  stop.abort()
  const media = stream.headers.get("content-type") ?? ""
  faults.push(
    ...check({ method: "GET", route: "/api/v1/events", status: stream.status, media, body: text }),
  )
  return {
    media,
    order: JSON.parse(ORDER_EVENT.exec(text)?.[1] ?? "null"),
  }
}
