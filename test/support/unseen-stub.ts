import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createTcpServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { listen } from "./listen.ts"

/** The servers that plant the unseen faults. `urlOf`: the address of a chain, service or price. */
export type UnseenStub = {
  readonly urlOf: (name: string) => string
  readonly starttlsPort: number
  readonly relayPort: number
  readonly senderPort: number
  /** The authority that signed the intermediate one, for NODE_EXTRA_CA_CERTS. */
  readonly authority: string
  readonly stop: () => void
}

export async function startUnseenStub(dir: string): Promise<UnseenStub> {
  const { leaf, old, authority } = makeCertificates(dir)
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response).catch(() => response.destroy())
  const tls11 = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }
  const servers: Readonly<Record<string, Server>> = {
    plain: createServer(handle),
    leaf: createTlsServer(leaf, handle),
    // CAST: names of versions, as Node's own type writes them.
    oldtls: createTlsServer({ ...old, ...(tls11 as { minVersion: "TLSv1.1" }) }, handle),
    starttls: createTcpServer((socket) => talk(socket, "250 mail.example")),
    relay: createTcpServer((socket) => talk(socket, "250 mail.example")),
    sender: createTcpServer((socket) => talk(socket, "250 mail.example", SENDER)),
  }
  const ports: Record<string, number> = {}
  const open = new Set<Socket>()
  for (const [name, server] of Object.entries(servers)) {
    server.on("connection", (socket) => {
      open.add(socket)
      socket.on("error", () => undefined)
      socket.once("close", () => open.delete(socket))
    })
    ports[name] = (await listen(server)).port
  }
  return {
    urlOf: (name) => {
      if (name.startsWith("route")) return "http://[2001:db8::1]:8545/"
      const [at = ""] = name.split("_")
      const isTls = at === "leaf" || at === "oldtls"
      return `${isTls ? "https" : "http"}://127.0.0.1:${isTls ? ports[at] : ports["plain"]}/${name}`
    },
    starttlsPort: ports["starttls"] ?? 0,
    relayPort: ports["relay"] ?? 0,
    senderPort: ports["sender"] ?? 0,
    authority,
    stop: () => {
      for (const server of Object.values(servers)) server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

type Pair = { readonly cert: Buffer; readonly key: Buffer }

/** A root, an authority below it, and a certificate of that one, which the server sends alone. */
function makeCertificates(dir: string): { leaf: Pair; old: Pair; authority: string } {
  const at = (name: string): string => join(dir, name)
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const openssl = (...args: string[]): unknown => execFileSync("openssl", args, { stdio: "ignore" })
  const root = [
    "-keyout",
    at("root.key"),
    "-out",
    at("root.pem"),
    "-days",
    "5",
    "-subj",
    "/CN=root",
  ]
  openssl("req", "-x509", ...curve, ...root)
  const sign = (name: string, by: string, extension: string): void => {
    openssl(
      "req",
      ...curve,
      "-keyout",
      at(`${name}.key`),
      "-out",
      at("csr"),
      "-subj",
      `/CN=${name}`,
    )
    writeFileSync(at("extension"), extension)
    const authority = ["-CA", at(`${by}.pem`), "-CAkey", at(`${by}.key`), "-CAcreateserial"]
    const to = ["-days", "5", "-extfile", at("extension"), "-out", at(`${name}.pem`)]
    openssl("x509", "-req", "-in", at("csr"), ...authority, ...to)
  }
  sign("middle", "root", "basicConstraints=critical,CA:TRUE")
  sign("leaf", "middle", "subjectAltName=IP:127.0.0.1")
  sign("old", "root", "subjectAltName=IP:127.0.0.1")
  const pair = (name: string): Pair => ({
    cert: readFileSync(at(`${name}.pem`)),
    key: readFileSync(at(`${name}.key`)),
  })
  return { leaf: pair("leaf"), old: pair("old"), authority: at("root.pem") }
}

const SENDER = "550 5.7.60 Client has no permission to send as this sender"

/** A mail server without TLS and without logins, which takes messages of no stranger. */
function talk(socket: Socket, hello: string, toSender = "250 OK"): void {
  socket.write("220 mail.example ESMTP\r\n")
  socket.on("data", (chunk: Buffer) => {
    const line = chunk.toString()
    if (/^EHLO|^HELO/i.test(line)) socket.write(`${hello}\r\n`)
    else if (/^MAIL FROM/i.test(line)) socket.write(`${toSender}\r\n`)
    else if (/^RCPT TO/i.test(line)) socket.write("554 5.7.1 Relay access denied\r\n")
    else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n")
    else socket.write("502 5.5.1 Command not implemented\r\n")
  })
}

const STATUSES: Readonly<Record<string, number>> = {
  plainhttp_chain: 400,
  chat_desk: 400,
  room_desk: 403,
  index_btc: 503,
  browser: 503,
  "price-wall": 403,
  discord_desk: 404,
  slack_desk: 403,
}
const PLAIN = "The plain HTTP request was sent to HTTPS port"
const BODIES: Readonly<Record<string, string>> = {
  plainhttp_chain: `<html><head><title>400 ${PLAIN}</title></head></html>`,
  poor: '{"status":"Ok","result":[]}',
  flaky: '{"status":"Ok","result":[]}',
  tenant: '{"status":"Error","error":"app not found"}',
  "price-limit": '{"status":{"error_code":429,"error_message":"You\'ve exceeded the Rate Limit."}}',
  "price-timeless": '{"price":3000}',
  chat_desk: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}',
  gateway_chain: "<html><head><title>502 Bad Gateway</title></head></html>",
  index_btc: "Index is being built",
  keyed: '{"status":"Error","error":"Invalid API key"}',
  browser: "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>",
  parked: "<!DOCTYPE html><html><head><title>This domain is for sale</title></head></html>",
  "price-symbol": '{"code":-1121,"msg":"Invalid symbol."}',
  "price-wall": "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>",
  discord_desk: '{"message":"Unknown Webhook","code":10015}',
  slack_desk: "action_prohibited",
  room_desk: '{"errcode":"M_FORBIDDEN","error":"User @ballast:example.com not in room"}',
}

let asked = 0

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, at = "", ...rest] = request.url?.split("/") ?? []
  const [name = ""] = at.split("?")
  let text = ""
  for await (const chunk of request) text += String(chunk)
  asked += 1
  const fails = name.startsWith("flaky") && asked % 3 !== 0
  if (fails) return void response.writeHead(name === "flaky" ? 500 : 503).end("no healthy upstream")
  if (name === "price-kraken") {
    const unknown = JSON.stringify({ error: ["EQuery:Unknown asset pair"] })
    return void response.writeHead(200, { "content-type": "application/json" }).end(unknown)
  }
  const isRefused = name === "history_chain" && rest[0] !== undefined && /^address/.test(rest[0])
  if (isRefused) return void response.writeHead(400).end("Too many history entries")
  const said =
    name === "history_chain"
      ? answerEsplora(`/${rest.join("/")}`)
      : text === ""
        ? "{}"
        : answerCalls(name, text)
  const headers = { "content-type": "application/json" }
  response.writeHead(STATUSES[name] ?? 200, headers).end(BODIES[name] ?? said)
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
  return path === "/fee-estimates" ? '{"1":2,"3":2,"6":1}' : "[]"
}

/** The only contract, on `good_chain`: a token of eight decimals. */
export const TOKEN_ADDRESS = `0x${"12".repeat(20)}`

const REFUSALS: Readonly<Record<string, object>> = {
  suspended_chain: { code: -32_000, message: "project is suspended, please update your billing" },
  timeout_chain: { code: -32_000, message: "request timed out" },
  minimum_sol_chain: { code: -32_016, message: "Minimum context slot has not been reached" },
  keyed_stark_chain: { code: -32_000, message: "Unauthorized: missing API key" },
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function answerCalls(name: string, text: string): string {
  const calls: unknown = JSON.parse(text)
  // CAST: requests of JSON-RPC, from our own daemon.
  const one = (call: unknown): object => ({ jsonrpc: "2.0", ...replyTo(name, call as Call) })
  return JSON.stringify(Array.isArray(calls) ? calls.map(one) : one(calls))
}

function replyTo(name: string, { id, method, params }: Call): object {
  const words = REFUSALS[name]
  if (words !== undefined) return { id, error: words }
  const isTag = name === "tagless_chain" && /finalized|safe/.test(String(params?.[0]))
  if (isTag) return { id, error: { code: -32_000, message: "finalized block not found" } }
  const isOfToken = name === "good_chain" && /eth_(call|getCode)/.test(method)
  if (isOfToken && JSON.stringify(params).includes(TOKEN_ADDRESS))
    return {
      id,
      result: method === "eth_call" ? hex(8).replace("0x", "0x".padEnd(65, "0")) : "0x60",
    }
  return { id, result: name.includes("sol") ? solanaResult(method, params) : resultOf(method) }
}

function resultOf(method: string): unknown {
  const atS = nowS()
  const block = {
    number: hex(atS),
    hash: `0x${atS.toString(16).padStart(64, "a")}`,
    parentHash: `0x${(atS - 1).toString(16).padStart(64, "a")}`,
    timestamp: hex(atS),
    baseFeePerGas: "0x1",
    transactions: [],
  }
  if (method === "eth_chainId" || method === "net_version") return hex(84_532)
  if (method === "eth_getBlockByNumber") return block
  if (method === "eth_blockNumber") return block.number
  if (method === "eth_getCode" || method === "eth_call") return "0x"
  return method === "eth_feeHistory" ? { reward: [], gasUsedRatio: [] } : "0x0"
}

function solanaResult(method: string, params: readonly unknown[]): unknown {
  const of = (value: unknown): object => ({ context: { slot: nowS() }, value })
  const [many] = params ?? []
  const results: Readonly<Record<string, () => unknown>> = {
    getGenesisHash: () => "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
    getSlot: nowS,
    getBlockHeight: nowS,
    getBlockTime: nowS,
    getBlocks: () => [nowS() - 1],
    getBalance: () => of(0),
    getAccountInfo: () => of(null),
    getMultipleAccounts: () => of(Array.isArray(many) ? many.map(() => null) : []),
    getLatestBlockhash: () => of({ blockhash: "1".repeat(32), lastValidBlockHeight: nowS() }),
    getTokenAccountsByOwner: () => of([]),
    getSignaturesForAddress: () => [],
    getRecentPrioritizationFees: () => [],
    getHealth: () => "ok",
  }
  return results[method]?.() ?? null
}
