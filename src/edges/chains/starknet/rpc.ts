import { request } from "undici"
import { z } from "zod"
import {
  createPacedRequests,
  isLimited,
  LIMIT_TEXT,
  PATIENCE_TIMEOUTS,
  type PacedRequests,
  readRetryAfter,
} from "#chains/paced-requests.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { isGiantInteger, parsePeerJson, refuseGiants } from "#lib/peer-json.ts"
import { maxAnswerBytes, readBody } from "#lib/read-body.ts"
import { retryRead } from "#lib/retry.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { createQuorum, type Quorum } from "#nodes/quorum/create-quorum.ts"
import { encodeShortString, readFelt } from "./felt.ts"

/**
 * Starknet JSON-RPC over several endpoints. Errors of the specification are AppErrors with
 * `details.rpcCode`.
 */
export type StarknetRpc = {
  readonly quorum: Quorum<StarknetNode>
  /**
   * Asks every endpoint once. Returns an answer or error for each, in the order of the
   * configuration. Never rejects.
   */
  askEach<T>(
    method: string,
    params: unknown,
    schema: z.ZodType<T>,
  ): Promise<readonly EndpointAnswer<T>[]>
}

/** One endpoint. `host` has no access keys. */
export type StarknetNode = {
  readonly host: string
  /** Asks again when the endpoint fails for a moment, and waits while it limits its requests. */
  read<T>(method: string, params: unknown, schema: z.ZodType<T>): Promise<T>
  /** Asks once. */
  ask<T>(method: string, params: unknown, schema: z.ZodType<T>): Promise<T>
}

/**
 * The error codes of the specification that Ballast distinguishes (starknet_api_openrpc,
 * starknet_write_api).
 */
export const RPC_CODES = {
  contractNotFound: 20,
  entryPointNotFound: 21,
  blockNotFound: 24,
  transactionNotFound: 29,
  contractError: 40,
  executionError: 41,
  invalidNonce: 52,
  insufficientResources: 53,
  insufficientBalance: 54,
  validationFailure: 55,
  nonAccount: 58,
  duplicate: 59,
  unsupportedVersion: 61,
  replacementUnderpriced: 64,
  feeBelowMinimum: 65,
} as const

export function createRpc(options: {
  urls: readonly string[]
  chainId: string
  timeoutMs: number
  clock: Clock
  needed?: number
}): StarknetRpc {
  const nodes = options.urls.map((url) => createNode(url, options))
  const quorum = createQuorum({
    nodes,
    needed: options.needed ?? 1,
    clock: options.clock,
    lead: MOST_LEAD_BLOCKS,
    stalledMs: STALLED_MS,
    fastestBlockMs: null,
    patienceMs: PATIENCE_MS,
    codes: { stalled: "starknet.stalled", silent: "starknet.unreachable" },
  })
  return {
    quorum,
    askEach: (method, params, schema) =>
      Promise.all(
        nodes.map(({ host, ask }) =>
          ask(method, params, schema).then(
            (value) => ({ endpoint: host, ok: true as const, value }),
            (error: unknown) => ({ endpoint: host, ok: false as const, error: asRpcError(error) }),
          ),
        ),
      ),
  }
}

/** Five minutes of blocks at 2 s. */
const MOST_LEAD_BLOCKS = 150n
const STALLED_MS = 10 * 60_000
const PATIENCE_MS = 1_500

/**
 * A load balancer may send two requests to two backends, one of which lags. It gets more tries than
 * a dead endpoint.
 */
function triesFor(error: AppError): number {
  // The wait for a limit is over when such a failure comes.
  if (isLimited(error)) return 1
  return rpcCodeOf(error) === RPC_CODES.blockNotFound ? 5 : 3
}

export function rpcCodeOf(error: unknown): number | null {
  const code = error instanceof AppError ? error.details["rpcCode"] : undefined
  return typeof code === "number" ? code : null
}

/** The data of a node's error: a text, or an object that contains one. */
export function rpcDataOf(error: unknown): string {
  return error instanceof AppError ? String(error.details["data"] ?? error.message) : String(error)
}

/**
 * The first use reads the chain id, so that Ballast never uses answers of an endpoint on another
 * network.
 */
function createNode(
  url: string,
  { chainId, timeoutMs, clock }: { chainId: string; timeoutMs: number; clock: Clock },
): StarknetNode {
  const paced = createPacedRequests({ clock, patienceMs: PATIENCE_TIMEOUTS * timeoutMs })
  let verified = false
  const askWith =
    (send: PacedRequests["send"]): StarknetNode["ask"] =>
    async (method, params, schema) => {
      try {
        if (!verified) {
          const found = await send(() => post(url, timeoutMs, "starknet_chainId", [], z.string()))
          if (readFelt(found) !== encodeShortString(chainId))
            throw wrongNetwork(url, chainId, found)
          verified = true
        }
        return await send(() => post(url, timeoutMs, method, params, schema))
      } catch (error) {
        throw asRpcError(error)
      }
    }
  const readOnce = askWith(paced.send)
  return {
    host: new URL(url).host,
    ask: askWith((request) => request()),
    read: (method, params, schema) =>
      retryRead(() => readOnce(method, params, schema), { clock, attempts: triesFor }),
  }
}

async function post<T>(
  url: string,
  timeoutMs: number,
  method: string,
  params: unknown,
  schema: z.ZodType<T>,
): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await request(url, { method: "POST", headers, body, signal })
  const text = await readBody(response.body, maxAnswerBytes(method))
  const retryAfterMs = readRetryAfter(response.headers["retry-after"])
  if (response.statusCode === 429 || response.statusCode >= 500)
    throw unavailable(url, response.statusCode, retryAfterMs)
  const answer = answerSchema.safeParse(parseJson(text))
  if (!answer.success)
    throw invalidAnswer(
      url,
      method,
      `HTTP ${response.statusCode}: ${hideKeys(url, text).slice(0, 200)}`,
    )
  if (answer.data.error && isRefusedByLimit(answer.data.error))
    throw unavailable(url, 429, retryAfterMs)
  if (answer.data.error) throw rpcError(url, method, answer.data.error)
  const result = schema.safeParse(answer.data.result)
  if (!result.success) throw invalidAnswer(url, method, z.prettifyError(result.error))
  return result.data
}

/**
 * Providers name a limit of requests by code or text. The specification's own codes, such as that
 * of a revert, mean no limit.
 */
function isRefusedByLimit({ code, message }: z.infer<typeof errorSchema>): boolean {
  return code === 429 || (code < 0 && LIMIT_TEXT.test(message))
}

const errorSchema = z.object({
  code: z.number(),
  message: z.string(),
  data: z.unknown().optional(),
})
const answerSchema = z.object({ result: z.unknown().optional(), error: errorSchema.optional() })

/**
 * Returns `undefined` for text that is not JSON, or has a number longer than a felt; the schema
 * rejects it.
 */
function parseJson(text: string): unknown {
  try {
    const answer = parsePeerJson(text)
    refuseGiants(answer, (_key, value) => isGiantInteger(value))
    return answer
  } catch {
    return undefined
  }
}

/**
 * Whether the same request fails for ever: the specification's own errors, except for content that
 * the node does not have yet.
 */
export function isLasting(code: number): boolean {
  const temporary: readonly number[] = [
    RPC_CODES.blockNotFound,
    RPC_CODES.transactionNotFound,
    32,
    63,
  ]
  return (
    (code > 0 && code < 1_000 && !temporary.includes(code)) || code === -32_601 || code === -32_602
  )
}

function rpcError(url: string, method: string, error: z.infer<typeof errorSchema>): AppError {
  const { data: given = "" } = error
  const data = hideKeys(url, typeof given === "string" ? given : JSON.stringify(given))
  return new AppError({
    code: "starknet.rpc",
    disposition: isLasting(error.code) ? "hold" : "transient",
    message:
      `${method}: ` +
      `${hideKeys(url, error.message)}${data === "" ? "" : ` (${data.slice(0, 500)})`}`,
    details: {
      method,
      rpcCode: error.code,
      ...(data === "" ? {} : { data: data.slice(0, 2_000) }),
    },
  })
}

function asRpcError(error: unknown): AppError {
  return toAppError(error, { code: "starknet.unreachable", disposition: "transient" })
}

function unavailable(url: string, status: number, retryAfterMs: number | null): AppError {
  return new AppError({
    code: "starknet.unavailable",
    disposition: "transient",
    message: `The Starknet endpoint answered HTTP ${status}; Ballast asks again`,
    details: {
      host: new URL(url).host,
      status,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    },
  })
}

function invalidAnswer(url: string, method: string, found: string): AppError {
  return new AppError({
    code: "starknet.nonsense",
    // A proxy's page passes, and another endpoint may answer meanwhile.
    disposition: "transient",
    message:
      `The Starknet endpoint's answer to ${method} does not have the published shape; check ` +
      "the url",
    details: { host: new URL(url).host, method, found: hideKeys(url, found) },
  })
}

function wrongNetwork(url: string, expected: string, found: string): AppError {
  const why = `is on another network than ${expected}; correct rpc or chain_id`
  return new AppError({
    code: "starknet.wrong_network",
    // A proxy may serve a wrong network for a moment, so other endpoints and later tries go on.
    disposition: "transient",
    message: `The Starknet endpoint ${why}`,
    details: { host: new URL(url).host, expected, found },
  })
}
