import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Clock } from "#lib/clock.ts"
import { type Caller, findCallerByHash, type OpsToken } from "./caller.ts"

/** Sessions of the page, in memory: a restart ends them all. */
export type Sessions = {
  /** Opens a session for the owner of this token. */
  readonly open: (token: string) => NewSession
  /** The caller behind the two secrets of a session, with the scopes that its token has now. */
  readonly find: (id: string, csrf: string, tokens: readonly OpsToken[]) => Caller | null
  readonly end: (id: string) => void
}

/**
 * `id` is for the cookie; `csrf` for the page, which sends it as a header. A cookie alone is worth
 * nothing.
 */
type NewSession = { readonly id: string; readonly csrf: string; readonly untilMs: number }

/** The header of the page's second secret. A page of another origin cannot send it. */
export const CSRF_HEADER = "x-ballast-csrf"

const SESSION_MS = 12 * 60 * 60_000
/** A new session above this number ends the oldest. */
const MAX_SESSIONS = 64

type Session = { readonly tokenHash: Buffer; readonly csrfHash: Buffer; readonly untilMs: number }

/** Holds only hashes. A session ends after twelve hours, and with its token. */
export function createSessions(clock: Clock): Sessions {
  const sessions = new Map<string, Session>()
  return {
    open: (token) => {
      const id = randomBytes(32).toString("base64url")
      const csrf = randomBytes(32).toString("base64url")
      const untilMs = clock.now() + SESSION_MS
      const [oldest] = sessions.keys()
      if (sessions.size >= MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest)
      sessions.set(keyOf(id), { tokenHash: sha256(token), csrfHash: sha256(csrf), untilMs })
      return { id, csrf, untilMs }
    },
    find: (id, csrf, tokens) => {
      const session = sessions.get(keyOf(id))
      if (session === undefined || !timingSafeEqual(session.csrfHash, sha256(csrf))) return null
      const { untilMs } = session
      const caller = findCallerByHash(tokens, session.tokenHash)
      // A clock that was set back must not make a session longer.
      const isOver = clock.now() >= untilMs || untilMs - clock.now() > SESSION_MS
      if (!isOver && caller !== null) return caller
      sessions.delete(keyOf(id))
      return null
    },
    end: (id) => void sessions.delete(keyOf(id)),
  }
}

/** The id of the session in a `Cookie` header, or `null`. */
export function readSessionCookie(
  header: string | undefined,
  host: string | undefined,
  tls: boolean,
): string | null {
  const name = cookieName(host, tls)
  const pairs = (header ?? "").split(";").map((pair) => pair.trim())
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))
  return found === undefined ? null : found.slice(name.length + 1)
}

/** The `Set-Cookie` header that stores a session; `null` removes it. */
export function formatSessionCookie(
  id: string | null,
  host: string | undefined,
  tls: boolean,
): string {
  const life = id === null ? 0 : SESSION_MS / 1_000
  const secure = tls ? "; Secure" : ""
  return (
    `${cookieName(host, tls)}=${id ?? ""}; Path=/; Max-Age=${life}; HttpOnly; ` +
    `SameSite=Strict${secure}`
  )
}

/**
 * Browsers share cookies between the ports of one host, so the name has the port: two daemons do
 * not end each other's sessions.
 */
function cookieName(host: string | undefined, tls: boolean): string {
  const port = /:(\d{1,5})$/.exec(host ?? "")?.[1] ?? (tls ? "443" : "80")
  return `${tls ? "__Host-" : ""}ballast-${port}`
}

function keyOf(id: string): string {
  return sha256(id).toString("base64")
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
