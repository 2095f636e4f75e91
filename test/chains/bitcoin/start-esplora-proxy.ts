import { createServer } from "node:http"
import { request } from "undici"
import { listen, stopServer } from "../../support/listen.ts"

/**
 * A server in front of a real Esplora. `lies` are tried in order: the first whose path matches may
 * change the answer, or return `null` to pass it on. `backend` may show the chain as it was one
 * block ago, always or for every other request, as a load balancer does.
 */
export async function startEsploraProxy(target: string): Promise<EsploraProxy> {
  const lies: Lie[] = []
  const state = { backend: "newest" as Backend, requests: 0, url: "" }
  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? "/"
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const isPost = incoming.method === "POST"
    state.requests++
    const lags =
      state.backend === "behind" || (state.backend === "alternating" && state.requests % 2 === 0)
    const passed = await request(
      `${target}${path}`,
      isPost ? { method: "POST", body: Buffer.concat(chunks) } : {},
    )
    const answer = { status: passed.statusCode, body: await passed.body.text() }
    const honest = lags && !isPost ? hideNewest(path, answer, await newestHeight(target)) : answer
    const lie = lies
      .map(({ path: pattern, tell }) => (pattern.test(path) ? tell(honest) : null))
      .find(Boolean)
    const shown = lie ?? honest
    response.writeHead(shown.status).end(shown.body)
  })
  const { url } = await listen(server)
  return {
    url,
    lie: (path, tell) =>
      void lies.push({ path, tell: typeof tell === "function" ? tell : () => tell }),
    tellTruth: () => void lies.splice(0),
    setBackend: (backend) => {
      state.backend = backend
    },
    stop: () => stopServer(server),
  }
}

export type EsploraProxy = {
  readonly url: string
  lie(path: RegExp, tell: Answer | ((honest: Answer) => Answer | null)): void
  tellTruth(): void
  setBackend(backend: Backend): void
  stop(): Promise<void>
}

export type Answer = { readonly status: number; readonly body: string }

type Backend = "newest" | "behind" | "alternating"
type Lie = { readonly path: RegExp; readonly tell: (honest: Answer) => Answer | null }

export function json(value: unknown): Answer {
  return { status: 200, body: JSON.stringify(value) }
}

async function newestHeight(target: string): Promise<number> {
  return Number(await (await request(`${target}/blocks/tip/height`)).body.text())
}

/**
 * The answer of a server that does not have the newest block yet. Transactions of that block wait
 * in its mempool.
 */
function hideNewest(path: string, answer: Answer, newest: number): Answer {
  if (path === "/blocks/tip/height") return { ...answer, body: String(newest - 1) }
  if (path === `/block-height/${newest}`) return { status: 404, body: "Block not found" }
  if (answer.status !== 200 || !answer.body.includes('"confirmed"')) return answer
  return json(
    JSON.parse(answer.body, (_key, value) =>
      isNewest(value, newest) ? { confirmed: false } : value,
    ),
  )
}

function isNewest(value: unknown, newest: number): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "block_height" in value &&
    value.block_height === newest
  )
}
