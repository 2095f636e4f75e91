import { STATUS_CODES } from "node:http"
import type { App } from "./answers.ts"
import type { Permission } from "./caller.ts"

/** What one route takes and gives. The path's own parameters are read from the path. */
type RouteText = {
  readonly summary: string
  /** The scope that a token needs; `null` for the paths without a token. */
  readonly scope: Permission | null
  readonly query?: Readonly<Record<string, Schema>>
  readonly body?: Schema
  /** The status of success and what it carries. */
  readonly ok: readonly [status: 200 | 202, answer: string]
  /** What a 503 carries, where the route has one. */
  readonly wait?: string
  readonly media?: "text/plain" | "text/event-stream" | "text/html"
}
type Schema = Readonly<Record<string, unknown>>

const TEXT: Schema = { type: "string" }
const LIMIT: Schema = { type: "integer", minimum: 1, maximum: 1_000, default: 100 }
const WAYS: Schema = { type: "string", enum: ["auto", "gasless", "onchain"] }
const AMOUNT: Schema = { type: "string", description: "in the asset's own unit, such as 0.001" }
const SWAP = { from: TEXT, to: TEXT, amount: AMOUNT, deposit: WAYS, destination: TEXT }

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) }
}

const SCOPE = object({ chain: TEXT, rule: TEXT })

/** Every route of `createApp`, by method and path; a test compares both. */
export const ROUTES: Readonly<Record<string, RouteText>> = {
  "GET /": { summary: "The dashboard", scope: null, ok: [200, "the page"], media: "text/html" },
  "GET /healthz": { summary: "Does the process answer?", scope: null, ok: [200, "{status}"] },
  "GET /readyz": { summary: "Can orders be submitted?", scope: null, ok: [200, "{status}"], wait: "{status}: not yet" },
  "GET /metrics": { summary: "Metrics for Prometheus", scope: "read", ok: [200, "the samples"], media: "text/plain" },
  "POST /api/v1/session": {
    summary: "Log in to the dashboard with a token; over TCP only",
    scope: null,
    body: object({ token: TEXT }, ["token"]),
    ok: [200, "{name, scopes, csrf, until}, and a cookie"],
  },
  "GET /api/v1/session": { summary: "The caller", scope: "read", ok: [200, "{name, scopes}"] },
  "DELETE /api/v1/session": { summary: "Log out", scope: "read", ok: [200, "{}"] },
  "GET /api/v1/openapi.json": { summary: "This document", scope: "read", ok: [200, "the document"] },
  "GET /api/v1/status": {
    summary: "Mode, pause, chains, services and the newest alerts",
    scope: "read",
    ok: [200, "the status"],
  },
  "GET /api/v1/overview": {
    summary: "How is it? Verdict, problems, nodes, treasury, orders, limits",
    scope: "read",
    ok: [200, "the overview"],
  },
  "GET /api/v1/balances": { summary: "Amounts and spendable amounts by asset", scope: "read", ok: [200, "{balances}"] },
  "GET /api/v1/orders": {
    summary: "Orders, newest first",
    scope: "read",
    query: { limit: LIMIT, open: { type: "boolean" } },
    ok: [200, "{orders}"],
  },
  "GET /api/v1/orders/:id": { summary: "One order with its events", scope: "read", ok: [200, "the order"] },
  "GET /api/v1/rules": {
    summary: "The rules with their last decision and next time",
    scope: "read",
    ok: [200, "{rules}"],
  },
  "GET /api/v1/decisions": {
    summary: "Decisions of the rules, with reasons and the hash of their inputs",
    scope: "read",
    query: { rule: TEXT, limit: LIMIT },
    ok: [200, "{decisions}"],
  },
  "GET /api/v1/decisions/:id/replay": {
    summary: "Repeat a decision from its stored inputs, as `ballast replay`",
    scope: "read",
    ok: [200, "{decision, rule, same, policy, findings, stored, again}"],
  },
  "GET /api/v1/plan": {
    summary: "Preview of the next decisions; writes nothing",
    scope: "read",
    ok: [200, "the plan"],
  },
  "GET /api/v1/quote": {
    summary: "Best quote, judgement of the guards and worst case; opens no order",
    scope: "read",
    query: SWAP,
    ok: [200, "the quote"],
  },
  "GET /api/v1/events": {
    summary: "Each order that changed",
    scope: "read",
    ok: [200, "server-sent events"],
    media: "text/event-stream",
  },
  "GET /api/v1/reconciliation": {
    summary: "The last comparison of books and chains",
    scope: "read",
    ok: [200, "{assets}"],
  },
  "GET /api/v1/alerts": {
    summary: "The alarms, newest first, and their deliveries",
    scope: "read",
    query: { limit: LIMIT },
    ok: [200, "{alerts, open, receivers}"],
  },
  "GET /api/v1/books": {
    summary: "Volume, costs and fees by week, and balances by the books",
    scope: "read",
    ok: [200, "the books"],
  },
  "GET /api/v1/settings": {
    summary: "The settings in force, without secrets",
    scope: "read",
    ok: [200, "the settings"],
  },
  "POST /api/v1/swap": {
    summary: "Request a swap; with dryRun nothing is signed and no order is opened",
    scope: "operate",
    body: object({ ...SWAP, dryRun: { type: "boolean" } }, ["from", "to", "amount"]),
    ok: [202, "{id}; 200 with quote, deposit and worst case for a dry run"],
  },
  "POST /api/v1/pause": {
    summary: "Stop new deposits of everything, a chain or a rule",
    scope: "operate",
    body: SCOPE,
    ok: [200, "{paused, scope}"],
  },
  "POST /api/v1/resume": {
    summary: "Lift a pause; alarms of the pause must be acknowledged",
    scope: "operate",
    body: object({ chain: TEXT, rule: TEXT, acknowledge: { type: "array", items: TEXT } }),
    ok: [200, "{paused, scope}"],
  },
  "POST /api/v1/reconcile": {
    summary: "Compare books and chains now; with accept, book the asset's difference first",
    scope: "operate",
    body: object({ accept: TEXT, as: { type: "string", enum: ["outside", "unexplained"] } }),
    ok: [200, "{assets}"],
  },
  "POST /api/v1/confirm-clock": {
    summary: "Answer for the machine's clock",
    scope: "operate",
    ok: [200, "{confirmed}"],
  },
  "POST /api/v1/alerts/:id/acknowledge": {
    summary: "Stop the repeats of an alert, or of all",
    scope: "operate",
    ok: [200, "{acknowledged}"],
  },
  "POST /api/v1/recover": {
    summary: "The orders of a lost journal; with adopt, go on with those that hold our deposit",
    scope: "operate",
    body: object({ adopt: { type: "boolean" } }, ["adopt"]),
    ok: [200, "{orders}"],
  },
  "POST /api/v1/reload": {
    summary: "Read the configuration again",
    scope: "operate",
    ok: [200, "{changed, configHash, differences}"],
  },
  "POST /api/v1/orders/:id/approve": {
    summary: "Approve an order that waits for a person",
    scope: "approve",
    body: object({ intent: TEXT }),
    ok: [200, "{id, state}"],
  },
  "POST /api/v1/orders/:id/reject": {
    summary: "Reject an order that waits for a person",
    scope: "approve",
    ok: [200, "{id, state}"],
  },
  "POST /api/v1/orders/:id/retry": { summary: "Try a held order again", scope: "operate", ok: [200, "{id, state}"] },
  "POST /api/v1/orders/:id/abandon": {
    summary: "End an order without a deposit",
    scope: "operate",
    ok: [200, "{id, state}"],
  },
  "POST /api/v1/orders/:id/refund": {
    summary: "Refund a deposit as soon as its HTLC allows it",
    scope: "operate",
    ok: [200, "{id, state}"],
  },
  "POST /api/v1/orders/:id/redeem": {
    summary: "Redeem a payout after its secret is told, without waiting for the service",
    scope: "operate",
    ok: [200, "{id, state}"],
  },
}

/** The OpenAPI 3.1 document of the routes that the app really has. A route that nobody described is missing its texts, and a test fails. */
export function describeApi(app: App, version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const key of listRoutes(app)) {
    const [method = "", path = ""] = key.split(" ")
    const shown = path.replace(/:(\w+)/g, "{$1}")
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: describeRoute(method, path, ROUTES[key]) }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Ballast", version, description: "docs/OPERATIONS.md describes each answer in words." },
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Problem: PROBLEM },
    },
  }
}

/** Method and path of each route, without the checks that stand before all of them and the files of the page. */
export function listRoutes(app: App): readonly string[] {
  const routes = app.routes.filter(({ method, path }) => method !== "ALL" && !/\.(js|css|svg)$/.test(path))
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
}

/** RFC 9457, with every reason of the refusal. */
const PROBLEM = object(
  {
    type: { type: "string", description: "urn:ballast: and the code of the first reason" },
    title: TEXT,
    status: { type: "integer" },
    detail: TEXT,
    reasons: { type: "array", items: object({ code: TEXT, message: TEXT }, ["code", "message"]) },
  },
  ["type", "title", "status", "detail", "reasons"],
)

function describeRoute(method: string, path: string, text: RouteText | undefined): Record<string, unknown> {
  const { summary = "", scope = null, query = {}, body, ok = [200, ""], media, wait } = text ?? {}
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: TEXT }))
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema }))
  const [status, answer] = ok
  const content =
    media === undefined ? { "application/json": { schema: { type: "object" } } } : { [media]: { schema: TEXT } }
  return {
    summary: scope === null ? summary : `${summary} (scope ${scope})`,
    security: scope === null ? [] : [{ token: [] }],
    ...(inPath.length + inQuery.length === 0 ? {} : { parameters: [...inPath, ...inQuery] }),
    ...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: body } } } }),
    responses: {
      [status]: { description: answer, content },
      ...(wait === undefined ? {} : { 503: { description: wait, content } }),
      ...refusalsOf({ hasToken: scope !== null, hasId: inPath.length > 0, isWrite: method === "POST" }),
    },
  }
}

type Refusable = { readonly hasToken: boolean; readonly hasId: boolean; readonly isWrite: boolean }

function refusalsOf({ hasToken, hasId, isWrite }: Refusable): Record<string, unknown> {
  const statuses = [
    ...[400, ...(hasToken ? [401] : []), 403, ...(hasId ? [404] : []), 409],
    ...[...(isWrite ? [413, 415] : []), 429, 500],
  ]
  const problem = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: STATUS_CODES[status] ?? "", content: problem }]),
  )
}
