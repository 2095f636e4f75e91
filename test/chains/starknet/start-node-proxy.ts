import { createServer } from "node:http"
import { request } from "undici"
import { listen, stopServer } from "../../support/listen.ts"

export type Call = { readonly method: string; readonly params: readonly unknown[] }
type Sent = Call & { readonly id: unknown }
type Answer = {
  id?: unknown
  jsonrpc?: string
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

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
    // CAST: our own client sends it: one call, or a list of them.
    const sent = JSON.parse(body.toString()) as Sent | readonly Sent[]
    const answers: Answer[] = []
    for (const call of [sent].flat()) {
      asked.push(call)
      const own = meddle(call)
      if (own === "hang") return
      if (own !== null && "page" in own)
        return response.writeHead(own.status, { "content-type": "text/html" }).end(own.page)
      const isOwn = own !== null && typeof own !== "function"
      const answer = isOwn ? own : await forward(targets[asked.length % targets.length], call)
      const shown = typeof own === "function" ? own(answer) : answer
      answers.push({ jsonrpc: "2.0", ...shown, id: call.id })
    }
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
  })
  const { url } = await listen(server)
  return {
    url,
    asked,
    stop: () => stopServer(server),
  }
}

export type NodeProxy = {
  readonly url: string
  readonly asked: readonly Call[]
  stop(): Promise<void>
}

async function forward(target = "", call: Sent): Promise<Answer> {
  const passed = await request(target, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(call),
  })
  // CAST: the devnet's answer.
  return (await passed.body.json()) as Answer
}
