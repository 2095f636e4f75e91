import { createServer, type ServerResponse } from "node:http"
import { request } from "undici"
import { listen, stopServer } from "../../support/listen.ts"

/**
 * A node that forwards everything to `target` until a test breaks it. The first path segment names
 * the fault, so that one server can show all faults at once: `${url}/hang`.
 */
export async function startFaultyNode(target: string): Promise<FaultyNode> {
  const broken = { yet: false }
  const server = createServer(async (incoming, answer) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const [, fault = "", ...rest] = (incoming.url ?? "").split("/")
    if (broken.yet) return FAULTS[fault]?.(answer)
    const method = incoming.method === "POST" ? "POST" : "GET"
    const headers = { "content-type": "application/json" }
    const path = rest.length === 0 ? "" : `/${rest.join("/")}`
    const passed = await request(`${target}${path}`, {
      method,
      headers,
      body: method === "POST" ? Buffer.concat(chunks) : null,
    })
    answer.writeHead(passed.statusCode, headers).end(await passed.body.text())
  })
  const { url } = await listen(server)
  return {
    url,
    breakDown: () => {
      broken.yet = true
    },
    stop: () => stopServer(server),
  }
}

export type FaultyNode = { readonly url: string; breakDown(): void; stop(): Promise<void> }

/** Faults of a node that pass with time. */
export const TROUBLES = ["status-500", "status-429", "status-503", "reset", "hang"] as const
/** Nonsense answers: Ballast tries again, or asks an operator to look. */
export const NONSENSE = [
  "html",
  "empty",
  "object",
  "null-result",
  "bare-hex",
  "rpc-error",
  "words",
] as const

const FAULTS: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  "status-500": (answer) => answer.writeHead(500).end("internal error"),
  "status-429": (answer) => answer.writeHead(429).end("slow down"),
  "status-503": (answer) => answer.writeHead(503).end("<html>Service Unavailable</html>"),
  reset: (answer) => answer.destroy(),
  hang: () => undefined,
  html: (answer) =>
    answer.writeHead(200, { "content-type": "text/html" }).end("<html>Hello</html>"),
  empty: (answer) => answer.writeHead(200).end(),
  object: (answer) => json(answer, {}),
  "null-result": (answer) => json(answer, { jsonrpc: "2.0", id: 1, result: null }),
  "bare-hex": (answer) => json(answer, { jsonrpc: "2.0", id: 1, result: "0x" }),
  "rpc-error": (answer) =>
    json(answer, { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "internal" } }),
  words: (answer) => json(answer, { jsonrpc: "2.0", id: 1, result: "lots" }),
}

function json(answer: ServerResponse, body: unknown): void {
  answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
}
