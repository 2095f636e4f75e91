import { createHash, timingSafeEqual } from "node:crypto"
import { type Context, Hono } from "hono"
import { streamSSE } from "hono/streaming"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Logger } from "#lib/log.ts"
import type { Secret } from "#lib/secret.ts"
import type { Answer, Operations, Scope, SubmitRequest } from "./operations.ts"

/**
 * The HTTP interface that docs/OPERATIONS.md lists. Everything but health needs the bearer token; without a configured token only health is served.
 *
 * Bodies are JSON, errors `{reasons: [{code, message, …}]}`: 400 malformed, 401 no or wrong token, 404 unknown, 409 refused, 503 not ready.
 */
export function createApp(
  operations: Operations,
  options: { token: () => Secret | null; dashboard: () => string; log: Logger },
): Hono {
  const app = new Hono()
  serveHealth(app, operations)
  app.use("*", async (c, next) => {
    const problem = checkCaller(c, options.token())
    if (problem === null) return next()
    // This header makes a browser ask its user for the token; the user name does not matter.
    c.header("www-authenticate", 'Basic realm="Ballast", charset="UTF-8"')
    return refuse(c, 401, problem.code, problem.message)
  })
  app.get("/", (c) => c.html(options.dashboard()))
  serveReads(app, operations)
  serveWrites(app, operations)
  serveOrderVerbs(app, operations)
  app.notFound((c) => refuse(c, 404, "request.path", "There is nothing at this path"))
  app.onError((error, c) => {
    options.log.error({ err: error, path: c.req.path }, "A request failed")
    const code = error instanceof AppError ? error.code : "ops.internal"
    return refuse(c, 500, code, error instanceof AppError ? error.message : "Internal error; see the log")
  })
  return app
}

/** The only paths without a token. */
function serveHealth(app: Hono, operations: Operations): void {
  app.get("/healthz", (c) => json(c, 200, { status: "ok" }))
  app.get("/readyz", (c) =>
    operations.isReady() ? json(c, 200, { status: "ready" }) : json(c, 503, { status: "starting" }),
  )
}

function serveReads(app: Hono, operations: Operations): void {
  app.get("/metrics", async (c) => c.text(await operations.metrics()))
  app.get("/api/v1/status", (c) => json(c, 200, operations.status()))
  app.get("/api/v1/balances", async (c) => json(c, 200, { balances: await operations.balances() }))
  app.get("/api/v1/orders", (c) =>
    json(c, 200, { orders: operations.orders({ limit: limitOf(c), open: c.req.query("open") === "true" }) }),
  )
  app.get("/api/v1/orders/:id", (c) => {
    const order = operations.order(c.req.param("id"))
    return order === null ? refuse(c, 404, "order.not_found", "There is no such order") : json(c, 200, order)
  })
  app.get("/api/v1/rules", (c) => json(c, 200, { rules: operations.rules() }))
  app.get("/api/v1/decisions", (c) =>
    json(c, 200, { decisions: operations.decisions({ rule: c.req.query("rule") ?? null, limit: limitOf(c) }) }),
  )
  app.get("/api/v1/plan", async (c) => json(c, 200, await operations.plan()))
  app.get("/api/v1/events", (c) => streamEvents(c, operations))
  app.get("/api/v1/reconciliation", (c) => json(c, 200, { assets: operations.reconciliation() }))
}

function serveWrites(app: Hono, operations: Operations): void {
  app.post("/api/v1/swap", async (c) => {
    const request = parseSwap(await bodyOf(c))
    if (typeof request === "string") return refuse(c, 400, "request.malformed", request)
    return answer(c, request.dryRun === true ? 200 : 202, await operations.submit(request))
  })
  app.post("/api/v1/pause", async (c) => {
    const scope = parseScope(parsePauseBody(await c.req.text()))
    if (scope === null) return refuse(c, 400, "request.malformed", "Expected nothing, {}, {chain} or {rule}")
    return answer(c, 200, await operations.pause(scope))
  })
  app.post("/api/v1/resume", async (c) => {
    const { acknowledge = [], ...rest } = parsePauseBody(await c.req.text()) ?? { malformed: true }
    const scope = parseScope(rest)
    if (scope === null || !isTextList(acknowledge)) {
      const message = "Expected nothing, {}, {chain}, {rule} or {acknowledge: [alarm ids]}"
      return refuse(c, 400, "request.malformed", message)
    }
    return answer(c, 200, operations.resume(scope, acknowledge))
  })
  app.post("/api/v1/reconcile", async (c) => {
    const { accept, as = "outside" } = (await bodyOf(c)) ?? {}
    if ((accept !== undefined && typeof accept !== "string") || (as !== "outside" && as !== "unexplained")) {
      return refuse(c, 400, "request.malformed", "Expected {}, or {accept: asset id, as: outside or unexplained}")
    }
    return answer(c, 200, await operations.reconcile(accept === undefined ? null : { asset: accept, as }))
  })
  app.post("/api/v1/confirm-clock", (c) => answer(c, 200, operations.confirmClock()))
  app.post("/api/v1/reload", async (c) => answer(c, 200, await operations.reload()))
}

function serveOrderVerbs(app: Hono, operations: Operations): void {
  for (const verb of ["approve", "reject", "retry", "abandon", "refund"] as const) {
    app.post(`/api/v1/orders/:id/${verb}`, async (c) => {
      const id = c.req.param("id")
      const intent = (await bodyOf(c))?.["intent"] ?? null
      if (intent !== null && typeof intent !== "string") {
        return refuse(c, 400, "request.malformed", "intent is the hash that the order shows, as a string")
      }
      if (operations.order(id) === null) return refuse(c, 404, "order.not_found", "There is no such order")
      return answer(c, 200, operations.operate(id, verb, intent))
    })
  }
}

/** The request, or the sentence that says which form was expected. */
function parseSwap(body: Record<string, unknown> | null): SubmitRequest | string {
  const { from, to, amount, deposit, destination, dryRun } = body ?? {}
  if (typeof from !== "string" || typeof to !== "string" || typeof amount !== "string")
    return "Expected {from, to, amount} as strings, the amount in the asset's own unit"
  if (deposit !== undefined && deposit !== "auto" && deposit !== "gasless" && deposit !== "onchain")
    return "deposit is auto, gasless or onchain"
  if (destination !== undefined && typeof destination !== "string") return "destination is an address, as a string"
  if (dryRun !== undefined && typeof dryRun !== "boolean") return "dryRun is true or false"
  return {
    from,
    to,
    amount,
    ...(deposit ? { deposit } : {}),
    ...(destination === undefined ? {} : { destination }),
    ...(dryRun === true ? { dryRun } : {}),
  }
}

/** Accepts `Bearer <token>`, or Basic with the token as password. Browsers add Basic by themselves, so it counts only from our own pages. */
function checkCaller(c: Context, token: Secret | null): { code: string; message: string } | null {
  if (token === null)
    return { code: "ops.no_token", message: "No ops.token is configured, so only /healthz and /readyz are served" }
  const [scheme, credentials] = (c.req.header("authorization") ?? "").split(" ", 2)
  const basic = scheme?.toLowerCase() === "basic"
  const given = basic
    ? Buffer.from(credentials ?? "", "base64")
        .toString()
        .replace(/^[^:]*:/, "")
    : (credentials ?? "")
  const [a, b] = [createHash("sha256").update(given).digest(), createHash("sha256").update(token.reveal()).digest()]
  const foreign = basic && !["same-origin", "none", undefined].includes(c.req.header("sec-fetch-site"))
  if ((basic || scheme?.toLowerCase() === "bearer") && !foreign && timingSafeEqual(a, b)) return null
  return { code: "ops.unauthorized", message: "Expected `Authorization: Bearer <ops.token>`" }
}

function answer(c: Context, status: 200 | 202, result: Answer): Response {
  if (result.ok) return json(c, status, result.body)
  return json(c, 409, { reasons: result.reasons })
}

function refuse(c: Context, status: 400 | 401 | 404 | 409 | 500, code: string, message: string): Response {
  return json(c, status, { reasons: [{ code, message }] })
}

function json(c: Context, status: 200 | 202 | 400 | 401 | 404 | 409 | 500 | 503, body: unknown): Response {
  return c.body(plainJson(body), status, { "content-type": "application/json; charset=utf-8" })
}

async function bodyOf(c: Context): Promise<Record<string, unknown> | null> {
  return parseObject(await c.req.text())
}

/** `null` for a text that is not a JSON object. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text)
    // CAST: any JSON object is a record of unknowns.
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : null
  } catch {
    // Not JSON: the caller answers with the expected form.
    return null
  }
}

/** An empty body is `{}`. */
function parsePauseBody(text: string): Record<string, unknown> | null {
  return text.trim() === "" ? {} : parseObject(text)
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}

/** `null` for an unknown scope: a misspelt key must not resume everything. */
function parseScope(body: Record<string, unknown> | null): Scope | null {
  const entries = Object.entries(body ?? { malformed: true })
  if (entries.length === 0) return {}
  const [[key, value] = ["", null], ...more] = entries
  if (more.length > 0 || typeof value !== "string") return null
  return key === "chain" ? { chain: value } : key === "rule" ? { rule: value } : null
}

function limitOf(c: Context): number {
  const limit = Number(c.req.query("limit") ?? 100)
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, 1_000) : 100
}

function streamEvents(c: Context, operations: Operations): Response {
  return streamSSE(c, async (stream) => {
    const unsubscribe = operations.subscribe((event) => {
      void stream.writeSSE({ event: event.type, data: plainJson(event.order) })
    })
    stream.onAbort(unsubscribe)
    while (!stream.aborted) {
      // A regular comment keeps proxies from closing a quiet stream.
      await stream.write(": ok\n\n")
      await stream.sleep(15_000)
    }
  })
}
