import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net"
import { join } from "node:path"

/** The servers that plant the strange faults. `urlOf`: the address of a chain, service or price. */
export type StrangeStub = {
  readonly urlOf: (name: string) => string
  readonly mailPort: number
  /** The authority that signed the certificates, for NODE_EXTRA_CA_CERTS. */
  readonly authority: string
  readonly stop: () => void
}

const START_MS = Date.now()
/** A balancer changes the chain behind it so long after the start. */
const TURN_MS = 15_000
const MOST_ENDLESS_BYTES = 400 * 1024 * 1024

export async function startStrangeStub(dir: string): Promise<StrangeStub> {
  const certificates = makeCertificates(dir)
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response).catch(() => response.destroy())
  const tls = (name: string, more: object = {}): Server =>
    createTlsServer({ ...certificates.of(name), ...more }, handle)
  const servers: Readonly<Record<string, Server>> = {
    plain: createServer(handle),
    alias: tls("alias"),
    expired: tls("expired"),
    client: tls("good", { requestCert: true, ca: [readFileSync(certificates.authority)] }),
    forged: tls("forged"),
    ssh: createTcpServer((socket) => void greet(socket)),
    mail: createTcpServer((socket) => void refuseLogin(socket)),
  }
  const ports: Record<string, number> = {}
  const open = new Set<Socket>()
  for (const [name, server] of Object.entries(servers)) {
    server.on("connection", (socket) => {
      open.add(socket)
      socket.on("error", () => undefined)
      socket.once("close", () => open.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
    // CAST: a server on TCP has an address with a port.
    ports[name] = (server.address() as AddressInfo).port
  }
  return {
    urlOf: (name) => {
      const at = name.split("_")[0]?.split("-")[0] ?? ""
      const isOther = at !== "plain" && at !== "mail" && ports[at] !== undefined
      const scheme = isOther && at !== "ssh" ? "https" : "http"
      // The pauses that a server asks for are those of its address.
      const host = name === "closed" ? "127.0.0.2" : "127.0.0.1"
      return `${scheme}://${host}:${isOther ? ports[at] : ports["plain"]}/${name}`
    },
    mailPort: ports["mail"] ?? 0,
    authority: certificates.authority,
    stop: () => {
      for (const server of Object.values(servers)) server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function makeCertificates(dir: string) {
  const at = (name: string): string => join(dir, name)
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const openssl = (...args: string[]): unknown => execFileSync("openssl", args, { stdio: "ignore" })
  const makeOwn = (name: string): void => {
    const files = ["-keyout", at(`${name}.key`), "-out", at(`${name}.pem`), "-days", "5"]
    const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"]
    openssl("req", "-x509", ...curve, ...files, ...names)
  }
  makeOwn("authority")
  makeOwn("forged")
  const sign = (name: string, alternative: string, days: string): void => {
    const request = ["-keyout", at(`${name}.key`), "-out", at(`${name}.csr`), "-subj", "/CN=x"]
    openssl("req", ...curve, ...request)
    writeFileSync(at("names"), `subjectAltName=${alternative}`)
    const by = ["-CA", at("authority.pem"), "-CAkey", at("authority.key"), "-CAcreateserial"]
    const to = ["-days", days, "-extfile", at("names"), "-out", at(`${name}.pem`)]
    openssl("x509", "-req", "-in", at(`${name}.csr`), ...by, ...to)
  }
  sign("good", "IP:127.0.0.1", "5")
  sign("alias", "DNS:other.example", "5")
  sign("expired", "IP:127.0.0.1", "-1")
  return {
    authority: at("authority.pem"),
    of: (name: string) => ({
      cert: readFileSync(at(`${name}.pem`)),
      key: readFileSync(at(`${name}.key`)),
    }),
  }
}

function greet(socket: Socket): void {
  socket.write("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
  socket.on("data", () => socket.end("Invalid SSH identification string.\r\n"))
}

/** A mail server without TLS that knows no password. */
function refuseLogin(socket: Socket): void {
  socket.write("220 mail.example ESMTP\r\n")
  socket.on("data", (chunk: Buffer) => {
    const line = chunk.toString()
    // Without a login it takes a sender, and knows no mailbox.
    if (/^MAIL FROM/i.test(line)) return void socket.write("250 OK\r\n")
    if (/^RCPT TO/i.test(line)) return void socket.write("550 5.1.1 User unknown\r\n")
    if (/^EHLO/i.test(line)) socket.write("250-mail.example\r\n250 AUTH LOGIN PLAIN\r\n")
    else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n")
    else if (/^AUTH LOGIN\r/i.test(line)) socket.write("334 VXNlcm5hbWU6\r\n")
    else socket.write("535 5.7.8 Error: authentication failed\r\n")
  })
}

const STATUSES: Readonly<Record<string, number>> = {
  core_chain: 405,
  wall_chain: 403,
  wall: 403,
  both_chain: 429,
  closed: 503,
  "price-429": 429,
  "price-401": 401,
  "price-451": 451,
  busy_desk: 429,
  upgrade_chain: 426,
  origin_chain: 521,
  vhost_chain: 403,
  public_sol_chain: 403,
  ageing: 400,
  origin: 521,
  basic: 401,
  "price-521": 521,
  "price-418": 418,
  small_desk: 413,
}
const WALL = "<!DOCTYPE html><html><title>Attention Required! | Cloudflare</title></html>"
const BODIES: Readonly<Record<string, string>> = {
  empty_chain: "",
  mute: "",
  explorer_chain: "<!DOCTYPE html><html><title>Explorer</title></html>",
  core_chain: "JSONRPC server handles only POST requests",
  wall_chain: WALL,
  wall: WALL,
  upgrade_chain: "Upgrade Required",
  origin_chain: "error code: 521",
  vhost_chain: "invalid host specified",
  public_sol_chain: '{"error":{"code":403,"message":"Access forbidden"}}',
  ageing: '{"status":"Error","error":"client too old"}',
  origin: "error code: 521",
  basic: "Authorization Required",
  "price-list": '{"price":[3000]}',
  "price-dollars": '{"price":3000}',
  "price-euros": '{"price":2760}',
  upkeep: '{"status":"Error","error":"maintenance until 20:00"}',
  "price-comma": '{"price":"3,000.00"}',
  "price-null": '{"price":null}',
  "price-endless": '{"price":1e999}',
  "price-late": `{"price":3000,"at":${Date.now() * 1_000}}`,
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name = ""] = request.url?.split("/") ?? []
  let text = ""
  for await (const chunk of request) text += String(chunk)
  if (name === "price-mute") return
  if (name === "short_body") return breakOff(response)
  if (name === "hangup") return void response.socket?.destroy()
  if (name.startsWith("huge")) return endless(response)
  const type = BODIES[name]?.startsWith("<") === true ? "text/html" : "application/json"
  const later = name === "closed" ? { "retry-after": "86400" } : {}
  const path = `/${request.url?.split("/").slice(2).join("/") ?? ""}`
  const isCoin = name === "feeless_chain"
  const told = isCoin ? answerEsplora(path) : text === "" ? "{}" : answerCalls(name, text)
  const headers = { "content-type": type, ...later }
  response.writeHead(STATUSES[name] ?? 200, headers).end(BODIES[name] ?? told)
}

function breakOff(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": "500" })
  response.write('{"status":"Ok","result":[', () => response.socket?.destroy())
}

function endless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" })
  const part = Buffer.alloc(1024 * 1024, " ")
  let sent = 0
  const more = (): void => {
    while (sent < MOST_ENDLESS_BYTES && !response.destroyed) {
      sent += part.length
      if (!response.write(part)) return
    }
    response.end()
  }
  response.on("drain", more)
  more()
}

const SIGNET = "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"
const nowS = (): number => Math.floor(Date.now() / 1_000)
const hex = (value: number): string => `0x${value.toString(16)}`

function answerEsplora(path: string): string {
  const block = { id: "ab".repeat(32), height: 200_000, timestamp: nowS() }
  if (path === "/block-height/0") return SIGNET
  if (path === "/blocks/tip/height") return "200000"
  if (path === "/blocks") return JSON.stringify([block])
  if (path.startsWith("/block-height") || path.endsWith("/tip/hash")) return block.id
  if (path.startsWith("/block/")) return JSON.stringify(block)
  return path === "/fee-estimates" ? "{}" : "[]"
}

type Call = { readonly id: number; readonly method: string; readonly params: unknown }
/** Of the account, which is not deployed. */
/** The selector of `decimals`. */
const DECIMALS = "4c4fb1ab068f6039d5780c68dd0fa2f8742cceb3426d19667778ca7f3518a9"
const BARE = "4462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d266"

function answerCalls(name: string, text: string): string {
  const asked: unknown = JSON.parse(text)
  // CAST: requests of JSON-RPC, from our own daemon.
  const one = (call: unknown): object => ({ jsonrpc: "2.0", ...replyTo(name, call as Call) })
  if (name === "list_chain" && !Array.isArray(asked)) return JSON.stringify([one(asked)])
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}

function replyTo(name: string, { id, method, params }: Call): object {
  const isBare = name === "bare_stark_chain" && JSON.stringify(params).includes(BARE)
  const error = isBare ? { code: 20, message: "Contract not found" } : errorOf(name, method)
  if (error !== null) return { id, error }
  if (!name.includes("stark")) return { id, result: resultOf(name, method) }
  const isOfDecimals = JSON.stringify(params).includes(DECIMALS)
  return { id, result: isOfDecimals ? ["0x12"] : starknetResult(method) }
}

function errorOf(name: string, method: string): object | null {
  if (name === "slow_sol_chain" && method !== "getGenesisHash")
    return {
      code: -32_005,
      message: "Node is behind by 5000 slots",
      data: { numSlotsBehind: 5000 },
    }
  if (name === "gap_sol_chain" && /Block/.test(method) && method !== "getLatestBlockhash")
    return { code: -32_009, message: "Slot 1000 was skipped, or missing in long-term storage" }
  if (name === "old_stark_chain" && method !== "starknet_chainId")
    return { code: -32_602, message: "Invalid params" }
  if (name === "locked_db_chain") return { code: -32_603, message: "database is locked" }
  if (name === "plan_chain")
    return { code: -32_052, message: "API key is not allowed to access blockchain" }
  if (name === "das_sol_chain") return { code: -32_601, message: "Method not found" }
  if (name === "blockless_stark_chain" && /Block/.test(method))
    return { code: 24, message: "Block not found" }
  if (name === "worded_chain") return { code: -32_600, message: "Must be authenticated!" }
  return null
}

function starknetResult(method: string): unknown {
  if (method === "starknet_chainId") return "0x534e5f5345504f4c4941"
  if (method === "starknet_specVersion") return "0.9.0"
  if (/Block|block/.test(method))
    return { block_number: 9, block_hash: "0x9", timestamp: nowS(), parent_hash: "0x8" }
  return method === "starknet_call" ? ["0x0", "0x0"] : "0x0"
}

let calls = 0

function resultOf(name: string, method: string): unknown {
  calls += 1
  if (name === "prose_chain") return "Service Unavailable"
  const isTurned = name === "turned_chain" && Date.now() - START_MS > TURN_MS
  if (method === "eth_chainId" || method === "net_version") {
    if (name === "plain_chain") return "84532"
    const isOther = isTurned || (name === "twoface_chain" && calls % 2 === 0)
    return isOther ? "0x1" : hex(84_532)
  }
  if (method === "eth_getBlockByNumber") return blockOf(name)
  if (method === "eth_blockNumber") return blockOf(name).number
  if (method === "eth_getBalance" && name === "void_chain") return null
  if (method === "eth_getCode") return "0x"
  if (method === "eth_feeHistory") return { reward: [], gasUsedRatio: [] }
  if (method === "getGenesisHash") return "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
  if (method === "getSlot") return 1_000
  return name === "plain_chain" ? "0" : "0x0"
}

type Block = { readonly number: string; readonly hash: string; readonly [key: string]: unknown }

function blockOf(name: string): Block {
  const isStill = name === "still_chain"
  const isLow = name === "jumping_chain" && calls % 2 === 0
  if (name === "genesis_chain") return { ...blockOf("good_chain"), number: "0x0", timestamp: "0x0" }
  const atS = isStill ? Math.floor(START_MS / 1_000) - 600 : nowS()
  const height = isLow ? atS - 5_000 : atS
  const show = (value: number): string => (name === "plain_chain" ? String(value) : hex(value))
  return {
    number: show(height),
    hash: `0x${height.toString(16).padStart(64, "a")}`,
    parentHash: `0x${(height - 1).toString(16).padStart(64, "a")}`,
    timestamp: show(name === "milli_chain" ? Date.now() : atS),
    baseFeePerGas: show(1),
    transactions: [],
  }
}
