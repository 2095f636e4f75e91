import type { MiddlewareHandler } from "hono"
import { loginBody } from "#schema/requests.ts"
import {
  countWrongToken,
  type Door,
  isClosed,
  refuseAtDoor,
  refuseScope,
  refuseToken,
} from "./admit.ts"
import {
  type App,
  type AppEnvironment,
  json,
  originOf,
  parseJsonBody,
  peerOf,
  refuse,
} from "./answers.ts"
import { findCaller } from "./caller.ts"
import { formatSessionCookie, readSessionCookie } from "./sessions.ts"

const PATH = "/api/v1/session"

/**
 * Exchanges a token for a session: the cookie, which no script can read, and in the answer the
 * secret that the page sends as a header.
 */
export function serveLogin(
  app: App,
  door: Door,
  limitBody: MiddlewareHandler<AppEnvironment>,
): void {
  app.post(PATH, limitBody, async (c) => {
    const refused = refuseAtDoor(c, door, true)
    if (refused !== null) return refused
    const { peer, tls, source } = peerOf(c)
    if (peer.kind === "socket")
      return refuse(c, 400, "request.malformed", "The Unix socket needs no session")
    if (isClosed(c, door)) return refuseToken(c, door)
    const read = await parseJsonBody(c, loginBody)
    if (!read.ok) return read.refusal
    const { token } = read.body
    const caller = findCaller(door.tokens(), token)
    if (caller === null) {
      countWrongToken(c, door)
      return refuse(c, 401, "ops.unauthorized", "This is no token of ops.token or ops.tokens")
    }
    const busyMs = door.throttle.takeRequest(caller.name)
    if (busyMs > 0)
      return refuse(c, 429, "ops.busy", `The token ${caller.name} made too many requests`)
    if (!caller.scopes.includes("read")) return refuseScope(c, caller, "read")
    const { id, csrf, untilMs } = door.sessions.open(token)
    c.header("set-cookie", formatSessionCookie(id, originOf(c).host, tls))
    door.log.info({ caller: caller.name, source }, "A person logged in to the dashboard")
    return json(c, 200, { ...caller, csrf, until: new Date(untilMs).toISOString() })
  })
}

/** The paths of an admitted caller. */
export function serveSession(app: App, { sessions }: Door): void {
  app.get(PATH, (c) => json(c, 200, { ...c.get("caller") }))
  app.delete(PATH, (c) => {
    const { host } = originOf(c)
    const { tls } = peerOf(c)
    const id = readSessionCookie(c.req.header("cookie"), host, tls)
    if (id !== null) sessions.end(id)
    c.header("set-cookie", formatSessionCookie(null, host, tls))
    return json(c, 200, {})
  })
}
