import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type { Duplex } from "node:stream"
import { correctFee } from "./correct-fee.ts"

/**
 * Serves the HTTP address and the WebSocket address of a validator at one loopback port; 0 means
 * any free port.
 */
export async function startForwarder(
  port: number,
  target: { rpcUrl: string; wsUrl: string },
): Promise<Forwarder> {
  const tunnels = new Set<Duplex>()
  const server = createServer((incoming, answer) => {
    const ownUrl = `http://${incoming.headers.host}`
    void forward(incoming, answer, { target: target.rpcUrl, ownUrl })
  })
  server.on("upgrade", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnels.add(client)
    client.once("close", () => tunnels.delete(client))
    openTunnel(incoming, client, { head, target: new URL(target.wsUrl) })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return {
    // CAST: a listening TCP server has an AddressInfo (node:net, server.address).
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      // The server no longer counts an upgraded connection as its own.
      for (const client of tunnels) client.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

type Forwarder = {
  readonly url: string
  stop(): Promise<void>
}

async function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { target, ownUrl }: { readonly target: string; readonly ownUrl: string },
): Promise<void> {
  const fail = (error: unknown): void => {
    if (!answer.headersSent) answer.writeHead(502, { "content-type": "text/plain" })
    answer.end(error instanceof Error ? error.message : String(error))
  }
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const asked = Buffer.concat(chunks)
    const calls = readBatch(asked)
    if (calls !== null) {
      const answers = await Promise.all(calls.map((call) => post(ownUrl, call)))
      answer.writeHead(200, { "content-type": "application/json" }).end(`[${answers.join(",")}]`)
      return
    }
    const corrected = await correctRequest(asked, target)
    if ("refusal" in corrected) {
      answer.writeHead(200, { "content-type": "application/json" }).end(corrected.refusal)
      return
    }
    const headers = { ...incoming.headers, "content-length": String(corrected.body.length) }
    const outgoing = request(target, { method: incoming.method ?? "POST", headers }, (response) => {
      if (corrected.body.includes("getTransaction"))
        return void answerCorrected(response, answer).catch(fail)
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.once("error", fail).end(corrected.body)
  } catch (error) {
    fail(error)
  }
}

/** Surfpool 1.5.0 refuses batches; a validator answers each of their calls. */
function readBatch(asked: Buffer): readonly unknown[] | null {
  if (asked.toString("utf8", 0, 20).trimStart()[0] !== "[") return null
  const calls: unknown = JSON.parse(asked.toString())
  return Array.isArray(calls) ? calls : null
}

async function post(url: string, call: unknown): Promise<string> {
  const headers = { "content-type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(call) })).text()
}

async function answerCorrected(response: IncomingMessage, answer: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response) chunks.push(chunk)
  const body = Buffer.from(correctFee(Buffer.concat(chunks).toString()))
  const headers = { ...response.headers, "content-length": String(body.length) }
  answer.writeHead(response.statusCode ?? 502, headers).end(body)
}

/**
 * Surfpool 1.5.0 takes `minContextSlot` of `getSignaturesForAddress` for the first slot to list. A
 * validator refuses the request while its own slot is lower (error -32016, Agave
 * `rpc_custom_error.rs`), and otherwise lists everything.
 */
async function correctRequest(
  asked: Buffer,
  target: string,
): Promise<{ body: Buffer } | { refusal: string }> {
  if (!asked.includes("getSignaturesForAddress") || !asked.includes("minContextSlot"))
    return { body: asked }
  // CAST: `readBatch` has taken batches apart.
  const call = JSON.parse(asked.toString()) as {
    id: unknown
    params: [string, { minContextSlot?: number }]
  }
  const [address, { minContextSlot = 0, ...options }] = call.params
  const params = [{ commitment: "processed" }]
  const head = await post(target, { jsonrpc: "2.0", id: 1, method: "getSlot", params })
  // CAST: the answer of getSlot.
  const { result: slot } = JSON.parse(head) as { result: number }
  if (slot >= minContextSlot)
    return { body: Buffer.from(JSON.stringify({ ...call, params: [address, options] })) }
  const message = "Minimum context slot has not been reached"
  const error = { code: -32_016, message, data: { contextSlot: slot } }
  return { refusal: JSON.stringify({ jsonrpc: "2.0", id: call.id, error }) }
}

/**
 * Repeats the upgrade request to the validator. After that the bytes of both sides pass unchanged.
 */
function openTunnel(
  incoming: IncomingMessage,
  client: Duplex,
  { head, target }: { head: Buffer; target: URL },
): void {
  const headers = incoming.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
  )
  const validator = connect(Number(target.port), target.hostname, () => {
    validator.write([`GET ${incoming.url} HTTP/1.1`, ...headers, "", ""].join("\r\n"))
    validator.write(head)
    validator.pipe(client)
    client.pipe(validator)
  })
  for (const [side, other] of [
    [validator, client],
    [client, validator],
  ] as const) {
    side.once("error", () => other.destroy())
    side.once("close", () => other.destroy())
  }
}
