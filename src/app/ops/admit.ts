import type { Logger } from "#lib/log.ts"
import { type Ctx, originOf, peerOf, refuse, refuseBusy } from "./answers.ts"
import {
  type Caller,
  findCaller,
  type OpsToken,
  type Permission,
  parseAuthorization,
  SOCKET_CALLER,
} from "./caller.ts"
import { isForeign, readableName } from "./check-origin.ts"
import { CSRF_HEADER, readSessionCookie, type Sessions } from "./sessions.ts"
import type { Throttle } from "./throttle.ts"

/** The desk of the agents; clients of its protocol know bearer tokens only. */
export const MCP_PATH = "/mcp"

/** Everything that decides whether a request may pass. */
export type Door = {
  readonly tokens: () => readonly OpsToken[]
  readonly log: Logger
  readonly throttle: Throttle
  readonly sessions: Sessions
  /** Hears of each request that the port refuses, and of those that wait after wrong tokens. */
  readonly noteRefused?: (what: RefusedAtPort, words: string) => void
}

/** Requests with wrong tokens, for names that are not ours, and from pages of other origins. */
type RefusedAtPort = "tokens" | "names" | "pages"

/** Refuses a request that its caller may not make; `null` lets it through. */
export function admit(c: Ctx, door: Door): Response | null {
  const { caller, given, byBrowser } = identify(c, door)
  const early = refuseAtDoor(c, door, byBrowser)
  if (early !== null) return early
  if (caller === null) {
    if (given === "token" && !isClosed(c, door)) countWrongToken(c, door)
    return refuseToken(c, door, given === "session")
  }
  const busyMs = door.throttle.takeRequest(caller.name)
  if (busyMs > 0) return refuseBusy(c, busyMs, `The token ${caller.name} made too many requests`)
  // Each changing path names its own scope: `changing`.
  if (!isWrite(c) && c.req.path !== MCP_PATH && !caller.scopes.includes("read"))
    return refuseScope(c, caller, "read")
  c.set("caller", caller)
  return null
}

/** Refuses the pages of others, and addresses that have to wait after wrong tokens. */
export function refuseAtDoor(c: Ctx, door: Door, byBrowser: boolean): Response | null {
  const { peer, source, tls } = peerOf(c)
  if (peer.kind === "socket") return null
  const headers = originOf(c)
  if (isForeign(headers, { byBrowser, write: isWrite(c), tls })) {
    const names = `${readableName(headers.origin)} to ${readableName(headers.host)}`
    door.noteRefused?.("pages", `the last one of ${names}`)
    return refuse(c, 403, "ops.origin", "A page of another origin may not use this interface")
  }
  const waitMs = door.throttle.pauseOf(source)
  if (waitMs > 0) door.noteRefused?.("tokens", `the last one from ${source}`)
  return waitMs > 0 ? refuseBusy(c, waitMs, "Too many wrong tokens came from this address") : null
}

export function countWrongToken(c: Ctx, { throttle, log, noteRefused }: Door): void {
  const { source } = peerOf(c)
  noteRefused?.("tokens", `the last one from ${source}`)
  throttle.countFailure(source)
  log.warn({ source, path: c.req.path }, "A request had a wrong token")
}

/** Whether a live stream may go on: a token that a reload removed reads no further. */
export function mayRead(c: Ctx, door: Door): boolean {
  return identify(c, door).caller?.scopes.includes("read") === true
}

/** Over TCP without a configured token only health is served. */
export function isClosed(c: Ctx, { tokens }: Pick<Door, "tokens">): boolean {
  return peerOf(c).peer.kind === "tcp" && tokens().length === 0
}

export function refuseScope(c: Ctx, { name }: Caller, scope: Permission): Response {
  return refuse(c, 403, "ops.scope", `The token ${name} lacks the scope ${scope}`)
}

export function refuseToken(c: Ctx, door: Pick<Door, "tokens">, hadSession = false): Response {
  // This header makes a browser ask its user for the token; the user name does not matter. Our page
  // asks by itself: its requests are `empty`.
  if (c.req.path === MCP_PATH) c.header("www-authenticate", "Bearer")
  else if (c.req.header("sec-fetch-dest") !== "empty")
    c.header("www-authenticate", 'Basic realm="Ballast", charset="UTF-8"')
  if (isClosed(c, door))
    return refuse(
      c,
      401,
      "ops.no_token",
      "No ops.token is configured, so only /healthz and /readyz are served",
    )
  if (hadSession)
    return refuse(c, 401, "ops.session", "The session is over; log in again with a token")
  return refuse(c, 401, "ops.unauthorized", "Expected `Authorization: Bearer <ops.token>`")
}

type Identity = {
  readonly caller: Caller | null
  readonly given: "nothing" | "token" | "session"
  /** A browser sends these credentials by itself, also for a page of another owner. */
  readonly byBrowser: boolean
}

function identify(c: Ctx, { tokens, sessions }: Door): Identity {
  const credentials = parseAuthorization(c.req.header("authorization"))
  // Its user may do everything, and with a token stands for the token's person.
  if (credentials === null && peerOf(c).peer.kind === "socket")
    return { caller: SOCKET_CALLER, given: "nothing", byBrowser: false }
  if (credentials !== null)
    return {
      caller: findCaller(tokens(), credentials.token),
      given: "token",
      byBrowser: credentials.basic,
    }
  const id = readSessionCookie(c.req.header("cookie"), originOf(c).host, peerOf(c).tls)
  if (id === null) return { caller: null, given: "nothing", byBrowser: false }
  return {
    caller: sessions.find(id, c.req.header(CSRF_HEADER) ?? "", tokens()),
    given: "session",
    byBrowser: true,
  }
}

function isWrite(c: Ctx): boolean {
  return !["GET", "HEAD"].includes(c.req.method)
}
