import { STATUS_CODES } from "node:http"
import type { Context, Hono } from "hono"
import { z } from "zod"
import type { Reason } from "#domain/reason.ts"
import { plainJson } from "#lib/json.ts"
import { printableJson } from "#lib/printable.ts"
import type { Answer, AnswerName } from "#schema/answers/answers.ts"
import type { Caller, Peer } from "./caller.ts"
import type { OriginHeaders } from "./check-origin.ts"
import { sourceOf } from "./throttle.ts"
import { findUnknownField } from "./unknown-name.ts"

/** `peer` comes with each request from the listener (`fetch(request, { peer })`). */
export type AppEnvironment = {
  Bindings: { peer?: Peer }
  /** `key`: the idempotency key of a changing request. */
  Variables: { caller: Caller; key?: string; secureHeadersNonce?: string }
}
export type Ctx = Context<AppEnvironment>
export type App = Hono<AppEnvironment>

/** A request without a peer counts as one over plain TCP. */
export function peerOf(c: Ctx): { peer: Peer; source: string; tls: boolean } {
  const peer: Peer = c.env?.peer ?? { kind: "tcp", address: "unknown", tls: false }
  return peer.kind === "socket"
    ? { peer, source: "unix", tls: false }
    : { peer, source: sourceOf(peer.address), tls: peer.tls }
}

/** The headers that tell by which name and from which page the request came. */
export function originOf(c: Ctx): OriginHeaders {
  return {
    host: c.req.header("host") ?? new URL(c.req.url).host,
    origin: c.req.header("origin"),
    site: c.req.header("sec-fetch-site"),
  }
}

export function answer(c: Ctx, status: 200 | 202, result: Answer<AnswerName>): Response {
  return result.ok
    ? json(c, status, result.body)
    : problem(c, statusOf(result.reasons), result.reasons)
}

type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/** The IETF draft of the header `Idempotency-Key` names these two. */
function statusOf([first]: readonly Reason[]): 404 | 409 | 422 {
  if (first?.code === "request.key_unknown" || first?.code === "order.not_found") return 404
  return first?.code === "request.key_reused" ? 422 : 409
}

export function refuse(c: Ctx, status: RefusalStatus, code: string, message: string): Response {
  return problem(c, status, [{ code, message }])
}

/** Problem details (RFC 9457) with all reasons; the first one gives type and detail. */
function problem(c: Ctx, status: RefusalStatus, reasons: readonly Reason[]): Response {
  const [first] = reasons
  const title = STATUS_CODES[status] ?? ""
  const body = {
    type: `urn:ballast:${first?.code ?? "unknown"}`,
    title,
    status,
    detail: first?.message ?? title,
    reasons,
  }
  return send(c, status, body, "application/problem+json")
}

export function json(c: Ctx, status: 200 | 202 | 503, body: unknown): Response {
  return send(c, status, body, "application/json")
}

function send(c: Ctx, status: RefusalStatus | 200 | 202, body: unknown, type: string): Response {
  return c.body(jsonText(body), status, { "content-type": `${type}; charset=utf-8` })
}

/** A text of `jsonText`, or of several. */
export function sendJson(c: Ctx, text: string): Response {
  return c.body(text, 200, { "content-type": "application/json; charset=utf-8" })
}

export function jsonText(value: unknown): string {
  return printableJson(plainJson(value))
}

export function refuseBusy(c: Ctx, waitMs: number, why: string): Response {
  const seconds = Math.ceil(waitMs / 1_000)
  c.header("retry-after", String(seconds))
  return refuse(c, 429, "ops.busy", `${why}; try again in ${seconds} s`)
}

type Parsed<Schema extends z.ZodType> =
  | { readonly ok: true; readonly body: z.output<Schema> }
  | { readonly ok: false; readonly refusal: Response }

/**
 * The body in the form of its schema, or a refusal that says which form was expected. An empty body
 * is `{}`.
 */
export async function parseJsonBody<Schema extends z.ZodType>(
  c: Ctx,
  schema: Schema,
): Promise<Parsed<Schema>> {
  const text = await c.req.text()
  return parseForm(c, schema, text.trim() === "" ? {} : parseObject(text))
}

function parseForm<Schema extends z.ZodType>(
  c: Ctx,
  schema: Schema,
  request: unknown,
): Parsed<Schema> {
  if (schema instanceof z.ZodObject) {
    const unknown = findUnknownField(request, Object.keys(schema.shape))
    if (unknown !== null)
      return { ok: false, refusal: refuse(c, 400, "request.unknown_field", unknown) }
  }
  const read = schema.safeParse(request)
  if (read.success) return { ok: true, body: read.data }
  const message =
    request === null ? "Expected a JSON object" : (read.error.issues[0]?.message ?? "")
  return { ok: false, refusal: refuse(c, 400, "request.malformed", message) }
}

/** Serves the requests of a path whose parameters have a form, and refuses the others. */
export function createGet(app: App) {
  return <Schema extends z.ZodType>(path: string, form: Schema, serve: Serve<Schema>): void => {
    app.get(path, (c) => {
      const read = parseForm(c, form, c.req.query())
      return read.ok ? serve(read.body, c) : read.refusal
    })
  }
}

/** Serves the requests whose body has a form, and refuses the others. */
export function withBody<Schema extends z.ZodType>(schema: Schema, serve: Serve<Schema>) {
  return async (c: Ctx): Promise<Response> => {
    const read = await parseJsonBody(c, schema)
    return read.ok ? serve(read.body, c) : read.refusal
  }
}

type Serve<Schema extends z.ZodType> = (
  asked: z.output<Schema>,
  c: Ctx,
) => Response | Promise<Response>

/** `null` for a text that is not a JSON object. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text)
    // CAST: any JSON object is a record of unknowns.
    return typeof body === "object" && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : null
  } catch {
    // Not JSON: the caller answers with the expected form.
    return null
  }
}
