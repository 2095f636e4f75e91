import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { stopServer } from "./listen.ts"
import { startUnlistedStub } from "./unlisted-stub.ts"

/** The server that plants the everyday faults. `urlOf`: a chain, service, price or receiver. */
export type EverydayStub = {
  readonly urlOf: (name: string) => string
  readonly stop: () => Promise<void>
}

const ALIVE_MS = 20_000

/** The stub of the unlisted faults answers every other request as a good node. */
export async function startEverydayStub(): Promise<EverydayStub> {
  const good = await startUnlistedStub()
  const startedMs = Date.now()
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, at = "", ...rest] = request.url?.split("/") ?? []
    const [name = ""] = at.split("?")
    let text = ""
    for await (const chunk of request) text += String(chunk)
    if (name === "mutebal_chain" && text.includes("eth_getBalance")) return
    const isDead = name.startsWith("dying") && Date.now() - startedMs > ALIVE_MS
    if (isDead) return void response.writeHead(name === "dying" ? 503 : 502).end("Bad Gateway")
    const refusal = ERRORS[name]
    if (refusal !== undefined && text !== "") return void response.end(refuseCalls(text, refusal))
    const body = BODIES[name]
    response.setHeader("content-type", "application/json")
    if (body !== undefined) return void response.writeHead(STATUSES[name] ?? 200).end(body)
    const path = `${good.urlOf(name)}/${rest.join("/")}`
    const answer = await fetch(path, text === "" ? {} : { method: "POST", body: text })
    const said = await answer.text()
    response.writeHead(answer.status).end(name === "future_chain" ? inFuture(said) : said)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
  // CAST: a server on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  // A limit of requests counts for a host: each name has its own.
  const hosts = new Map<string, number>()
  return {
    urlOf: (name) => {
      if (!hosts.has(name)) hosts.set(name, hosts.size + 1)
      return `http://127.0.2.${hosts.get(name)}:${port}/${name}`
    },
    stop: async () => {
      server.closeAllConnections()
      await stopServer(server)
      good.stop()
    },
  }
}

const STATUSES: Readonly<Record<string, number>> = {
  banned_btc: 429,
  verb: 405,
  suspended: 403,
  revoked_desk: 401,
  super_desk: 400,
  noservice_desk: 404,
  signed_desk: 401,
  "price-coinbase": 404,
  collector: 404,
}
const SUPERGROUP = "Bad Request: group chat was upgraded to a supergroup chat"
const BODIES: Readonly<Record<string, string>> = {
  banned_btc: "error code: 1015",
  verb: "Method Not Allowed",
  shell: '{"ok":true,"data":[]}',
  suspended: '{"status":"Error","error":"app id is suspended"}',
  dying: '{"status":"Ok","result":[]}',
  "price-comma": '{"price":"3,000.50"}',
  "price-coinbase": '{"message":"NotFound"}',
  revoked_desk: '{"ok":false,"error_code":401,"description":"Unauthorized"}',
  super_desk: `{"ok":false,"error_code":400,"description":"${SUPERGROUP}"}`,
  noservice_desk: "no_service",
  signed_desk: '{"error":"invalid signature"}',
  collector: "404 page not found",
}

/** The error of each call that the pattern fits; all others fit a good node. */
const ERRORS: Readonly<Record<string, unknown>> = {
  textual_chain: "Monthly capacity limit exceeded",
  syncing_chain: { code: -32_000, message: "node is syncing, please retry later" },
  credits_sol_chain: { code: -32_429, message: "max usage reached" },
  params_stark_chain: { code: -32_602, message: "Invalid params" },
}

type Call = { readonly id: number; readonly method: string }

function refuseCalls(text: string, error: unknown): string {
  const calls: unknown = JSON.parse(text)
  // CAST: requests of JSON-RPC, from our own daemon.
  const one = (call: unknown): object => replyTo(call as Call, error)
  return JSON.stringify(Array.isArray(calls) ? calls.map(one) : one(calls))
}

const BLOCK = { block_hash: "0x9", parent_hash: "0x8" }

/** The Starknet node refuses the balance alone. */
function replyTo({ id, method }: Call, error: unknown): object {
  const nowS = Math.floor(Date.now() / 1_000)
  const good: Readonly<Record<string, unknown>> = {
    starknet_chainId: "0x534e5f5345504f4c4941",
    starknet_specVersion: "0.9.0",
    starknet_blockNumber: nowS,
  }
  const isBlock = /^starknet_(getBlock|blockHash)/.test(method)
  const block = isBlock ? { ...BLOCK, block_number: nowS, timestamp: nowS } : "0x0"
  const isRefused = !method.startsWith("starknet") || method === "starknet_call"
  return { jsonrpc: "2.0", id, ...(isRefused ? { error } : { result: good[method] ?? block }) }
}

const AHEAD_S = 1_200

function inFuture(said: string): string {
  return said.replaceAll(/"timestamp":"(0x[\da-f]+)"/g, (_, hex: string) => {
    const atS = Number.parseInt(hex, 16) + AHEAD_S
    return `"timestamp":"0x${atS.toString(16)}"`
  })
}
