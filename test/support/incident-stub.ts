import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net"
import { join } from "node:path"
import { createServer as createTlsServer } from "node:tls"
import { listen, stopServer } from "./listen.ts"
import { temporaryFolder } from "./temporary-folder.ts"
import { startUnlistedStub, UNLISTED_TOKEN } from "./unlisted-stub.ts"

/**
 * The servers that plant the incidents and the surprises. `urlOf`: a chain, service, price or
 * receiver.
 */
export type IncidentStub = {
  readonly urlOf: (name: string) => string
  /** A mail server that greets and ends the connection. */
  readonly hastyPort: number
  /** A mail server whose certificate signs itself. */
  readonly selfSignedPort: number
  /** Whether the fault of this name has reached the daemon. */
  readonly hasSpoiled: (name: string) => boolean
  readonly stop: () => Promise<void>
}

/** The contract of a feed of Chainlink, on `redenominated_chain`. */
export const INCIDENT_FEED = `0x${"34".repeat(20)}`
const ALIVE_MS = 20_000

type Asked = {
  readonly name: string
  readonly path: string
  readonly text: string
  /** Since the start of the stub. */
  readonly passedMs: number
}

/** `null`: no answer at all. */
type Said = { readonly status: number; readonly body: string } | null

/** The stub of the unlisted faults answers every other request as a good node. */
export async function startIncidentStub(): Promise<IncidentStub> {
  const good = await startUnlistedStub()
  const startedMs = Date.now()
  const spoiled = new Set<string>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, at = "", ...rest] = request.url?.split("/") ?? []
    const [name = ""] = at.split("?")
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const path = `/${rest.join("/")}`
    const passedMs = Date.now() - startedMs
    const planted = plant({ name, path, text, passedMs })
    if (planted !== undefined) spoiled.add(name)
    if (planted === null) return
    response.setHeader("content-type", "application/json")
    if (planted !== undefined) return void response.writeHead(planted.status).end(planted.body)
    const asked = text === "" ? {} : { method: "POST", body: text }
    const answer = await fetch(`${good.urlOf(name)}${path}`, asked)
    const said = await answer.text()
    const isRpc = text.includes('"jsonrpc"')
    const changed = isRpc ? spoilCalls({ name, path, text, passedMs }, said) : said
    if (changed !== said) spoiled.add(name)
    response.writeHead(answer.status).end(changed)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
  // CAST: a server on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  const open = new Set<Socket>()
  const called = (name: string) => (socket: Socket) => {
    spoiled.add(name)
    open.add(socket)
    socket.on("error", () => undefined)
  }
  const hasty = createTcpServer((socket) => socket.end("220 mail.example ESMTP\r\n"))
  hasty.on("connection", called("hasty_desk"))
  const selfSigned: Server = createTlsServer(makeCertificate(), (socket) => {
    socket.on("error", () => undefined)
    socket.write("220 mail.example ESMTP\r\n")
  })
  selfSigned.on("connection", called("selfsigned_desk"))
  const { port: hastyPort } = await listen(hasty)
  const { port: selfSignedPort } = await listen(selfSigned)
  // A limit of requests counts for a host: each name has its own.
  const hosts = new Map<string, number>()
  return {
    urlOf: (name) => {
      if (!hosts.has(name)) hosts.set(name, hosts.size + 1)
      return `http://127.0.5.${hosts.get(name)}:${port}/${name}`
    },
    hastyPort,
    selfSignedPort,
    hasSpoiled: (name) => spoiled.has(name),
    stop: async () => {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      await Promise.all([server, hasty, selfSigned].map((one) => stopServer(one)))
      good.stop()
    },
  }
}

function makeCertificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = temporaryFolder("ballast-e2e-incident-tls")
  const key = join(folder, "key.pem")
  const cert = join(folder, "cert.pem")
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const names = ["-subj", "/CN=mail", "-addext", "subjectAltName=IP:127.0.0.1"]
  const args = ["req", "-x509", ...curve, "-keyout", key, "-out", cert, "-days", "90", ...names]
  execFileSync("openssl", args, { stdio: "ignore" })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

const PAGE = "<!DOCTYPE html><html><head><title>Sorry</title></head></html>"
const NOT_LISTED = "origin IP is not on the allowlist"
const TRIAL = '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"your trial has ended"}}'
const BODIES: Readonly<Record<string, Said>> = {
  fenced_chain: { status: 403, body: `{"error":"${NOT_LISTED}"}` },
  cut_chain: { status: 200, body: '{"jsonrpc":"2.0","id":1,"resu' },
  mesh_chain: { status: 503, body: "upstream connect error or disconnect/reset before headers" },
  balancer: { status: 200, body: "OK" },
  headless: { status: 400, body: '{"status":"Error","error":"missing header x-client-id"}' },
  hotel: { status: 511, body: "Network Authentication Required" },
  walled: { status: 403, body: '{"status":"Error","error":"source IP is not on the allowlist"}' },
  "price-unit": { status: 200, body: '{"price":"3000 USD"}' },
  "price-kraken": { status: 200, body: '{"error":["EGeneral:Too many requests"]}' },
  ill_desk: { status: 500, body: "internal error" },
  team_desk: { status: 403, body: "team_disabled" },
  trial_chain: { status: 200, body: TRIAL },
  retired_stark_chain: { status: 410, body: '{"error":"v0_7 is retired"}' },
  upgrading: { status: 426, body: '{"status":"Error","error":"client version is not supported"}' },
  picky: { status: 406, body: "Not Acceptable" },
  "price-hex": { status: 200, body: '{"price":"0x0bb8"}' },
  "price-marketless": { status: 200, body: '{"error":[],"result":{}}' },
  flooded_desk: {
    status: 429,
    body: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35"}',
  },
  pathless_desk: { status: 404, body: "Not Found" },
  locked_desk: { status: 401, body: '{"code":40101,"http":401,"error":"unauthorized"}' },
}

/** `undefined`: as a good server. */
function plant({ name, path, text }: Asked): Said | undefined {
  const isOfAddress = /^\/(address|scripthash)/.test(path)
  if (name === "pagecoins_btc" && isOfAddress) return { status: 200, body: PAGE }
  if (name === "weighed_chain" && text.includes("eth_getBalance"))
    return { status: 429, body: '{"error":"compute units per second exceeded"}' }
  if (name === "listless_btc" && path === "/blocks") return { status: 200, body: "[]" }
  return BODIES[name]
}

type Call = { readonly id: number; readonly method: string }
type Reply = { readonly id: number; readonly result?: unknown; readonly error?: object }

function spoilCalls(asked: Asked, said: string): string {
  // CAST: requests of JSON-RPC of our own daemon, and the answers of our own stub.
  const calls = [JSON.parse(asked.text)].flat() as readonly Call[]
  const replies: unknown = JSON.parse(said)
  const change = (reply: Reply): Reply => {
    const call = calls.find(({ id }) => id === reply.id)
    return call === undefined ? reply : spoilReply(asked, call, reply)
  }
  return JSON.stringify(Array.isArray(replies) ? replies.map(change) : change(replies as Reply))
}

const HALTED_S = Math.floor(Date.now() / 1_000) - 1_500
const HOUR_S = 3_600
const word = (value: number): string => value.toString(16).padStart(64, "0")
const nowS = (): number => Math.floor(Date.now() / 1_000)

function spoilReply({ name, passedMs }: Asked, call: Call, reply: Reply): Reply {
  const { method } = call
  const text = JSON.stringify(call).toLowerCase()
  if (name === "nogenesis_sol_chain" && method === "getGenesisHash")
    return { id: reply.id, error: { code: -32_601, message: "getGenesisHash is not supported" } }
  if (name === "text_sol_chain" && method === "getBalance")
    return { ...reply, result: { context: { slot: nowS() }, value: "much" } }
  if (name.startsWith("halted_chain")) return halt(method, reply)
  if (name === "late_sol_chain" && method === "getBlockTime")
    return { ...reply, result: nowS() - HOUR_S }
  if (name === "late_stark_chain" && /[bB]lock/.test(method)) return { ...reply, ...older(reply) }
  if (name !== "redenominated_chain") return reply
  if (text.includes(INCIDENT_FEED)) return { id: reply.id, result: feedOf(method, text) }
  const isDecimals = text.includes(UNLISTED_TOKEN) && text.includes(DECIMALS)
  return isDecimals && passedMs > ALIVE_MS ? { ...reply, result: `0x${word(18)}` } : reply
}

/** The selectors of `decimals()` and `latestRoundData()`. */
const DECIMALS = "313ce567"
const ROUND = "feaf968c"
const OLD_S = 36_000

function feedOf(method: string, text: string): string {
  if (method === "eth_getCode") return "0x60"
  if (text.includes(DECIMALS)) return `0x${word(8)}`
  const atS = nowS() - OLD_S
  if (text.includes(ROUND)) return `0x${[1, 3_000e8, atS, atS, 1].map(word).join("")}`
  return `0x${word(32)}${word(9)}${Buffer.from("ETH / USD").toString("hex").padEnd(64, "0")}`
}

function halt(method: string, reply: Reply): Reply {
  if (method === "eth_blockNumber") return { ...reply, result: `0x${HALTED_S.toString(16)}` }
  const { result } = reply
  if (method !== "eth_getBlockByNumber" || typeof result !== "object") return reply
  const number = `0x${HALTED_S.toString(16)}`
  const hash = `0x${"ab".repeat(32)}`
  return { ...reply, result: { ...result, number, timestamp: number, hash } }
}

function older({ result }: Reply): object {
  if (typeof result !== "object" || result === null || !("timestamp" in result)) return {}
  return { result: { ...result, timestamp: Number(result.timestamp) - HOUR_S } }
}
