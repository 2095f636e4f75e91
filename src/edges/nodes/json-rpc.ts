import { AppError, type Disposition } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { GiantNumber, type IsNumber, type Reviver, refuseGiants } from "#lib/peer-json.ts"
import { maxAnswerBytes } from "#lib/read-body.ts"
import { type Address, hideSecrets, hostOf } from "./address.ts"
import { describeFailure, exchange, type HttpAnswer, isTooLarge } from "./exchange.ts"
import { readWords } from "./node-words.ts"
import { isLimited } from "./pace.ts"
import { isLimitAnswer, LIMIT_TEXT, readWrittenPause, sayLimit } from "./request-limit.ts"
import {
  answerSchema,
  batchSchema,
  findForeignId,
  type NodeError,
  type RpcAnswer,
  SINGLE_ID,
} from "./rpc-answer.ts"
import { GiantJson, parseScanned } from "./scan-json.ts"

/** How a chain family speaks JSON-RPC 2.0, and the codes of its errors. */
export type RpcDialect = {
  /** For messages: `EVM`. */
  readonly name: string
  readonly codes: {
    readonly unreachable: string
    readonly unavailable: string
    readonly nonsense: string
    /** The node's own errors: `details.rpcCode` and `words`, and to be shown `found` and `data`. */
    readonly rpc: string
  }
  /** The node's error tells about the call, so a limit in its text is no limit of requests. */
  readonly isAboutCall: (error: NodeError) => boolean
  /** `transient` without it. */
  readonly dispositionOf?: (error: NodeError) => Disposition
  /** The texts in a result that stand for numbers. */
  readonly isNumber: (method: string) => IsNumber
  readonly revive?: Reviver
  /** The methods whose result is a value in each good answer. */
  readonly neverNull?: RegExp
}

export type RpcCall = {
  readonly address: Address
  readonly timeoutMs: number
  readonly method: string
  readonly params: unknown
  /** A larger answer is refused. Absent: the limit of the method. */
  readonly mostBytes?: number
}

/**
 * Makes one call. Every failure is transient but for the node's own errors, whose disposition the
 * dialect tells: a page of a proxy, and a node that refuses a method for a while, pass with time or
 * at another endpoint. Errors show only the host of the address.
 */
export async function postCall(dialect: RpcDialect, call: RpcCall): Promise<unknown> {
  const { method, params } = call
  const body = { jsonrpc: "2.0", id: SINGLE_ID, method, params }
  const answer = await post(dialect, call, body, call.mostBytes ?? maxAnswerBytes(method, params))
  const given = parse(dialect, answer)
  const foreign = findForeignId(given)
  if (foreign !== null) throw nonsense(dialect, call, foreign)
  const found = answerSchema.safeParse(given)
  const failure = failureOf(dialect, call, answer, found.data?.error)
  if (failure !== null) throw failure
  if (answer.status >= 300 || found.data?.result === undefined)
    throw nonsense(dialect, call, `HTTP ${answer.status}: ${answer.text}`)
  return checkNumbers(dialect, call, found.data.result)
}

type BatchAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: AppError }

/**
 * Makes several calls in one request, a batch. Gives each call's result or error in the order of
 * the calls; `null` when the endpoint does not answer batches of this size. Throws where no answer
 * came, and for a limit of requests: asking the same calls one by one would only be more requests.
 */
export async function postBatch(
  dialect: RpcDialect,
  calls: readonly RpcCall[],
): Promise<readonly BatchAnswer[] | null> {
  const [first] = calls
  if (first === undefined) return []
  const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
  const most = Math.max(
    ...calls.map(({ method, params, mostBytes }) => mostBytes ?? maxAnswerBytes(method, params)),
  )
  const answer = await post(dialect, first, body, most)
  const found = parse(dialect, answer)
  const failure = failureOf(dialect, first, answer, answerSchema.safeParse(found).data?.error)
  if (isLimited(failure)) throw failure
  const answers = batchSchema.safeParse(found)
  if (answer.status >= 300 || !answers.success) return null
  const byId = new Map(answers.data.map((one) => [one.id, one]))
  // An answer that is missing, or that has the id of another call, must not count for a call.
  if (byId.size !== calls.length || answers.data.length !== calls.length) return null
  return calls.map((call, id) => judgeOne(dialect, call, answer, byId.get(id)))
}

function judgeOne(
  dialect: RpcDialect,
  call: RpcCall,
  answer: HttpAnswer,
  found: RpcAnswer | undefined,
): BatchAnswer {
  try {
    const failure = failureOf(dialect, call, answer, found?.error)
    if (failure !== null) throw failure
    if (found === undefined) throw nonsense(dialect, call, "no answer has the id of this call")
    if (found.result === undefined) throw nonsense(dialect, call, JSON.stringify(found))
    return { ok: true, result: checkNumbers(dialect, call, found.result) }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error }
    throw error
  }
}

async function post(
  dialect: RpcDialect,
  call: RpcCall,
  body: unknown,
  mostBytes: number,
): Promise<HttpAnswer> {
  const { address, timeoutMs, method } = call
  try {
    return await exchange({ address, body: JSON.stringify(body), timeoutMs, mostBytes })
  } catch (cause) {
    if (cause instanceof GiantJson) throw nonsense(dialect, call, cause.message, cause)
    const found = hideSecrets(address, describeFailure(cause))
    throw new AppError({
      code: dialect.codes.unreachable,
      disposition: "transient",
      message:
        `No answer from the ${dialect.name} endpoint ${hostOf(address)} to ${method} (${found}); ` +
        "Ballast asks again; check the network if this lasts",
      details: { host: hostOf(address), method, found },
      cause,
    })
  }
}

/** Returns `undefined` for text that is not JSON; the schema rejects it. */
function parse({ revive }: RpcDialect, { text }: HttpAnswer): unknown {
  try {
    return parseScanned(text, revive)
  } catch {
    return undefined
  }
}

function failureOf(
  dialect: RpcDialect,
  call: RpcCall,
  answer: HttpAnswer,
  error: NodeError | null = null,
): AppError | null {
  const { status, retryAfterMs } = answer
  const isLimit =
    status === 429 ||
    error?.code === 429 ||
    (error === null
      ? isLimitAnswer(answer, LIMIT_TEXT)
      : !dialect.isAboutCall(error) && LIMIT_TEXT.test(wordsOf(error)))
  if (isLimit) {
    const written = error === null ? null : readWrittenPause(wordsOf(error))
    return unavailable(dialect, call, { ...answer, status: 429 }, retryAfterMs ?? written)
  }
  if (error !== null) return nodeError(dialect, call, error)
  const isRefused = status >= 500 || TOO_MUCH.includes(status)
  return isRefused ? unavailable(dialect, call, answer, retryAfterMs) : null
}

/** A gateway may name the kind of its limit only in the data. */
function wordsOf({ message, data = "" }: NodeError): string {
  return `${message} ${typeof data === "string" ? data : plainJson(data)}`.slice(0, MOST_WORDS)
}

const MOST_WORDS = 4_000

function unavailable(
  { name, codes }: RpcDialect,
  { address, method }: RpcCall,
  { status, text }: Pick<HttpAnswer, "status" | "text">,
  retryAfterMs: number | null,
): AppError {
  const host = hostOf(address)
  const said = sayLimit(text, (found) => hideSecrets(address, found))
  const what =
    status === 429 ? "refuses more requests for now (HTTP 429)" : `answers HTTP ${status}`
  return new AppError({
    code: codes.unavailable,
    disposition: "transient",
    message:
      `The ${name} endpoint ${host} ${what}; Ballast asks again. Add another endpoint if this ` +
      "lasts",
    details: { host, method, status, said, ...(retryAfterMs === null ? {} : { retryAfterMs }) },
  })
}

function nodeError(dialect: RpcDialect, { address, method }: RpcCall, error: NodeError): AppError {
  const show = (text: string): string => hideSecrets(address, text)
  const found = show(error.message)
  const { data: given = null } = error
  const data = given === null ? null : show(typeof given === "string" ? given : plainJson(given))
  const more = data === null || data === "" ? "" : ` (${data.slice(0, 300)})`
  return new AppError({
    code: dialect.codes.rpc,
    disposition: dialect.dispositionOf?.(error) ?? "transient",
    message: `The ${dialect.name} endpoint answers ${method} with: ${found.slice(0, 300)}${more}`,
    details: {
      host: hostOf(address),
      method,
      rpcCode: error.code,
      words: readWords(error),
      found: found.slice(0, 300),
      // The words of a revert are bytes, in which a short password may stand by chance.
      data: isHex(given) ? given.slice(0, 2_000) : (data?.slice(0, 2_000) ?? null),
    },
  })
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^0x[0-9a-f]{0,4000}$/i.test(value)
}

/** An answer without the form of JSON-RPC, or of the method's result. */
export function nonsense(
  { name, codes }: RpcDialect,
  { address, method }: Pick<RpcCall, "address" | "method">,
  found: string,
  cause?: unknown,
): AppError {
  const host = hostOf(address)
  const shown = hideSecrets(address, found).slice(0, 200)
  return new AppError({
    code: codes.nonsense,
    disposition: "transient",
    message:
      `The answer of the ${name} endpoint ${host} to ${method} cannot be read (${shown}); check ` +
      "the url and its access key",
    details: { host, method, found: shown },
    cause,
  })
}

/**
 * Providers limit the range or the number of logs, each with its own error text or only with the
 * code of EIP-1474, and Ballast the size of an answer, which strangers can fill. The same code
 * stands for limits of requests and for nodes that lag, which no smaller range helps: words decide.
 */
export function isRangeRefused(error: unknown): boolean {
  if (isTooLarge(error)) return true
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!(each instanceof AppError)) continue
    const { found, data, rpcCode, status } = each.details
    if (TOO_MUCH.some((one) => one === status)) return true
    if (rpcCode === undefined) continue
    const text = `${found} ${data ?? ""}`
    if (LIMIT_TEXT.test(text)) return false
    return !OTHER_TEXT.test(text) && (rpcCode === LIMIT_EXCEEDED || RANGE_TEXT.test(text))
  }
  return false
}

const LIMIT_EXCEEDED = -32_005
/** A gateway's "content too large", and its own time-out. */
const TOO_MUCH: readonly number[] = [413, 504]
const OTHER_TEXT = /\b(behind|unhealthy|syncing|unauthori[sz]ed|api.?key|not found)\b/i
const RANGE_TEXT =
  /range|limit|too (many|large|big|wide)|exceed|maximum|more than|timed? ?out|deadline/i

/** A number longer than 256 bits would stop the process where something makes an integer of it. */
function checkNumbers(dialect: RpcDialect, call: RpcCall, result: unknown): unknown {
  if (result === null && dialect.neverNull?.test(call.method))
    throw nonsense(dialect, call, "its result is null")
  try {
    refuseGiants(result, dialect.isNumber(call.method))
    return result
  } catch (error) {
    if (!(error instanceof GiantNumber)) throw error
    throw nonsense(dialect, call, error.message, error)
  }
}
