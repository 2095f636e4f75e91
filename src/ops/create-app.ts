import { type Context, Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { NONCE, secureHeaders } from "hono/secure-headers"
import { streamSSE } from "hono/streaming"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import type { Logger } from "#lib/log.ts"
import { printableJson } from "#lib/printable.ts"
import {
  type Caller,
  findCaller,
  type OpsToken,
  type Peer,
  type Permission,
  parseAuthorization,
  SOCKET_CALLER,
} from "./caller.ts"
import { isForeign, isOwnHost } from "./check-origin.ts"
import type { Answer, Operations, Scope, SubmitRequest } from "./operations.ts"
import { createThrottle, sourceOf, type Throttle } from "./throttle.ts"

/** `peer` comes with each request from the listener (`fetch(request, { peer })`). */
export type AppEnvironment = {
  Bindings: { peer?: Peer }
  Variables: { caller: Caller; secureHeadersNonce?: string }
}
type Ctx = Context<AppEnvironment>
type App = Hono<AppEnvironment>

export type AppOptions = {
  readonly tokens: () => readonly OpsToken[]
  /** Names, beside IP addresses and localhost, by which clients may reach the TCP listener. */
  readonly hosts: () => readonly string[]
  readonly dashboard: (nonce: string) => string
  readonly log: Logger
  readonly clock: Clock
}

/** Every request of this interface is far smaller. */
const MAX_BODY_BYTES = 64 * 1024

/**
 * The HTTP interface that docs/OPERATIONS.md lists. Over TCP everything but health needs a bearer token with the scope of the request; without a
 * configured token only health is served. The Unix socket is open to our own user only, and needs none.
 *
 * Bodies are JSON, errors `{reasons: [{code, message, …}]}`: 400 malformed, 401 no or wrong token, 403 foreign page or missing scope, 404 unknown,
 * 409 refused, 413 too large, 415 not JSON, 429 too many requests, 503 not ready.
 */
export function createApp(operations: Operations, options: AppOptions): App {
  const app: App = new Hono<AppEnvironment>()
  const throttle = createThrottle(options.clock)
  app.use("*", strictHeaders())
  app.use("*", async (c, next) => {
    const { peer } = peerOf(c)
    if (peer.kind === "socket" || isOwnHost(c.req.header("host") ?? new URL(c.req.url).host, options.hosts()))
      return next()
    const message = "The Host header names another host; add the name to ops.hosts if clients reach this listener by it"
    return refuse(c, 403, "ops.host", message)
  })
  serveHealth(app, operations)
  app.use("*", async (c, next) => admit(c, options, throttle) ?? next())
  app.use(
    "*",
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (c) => refuse(c, 413, "ops.body_size", `A body has at most ${MAX_BODY_BYTES} bytes`),
    }),
  )
  app.use("*", async (c, next) => {
    if (c.req.method !== "POST" || isJson(c) || (await c.req.text()) === "") return next()
    return refuse(c, 415, "ops.content_type", "Expected the header content-type: application/json")
  })
  app.get("/", (c) => c.html(options.dashboard(c.get("secureHeadersNonce") ?? "")))
  serveReads(app, operations, options)
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

/** The page runs only its own script and style, talks only to this listener, and no other page may show or read it. */
function strictHeaders() {
  const headers = secureHeaders({
    contentSecurityPolicy: {
      ...{ defaultSrc: ["'none'"], scriptSrc: [NONCE], styleSrc: [NONCE], connectSrc: ["'self'"] },
      ...{ frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    ...{ xFrameOptions: "DENY", referrerPolicy: "no-referrer", strictTransportSecurity: false },
    ...{ crossOriginOpenerPolicy: "same-origin", crossOriginResourcePolicy: "same-origin" },
  })
  return async (c: Ctx, next: () => Promise<void>): Promise<Response | undefined> => {
    const result = await headers(c, next)
    c.header("cache-control", "no-store")
    if (peerOf(c).tls) c.header("strict-transport-security", "max-age=31536000")
    return result ?? undefined
  }
}

/** Refuses a request that its caller may not make; `null` lets it through. */
function admit(c: Ctx, { tokens, log }: AppOptions, throttle: Throttle): Response | null {
  const { peer, source, tls } = peerOf(c)
  const credentials = parseAuthorization(c.req.header("authorization"))
  const headers = {
    host: c.req.header("host") ?? new URL(c.req.url).host,
    origin: c.req.header("origin"),
    site: c.req.header("sec-fetch-site"),
  }
  const write = !["GET", "HEAD"].includes(c.req.method)
  if (peer.kind === "tcp" && isForeign(headers, { byBrowser: credentials?.basic === true, write, tls }))
    return refuse(c, 403, "ops.origin", "A page of another origin may not use this interface")
  const waitMs = throttle.pauseOf(source)
  if (peer.kind === "tcp" && waitMs > 0) return refuseBusy(c, waitMs, "Too many wrong tokens came from this address")
  const caller =
    peer.kind === "socket" ? SOCKET_CALLER : credentials === null ? null : findCaller(tokens(), credentials.token)
  if (caller === null) {
    if (credentials !== null && tokens().length > 0) {
      throttle.countFailure(source)
      log.warn({ source, path: c.req.path }, "A request had a wrong token")
    }
    return refuseToken(c, tokens().length > 0)
  }
  const busyMs = throttle.takeRequest(caller.name)
  if (busyMs > 0) return refuseBusy(c, busyMs, `The token ${caller.name} made too many requests`)
  // Each changing path names its own scope: `changing`.
  if (!write && !caller.scopes.includes("read")) return refuseScope(c, caller, "read")
  c.set("caller", caller)
  return null
}

function refuseScope(c: Ctx, { name }: Caller, scope: Permission): Response {
  return refuse(c, 403, "ops.scope", `The token ${name} lacks the scope ${scope}`)
}

/** Admits a caller with this scope to a changing path, and writes the request down before it is carried out. */
function changing(operations: Operations, scope: Permission, action: string) {
  return async (c: Ctx, next: () => Promise<void>): Promise<Response | undefined> => {
    const caller = c.get("caller")
    if (!caller.scopes.includes(scope)) return refuseScope(c, caller, scope)
    const body = await c.req.text()
    const { chain, rule, accept } = parseObject(body) ?? {}
    const subject = [c.req.param("id"), chain, rule, accept].find((id) => typeof id === "string") ?? null
    operations.recordCall({
      caller: caller.name,
      source: peerOf(c).source,
      action,
      subject: subject === null ? null : String(subject),
      body,
    })
    await next()
    // The answer is the caller's proof, so it leaves after the change is on disk.
    await operations.durable()
    return undefined
  }
}

function refuseToken(c: Ctx, configured: boolean): Response {
  // This header makes a browser ask its user for the token; the user name does not matter.
  c.header("www-authenticate", 'Basic realm="Ballast", charset="UTF-8"')
  if (configured) return refuse(c, 401, "ops.unauthorized", "Expected `Authorization: Bearer <ops.token>`")
  return refuse(c, 401, "ops.no_token", "No ops.token is configured, so only /healthz and /readyz are served")
}

function refuseBusy(c: Ctx, waitMs: number, why: string): Response {
  const seconds = Math.ceil(waitMs / 1_000)
  c.header("retry-after", String(seconds))
  return refuse(c, 429, "ops.busy", `${why}; try again in ${seconds} s`)
}

/** A request without a peer counts as one over plain TCP. */
function peerOf(c: Ctx): { peer: Peer; source: string; tls: boolean } {
  const peer: Peer = c.env?.peer ?? { kind: "tcp", address: "unknown", tls: false }
  return peer.kind === "socket"
    ? { peer, source: "unix", tls: false }
    : { peer, source: sourceOf(peer.address), tls: peer.tls }
}

function isJson(c: Ctx): boolean {
  return /^application\/json\s{0,8}(;|$)/i.test(c.req.header("content-type") ?? "")
}

/** The only paths without a token. */
function serveHealth(app: App, operations: Operations): void {
  app.get("/healthz", (c) => json(c, 200, { status: "ok" }))
  app.get("/readyz", (c) =>
    operations.isReady() ? json(c, 200, { status: "ready" }) : json(c, 503, { status: "starting" }),
  )
}

function serveReads(app: App, operations: Operations, options: AppOptions): void {
  app.get("/metrics", async (c) => c.text(await operations.metrics()))
  app.get("/api/v1/status", (c) => json(c, 200, operations.status()))
  app.get("/api/v1/overview", (c) => json(c, 200, operations.overview()))
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
  app.get("/api/v1/quote", async (c) => {
    const request = parseSwap({ ...c.req.query() })
    if (typeof request === "string") return refuse(c, 400, "request.malformed", request)
    return answer(c, 200, await operations.quote(request))
  })
  app.get("/api/v1/events", (c) => streamEvents(c, operations, () => mayRead(c, options)))
  app.get("/api/v1/reconciliation", (c) => json(c, 200, { assets: operations.reconciliation() }))
}

function serveWrites(app: App, operations: Operations): void {
  app.post("/api/v1/swap", changing(operations, "operate", "swap"), async (c) => {
    const request = parseSwap(await bodyOf(c))
    if (typeof request === "string") return refuse(c, 400, "request.malformed", request)
    return answer(c, request.dryRun === true ? 200 : 202, await operations.submit(request))
  })
  app.post("/api/v1/pause", changing(operations, "operate", "pause"), async (c) => {
    const scope = parseScope(parsePauseBody(await c.req.text()))
    if (scope === null) return refuse(c, 400, "request.malformed", "Expected nothing, {}, {chain} or {rule}")
    return answer(c, 200, await operations.pause(scope))
  })
  app.post("/api/v1/resume", changing(operations, "operate", "resume"), async (c) => {
    const { acknowledge = [], ...rest } = parsePauseBody(await c.req.text()) ?? { malformed: true }
    const scope = parseScope(rest)
    if (scope === null || !isTextList(acknowledge)) {
      const message = "Expected nothing, {}, {chain}, {rule} or {acknowledge: [alarm ids]}"
      return refuse(c, 400, "request.malformed", message)
    }
    return answer(c, 200, operations.resume(scope, acknowledge))
  })
  app.post("/api/v1/reconcile", changing(operations, "operate", "reconcile"), async (c) => {
    const { accept, as = "outside" } = (await bodyOf(c)) ?? {}
    if ((accept !== undefined && typeof accept !== "string") || (as !== "outside" && as !== "unexplained")) {
      return refuse(c, 400, "request.malformed", "Expected {}, or {accept: asset id, as: outside or unexplained}")
    }
    return answer(c, 200, await operations.reconcile(accept === undefined ? null : { asset: accept, as }))
  })
  app.post("/api/v1/confirm-clock", changing(operations, "operate", "confirm-clock"), (c) =>
    answer(c, 200, operations.confirmClock()),
  )
  app.post("/api/v1/reload", changing(operations, "operate", "reload"), async (c) =>
    answer(c, 200, await operations.reload()),
  )
}

function serveOrderVerbs(app: App, operations: Operations): void {
  for (const verb of ["approve", "reject", "retry", "abandon", "refund"] as const) {
    const scope = verb === "approve" || verb === "reject" ? "approve" : "operate"
    app.post(`/api/v1/orders/:id/${verb}`, changing(operations, scope, verb), async (c) => {
      const id = c.req.param("id") ?? ""
      const intent = (await bodyOf(c))?.["intent"] ?? null
      if (intent !== null && typeof intent !== "string") {
        return refuse(c, 400, "request.malformed", "intent is the hash that the order shows, as a string")
      }
      if (operations.order(id) === null) return refuse(c, 404, "order.not_found", "There is no such order")
      return answer(c, 200, operations.operate(id, verb, intent, c.get("caller").name))
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

function answer(c: Ctx, status: 200 | 202, result: Answer): Response {
  if (result.ok) return json(c, status, result.body)
  return json(c, 409, { reasons: result.reasons })
}

type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500

function refuse(c: Ctx, status: RefusalStatus, code: string, message: string): Response {
  return json(c, status, { reasons: [{ code, message }] })
}

function json(c: Ctx, status: RefusalStatus | 200 | 202 | 503, body: unknown): Response {
  return c.body(printableJson(plainJson(body)), status, { "content-type": "application/json; charset=utf-8" })
}

async function bodyOf(c: Ctx): Promise<Record<string, unknown> | null> {
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

function limitOf(c: Ctx): number {
  const limit = Number(c.req.query("limit") ?? 100)
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, 1_000) : 100
}

/** More unsent events than this mean that the reader has stopped reading; they would fill our memory. */
const MAX_UNSENT_EVENTS = 1_000

function streamEvents(c: Ctx, operations: Operations, isAllowed: () => boolean): Response {
  return streamSSE(c, async (stream) => {
    let unsent = 0
    const unsubscribe = operations.subscribe((event) => {
      unsent++
      void stream.writeSSE({ event: event.type, data: printableJson(plainJson(event.order)) }).finally(() => unsent--)
      if (unsent > MAX_UNSENT_EVENTS) stream.abort()
    })
    stream.onAbort(unsubscribe)
    // A token that a reload removed reads no further.
    while (!stream.aborted && isAllowed()) {
      // A regular comment keeps proxies from closing a quiet stream.
      await stream.write(": ok\n\n")
      await stream.sleep(15_000)
    }
    unsubscribe()
  })
}

function mayRead(c: Ctx, { tokens }: AppOptions): boolean {
  const credentials = parseAuthorization(c.req.header("authorization"))
  if (peerOf(c).peer.kind === "socket") return true
  return credentials !== null && findCaller(tokens(), credentials.token)?.scopes.includes("read") === true
}
