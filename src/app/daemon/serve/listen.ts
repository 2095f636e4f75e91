import { X509Certificate } from "node:crypto"
import { chmodSync, lstatSync, rmSync } from "node:fs"
import { createServer, type Server, type ServerOptions } from "node:http"
import { createServer as createTlsServer, Server as TlsServer } from "node:https"
import { isIPv4 } from "node:net"
import { createSecureContext } from "node:tls"
import { createAdaptorServer } from "@hono/node-server"
import type { OpsConfig } from "#config/config.ts"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import type { AppEnvironment } from "#ops/answers.ts"
import { withUrgency } from "#ports/urgency.ts"

/** A running listener. `close` also ends live streams. */
export type Listener = { readonly url: string; readonly close: () => Promise<void> }
export type TcpListener = Listener & { readonly replaceTls: (tls: OpsConfig["tls"]) => void }

/** The part of the HTTP interface that a listener calls. */
type Fetch = (
  request: Request,
  environment: AppEnvironment["Bindings"],
) => Response | Promise<Response>

/**
 * Half-open and slow connections end after seconds, so that they cannot hold all places. Every
 * request of the interface is small; only answers take long.
 */
const LIMITS: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 8 * 1024,
}
const HANDSHAKE_MS = 5_000
/** Without a byte in either direction. A live stream sends one every 15 s. */
const IDLE_MS = 120_000
const MAX_CONNECTIONS = 128
const MAX_PER_ADDRESS = 32

/**
 * The bytes that the address of a Unix socket may have on every system (`sun_path`, with its final
 * zero).
 */
const MAX_SOCKET_BYTES = 103

/**
 * Listens on a Unix socket that only our own user can open. Throws `ops.socket` (fatal) for a path
 * that is too long, or that another kind of file has. The caller holds the instance lock, so a
 * socket that exists is a remainder of a killed process.
 */
export async function listenOnSocket(handle: Fetch, path: string): Promise<Listener> {
  if (Buffer.byteLength(path) > MAX_SOCKET_BYTES)
    throw socketError(
      path,
      `its path is longer than ${MAX_SOCKET_BYTES} bytes; choose a shorter data_dir`,
    )
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isSocket()) rmSync(path)
  else if (found) throw socketError(path, "another file has this name; remove it")
  const server = createHttpServer((request) => handle(request, { peer: { kind: "socket" } }), null)
  limitConnections(server, null)
  // The socket is created inside `listen`; with this mask it is never open to others, not even
  // before `chmod`.
  const mask = process.umask(0o177)
  try {
    const listening = started(server)
    server.listen(path)
    await listening
  } catch (cause) {
    throw socketError(path, "check data_dir and its permissions", cause)
  } finally {
    process.umask(mask)
  }
  chmodSync(path, 0o600)
  return { url: `unix:${path}`, close: () => close(server) }
}

/**
 * Listens on TCP, with TLS if it is configured. Throws `ops.listen` (fatal) when the address is
 * taken, or when a name that should be loopback leads elsewhere without TLS, and `ops.tls` (fatal)
 * for an unusable certificate or key.
 */
export async function listenOnTcp(
  handle: Fetch,
  { host, port }: NonNullable<OpsConfig["listen"]>,
  tls: OpsConfig["tls"],
  noteTurnedAway?: (words: string) => void,
): Promise<TcpListener> {
  checkTls(tls)
  const server = createHttpServer(
    (request, { incoming }) =>
      handle(request, {
        peer: {
          kind: "tcp",
          address: incoming.socket.remoteAddress ?? "unknown",
          tls: tls !== null,
        },
      }),
    tls,
  )
  limitConnections(server, MAX_PER_ADDRESS, noteTurnedAway)
  try {
    const listening = started(server)
    server.listen(port, host)
    await listening
  } catch (cause) {
    throw listenError(host, port, remedyOf(cause), cause)
  }
  const bound = server.address()
  // CAST: a server on TCP has an address with a port.
  const { address, port: actual } = bound as { address: string; port: number }
  if (tls === null && !isLoopbackAddress(address)) {
    await close(server)
    throw listenError(
      host,
      port,
      `the name leads to ${address}, and plain HTTP is for loopback only; set ops.tls`,
    )
  }
  return {
    url: `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${actual}`,
    close: () => close(server),
    replaceTls: (fresh) => {
      if (fresh !== null && server instanceof TlsServer) server.setSecureContext(pairOf(fresh))
    },
  }
}

/** Throws `ops.tls` (fatal) when certificate and key cannot serve together. */
export function checkTls(tls: OpsConfig["tls"]): void {
  if (tls === null) return
  try {
    createSecureContext(pairOf(tls))
  } catch (cause) {
    // OpenSSL's text names the kind of failure and nothing of the key.
    const why = cause instanceof Error ? cause.message.slice(0, 200) : "unknown"
    const todo = ENCRYPTED_KEY.test(tls.key.reveal())
      ? "its key is encrypted: write it without its passphrase (`openssl pkey -in KEY -out NEW`)"
      : "give a certificate chain and its key, both in PEM"
    throw new AppError({
      code: "ops.tls",
      disposition: "fatal",
      message: `ops.tls cannot be used (${why}); ${todo}`,
      cause,
    })
  }
}

/** RFC 7468, 11, and the older form of OpenSSL. */
const ENCRYPTED_KEY = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/

function pairOf({ cert, key }: NonNullable<OpsConfig["tls"]>): { cert: string; key: string } {
  return { cert: cert.reveal(), key: key.reveal() }
}

type NodeFetch = NonNullable<Parameters<typeof createAdaptorServer>[0]["fetch"]>
type NodeBindings = { readonly incoming: { readonly socket: { readonly remoteAddress?: string } } }

function createHttpServer(
  handle: (request: Request, bindings: NodeBindings) => Response | Promise<Response>,
  tls: OpsConfig["tls"],
): Server {
  // CAST: the adaptor calls this function with Node's own request and response as bindings.
  const adapted = ((request: Request, bindings: NodeBindings) =>
    withUrgency("person", () => handle(request, bindings))) as unknown as NodeFetch
  const server =
    tls === null
      ? createAdaptorServer({ fetch: adapted, createServer, serverOptions: LIMITS })
      : createAdaptorServer({
          fetch: adapted,
          createServer: createTlsServer,
          serverOptions: {
            ...LIMITS,
            ...pairOf(tls),
            minVersion: "TLSv1.2",
            handshakeTimeout: HANDSHAKE_MS,
          },
        })
  // CAST: both factories above create HTTP/1 servers.
  return server as Server
}

/** Ends connections above the limits at once, also those that never send a byte. */
function limitConnections(
  server: Server,
  perAddress: number | null,
  noteTurnedAway: (words: string) => void = () => undefined,
): void {
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = IDLE_MS
  if (perAddress === null) return
  server.on("drop", (dropped) =>
    noteTurnedAway(`all ${MAX_CONNECTIONS} are taken, the last one from ${dropped?.remoteAddress}`),
  )
  const open = new Map<string, number>()
  server.prependListener("connection", (socket) => {
    const from = socket.remoteAddress ?? "unknown"
    const count = (open.get(from) ?? 0) + 1
    open.set(from, count)
    socket.once("close", () => {
      const left = (open.get(from) ?? 1) - 1
      if (left > 0) open.set(from, left)
      else open.delete(from)
    })
    if (count <= perAddress) return
    noteTurnedAway(`${from} has ${perAddress} open`)
    socket.destroy()
  })
}

function started(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.once("listening", () => {
      server.off("error", reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    // Without this, live streams keep the server open until their readers leave.
    server.closeAllConnections()
  })
}

function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."))
}

function socketError(path: string, todo: string, cause?: unknown): AppError {
  const fault = findEnvironmentFault(cause, path)
  if (fault !== null) return fault
  const message = `Cannot listen on the Unix socket ${path}: ${todo}`
  return new AppError({
    code: "ops.socket",
    disposition: "fatal",
    message,
    details: { path },
    cause,
  })
}

/** The operator's own mistake has its own words; any other cause is named by its code. */
function remedyOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program has this port: stop it, or ",
    EADDRNOTAVAIL: "this machine has no such address: ",
    EACCES: "this user may not use the port: ",
  }
  return `${why[code] ?? (code === "" ? "" : `${code}: `)}choose another ops.listen`
}

function listenError(host: string, port: number, todo: string, cause?: unknown): AppError {
  const fault = findEnvironmentFault(cause, `${host}:${port}`)
  if (fault !== null) return fault
  const message = `Cannot listen on ${host}:${port}; ${todo}`
  return new AppError({
    code: "ops.listen",
    disposition: "fatal",
    message,
    details: { host, port },
    cause,
  })
}

/** The end of the own certificate; `null` without TLS. */
export function readCertificateEnd(tls: OpsConfig["tls"]): number | null {
  return tls === null ? null : new X509Certificate(tls.cert.reveal()).validToDate.getTime()
}
