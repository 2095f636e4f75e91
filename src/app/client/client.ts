import { setTimeout as sleep } from "node:timers/promises"
import type { DaemonEvent } from "./answers.ts"
import { type CallOptions, type Calls, OPERATIONS } from "./api.ts"
import { leavesOpen } from "./leaves-open.ts"
import { type EventOptions, streamEvents } from "./stream-events.ts"

export type ClientOptions = {
  /** Of the daemon's listener, such as `http://127.0.0.1:7070`. */
  readonly url: string
  /** One of `ops.tokens`, or `ops.token`. */
  readonly token: string
  /** For a proxy, a certificate of one's own, or the daemon's socket. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** So long a change is asked again under its key while no answer comes; 30 s without it. */
  readonly patienceMs?: number
}

type Client = Calls & {
  readonly getEvents: (options?: EventOptions) => AsyncGenerator<DaemonEvent, void>
}

/** The daemon refused: nothing was done. */
export class Refused extends Error {
  override name = "Refused"
  readonly status: number
  readonly reasons: readonly { readonly code: string; readonly message: string }[]

  constructor(status: number, reasons: Refused["reasons"]) {
    super(reasons.map(({ message }) => message).join("; ") || `HTTP ${status}`)
    this.status = status
    this.reasons = reasons
  }
}

/**
 * No answer came, so it may be done. The same call with this `key` does it once, and tells how it
 * went; `null` for a call that takes no key.
 */
export class AnswerLost extends Error {
  override name = "AnswerLost"
  readonly key: string | null

  constructor(key: string | null, cause: unknown) {
    super("The daemon gave no answer", { cause })
    this.key = key
  }
}

const PATIENCE_MS = 30_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** One function for each operation of the daemon's HTTP interface, and its stream of events. */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(OPERATIONS).map(([name, [method, path, isKeyed]]) => [
    name,
    (args: Arguments = {}, more: CallOptions = {}) =>
      isKeyed
        ? askUntilAnswered(options, requestOf(method, path, args), more)
        : ask(options, requestOf(method, path, args), { ...more, key: null }),
  ])
  return {
    // CAST: the table and the types are made from one document.
    ...(Object.fromEntries(calls) as Calls),
    getEvents: (more = {}) =>
      streamEvents((headers, signal) => {
        const asked = { method: "GET", path: "/api/v1/events", body: null, headers }
        return open(options, asked, signal)
      }, more),
  }
}

/** All pages of a list: `for await (const { orders } of pages(client.getOrders, {}))`. */
export async function* pages<
  Args extends { readonly cursor?: string | undefined },
  Page extends { readonly next: string | null },
>(list: (args?: Args) => Promise<Page>, args: NoInfer<Args>): AsyncGenerator<Page, void> {
  let page = await list(args)
  yield page
  while (page.next !== null) {
    page = await list({ ...args, cursor: page.next })
    yield page
  }
}

type Arguments = Readonly<Record<string, unknown>>
type Asked = {
  readonly method: string
  readonly path: string
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Names of the path go there, and all others into the query or the body. */
function requestOf(method: string, path: string, args: Arguments): Asked {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(args[name])))
  const rest = Object.entries(args).filter(([name, one]) => !inPath.has(name) && one !== undefined)
  if (method === "POST") {
    const headers = { "content-type": "application/json" }
    return { method, path: filled, body: JSON.stringify(Object.fromEntries(rest)), headers }
  }
  const query = new URLSearchParams()
  for (const [name, one] of rest) query.set(name, String(one))
  const asked = query.size === 0 ? filled : `${filled}?${query}`
  return { method, path: asked, body: null, headers: {} }
}

/** A lost answer is asked for again under the same key, so the change happens once. */
async function askUntilAnswered(
  options: ClientOptions,
  asked: Asked,
  { key = crypto.randomUUID(), signal }: CallOptions,
): Promise<unknown> {
  const { patienceMs = PATIENCE_MS } = options
  const headers = { ...asked.headers, "idempotency-key": key }
  const startedMs = performance.now()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await ask(options, { ...asked, headers }, { key, ...(signal ? { signal } : {}) })
    } catch (error) {
      const isOver =
        performance.now() - startedMs + pauseMs > patienceMs ||
        (error instanceof AnswerLost && codeOf(error.cause) === UNFINISHED)
      if (isOver || signal?.aborted || !(error instanceof AnswerLost)) throw error
    }
    // An abort in the pause is as one in the question.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

type Told = { readonly key: string | null; readonly signal?: AbortSignal }

async function ask(options: ClientOptions, asked: Asked, { key, signal }: Told): Promise<unknown> {
  try {
    const answer = await open(options, asked, signal)
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true
    return isJson ? await answer.json() : await answer.text()
  } catch (error) {
    const isFinal = error instanceof Refused && !isLost(error)
    throw isFinal ? error : new AnswerLost(key, error)
  }
}

function isLost(refused: Refused): boolean {
  const code = codeOf(refused)
  return code === UNFINISHED || leavesOpen(refused.status, code)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Refused ? error.reasons[0]?.code : undefined
}

/** The daemon ended in the midst of the change, and never acts again under its key. */
const UNFINISHED = "request.key_unfinished"

/** Throws what the daemon or a proxy refused. */
async function open(
  { url, token, fetch: send = fetch }: ClientOptions,
  { method, path, body, headers }: Asked,
  signal?: AbortSignal,
): Promise<Response> {
  const answer = await send(new URL(path, url).href, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    redirect: "error",
    ...(body === null ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  })
  // 503 is an answer of `readyz`, and no problem.
  if (answer.ok || answer.headers.get("content-type")?.startsWith("application/json")) return answer
  const text = await answer.text()
  throw new Refused(answer.status, reasonsOf(text))
}

function reasonsOf(text: string): Refused["reasons"] {
  try {
    const { reasons } = JSON.parse(text)
    return Array.isArray(reasons) ? reasons : []
  } catch {
    // A proxy's page.
    return []
  }
}
