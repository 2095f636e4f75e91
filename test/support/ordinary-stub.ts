import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net"
import { listen, stopServer } from "./listen.ts"
import { startUnlistedStub, UNLISTED_TOKEN } from "./unlisted-stub.ts"

/**
 * The servers that plant the ordinary and the sundry faults. `urlOf`: a chain, service, price or
 * receiver.
 */
export type OrdinaryStub = {
  readonly urlOf: (name: string) => string
  /** A mail server that begins without TLS. */
  readonly mailPort: number
  /** Whether the fault of this name has reached the daemon. */
  readonly hasSpoiled: (name: string) => boolean
  readonly stop: () => Promise<void>
}

type Asked = {
  readonly name: string
  readonly path: string
  readonly text: string
  /** Since the start of the stub. */
  readonly passedMs: number
}

const ALIVE_MS = 20_000
const BLINK_MS = 4_000
/** `null`: no answer at all. */
type Said = { readonly status: number; readonly body: string } | null

/** The stub of the unlisted faults answers every other request as a good node. */
export async function startOrdinaryStub(): Promise<OrdinaryStub> {
  const good = await startUnlistedStub()
  const startedMs = Date.now()
  const spoiled = new Set<string>()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, at = "", ...rest] = request.url?.split("/") ?? []
    const [name = ""] = at.split("?")
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const path = `/${rest.join("/")}`
    const planted = plant({ name, path, text, passedMs: Date.now() - startedMs })
    if (planted !== undefined) spoiled.add(name)
    if (planted === null) return
    response.setHeader("content-type", "application/json")
    if (name === "loop") response.setHeader("location", request.url ?? "/")
    if (planted !== undefined) return void response.writeHead(planted.status).end(planted.body)
    const asked = text === "" ? {} : { method: "POST", body: text }
    const answer = await fetch(`${good.urlOf(name)}${path}`, asked)
    const said = await answer.text()
    // A token that never answers is refused at the start.
    const isWhole = name === "gutted_chain" && Date.now() - startedMs < ALIVE_MS
    const changed = text === "" || isWhole ? said : spoilCalls(name, text, said)
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
  const mail = createTcpServer((socket) => {
    spoiled.add("plain_desk")
    open.add(socket)
    socket.on("error", () => undefined)
    socket.write("220 mail.example ESMTP\r\n")
  })
  const { port: mailPort } = await listen(mail)
  // A limit of requests counts for a host: each name has its own.
  const hosts = new Map<string, number>()
  return {
    urlOf: (name) => {
      if (!hosts.has(name)) hosts.set(name, hosts.size + 1)
      return `http://127.0.3.${hosts.get(name)}:${port}/${name}`
    },
    mailPort,
    hasSpoiled: (name) => spoiled.has(name),
    stop: async () => {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      await Promise.all([stopServer(server), stopServer(mail)])
      good.stop()
    },
  }
}

const BODIES: Readonly<Record<string, Said>> = {
  cloudy_chain: { status: 530, body: "error code: 1033" },
  torn: { status: 200, body: '{"status":"Ok","result":[{"source":' },
  legal: { status: 451, body: '{"status":"Error","error":"unavailable for legal reasons"}' },
  loop: { status: 307, body: "" },
  "price-true": { status: 200, body: '{"price":true}' },
  form_desk: { status: 400, body: '{"message":"Invalid Form Body","code":50035}' },
  edge: { status: 522, body: "error code: 522" },
  "price-object": { status: 200, body: '{"price":{"usd":3000}}' },
  "price-kraken": { status: 200, body: '{"error":["EService:Unavailable"]}' },
  spent_desk: {
    status: 429,
    body: '{"code":42908,"http":429,"error":"limit reached: daily message quota reached"}',
  },
  lost_desk: { status: 404, body: '{"errcode":"M_UNRECOGNIZED","error":"Unrecognized request"}' },
}

/** The first block of Bitcoin. */
const MAINNET = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"

/** `undefined`: as a good server. */
function plant({ name, path, text, passedMs }: Asked): Said | undefined {
  if (name === "mutebal_sol_chain" && text.includes("getBalance")) return null
  if (name === "muting" && passedMs > ALIVE_MS) return null
  if (name === "mute_btc" && /^\/(address|scripthash)/.test(path)) return null
  if (name === "blink_chain" && Math.floor(passedMs / BLINK_MS) % 2 === 1)
    return { status: 502, body: "Bad Gateway" }
  if (name === "blockless_btc" && path === "/blocks")
    return { status: 500, body: "Internal Server Error" }
  if (name === "mainnet_btc" && path === "/block-height/0") return { status: 200, body: MAINNET }
  return BODIES[name]
}

/** The first block of Solana. */
const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
const DELEGATION = `0xef0100${"77".repeat(20)}`

type Call = { readonly id: number; readonly method: string }
type Reply = { readonly id: number; readonly result?: unknown; readonly error?: object }

function spoilCalls(name: string, text: string, said: string): string {
  // CAST: requests of JSON-RPC of our own daemon, and the answers of our own stub.
  const calls = [JSON.parse(text)].flat() as readonly Call[]
  const replies: unknown = JSON.parse(said)
  const change = (reply: Reply): Reply => {
    const call = calls.find(({ id }) => id === reply.id)
    return call === undefined ? reply : spoilReply(name, call, reply)
  }
  return JSON.stringify(Array.isArray(replies) ? replies.map(change) : change(replies as Reply))
}

function spoilReply(name: string, call: Call, reply: Reply): Reply {
  const { method } = call
  const error = ERRORS[name]
  if (error?.pattern.test(method)) return { id: reply.id, error: error.said }
  const isOfToken = JSON.stringify(call).includes(UNLISTED_TOKEN)
  const results: Readonly<Record<string, readonly [boolean, unknown]>> = {
    hollow_chain: [method === "eth_getBalance", "0x"],
    mainnet_sol_chain: [method === "getGenesisHash", GENESIS],
    gutted_chain: [method === "eth_call" && isOfToken, "0x"],
    delegated_chain: [method === "eth_getCode" && !isOfToken, DELEGATION],
    early_stark_chain: [/[bB]lock/.test(method), inFuture(reply.result)],
    pending_stark_chain: [/[bB]lock(With|Hash)/.test(method), withoutHash(reply.result)],
  }
  const [isSpoiled = false, result] = results[name] ?? []
  return isSpoiled ? { ...reply, result } : reply
}

function withoutHash(block: unknown): unknown {
  return typeof block === "object" && block !== null
    ? Object.fromEntries(Object.entries(block).filter(([key]) => key !== "block_hash"))
    : block
}

const AHEAD_S = 720

function inFuture(block: unknown): unknown {
  if (typeof block !== "object" || block === null || !("timestamp" in block)) return block
  return { ...block, timestamp: Number(block.timestamp) + AHEAD_S }
}

/** The error of each method that the pattern fits. */
const ERRORS: Readonly<Record<string, { readonly pattern: RegExp; readonly said: object }>> = {
  paid_chain: {
    pattern: /^eth_getBalance$/,
    said: { code: -32_097, message: "this request requires a paid tier" },
  },
  idless_stark_chain: {
    pattern: /^starknet_chainId$/,
    said: { code: -32_601, message: "Method not found" },
  },
}
