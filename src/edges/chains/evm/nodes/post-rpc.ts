import { request } from "undici"
import { z } from "zod"
import { AppError, toAppError } from "#lib/app-error.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { parsePeerJson } from "#lib/peer-json.ts"
import { AnswerTooLarge, maxAnswerBytes, readBody } from "#lib/read-body.ts"
import { refuseGiantQuantities } from "./refuse-giant-quantities.ts"

/**
 * Makes one JSON-RPC 2.0 call over HTTP. The url may contain a key in its path or user part, so
 * errors show only the host.
 *
 * Throws `evm.unreachable`, `evm.unavailable`, `evm.nonsense` (transient), and `evm.rpc` for errors
 * of the node, with `details.rpcCode`, `details.found` (the node's text) and `details.data`:
 * `refused` for a call that reverts, else `transient`. A page of a proxy, and a node that refuses a
 * method for a while, pass with time or at another endpoint; no order waits for a person because of
 * them.
 */
export async function postRpc(call: RpcCall): Promise<unknown> {
  const { method, params } = call
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const { status, text, retryAfter } = await post(
    call,
    body,
    call.mostBytes ?? maxAnswerBytes(method),
  )
  const answer = answerSchema.safeParse(parseJson(text))
  if (status === 429) throw unavailable(call, status, retryAfter)
  if (answer.success && answer.data.error) throw rpcError(call, answer.data.error)
  if (status === 429 || status >= 500) throw unavailable(call, status, retryAfter)
  if (status >= 300 || !answer.success || answer.data.result === undefined)
    throw invalidAnswer(call, status, text)
  refuseGiantQuantities(call, answer.data.result)
  return answer.data.result
}

export type RpcCall = {
  readonly url: string
  readonly timeoutMs: number
  readonly method: string
  readonly params: unknown
  /** A larger answer is refused. Absent: the limit of the method. */
  readonly mostBytes?: number
}

/**
 * Makes several calls in one request, a JSON-RPC 2.0 batch. Gives each call's result or error in
 * the order of the calls; `null` when the endpoint does not answer batches of this size. Throws
 * `evm.unreachable`, and `evm.unavailable` for a limit of requests (transient): asking the same
 * calls one by one would only be more requests.
 */
export async function postBatch(calls: readonly RpcCall[]): Promise<readonly BatchAnswer[] | null> {
  const [first] = calls
  if (first === undefined) return []
  const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
  const most = Math.max(...calls.map(({ method }) => maxAnswerBytes(method)))
  const { status, text, retryAfter } = await post(first, JSON.stringify(body), most)
  const found = parseJson(text)
  const whole = answerSchema.safeParse(found)
  const refusal = whole.success && whole.data.error ? rpcError(first, whole.data.error) : null
  if (status === 429 || (refusal !== null && isRateLimited(refusal)))
    throw unavailable(first, 429, retryAfter)
  const answers = batchSchema.safeParse(found)
  if (status >= 300 || !answers.success) return null
  const byId = new Map(answers.data.map((answer) => [answer.id, answer]))
  // An answer that is missing, or that has the id of another call, must not count for a call.
  if (byId.size !== calls.length || answers.data.length !== calls.length) return null
  return calls.map((call, id) => {
    const answer = byId.get(id)
    if (answer?.error) return { ok: false, error: rpcError(call, answer.error) }
    if (answer === undefined || answer.result === undefined)
      return { ok: false, error: invalidAnswer(call, status, JSON.stringify(answer ?? null)) }
    return judgeSize(call, answer.result)
  })
}

/** One giant of a batch concerns its own call alone. */
function judgeSize(call: RpcCall, result: unknown): BatchAnswer {
  try {
    refuseGiantQuantities(call, result)
    return { ok: true, result }
  } catch (error) {
    return {
      ok: false,
      error: toAppError(error, { code: "evm.nonsense", disposition: "transient" }),
    }
  }
}

type BatchAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: AppError }

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .nullish(),
})

const batchSchema = z.array(answerSchema.extend({ id: z.int() }))

async function post({ url, timeoutMs, method }: RpcCall, body: string, mostBytes: number) {
  const { origin, pathname, search, username, password, host } = new URL(url)
  const basic = Buffer.from(
    `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  ).toString("base64")
  const headers = {
    "content-type": "application/json",
    ...(username === "" ? {} : { authorization: `Basic ${basic}` }),
  }
  try {
    // The signal covers the body as well: a server that sends bytes slowly must not block us
    // forever.
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await request(origin + pathname + search, {
      method: "POST",
      headers,
      body,
      signal,
    })
    const text = await readBody(response.body, mostBytes)
    return {
      status: response.statusCode,
      text,
      retryAfter: String(response.headers["retry-after"] ?? ""),
    }
  } catch (cause) {
    throw new AppError({
      code: "evm.unreachable",
      disposition: "transient",
      message: `No answer from the EVM endpoint to ${method}; Ballast asks again`,
      details: { host, method, found: cause instanceof Error ? cause.message : String(cause) },
      cause,
    })
  }
}

/** Returns `undefined` for text that is not JSON; the schema rejects it. */
function parseJson(text: string): unknown {
  try {
    return parsePeerJson(text)
  } catch {
    return undefined
  }
}

/**
 * A limit of requests per time, by HTTP or as an error of the node. It says nothing about the
 * question.
 */
export function isRateLimited(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  if (error.code === "evm.unavailable") return error.details["status"] === 429
  const { rpcCode, found, reverted } = error.details
  // The text of a revert is the contract's.
  return (
    error.code === "evm.rpc" &&
    reverted !== true &&
    (rpcCode === 429 || RATE_LIMITED.test(String(found)))
  )
}

const RATE_LIMITED = new RegExp(
  [
    "rate.?limit",
    "too many requests",
    "requests? per (second|minute)",
    "request limit",
    "throughput",
    "compute units",
  ].join("|"),
  "i",
)

/** The endpoint has an answer that is larger than Ballast reads. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof AnswerTooLarge
}

const REVERTED = /revert|gas required exceeds|out of ?gas|invalid opcode/i

function rpcError(
  { url, method }: RpcCall,
  error: { code: number; message: string; data?: unknown },
): AppError {
  // Nodes report a revert with code 3 (geth) or as a server error with such a text.
  const reverted = error.code === 3 || REVERTED.test(error.message)
  const said = hideKeys(url, error.message).slice(0, 300)
  const data =
    error.data === undefined
      ? null
      : typeof error.data === "string"
        ? error.data
        : JSON.stringify(error.data)
  return new AppError({
    code: "evm.rpc",
    disposition: reverted ? "refused" : "transient",
    message: `The EVM endpoint answers ${method} with: ${said}`,
    details: {
      host: new URL(url).host,
      method,
      reverted,
      rpcCode: error.code,
      found: said,
      data: data === null ? null : hideKeys(url, data).slice(0, 2_000),
    },
  })
}

/**
 * Did the contract revert, where viem wraps our transport's error? A revert is an answer: the node
 * ran the call.
 */
export function isReverted(error: unknown): boolean {
  return findRevert(error) !== null
}

/** The node's error that tells the revert; `null` for any other failure. */
export function findRevert(error: unknown): AppError | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof AppError && each.details["reverted"] === true) return each
  return null
}

function unavailable({ url, method }: RpcCall, status: number, retryAfter: string): AppError {
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
  return new AppError({
    code: "evm.unavailable",
    disposition: "transient",
    message:
      `The EVM endpoint answers HTTP ${status}; Ballast asks again. Add another endpoint if ` +
      "this lasts",
    details: {
      host: new URL(url).host,
      method,
      status,
      ...(seconds === null ? {} : { retryAfterMs: seconds * 1_000 }),
    },
  })
}

function invalidAnswer({ url, method }: RpcCall, status: number, text: string): AppError {
  return new AppError({
    code: "evm.nonsense",
    disposition: "transient",
    message:
      `The EVM endpoint's answer to ${method} is not JSON-RPC; check the url and its access ` +
      "key",
    details: { host: new URL(url).host, method, status, found: hideKeys(url, text).slice(0, 200) },
  })
}
