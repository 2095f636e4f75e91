import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { request } from "undici"

export type Call = { readonly method: string; readonly params: readonly unknown[] }
type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

/**
 * What a proxy answers for a call: an answer of its own, a web page with a status, `null` to pass
 * the call on, or a function that changes the node's answer.
 */
export type Meddling = (
  call: Call,
) => Answer | { readonly page: string; readonly status: number } | null | "hang" | Change
export type Change = (answer: Answer) => Answer

/**
 * A proxy before real nodes, which it takes in turn, as a load balancer does. `meddle` makes it lie
 * or fail.
 */
export async function startNodeProxy(
  targets: readonly string[],
  meddle: Meddling,
): Promise<NodeProxy> {
  const asked: Call[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const call = JSON.parse(body.toString()) as Call // CAST: our own client sends it.
    asked.push(call)
    const own = meddle(call)
    if (own === "hang") return
    if (own !== null && "page" in own)
      return response.writeHead(own.status, { "content-type": "text/html" }).end(own.page)
    if (own !== null && typeof own !== "function") return send(own)
    const target = targets[asked.length % targets.length] ?? ""
    const passed = await request(target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
    const answer = (await passed.body.json()) as Answer // CAST: the devnet's answer.
    return send(own === null ? answer : own(answer))

    function send(answer: Answer): void {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    // CAST: a listening TCP server has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type NodeProxy = {
  readonly url: string
  readonly asked: readonly Call[]
  stop(): Promise<void>
}
