import { createHash, timingSafeEqual } from "node:crypto"
import type { Secret } from "#lib/secret.ts"

/** `agent` opens `/mcp` and nothing else. */
export type Permission = "read" | "operate" | "approve" | "agent"

/** A bearer token with the name that its changes are written down with. */
export type OpsToken = {
  readonly name: string
  readonly token: Secret
  readonly scopes: readonly Permission[]
}

/** The party behind a request. */
export type Caller = { readonly name: string; readonly scopes: readonly Permission[] }

/** The way by which a request came. `ports` of the Unix socket are open to our own user only. */
export type Peer =
  | { readonly kind: "socket" }
  | { readonly kind: "tcp"; readonly address: string; readonly tls: boolean }

export const ALL_SCOPES: readonly Permission[] = ["read", "operate", "approve"]

/** An agent's caller name; no configured name has a dot. */
export const AGENT_PREFIX = "agent."

/** The caller on the Unix socket. A configured name has no dot, so no token can have this name. */
export const SOCKET_CALLER: Caller = { name: "ops.socket", scopes: ALL_SCOPES }

/**
 * The credentials of an `Authorization` header: `Bearer <token>`, or Basic with the token as
 * password. `null` without any.
 */
export function parseAuthorization(
  header: string | undefined,
): { basic: boolean; token: string } | null {
  const [scheme = "", credentials = ""] = (header ?? "").trim().split(/\s+/, 2)
  if (scheme.toLowerCase() === "bearer") return { basic: false, token: credentials }
  if (scheme.toLowerCase() !== "basic") return null
  const decoded = Buffer.from(credentials, "base64").toString()
  return { basic: true, token: decoded.slice(decoded.indexOf(":") + 1) }
}

/** Compares with every token in the same time, whichever matches. */
export function findCaller(tokens: readonly OpsToken[], given: string): Caller | null {
  return findCallerByHash(tokens, hashOf(given))
}

/** `hash` is the SHA-256 of the token. */
export function findCallerByHash(tokens: readonly OpsToken[], hash: Buffer): Caller | null {
  const matches = tokens.filter(({ token }) => timingSafeEqual(hashOf(token.reveal()), hash))
  const [first] = matches
  // Two names for one token cannot be told apart, so it has only the scopes that both have.
  return first === undefined
    ? null
    : {
        name: first.name,
        scopes: first.scopes.filter((scope) =>
          matches.every(({ scopes }) => scopes.includes(scope)),
        ),
      }
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
