import { createServer, type IncomingMessage } from "node:http"
import { listen, stopServer } from "./listen.ts"

/**
 * How an endpoint fails. `change` gets the answer of the real node; `status` and `body` replace it.
 */
export type EndpointFault = {
  readonly delayMs?: number
  readonly status?: number
  readonly body?: string
  readonly change?: (result: Record<string, unknown>) => Record<string, unknown>
}

export type FaultyEndpoint = { readonly url: string; readonly stop: () => void }

/** An HTTP endpoint in front of a real node. It passes requests on, and answers with one fault. */
export async function startFaultyEndpoint(
  node: string,
  fault: EndpointFault,
): Promise<FaultyEndpoint> {
  const server = createServer((request, response) => {
    answer(node, fault, request).then(
      ({ status, body }) => {
        const type = body.startsWith("<") ? "text/html" : "application/json"
        response.writeHead(status, { "content-type": type }).end(body)
      },
      () => response.destroy(),
    )
  })
  return { url: (await listen(server)).url, stop: () => stopServer(server) }
}

async function answer(node: string, fault: EndpointFault, request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 0))
  if (fault.body !== undefined || fault.status !== undefined)
    return { status: fault.status ?? 200, body: fault.body ?? "" }
  const headers = { "content-type": "application/json" }
  const real = await fetch(node, {
    method: "POST",
    headers,
    body: Buffer.concat(chunks).toString(),
  })
  const text = await real.text()
  return {
    status: real.status,
    body: fault.change === undefined ? text : JSON.stringify(change(text, fault.change)),
  }
}

/** Changes each result that is an object: a block. */
function change(text: string, edit: NonNullable<EndpointFault["change"]>): unknown {
  const parsed: unknown = JSON.parse(text)
  const one = (item: unknown): unknown => {
    // CAST: an answer of JSON-RPC; every part is checked before use.
    const { result } = item as { result?: unknown }
    if (typeof result !== "object" || result === null || !("timestamp" in result)) return item
    return { ...(item as object), result: edit(result as Record<string, unknown>) }
  }
  return Array.isArray(parsed) ? parsed.map(one) : one(parsed)
}
