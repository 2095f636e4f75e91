import { createServer } from "node:http"
import { request } from "undici"
import { listen, stopServer } from "../../support/listen.ts"

/** One request and its answer as they went over the wire. */
export type Exchange = {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }
  readonly response: { readonly status: number; readonly body: unknown }
}

/**
 * Forwards between a client and `target`, and keeps the last exchange under the present label.
 */
export async function startRecorder(target: string): Promise<Recorder> {
  const state = { label: "" }
  const exchanges: Record<string, Exchange> = {}
  const server = createServer(async (incoming, answer) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString("utf8")
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === "string" && !OF_THE_CONNECTION.includes(name) ? [[name, value]] : [],
      ),
    )
    const { label } = state
    const method = incoming.method ?? ""
    const passed = await request(`${target}${incoming.url}`, {
      // CAST: the methods of the interface are all among undici's.
      method: method as "GET" | "POST" | "PATCH",
      headers,
      body: text === "" ? null : text,
    })
    const body = await passed.body.text()
    const url = new URL(incoming.url ?? "", target)
    exchanges[label] = {
      request: {
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers,
        body: parsed(text),
      },
      response: { status: passed.statusCode, body: parsed(body) },
    }
    answer
      .writeHead(passed.statusCode, { "content-type": String(passed.headers["content-type"]) })
      .end(body)
  })
  const { url } = await listen(server)
  return {
    url,
    exchanges,
    under: async (label, work) => {
      state.label = label
      return work()
    },
    stop: () => stopServer(server),
  }
}

export type Recorder = {
  readonly url: string
  readonly exchanges: Readonly<Record<string, Exchange>>
  /** One at a time. */
  under<T>(label: string, work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const OF_THE_CONNECTION = [
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
]

/** JSON where it is JSON: a proxy's page stays text, no body is `null`. */
function parsed(text: string): unknown {
  if (text === "") return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
