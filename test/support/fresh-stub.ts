import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Socket } from "node:net"
import { listen } from "./listen.ts"

/** The servers that plant the fresh faults. `urlOf`: the address of a chain, service or price. */
export type FreshStub = {
  readonly urlOf: (name: string) => string
  readonly mailPort: number
  readonly stop: () => void
}

export async function startFreshStub(): Promise<FreshStub> {
  const plain = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const mail = createTcpServer((socket) => refuse(socket))
  const servers: readonly Server[] = [plain]
  const open = new Set<Socket>()
  for (const server of [plain, mail])
    server.on("connection", (socket) => {
      open.add(socket)
      socket.on("error", () => undefined)
      socket.once("close", () => open.delete(socket))
    })
  const { port } = await listen(plain)
  const { port: mailPort } = await listen(mail)
  return {
    urlOf: (name) => `${name.includes("tlsport") ? "https" : "http"}://127.0.0.1:${port}/${name}`,
    mailPort,
    stop: () => {
      for (const server of servers) server.close()
      mail.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function refuse(socket: Socket): void {
  socket.end("421 4.7.0 Too many connections\r\n")
}

const STATUSES: Readonly<Record<string, number>> = {
  redirect_chain: 301,
  redirect: 301,
  redirect_desk: 301,
  "price-redirect": 302,
  unpaid_chain: 402,
  unpaid: 402,
  kong_chain: 404,
  wordless_chain: 204,
  topic_desk: 403,
  heartbeat: 500,
}
const BODIES: Readonly<Record<string, string>> = {
  redirect_chain: "",
  redirect: "",
  redirect_desk: "",
  "price-redirect": "",
  unpaid_chain: "Payment Required",
  unpaid: "Payment Required",
  kong_chain: '{"message":"no Route matched with those values"}',
  wordless_chain: "",
  nothing: "null",
  topic_desk: '{"code":40301,"http":403,"error":"forbidden"}',
  "price-zero": '{"price":0}',
  "price-negative": '{"price":-3000}',
  "price-empty": '{"data":[]}',
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, at = "", ...rest] = request.url?.split("/") ?? []
  const [name = ""] = at.split("?")
  let text = ""
  for await (const chunk of request) text += String(chunk)
  if (name === "mute_desk") return
  const path = `/${rest.join("/")}`
  const isLate = name === "late_btc" && path.startsWith("/address")
  if (isLate) return void response.writeHead(504).end("upstream request timeout")
  const told = name === "late_btc" ? answerEsplora(path) : answerCalls(name, text)
  const headers = {
    "content-type": "application/json",
    ...(name === "gzip_chain" ? { "content-encoding": "gzip" } : {}),
    ...(name.includes("redirect") ? { location: "http://192.0.2.1/new" } : {}),
  }
  response.writeHead(STATUSES[name] ?? 200, headers)
  if (name === "drip_chain") return drip(response, told)
  response.end(BODIES[name] ?? told)
}

function drip(response: ServerResponse, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer)
    else response.write(text[at] ?? " ")
    at += 1
  }, 1_000)
}

const REGTEST = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"
const nowS = (): number => Math.floor(Date.now() / 1_000)
const hex = (value: number): string => `0x${value.toString(16)}`

function answerEsplora(path: string): string {
  const block = { id: "ab".repeat(32), height: 200_000, timestamp: nowS() }
  if (path === "/block-height/0") return REGTEST
  if (path === "/blocks/tip/height") return "200000"
  if (path === "/blocks") return JSON.stringify([block])
  if (path.startsWith("/block-height") || path.endsWith("/tip/hash")) return block.id
  if (path.startsWith("/block/")) return JSON.stringify(block)
  return path === "/fee-estimates" ? '{"1":2,"3":2,"6":1}' : "[]"
}

/** The only contract, on `good_chain`: a token of eight decimals. */
export const TOKEN_ADDRESS = `0x${"12".repeat(20)}`

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function answerCalls(name: string, text: string): string {
  if (text === "") return '{"status":"Ok","result":[]}'
  const calls: unknown = JSON.parse(text)
  // CAST: requests of JSON-RPC, from our own daemon.
  const one = (call: unknown): object => ({ jsonrpc: "2.0", ...replyTo(name, call as Call) })
  return JSON.stringify(Array.isArray(calls) ? calls.map(one) : one(calls))
}

function replyTo(name: string, { id, method, params }: Call): object {
  if (name === "id_chain") return { id: id + 100_000, result: resultOf(method) }
  if (name.includes("stark")) return { id, result: starknetResult(name, method, params) }
  const isOfToken = name === "good_chain" && /eth_(call|getCode)/.test(method)
  if (isOfToken && JSON.stringify(params).includes(TOKEN_ADDRESS))
    return {
      id,
      result: method === "eth_call" ? hex(8).replace("0x", "0x".padEnd(65, "0")) : "0x60",
    }
  return { id, result: resultOf(method) }
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

/** The selector of `decimals`. */
const DECIMALS = "4c4fb1ab068f6039d5780c68dd0fa2f8742cceb3426d19667778ca7f3518a9"

function starknetResult(name: string, method: string, params: unknown): unknown {
  if (JSON.stringify(params).includes(DECIMALS)) return ["0x12"]
  const isMain = name === "main_stark_chain"
  if (method === "starknet_chainId") return isMain ? "0x534e5f4d41494e" : "0x534e5f5345504f4c4941"
  if (method === "starknet_specVersion") return name === "aged_stark_chain" ? "0.6.0" : "0.9.0"
  if (/Block|block/.test(method)) {
    const hash = hex(nowS())
    return { block_number: nowS(), block_hash: hash, timestamp: nowS(), parent_hash: "0x8" }
  }
  return method === "starknet_call" ? ["0x0", "0x0"] : "0x0"
}
