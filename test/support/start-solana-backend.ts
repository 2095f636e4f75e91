import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listen, stopServer } from "./listen.ts"

/**
 * A Solana RPC address in front of a real local node, as one or more backends behind a load
 * balancer would answer: each backend may lag, may have pruned its history, or may lie. A seeded
 * generator chooses the backend of each request.
 */
export async function startSolanaBackends(
  target: string,
  backends: readonly Backend[],
): Promise<SolanaAddress> {
  let state = 1
  const draw = (): number => {
    // The linear congruential generator of Numerical Recipes; its high bits are good enough to
    // choose between a few backends.
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  const server = createServer(async (incoming, answer) => {
    const backend = backends[Math.floor(draw() * backends.length)] ?? {}
    try {
      await serve(target, backend, incoming, answer)
    } catch (error) {
      answer.writeHead(502).end(String(error))
    }
  })
  const { url } = await listen(server)
  return {
    url,
    stop: () => stopServer(server),
  }
}

/** Tests change the fields while the address is in use. */
export type Backend = {
  /** It knows no block above this slot, and its accounts are as it answered them last. */
  frozenAt?: number
  /** It has no block below this slot. */
  prunedBelow?: number
  /** It answers every request with this page. */
  page?: { readonly status: number; readonly text: string }
  /** Replaces the result of a method; `undefined` keeps the honest one. */
  lie?: (method: string, params: readonly unknown[], honest: unknown) => unknown
  /** The newest answers about accounts, for the time after a freeze. */
  remembered?: Map<string, unknown>
}

export type SolanaAddress = { readonly url: string; stop(): Promise<void> }

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }
type Options = { readonly commitment?: string; readonly minContextSlot?: number }
type Entry = { readonly slot: number; readonly confirmationStatus: string }

async function serve(
  target: string,
  backend: Backend,
  incoming: IncomingMessage,
  answer: ServerResponse,
) {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  if (backend.page !== undefined) {
    answer.writeHead(backend.page.status, { "content-type": "text/html" }).end(backend.page.text)
    return
  }
  // CAST: Ballast sends JSON-RPC calls, alone or in a list.
  const sent = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[]
  const answerOne = async (call: Call) => {
    const honest = await ask(target, call)
    const shown = "result" in honest ? await restrict(target, backend, call, honest.result) : honest
    const lied =
      "result" in shown ? backend.lie?.(call.method, call.params, shown.result) : undefined
    return { jsonrpc: "2.0", id: call.id, ...(lied === undefined ? shown : { result: lied }) }
  }
  const answers = await Promise.all([sent].flat().map(answerOne))
  answer
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
}

type Answer = { readonly result: unknown } | { readonly error: unknown }

async function ask(target: string, call: Pick<Call, "method" | "params">): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...call })
  const answer = await fetch(target, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  // CAST: a JSON-RPC answer; `restrict` reads it by method.
  return (await answer.json()) as Answer
}

/** The node finalizes a slot 31 slots later. */
const FINAL_LAG = 31

/** What the backend knows of an honest result. */
async function restrict(
  target: string,
  backend: Backend,
  call: Call,
  result: unknown,
): Promise<Answer> {
  const { frozenAt = Number.POSITIVE_INFINITY, prunedBelow = 0 } = backend
  const options = call.params.find(
    (one) => typeof one === "object" && one !== null && !Array.isArray(one),
  ) as Options | undefined
  const own = (slot: number): number =>
    options?.commitment === "finalized" ? slot - FINAL_LAG : slot
  const isKnown = (entry: Entry | null): entry is Entry =>
    entry !== null && entry.slot <= frozenAt && entry.slot >= prunedBelow
  const { minContextSlot } = options ?? {}
  if (minContextSlot !== undefined && minContextSlot > own(frozenAt))
    return {
      error: { code: -32_016, message: "Minimum context slot has not been reached", data: {} },
    }
  switch (call.method) {
    case "getSlot":
      return { result: Math.min(Number(result), own(frozenAt)) }
    case "getBlockHeight": {
      const newest = await ask(target, { method: "getSlot", params: [{ commitment: "processed" }] })
      const behind = "result" in newest ? Math.max(0, Number(newest.result) - frozenAt) : 0
      return { result: Math.max(0, Number(result) - behind) }
    }
    case "getFirstAvailableBlock":
      return { result: Math.max(Number(result), prunedBelow) }
    case "getTransaction":
      return { result: isKnown(result as Entry | null) ? result : null }
    case "getSignaturesForAddress":
      return { result: (result as Entry[]).filter(isKnown) }
    case "getSignatureStatuses": {
      const { context, value } = result as { context: { slot: number }; value: (Entry | null)[] }
      const slot = Math.min(context.slot, frozenAt)
      return {
        result: {
          context: { ...context, slot },
          value: value.map((one) => (isKnown(one) ? one : null)),
        },
      }
    }
    default:
      return { result: recall(backend, call, result) }
  }
}

/**
 * The accounts of a frozen backend: as it answered them last, and absent where it was never asked.
 */
function recall(backend: Backend, call: Call, result: unknown): unknown {
  if (!["getAccountInfo", "getBalance"].includes(call.method)) return result
  backend.remembered ??= new Map()
  const key = `${call.method} ${String(call.params[0])}`
  if (backend.frozenAt === undefined) {
    backend.remembered.set(key, result)
    return result
  }
  const { value = null } = (backend.remembered.get(key) ?? {}) as { value?: unknown }
  return {
    context: { slot: backend.frozenAt },
    value: value ?? (call.method === "getBalance" ? 0 : null),
  }
}
