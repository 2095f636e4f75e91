import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type { Duplex } from "node:stream"

/** Serves the HTTP address and the WebSocket address of a validator at one loopback port; 0 means any free port. */
export async function startForwarder(port: number, target: { rpcUrl: string; wsUrl: string }): Promise<Forwarder> {
  const tunnels = new Set<Duplex>()
  const server = createServer((incoming, answer) => forward(incoming, answer, target.rpcUrl))
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

function forward(incoming: IncomingMessage, answer: ServerResponse, target: string): void {
  const outgoing = request(target, { method: incoming.method ?? "POST", headers: incoming.headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  outgoing.once("error", (error) => {
    if (!answer.headersSent) answer.writeHead(502, { "content-type": "text/plain" })
    answer.end(error.message)
  })
  incoming.pipe(outgoing)
}

/** Repeats the upgrade request to the validator. After that the bytes of both sides pass unchanged. */
function openTunnel(incoming: IncomingMessage, client: Duplex, { head, target }: { head: Buffer; target: URL }): void {
  const headers = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
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
