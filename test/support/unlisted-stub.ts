import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net"
import { listen } from "./listen.ts"

/**
 * The servers that plant the unlisted and later faults. `urlOf`: a chain, service, price or
 * receiver.
 */
export type UnlistedStub = {
  readonly urlOf: (name: string) => string
  readonly mailPort: number
  /** A mail server that asks for patience. */
  readonly greyPort: number
  readonly stop: () => void
}

export async function startUnlistedStub(): Promise<UnlistedStub> {
  const plain: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const mail = createTcpServer((socket) => refuseMailbox(socket, "552 5.2.2 Mailbox full"))
  const grey = createTcpServer((socket) => refuseMailbox(socket, GREY))
  const open = new Set<Socket>()
  for (const server of [plain, mail, grey])
    server.on("connection", (socket) => {
      open.add(socket)
      socket.on("error", () => undefined)
      socket.once("close", () => open.delete(socket))
    })
  await new Promise<void>((resolve) => plain.listen(0, "0.0.0.0", resolve))
  // CAST: a server on TCP has an address with a port.
  const { port } = plain.address() as AddressInfo
  // A limit of requests counts for a host: each name has its own.
  const hosts = new Map<string, number>()
  const hostOf = (name: string): number => {
    if (!hosts.has(name)) hosts.set(name, hosts.size + 1)
    return hosts.get(name) ?? 0
  }
  const { port: mailPort } = await listen(mail)
  const { port: greyPort } = await listen(grey)
  return {
    urlOf: (name) => `http://127.0.1.${hostOf(name)}:${port}/${name}`,
    mailPort,
    greyPort,
    stop: () => {
      for (const server of [plain, mail, grey]) server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

const GREY = "451 4.7.1 Greylisted, please try again later"

function refuseMailbox(socket: Socket, refusal: string): void {
  socket.write("220 mail.example ESMTP\r\n")
  socket.on("data", (chunk: Buffer) => {
    const line = chunk.toString()
    if (/^(EHLO|HELO|MAIL FROM)/i.test(line)) socket.write("250 OK\r\n")
    else if (/^RCPT TO/i.test(line)) socket.write(`${refusal}\r\n`)
    else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n")
    else socket.write("502 5.5.1 Command not implemented\r\n")
  })
}

const STATUSES: Readonly<Record<string, number>> = {
  "halflogin_chain-locked": 401,
  retired: 410,
  "price-retired": 410,
  kicked_desk: 403,
  ended_desk: 401,
  rated_desk: 429,
  region: 403,
  archived_desk: 410,
}
const KICKED = "Forbidden: bot was kicked from the group chat"
const BODIES: Readonly<Record<string, string>> = {
  naked_chain: '{"message":"API key expired"}',
  region: '{"status":"Error","error":"not available in your region"}',
  shape: '{"status":"Ok","result":{}}',
  "price-blank": '{"price":""}',
  "price-cut": '{"price":30',
  archived_desk: "channel_is_archived",
  "halflogin_chain-locked": '{"message":"Unauthorized"}',
  retired: '{"status":"Error","error":"this version is retired"}',
  bursts: '{"status":"Error","error":"rate limit exceeded, retry in 60s"}',
  "price-nan": '{"price":"NaN"}',
  "price-retired": '{"error":"endpoint retired"}',
  kicked_desk: `{"ok":false,"error_code":403,"description":"${KICKED}"}`,
  ended_desk: '{"errcode":"M_UNKNOWN_TOKEN","error":"Unknown access token"}',
  rated_desk: '{"message":"You are being rate limited.","retry_after":0.5,"global":false}',
}

const asked = new Map<string, number>()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, at = "", ...rest] = request.url?.split("/") ?? []
  const [name = ""] = at.split("?")
  let text = ""
  for await (const chunk of request) text += String(chunk)
  if (name === "reset_chain" || name === "price-reset") return void request.socket.destroy()
  if (name === "drip") return drip(response)
  if (name === "price-tomorrow") return void response.end(tomorrow())
  if (name === "hot_btc" && /^(address|scripthash)$/.test(rest[0] ?? ""))
    return void response.writeHead(400).end("Too many history entries")
  const count = (asked.get(name) ?? 0) + 1
  asked.set(name, count)
  if (name.startsWith("flip") && count % 2 === 0)
    return void response.writeHead(500).end("Internal Server Error")
  const told = name.includes("btc")
    ? answerEsplora(name, `/${rest.join("/")}`)
    : answerCalls(name, text)
  response.writeHead(STATUSES[name] ?? 200, {
    "content-type": "application/json",
    ...(name === "headers_chain" ? { "x-trace": "t".repeat(70_000) } : {}),
  })
  response.end(BODIES[name] ?? told)
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" })
  const text = '{"status":"Ok","result":[]}'.padStart(400)
  let sent = 0
  const timer = setInterval(() => {
    response.write(text[sent] ?? "")
    sent += 1
    if (sent >= text.length) response.end()
  }, 1_000)
  response.once("close", () => clearInterval(timer))
}

function tomorrow(): string {
  return JSON.stringify({ price: 3_000, at: nowS() + 86_400 })
}

const REGTEST = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"
const SIGNET = "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"
const nowS = (): number => Math.floor(Date.now() / 1_000)
const hex = (value: number): string => `0x${value.toString(16)}`

function answerEsplora(name: string, path: string): string {
  const timestamp = nowS() - (name === "old_btc" ? 36_000 : 0)
  const block = { id: "ab".repeat(32), height: 200_000, timestamp }
  if (name === "worded_btc" && /^\/(address|scripthash)/.test(path))
    return '{"error":"electrum backend is not reachable"}'
  if (path === "/block-height/0") return name === "old_btc" ? SIGNET : REGTEST
  if (path === "/blocks/tip/height") return "200000"
  if (path === "/blocks") return JSON.stringify([block])
  if (path.startsWith("/block-height") || path.endsWith("/tip/hash")) return block.id
  if (path.startsWith("/block/")) return JSON.stringify(block)
  return path === "/fee-estimates" ? '{"1":2,"3":2,"6":1}' : "[]"
}

/** The only contract, on `good_chain` and `paused_chain`: a token of eight decimals. */
export const UNLISTED_TOKEN = `0x${"12".repeat(20)}`

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function answerCalls(name: string, text: string): string {
  if (text === "") return '{"status":"Ok","result":[]}'
  const calls: unknown = JSON.parse(text)
  // CAST: requests of JSON-RPC, from our own daemon.
  const one = (call: unknown): object => ({ jsonrpc: "2.0", ...replyTo(name, call as Call) })
  return JSON.stringify(Array.isArray(calls) ? calls.map(one) : one(calls))
}

/** The errors of one method. */
const ERRORS: Readonly<Record<string, readonly [RegExp, object]>> = {
  trie_chain: [
    /^eth_getBalance$/,
    { code: -32_000, message: "missing trie node 5f3a (path ) state 0x5f3a is not available" },
  ],
  idless_chain: [
    /^(eth_chainId|net_version)$/,
    { code: -32_601, message: "the method eth_chainId is not available" },
  ],
  quota_chain: [
    /./,
    { code: -32_005, message: "daily request count exceeded, request rate limited" },
  ],
  header_chain: [/^eth_getBalance$/, { code: -32_000, message: "header not found" }],
  index_sol_chain: [
    /^get(Balance|AccountInfo|MultipleAccounts)$/,
    { code: -32_010, message: "1111 excluded from account secondary indexes" },
  ],
  rebuild_sol_chain: [
    /^get(Balance|AccountInfo|MultipleAccounts)$/,
    { code: -32_603, message: "Internal error: account index is being rebuilt" },
  ],
}

function replyTo(name: string, { id, method, params }: Call): object {
  const [pattern, error] = ERRORS[name] ?? [/^$/, {}]
  if (pattern.test(method)) return { id, error }
  if (name.includes("stark")) return { id, ...starknetReply(name, method) }
  if (name.includes("sol")) return { id, result: solanaResult(method, params) }
  const text = JSON.stringify(params ?? [])
  const isOfToken = /eth_(call|getCode)/.test(method) && text.includes(UNLISTED_TOKEN)
  if (isOfToken) return { id, ...tokenReply(name, method, text) }
  return { id, result: resultOf(name, method) }
}

/** The selector of ERC-20's `decimals()`. */
const DECIMALS = "0x313ce567"

function tokenReply(name: string, method: string, text: string): object {
  if (method === "eth_getCode") return { result: "0x60" }
  const eight = { result: `0x${"8".padStart(64, "0")}` }
  if (name !== "paused_chain" || text.includes(DECIMALS)) return eight
  return { error: { code: 3, message: "execution reverted: Pausable: paused", data: "0x" } }
}

function resultOf(name: string, method: string): unknown {
  const isFirst = name === "genesis_chain"
  const lateS = name === "lag_chain-two" ? 1_800 : 0
  const atS = isFirst ? 0 : nowS() - lateS
  const block = {
    number: hex(atS),
    hash: `0x${atS.toString(16).padStart(64, "a")}`,
    parentHash: `0x${Math.max(0, atS - 1)
      .toString(16)
      .padStart(64, "a")}`,
    timestamp: hex(isFirst ? 1_438_269_973 : atS),
    baseFeePerGas: "0x1",
    transactions: [],
  }
  if (method === "eth_chainId" || method === "net_version") return hex(84_532)
  if (method === "eth_getBlockByNumber") return block
  if (method === "eth_blockNumber") return block.number
  if (method === "eth_getCode" || method === "eth_call") return "0x"
  return method === "eth_feeHistory" ? { reward: [], gasUsedRatio: [] } : "0x0"
}

function starknetReply(name: string, method: string): object {
  if (method === "starknet_chainId") return { result: "0x534e5f5345504f4c4941" }
  if (method === "starknet_specVersion") return { result: "0.9.0" }
  if (method === "starknet_call" && name === "revert_stark_chain")
    return { error: { code: 40, message: "Contract error", data: { revert_error: "paused" } } }
  if (method === "starknet_call") return { error: { code: 20, message: "Contract not found" } }
  if (!/Block|block/.test(method)) return { result: "0x0" }
  const hash = hex(nowS())
  return {
    result: { block_number: nowS(), block_hash: hash, timestamp: nowS(), parent_hash: "0x8" },
  }
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
