import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { NONCE, secureHeaders } from "hono/secure-headers"
import { z } from "zod"
import type { Agent } from "#domain/agent.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import type { Logger } from "#lib/log.ts"
import type { Answer, AnswerName } from "#schema/answers/answers.ts"
import {
  anyBody,
  approveBody,
  flowsQuery,
  logQuery,
  pauseBody,
  quoteQuery,
  reconcileBody,
  recoverBody,
  resumeBody,
  seriesQuery,
  summaryQuery,
  swapBody,
} from "#schema/requests.ts"
import { admit, type Door, isClosed, mayRead, refuseScope, refuseToken } from "./admit.ts"
import {
  type App,
  type AppEnvironment,
  answer,
  type Ctx,
  createGet,
  json,
  parseObject,
  peerOf,
  refuse,
  withBody,
} from "./answers.ts"
import { describeApi } from "./api/describe-api.ts"
import { ROUTES } from "./api/routes.ts"
import { createInTurn } from "./ask-turns.ts"
import type { OpsToken } from "./caller.ts"
import { isOwnHost, readableName } from "./check-origin.ts"
import { isIdempotencyKey, KEY_EXPECTED, parseIdempotencyKey } from "./idempotency-key.ts"
import type { Operations } from "./operations.ts"
import { refuseUnknown } from "./refuse-unknown.ts"
import { serveAgents } from "./serve-agents.ts"
import { serveLists } from "./serve-lists.ts"
import { servePage } from "./serve-page.ts"
import { serveLogin, serveSession } from "./serve-session.ts"
import { serveStudies } from "./serve-studies.ts"
import { createSessions } from "./sessions.ts"
import { createEventStreams } from "./stream-events.ts"
import { createThrottle } from "./throttle.ts"

type AppOptions = {
  /** Of the installed package, for the description of the interface. */
  readonly version?: string
  readonly tokens: () => readonly OpsToken[]
  readonly agents?: () => readonly Agent[]
  /** Names, beside IP addresses and localhost, by which clients may reach the TCP listener. */
  readonly hosts: () => readonly string[]
  readonly log: Logger
  readonly clock: Clock
  readonly noteRefused?: NonNullable<Door["noteRefused"]>
}

/** Every request of this interface is far smaller. */
const MAX_BODY_BYTES = 64 * 1024

/**
 * The HTTP interface that docs/HTTP.md lists. Over TCP everything but health and the empty
 * page needs a token with the scope of the request, or a session that a token opened; without a
 * configured token only health is served. The Unix socket is open to our own user only, and needs
 * none.
 *
 * Bodies are JSON, errors problem details (RFC 9457) with `reasons: [{code, message, …}]`: 400
 * malformed, 401 no or wrong token, 403 foreign page or missing scope, 404 unknown, 409 refused,
 * 413 too large, 415 not JSON, 422 a key of another request, 429 too many requests, 503 not ready,
 * or only the cluster's leader can answer.
 */
export function createApp(operations: Operations, options: AppOptions): App {
  const app: App = new Hono<AppEnvironment>()
  const door: Door = {
    ...options,
    throttle: createThrottle(options.clock),
    sessions: createSessions(options.clock),
  }
  app.use("*", strictHeaders())
  app.use("*", async (c, next) => {
    const { peer, source } = peerOf(c)
    const host = c.req.header("host") ?? new URL(c.req.url).host
    if (peer.kind === "socket" || isOwnHost(host, options.hosts())) return next()
    options.noteRefused?.("names", `the last one asks ${readableName(host)}, from ${source}`)
    const message =
      "The Host header names another host; add the name to ops.hosts if clients reach this " +
      "listener by it"
    return refuse(c, 403, "ops.host", message)
  })
  serveHealth(app, operations)
  servePage(app, (c) => (isClosed(c, door) ? refuseToken(c, door) : null))
  serveLogin(app, door, limitBody())
  app.use("*", async (c, next) => admit(c, door) ?? next())
  app.use("*", limitBody())
  app.use("*", async (c, next) => {
    if (c.req.method !== "POST" || isJson(c) || (await c.req.text()) === "") return next()
    return refuse(c, 415, "ops.content_type", "Expected the header content-type: application/json")
  })
  serveSession(app, door)
  app.use("*", refuseUnknown)
  app.get("/api/v1/openapi.json", (c) => json(c, 200, describeApi(app, options.version ?? "")))
  serveEvents(app, operations, { door, clock: options.clock })
  const inTurn = createInTurn("the services and nodes")
  const answerInTurn: AnswerInTurn = (c, ask) => inTurn(c, async () => answer(c, 200, await ask()))
  serveReads(app, operations, answerInTurn)
  serveLists(app, operations)
  serveStudies(app, operations, createInTurn("answers from the whole journal", 1))
  serveWrites(app, operations, answerInTurn)
  serveAgents(app, operations, options)
  app.notFound((c) => refuse(c, 404, "request.path", "There is nothing at this path"))
  app.onError((error, c) => {
    if (!isOfStandby(error)) options.log.error({ err: error, path: c.req.path }, "A request failed")
    const code = error instanceof AppError ? error.code : "ops.internal"
    // A standby, and a daemon without its log, may answer later or elsewhere.
    if (error instanceof AppError && code.startsWith("cluster."))
      return refuse(c, 503, code, error.message)
    return refuse(
      c,
      500,
      code,
      error instanceof AppError ? error.message : "Internal error; see the log",
    )
  })
  return app
}

/** A request that only the leader can answer is no failure of the standby. */
function isOfStandby(error: unknown): boolean {
  return error instanceof AppError && error.code === "cluster.standby"
}

function limitBody() {
  return bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (c) => refuse(c, 413, "ops.body_size", `A body has at most ${MAX_BODY_BYTES} bytes`),
  })
}

/**
 * The page runs only its own script and style, talks only to this listener, and no other page may
 * show or read it.
 */
function strictHeaders() {
  const headers = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: [NONCE],
      styleSrc: [NONCE],
      connectSrc: ["'self'"],
      imgSrc: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
    xFrameOptions: "DENY",
    referrerPolicy: "no-referrer",
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
  })
  return async (c: Ctx, next: () => Promise<void>): Promise<Response | undefined> => {
    const result = await headers(c, next)
    c.header("cache-control", "no-store")
    if (peerOf(c).tls) c.header("strict-transport-security", "max-age=31536000")
    return result ?? undefined
  }
}

/**
 * Admits a caller with the scope of a changing path, and writes the request down before it is
 * carried out.
 */
function changing(operations: Operations, path: string, action: string) {
  const scope = mustExist(ROUTES[`POST ${path}`]?.scope, path)
  return async (c: Ctx, next: () => Promise<void>): Promise<Response | undefined> => {
    const caller = c.get("caller")
    if (!caller.scopes.includes(scope)) return refuseScope(c, caller, scope)
    const header = c.req.header("idempotency-key")
    const key = header === undefined ? null : parseIdempotencyKey(header)
    if (header !== undefined && key === null)
      return refuse(c, 400, "request.key_malformed", KEY_EXPECTED)
    if (key !== null) c.set("key", key)
    const body = await c.req.text()
    const { chain, rule, accept } = parseObject(body) ?? {}
    const subject =
      [c.req.param("id"), chain, rule, accept].find((id) => typeof id === "string") ?? null
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

/** With an idempotency key the same request acts once, and its answer is kept. */
async function answerOnce<Name extends AnswerName>(
  c: Ctx,
  operations: Pick<Operations, "once">,
  act: () => Answer<Name> | Promise<Answer<Name>>,
  waits = false,
): Promise<Response> {
  const key = c.get("key")
  if (key === undefined) return answer(c, 200, await act())
  const request = encodeJson([c.req.path, parseObject(await c.req.text())])
  return answer(c, 200, await operations.once(key, request, act, waits))
}

function isJson(c: Ctx): boolean {
  return /^application\/json\s{0,8}(;|$)/i.test(c.req.header("content-type") ?? "")
}

/** The only paths without a token. */
function serveHealth(app: App, operations: Operations): void {
  app.get("/healthz", (c) => json(c, 200, { status: "ok" }))
  app.get("/readyz", (c) =>
    operations.isReady()
      ? json(c, 200, { status: "ready" })
      : json(c, 503, { status: operations.isStandby?.() === true ? "standby" : "starting" }),
  )
}

type EventParts = { readonly door: Door; readonly clock: Clock }

/**
 * The feed of the events itself waits for the disk. Here nothing stands between the start of a
 * stream and its answer: a client that is gone ends it, and no failure drops the answer alone.
 */
function serveEvents(app: App, operations: Operations, { door, clock }: EventParts): void {
  const streamEvents = createEventStreams(operations, clock)
  app.get("/api/v1/events", (c) => streamEvents(c, () => mayRead(c, door)))
}

/** Answers with the result of a question to services and nodes, when it is its turn. */
type AnswerInTurn = (c: Ctx, ask: () => Promise<Answer<AnswerName>>) => Promise<Response>

function serveReads(app: App, operations: Operations, answerInTurn: AnswerInTurn): void {
  // A read shows a step before its group is on disk, and a step that the disk refuses never was.
  app.use("*", async (c, next) => {
    await next()
    if (c.req.method === "GET" || c.req.method === "HEAD") await operations.untilOnDisk()
  })
  const get = createGet(app)
  app.get("/metrics", async (c) => c.text(await operations.metrics()))
  app.get("/api/v1/status", (c) => json(c, 200, operations.status()))
  app.get("/api/v1/overview", (c) => json(c, 200, operations.overview()))
  app.get("/api/v1/balances", (c) =>
    answerInTurn(c, async () => ({ ok: true, body: { balances: await operations.balances() } })),
  )
  get("/api/v1/summary", summaryQuery, async ({ since = null }, c) =>
    json(c, 200, await operations.summary(since)),
  )
  get("/api/v1/flows", flowsQuery, async ({ since = null }, c) =>
    json(c, 200, await operations.flows(since)),
  )
  get("/api/v1/series/:asset", seriesQuery, ({ since = null }, c) => {
    const series = operations.series(c.req.param("asset") ?? "", since)
    return series === null
      ? refuse(c, 404, "request.asset", "The configuration lists no such asset")
      : json(c, 200, series)
  })
  app.get("/api/v1/orders/:id", (c) => {
    const order = operations.order(c.req.param("id"))
    return order === null ? answer(c, 200, NO_ORDER) : json(c, 200, order)
  })
  app.get("/api/v1/rules", (c) => json(c, 200, { rules: operations.rules() }))
  app.get("/api/v1/decisions/:id/replay", (c) => {
    const replay = operations.replay(c.req.param("id"))
    return replay === null
      ? refuse(c, 404, "decision.not_found", "There is no such decision")
      : answer(c, 200, replay)
  })
  app.get("/api/v1/plan", (c) =>
    answerInTurn(c, async () => ({ ok: true, body: await operations.plan() })),
  )
  get("/api/v1/quote", quoteQuery, (asked, c) => answerInTurn(c, () => operations.quote(asked)))
  app.get("/api/v1/reconciliation", (c) => json(c, 200, { assets: operations.reconciliation() }))
  app.get("/api/v1/books", async (c) => json(c, 200, await operations.books()))
  get("/api/v1/log", logQuery, (asked, c) => json(c, 200, operations.readLog(asked)))
  app.get("/api/v1/settings", (c) => json(c, 200, operations.settings()))
}

function serveWrites(app: App, operations: Operations, answerInTurn: AnswerInTurn): void {
  app.post(
    "/api/v1/swap",
    changing(operations, "/api/v1/swap", "swap"),
    withBody(swapBody, async (swap, c) => {
      const submit = (): ReturnType<Operations["submit"]> =>
        operations.submit(swap, c.get("key") ?? null, c.get("caller").name)
      return swap.dryRun === true ? answerInTurn(c, submit) : answer(c, 202, await submit())
    }),
  )
  app.get("/api/v1/swap/:key", async (c) => {
    const key = c.req.param("key")
    if (!isIdempotencyKey(key)) return refuse(c, 400, "request.key_malformed", KEY_EXPECTED)
    return answer(c, 200, await operations.findKeyed(key))
  })
  app.post(
    "/api/v1/swap/:key/withdraw",
    changing(operations, "/api/v1/swap/:key/withdraw", "withdraw-key"),
    async (c) => {
      const key = c.req.param("key") ?? ""
      if (!isIdempotencyKey(key)) return refuse(c, 400, "request.key_malformed", KEY_EXPECTED)
      return answer(c, 200, await operations.withdrawKey(key))
    },
  )
  const change = createChange(app, operations)
  change("/api/v1/pause", "pause", pauseBody, operations.pause)
  change("/api/v1/resume", "resume", resumeBody, ({ acknowledge = [], ...scope }) =>
    operations.resume(scope, acknowledge),
  )
  const reconcile = ({ accept, as }: z.output<typeof reconcileBody>) =>
    operations.reconcile(accept === undefined ? null : { asset: accept, as })
  change("/api/v1/reconcile", "reconcile", reconcileBody, reconcile, true)
  change("/api/v1/cluster/hand-over", "hand-over", noBody, operations.handOver, true)
  change("/api/v1/confirm-clock", "confirm-clock", noBody, operations.confirmClock)
  change("/api/v1/alerts/:id/acknowledge", "acknowledge", noBody, (_, { id, by }) =>
    operations.acknowledge(id, by),
  )
  change("/api/v1/proposals/:id/dismiss", "dismiss-proposal", noBody, (_, { id, by }) =>
    operations.dismissProposal(id, by),
  )
  change("/api/v1/recover", "recover", recoverBody, ({ adopt }) => operations.recover(adopt), true)
  change("/api/v1/reload", "reload", noBody, operations.reload, true)
  for (const verb of ["approve", "reject", "retry", "abandon", "refund", "redeem"] as const)
    change(
      `/api/v1/orders/:id/${verb}`,
      verb,
      verb === "approve" ? approveBody : anyBody,
      ({ intent = null }, { id, by }) =>
        operations.order(id) === null ? NO_ORDER : operations.operate(id, verb, intent, by),
    )
}

const noBody = z.unknown()
const NO_ORDER = {
  ok: false,
  reasons: [{ code: "order.not_found", message: "There is no such order" }],
} as const

/** A change of a path with a body of this form acts once under its key; `id` is the path's. */
function createChange(app: App, operations: Operations) {
  return <Schema extends z.ZodType, Name extends AnswerName>(
    path: string,
    action: string,
    body: Schema,
    act: (
      asked: z.output<Schema>,
      of: { readonly id: string; readonly by: string },
    ) => Answer<Name> | Promise<Answer<Name>>,
    waits = false,
  ): void => {
    const serve = withBody(body, (asked, c) => {
      const of = { id: c.req.param("id") ?? "", by: c.get("caller").name }
      return answerOnce(c, operations, () => act(asked, of), waits)
    })
    app.post(path, changing(operations, path, action), serve)
  }
}
