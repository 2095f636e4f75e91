import { request } from "undici"
import { z } from "zod"
import {
  createPacedRequests,
  isLimited,
  LIMIT_TEXT,
  PATIENCE_TIMEOUTS,
  readRetryAfter,
} from "#chains/paced-requests.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { isGiantInteger, parsePeerJson, type Reviver, refuseGiants } from "#lib/peer-json.ts"
import { readBody } from "#lib/read-body.ts"
import { retryRead } from "#lib/retry.ts"
import { createSharedReads } from "./nodes/share-reads.ts"

/**
 * Creates a JSON-RPC 2.0 client over HTTP for one or more Solana nodes.
 *
 * Integers beyond 2^53 arrive as bigint, because the protocol writes u64 amounts as plain JSON
 * numbers. Every failure of a read is transient and counts for its endpoint alone, so that no page
 * of a proxy holds an order: `solana.unreachable`, `solana.nonsense`, `solana.node_error`. The
 * details keep the number and text of the node's error.
 *
 * With a `genesisHash`, the first use of each endpoint compares it, so that Ballast never uses
 * answers of another cluster (`solana.wrong_network`).
 *
 * A limit of requests makes a read wait (`createPacedRequests`). `read` asks the next endpoint
 * instead, where there is one.
 */
export function createRpc(options: {
  urls: readonly string[]
  genesisHash?: string | null
  timeoutMs: number
  clock: Clock
}): Rpc {
  const nodes = new Map(options.urls.map((url) => [url, createNodeCalls(url, options)]))
  const nodeAt = (url: string): NodeCalls => nodes.get(url) ?? createNodeCalls(url, options)
  const isAlone = options.urls.length === 1
  const repeat = <T>(read: () => Promise<T>): Promise<T> =>
    retryRead(read, { clock: options.clock, attempts: triesFor })
  const readOne = async <T>(ask: AskCall, call: RpcCall, schema: z.ZodType<T>): Promise<T> =>
    parseAnswer(call.method, await ask(call), schema)
  return {
    urls: options.urls,
    callOne: (url, call) => nodeAt(url).write(call),
    read: (method, params, schema) => {
      const readAt = (url: string) =>
        readOne(nodeAt(url)[isAlone ? "read" : "readOnce"], { method, params }, schema)
      return repeat(() => readFirst(options.urls, readAt))
    },
    endpoints: options.urls.map((url) => ({
      host: hostOf(url),
      read: (method, params, schema) =>
        repeat(() => readOne(nodeAt(url).read, { method, params }, schema)),
    })),
  }
}

/** The wait for a limit is over when such a failure comes. */
function triesFor(error: AppError): number {
  return isLimited(error) ? 1 : 3
}

type AskCall = (call: RpcCall) => Promise<unknown>

/** `readOnce` does not wait for a limit of requests, and `write` does not either. */
type NodeCalls = { readonly read: AskCall; readonly readOnce: AskCall; readonly write: AskCall }

function createNodeCalls(
  url: string,
  {
    genesisHash = null,
    timeoutMs,
    clock,
  }: { genesisHash?: string | null; timeoutMs: number; clock: Clock },
): NodeCalls {
  const paced = createPacedRequests({ clock, patienceMs: PATIENCE_TIMEOUTS * timeoutMs })
  let isVerified = genesisHash === null
  const askWith =
    (send: (request: () => Promise<unknown>) => Promise<unknown>): AskCall =>
    async (call) => {
      if (!isVerified) {
        const found = await send(() =>
          callNode(url, { method: "getGenesisHash", params: [] }, timeoutMs),
        )
        if (found !== genesisHash) throw wrongNetwork(url, genesisHash ?? "", found)
        isVerified = true
      }
      return send(() => callNode(url, call, timeoutMs))
    }
  return {
    read: createSharedReads(askWith(paced.send), clock),
    readOnce: createSharedReads(askWith(paced.sendOnce), clock),
    write: askWith((request) => request()),
  }
}

export type RpcReader = {
  read<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T>
}

/** `read` asks the endpoints in order until one gives a valid answer. */
export type Rpc = RpcReader & {
  readonly urls: readonly string[]
  /** Readers that ask one endpoint only, for answers that endpoints must give each on its own. */
  readonly endpoints: readonly RpcEndpoint[]
  /** Asks one endpoint once, without a retry: for writes. */
  callOne(url: string, call: RpcCall): Promise<unknown>
}

/** `host` names the endpoint in reports; the rest of its URL may hold an access key. */
type RpcEndpoint = RpcReader & { readonly host: string }

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

async function readFirst<T>(
  urls: readonly string[],
  readOne: (url: string) => Promise<T>,
): Promise<T> {
  let last: unknown
  for (const url of urls) {
    try {
      return await readOne(url)
    } catch (error) {
      if (
        toAppError(error, { code: "solana.unreachable", disposition: "bug" }).disposition !==
        "transient"
      )
        throw error
      last = error
    }
  }
  throw last
}

async function callNode(url: string, call: RpcCall, timeoutMs: number): Promise<unknown> {
  const { status, text, retryAfterMs } = await post(
    url,
    JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }),
    timeoutMs,
  )
  if (status === 429) throw unreachable(url, { reason: "answered HTTP 429", status, retryAfterMs })
  const answer = parseJson(text)
  if (answer === undefined || !envelope.safeParse(answer).success) {
    if (status !== 200)
      throw unreachable(url, { reason: `answered HTTP ${status}`, status, retryAfterMs })
    throw invalidAnswer(call.method, "the answer is not JSON-RPC")
  }
  const { error, result } = envelope.parse(answer)
  if (error !== undefined && isRefusedByLimit(error)) {
    const reason = `limits its requests: ${hideKeys(url, error.message)}`
    throw unreachable(url, { reason, status: 429, retryAfterMs })
  }
  if (error !== undefined) throw nodeError(url, call.method, error)
  return result
}

/**
 * Providers name a limit of requests by code or text. Preflight failures and other errors of the
 * node have their own codes.
 */
function isRefusedByLimit({ code, message }: { code: number; message: string }): boolean {
  return code === 429 || (code !== -32_002 && LIMIT_TEXT.test(message))
}

const envelope = z.object({
  jsonrpc: z.literal("2.0"),
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
})

function wrongNetwork(url: string, expected: string, found: unknown): AppError {
  return new AppError({
    code: "solana.wrong_network",
    disposition: "transient",
    message: "The Solana endpoint is on another cluster than the preset; correct rpc or preset",
    details: { host: hostOf(url), expected, found: String(found).slice(0, 80) },
  })
}

type HttpAnswer = { status: number; text: string; retryAfterMs: number | null }

async function post(url: string, body: string, timeoutMs: number): Promise<HttpAnswer> {
  try {
    const response = await request(url, {
      method: "POST",
      // No Brotli: the decoder of some Node releases has a flaw (RUN.md, Node), and the answers
      // are small.
      headers: { "content-type": "application/json", "accept-encoding": "identity" },
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const retryAfterMs = readRetryAfter(response.headers["retry-after"])
    return { status: response.statusCode, text: await readBody(response.body), retryAfterMs }
  } catch (error) {
    throw unreachable(url, {
      reason: error instanceof Error ? error.message : String(error),
      cause: error,
    })
  }
}

/** `undefined` for text that is not JSON, or has a number longer than 256 bits. */
function parseJson(text: string): unknown {
  try {
    const answer = parsePeerJson(text, keepBigNumbers)
    refuseGiants(answer, (_key, value) => isGiantInteger(value))
    return answer
  } catch {
    // An HTML page of a proxy is an answer too; the caller decides its meaning.
    return undefined
  }
}

const keepBigNumbers: Reviver = (_key, value, context) =>
  typeof value === "number" &&
  !Number.isSafeInteger(value) &&
  /^-?\d{1,100}$/.test(context?.source ?? "")
    ? BigInt(context?.source ?? "")
    : value

function parseAnswer<T>(method: string, answer: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw invalidAnswer(method, z.prettifyError(parsed.error))
  return parsed.data
}

function unreachable(
  url: string,
  failure: { reason: string; cause?: unknown; status?: number; retryAfterMs?: number | null },
): AppError {
  const { reason, cause, status, retryAfterMs } = failure
  const host = hostOf(url)
  return new AppError({
    code: "solana.unreachable",
    disposition: "transient",
    message:
      `the Solana node at ${host} did not answer (${reason}); Ballast asks again; check the ` +
      "network if this lasts",
    details: {
      host,
      reason,
      ...(status === undefined ? {} : { status }),
      ...(typeof retryAfterMs === "number" ? { retryAfterMs } : {}),
    },
    cause,
  })
}

/** Names the host only: the path of a hosted node's URL often holds its access key. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "(not a URL)"
}

function invalidAnswer(method: string, problem: string): AppError {
  return new AppError({
    code: "solana.nonsense",
    disposition: "transient",
    message:
      `the Solana node's answer to ${method} cannot be read (${problem}); check that the ` +
      "configured URL is a Solana JSON-RPC endpoint",
    details: { method, problem },
  })
}

function nodeError(
  url: string,
  method: string,
  error: { code: number; message: string; data?: unknown },
): AppError {
  const { code, data = null } = error
  const message = hideKeys(url, error.message)
  return new AppError({
    code: "solana.node_error",
    disposition: "transient",
    message: `the Solana node refused ${method}: ${message}`,
    details: {
      method,
      rpcCode: code,
      rpcMessage: message,
      rpcData: hideKeys(url, JSON.stringify(data)),
    },
  })
}
