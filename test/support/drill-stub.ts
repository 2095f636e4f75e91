import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { freePort } from "./free-port.ts"
import { stopServer } from "./listen.ts"
import { startUnlistedStub } from "./unlisted-stub.ts"

/** The servers that plant the faults of the drill. `urlOf`: a chain, service, price or receiver. */
export type DrillStub = {
  readonly urlOf: (name: string) => string
  /** Nothing listens there. */
  readonly closedPort: number
  /** Whether the fault of this name has reached the daemon. */
  readonly hasSpoiled: (name: string) => boolean
  readonly stop: () => Promise<void>
}

type Said = { readonly status: number; readonly body: string | Buffer }

const HOUR_MS = 3_600_000
const RATED = "Too many requests for a specific RPC call"
const NAY = "Bad Request: need administrator rights in the channel chat"

/** The stub of the unlisted faults answers every other request as a good node. */
export async function startDrillStub(): Promise<DrillStub> {
  const good = await startUnlistedStub()
  const spoiled = new Set<string>(["closed_desk"])
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, name = "", ...rest] = request.url?.split("/") ?? []
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const planted = plant(name, text)
    if (planted !== null) spoiled.add(name)
    response.setHeader("content-type", "application/json")
    if (planted !== null) return void response.writeHead(planted.status).end(planted.body)
    const asked = text === "" ? {} : { method: "POST", body: text }
    const answer = await fetch(`${good.urlOf(name)}/${rest.join("/")}`, asked)
    response.writeHead(answer.status).end(await answer.text())
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
      return `http://127.0.6.${hosts.get(name)}:${port}/${name}`
    },
    closedPort: await freePort(),
    hasSpoiled: (name) => spoiled.has(name),
    stop: async () => {
      server.closeAllConnections()
      await stopServer(server)
      good.stop()
    },
  }
}

function plant(name: string, text: string): Said | null {
  const said = (body: string | Buffer, status = 200): Said => ({ status, body })
  if (name === "zipped") return said(gzipSync('{"status":"Ok","result":[]}'))
  if (name === "nay_desk") return said(JSON.stringify({ ok: false, description: NAY }))
  if (name === "price-old") return said(tickerOf(Date.now() - HOUR_MS))
  if (name === "retry_chain" && text.includes("eth_getBlockByNumber"))
    return said('{"error":"too many requests for eth_getBlockByNumber"}', 429)
  if (name === "null_chain" && text.includes("eth_getBlockByNumber"))
    return said(repliesTo(text, "eth_getBlockByNumber", { result: null }))
  if (name === "rated_sol_chain" && text.includes("getBalance"))
    return said(repliesTo(text, "getBalance", { error: { code: 429, message: RATED } }))
  return null
}

function tickerOf(atMs: number): string {
  const time = new Date(atMs).toISOString()
  return JSON.stringify({ ask: "3000.5", bid: "2999.5", price: "3000", size: "1", time })
}

/** A batch fails whole: a daemon does not mix these calls with others that must succeed. */
function repliesTo(text: string, method: string, reply: object): string {
  // CAST: requests of JSON-RPC, from our own daemon.
  const asked = JSON.parse(text) as Asked | Asked[]
  const one = ({ id, method: of }: Asked): object => ({
    jsonrpc: "2.0",
    id,
    ...(of === method ? reply : { result: "0x14a34" }),
  })
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}

type Asked = { readonly id: number; readonly method: string }
