import { createServer } from "node:http"
import { request } from "undici"
import { listen } from "../../support/listen.ts"

/**
 * For tests: a node in front of another (`behind`) that gives some answers of its own; a text is
 * sent as it is, with status 502.
 */
export async function startProxy(behind: string | null, answer: ProxyAnswers): Promise<NodeProxy> {
  const asked: { method: string; authorization: string | undefined }[] = []
  let requests = 0
  const server = createServer(async (incoming, response) => {
    requests++
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    // CAST: requests come from our own client, in this form: one call, or a batch of them.
    const sent = JSON.parse(body) as Call | Call[]
    const calls = Array.isArray(sent) ? sent : [sent]
    const answers: object[] = []
    for (const { id, method, params } of calls) {
      asked.push({ method, authorization: incoming.headers.authorization })
      const own = (await answer(method, params)) ?? (await forward(behind, { id, method, params }))
      response.setHeader("content-type", "application/json")
      if (own === "silence") return void response.write("{")
      if (typeof own === "string") return void response.writeHead(502).end(own)
      answers.push({ jsonrpc: "2.0", ...own, id })
    }
    response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
  })
  const { url } = await listen(server)
  return {
    url,
    asked,
    requests: () => requests,
    stop: () => stopServer(server),
  }
}

/** `null` passes the question on. `silence` begins an answer and never ends it. */
export type ProxyAnswers = (
  method: string,
  params: readonly unknown[],
) => ProxyAnswer | null | Promise<ProxyAnswer | null>
export type ProxyAnswer =
  | string
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: string } }

export type NodeProxy = {
  readonly url: string
  readonly asked: readonly { readonly method: string; readonly authorization: string | undefined }[]
  /** Requests of HTTP, of which one may be a batch of calls. */
  requests(): number
  stop(): Promise<void>
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

async function forward(behind: string | null, call: Call): Promise<ProxyAnswer> {
  if (behind === null) return { error: { code: -32_601, message: "the method does not exist" } }
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify({ jsonrpc: "2.0", ...call })
  const answer = await request(behind, { method: "POST", headers, body })
  // CAST: the node behind is a real one.
  return (await answer.body.json()) as ProxyAnswer
}

function stopServer(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
