import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { connect } from "node:net"
import type { Duplex } from "node:stream"
import { isDeepStrictEqual } from "node:util"
import { listen, stopServer } from "./listen.ts"
import type { SandboxProcess } from "./sandbox-process.ts"

/** One request and its answer, in the order in which the requests arrived. */
export type Exchange = {
  readonly target: string
  /** The recorder's own address: two recorders of one target are two endpoints. */
  readonly at: string
  readonly atMs: number
  readonly request: string
  answer: string | null
}

export type NetworkRecorder = {
  /** The sandbox with the addresses of the recorder instead of its own. */
  readonly sandbox: SandboxProcess
  readonly exchanges: readonly Exchange[]
  /**
   * Called once for each request that changes something outside (a new order, a signature, a
   * secret, a transaction), after the other side has accepted it. The daemon gets no answer to it
   * where this returns true.
   */
  onSent: ((what: string) => boolean) | null
  /** A request that a plan with a limit refuses gets status 429, and goes nowhere. */
  isRefused: ((target: string, body: string) => boolean) | null
  /** What the daemon gets in place of a text; `request` as in `Exchange`. */
  adapt: ((target: string, request: string, text: string) => string) | null
  stop(): Promise<void>
}

/**
 * Stands between a daemon and a sandbox's service and chains, and passes everything on. It knows
 * nothing of Ballast's own code. Recorders that share `exchanges` have one order of requests.
 */
export async function startNetworkRecorder(
  sandbox: SandboxProcess,
  exchanges: Exchange[] = [],
): Promise<NetworkRecorder> {
  const servers: Server[] = []
  const seen = new Set<string>()
  const place = async (target: string): Promise<string> => {
    const server = createServer(async (incoming, outgoing) => {
      const body = await readBody(incoming)
      const exchange: Exchange = {
        target,
        at: `${incoming.headers.host}`,
        atMs: performance.now(),
        request: `${incoming.method} ${incoming.url} ${body}`,
        answer: null,
      }
      exchanges.push(exchange)
      if (recorder.isRefused?.(target, body)) return void outgoing.writeHead(429).end("slow down")
      const given = await forward(target, incoming, body).catch(() => null)
      if (given === null) {
        outgoing.destroy()
        return
      }
      exchange.answer = given.text
      const text = recorder.adapt?.(target, exchange.request, given.text) ?? given.text
      const answer = { ...given, text }
      const sent = nameOfSending(incoming, body)
      const isNew = sent !== null && !seen.has(digestOf(sent, body))
      if (sent !== null) seen.add(digestOf(sent, body))
      if (isNew && sent !== null && recorder.onSent?.(sent)) {
        outgoing.destroy()
        return
      }
      outgoing.writeHead(answer.status, { "content-type": answer.type }).end(answer.text)
    })
    server.on("upgrade", (incoming, socket, head) => passThrough(target, incoming, socket, head))
    servers.push(server)
    return (await listen(server)).url
  }
  const service = await place(sandbox.service)
  const chains = await Promise.all(
    sandbox.chains.map(async (chain) => ({ ...chain, url: await place(chain.url) })),
  )
  const recorder: NetworkRecorder = {
    sandbox: { ...sandbox, service, chains },
    exchanges,
    onSent: null,
    isRefused: null,
    adapt: null,
    stop: async () => {
      for (const server of servers) {
        await stopServer(server)
      }
    },
  }
  return recorder
}

/**
 * Whether these bytes (32, hex) are in a text: as hex, inside base64, or as the eight words of a
 * Starknet call.
 */
export function mentions(text: string, secret: string): boolean {
  if (text.toLowerCase().includes(secret)) return true
  const words = (secret.match(/.{8}/g) ?? []).map((word) => BigInt(`0x${word}`))
  const felts = [...text.matchAll(/"0x([0-9a-f]{1,64})"/gi)].map(([, digits]) =>
    BigInt(`0x${digits}`),
  )
  const hasWords = felts.some((_felt, at) =>
    isDeepStrictEqual(felts.slice(at, at + words.length), words),
  )
  if (hasWords) return true
  const encoded = text.match(/[A-Za-z0-9+/]{44,}={0,2}/g) ?? []
  return encoded.some((part) => Buffer.from(part, "base64").includes(Buffer.from(secret, "hex")))
}

async function forward(target: string, incoming: IncomingMessage, body: string) {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      typeof value === "string" &&
      !["host", "connection", "content-length", "transfer-encoding"].includes(name)
        ? [[name, value]]
        : [],
    ),
  )
  const { method = "GET" } = incoming
  // The target may have a path of its own.
  const url = `${target.replace(/\/$/, "")}${incoming.url === "/" ? "" : incoming.url}`
  const answer = await fetch(url, { method, headers, ...(method === "GET" ? {} : { body }) })
  const type = answer.headers.get("content-type") ?? "application/json"
  return { status: answer.status, type, text: await answer.text() }
}

/** The subscriptions of a client, which are no requests. */
function passThrough(target: string, incoming: IncomingMessage, socket: Duplex, head: Buffer) {
  const { hostname, port } = new URL(target)
  const other = connect({ host: hostname, port: Number(port) }, () => {
    const headers = incoming.rawHeaders.map((text, at) => text + (at % 2 === 0 ? ": " : "\r\n"))
    other.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join("")}\r\n`)
    other.write(head)
    socket.pipe(other).pipe(socket)
  })
  other.on("error", () => socket.destroy())
  socket.on("error", () => other.destroy())
}

/** The names that the services and nodes themselves give to what changes something. */
const SENDINGS = [
  "eth_sendRawTransaction",
  "sendrawtransaction",
  "sendTransaction",
  "starknet_addInvokeTransaction",
]

function nameOfSending({ method, url = "" }: IncomingMessage, body: string): string | null {
  if (method === "POST" && url.startsWith("/v2/orders")) return "order"
  if (method === "PATCH") return new URL(url, "http://service").searchParams.get("action")
  if (method === "POST" && url.endsWith("/tx")) return "transaction"
  return SENDINGS.find((name) => body.includes(`"${name}"`)) ?? null
}

/** A request that is repeated has other ids, so only its content counts. */
function digestOf(what: string, body: string): string {
  const content = body.replace(/"id":("[^"]*"|\d+)/, "")
  return createHash("sha256").update(what).update(content).digest("hex")
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  // CAST: a stream without an encoding.
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
