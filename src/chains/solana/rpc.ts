import { request } from "undici"
import { z } from "zod"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"

/**
 * JSON-RPC 2.0 over HTTP to one or more Solana nodes.
 *
 * Numbers beyond 2^53 arrive as bigint: the protocol writes u64 amounts as plain JSON numbers. Errors: `solana.unreachable` and
 * `solana.node_error` (transient), `solana.nonsense` (hold). A node's own error keeps its number and text in the details.
 */
export function createRpc(options: { urls: readonly string[]; timeoutMs: number; clock: Clock }): Rpc {
  const callOne = (url: string, call: RpcCall): Promise<unknown> => callNode(url, call, options.timeoutMs)
  return {
    urls: options.urls,
    callOne,
    read: async (method, params, schema) => {
      const answer = await retryRead(() => callFirst(options.urls, { method, params }, callOne), {
        clock: options.clock,
      })
      return parseAnswer(method, answer, schema)
    },
    readFrom: async (url, method, params, schema) => {
      const answer = await retryRead(() => callOne(url, { method, params }), { clock: options.clock })
      return parseAnswer(method, answer, schema)
    },
  }
}

export type Rpc = {
  readonly urls: readonly string[]
  /** The first endpoint that answers; the next one when it is away or in trouble. */
  read<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T>
  /** One endpoint only, for facts that belong together. */
  readFrom<T>(url: string, method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T>
  /** One endpoint, one try: for writes. */
  callOne(url: string, call: RpcCall): Promise<unknown>
}

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

async function callFirst(
  urls: readonly string[],
  call: RpcCall,
  callOne: (url: string, call: RpcCall) => Promise<unknown>,
): Promise<unknown> {
  let last: unknown
  for (const url of urls) {
    try {
      return await callOne(url, call)
    } catch (error) {
      if (toAppError(error, { code: "solana.unreachable", disposition: "bug" }).disposition !== "transient") throw error
      last = error
    }
  }
  throw last
}

async function callNode(url: string, call: RpcCall, timeoutMs: number): Promise<unknown> {
  const { status, text, retryAfterMs } = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }), timeoutMs)
  const answer = parseJson(text)
  if (answer === undefined || !envelope.safeParse(answer).success) {
    if (status !== 200) throw unreachable(url, { reason: `answered HTTP ${status}`, retryAfterMs })
    throw nonsense(call.method, "the answer is not JSON-RPC")
  }
  const { error, result } = envelope.parse(answer)
  if (error !== undefined) throw nodeError(call.method, error)
  return result
}

const envelope = z.object({
  jsonrpc: z.literal("2.0"),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
})

type HttpAnswer = { status: number; text: string; retryAfterMs: number | null }

async function post(url: string, body: string, timeoutMs: number): Promise<HttpAnswer> {
  try {
    const response = await request(url, {
      method: "POST",
      // Without br: Node's Brotli decoder had a flaw (see runtime notes), and the answers are small.
      headers: { "content-type": "application/json", "accept-encoding": "identity" },
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfterSeconds = Number(response.headers["retry-after"])
    const retryAfterMs = retryAfterSeconds > 0 ? retryAfterSeconds * 1000 : null
    return { status: response.statusCode, text: await response.body.text(), retryAfterMs }
  } catch (error) {
    throw unreachable(url, { reason: error instanceof Error ? error.message : String(error), cause: error })
  }
}

/** `undefined` for text that is not JSON. */
function parseJson(text: string): unknown {
  const keepBigNumbers = (_key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? "")
      ? BigInt(context.source ?? "")
      : value
  // CAST: Node 24 hands the source text to the reviver (ECMAScript proposal JSON.parse source text access); the library types do not know it yet.
  const parse = JSON.parse as (text: string, reviver: typeof keepBigNumbers) => unknown
  try {
    return parse(text, keepBigNumbers)
  } catch {
    // An HTML page of a proxy is an answer too; the caller says what it means.
    return undefined
  }
}

function parseAnswer<T>(method: string, answer: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw nonsense(method, z.prettifyError(parsed.error))
  return parsed.data
}

function unreachable(url: string, what: { reason: string; cause?: unknown; retryAfterMs?: number | null }): AppError {
  const { reason, cause, retryAfterMs } = what
  // The host only: the path of a hosted node often holds its access key.
  const host = URL.canParse(url) ? new URL(url).host : "(not a URL)"
  return new AppError({
    code: "solana.unreachable",
    disposition: "transient",
    message: `the Solana node at ${host} did not answer (${reason}); it will be asked again, check the network if this lasts`,
    details: { host, reason, ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}) },
    cause,
  })
}

function nonsense(method: string, problem: string): AppError {
  return new AppError({
    code: "solana.nonsense",
    disposition: "hold",
    message: `the Solana node's answer to ${method} cannot be read (${problem}); check that the configured URL is a Solana JSON-RPC endpoint`,
    details: { method, problem },
  })
}

function nodeError(method: string, error: { code: number; message: string; data?: unknown }): AppError {
  const { code, message } = error
  // -32601 and -32602: the node does not know the method or the parameters. Trying again would not change that.
  const permanent = code === -32601 || code === -32602
  return new AppError({
    code: "solana.node_error",
    disposition: permanent ? "hold" : "transient",
    message: `the Solana node refused ${method}: ${message}`,
    details: { method, rpcCode: code, rpcMessage: message, rpcData: JSON.stringify(error.data ?? null) },
  })
}
