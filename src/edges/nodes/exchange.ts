import { isUtf8 } from "node:buffer"
import { type Dispatcher, request } from "undici"
import { z } from "zod"
import { type Clock, systemClock } from "#lib/clock.ts"
import { AnswerTooLarge, readBytes } from "#lib/read-body.ts"
import { type Address, dial } from "./address.ts"
import { findProxy, openNetwork } from "./open-network.ts"
import { readAskedPause } from "./request-limit.ts"
import { createJsonScan } from "./scan-json.ts"

export type { Dispatcher }

type HttpCall = {
  readonly address: Address
  /** `POST` with a body, else `GET`. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH"
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** From the first byte of the question to the last one of the answer. */
  readonly timeoutMs: number
  /** Counts the time; without it the system does. */
  readonly clock?: Clock
  readonly mostBytes?: number
  /** The most values of an answer in JSON; absent: by its bytes. `null`: nothing parses it. */
  readonly mostValues?: number | null
  /** Ends the exchange before its time is over. */
  readonly signal?: AbortSignal
  readonly dispatcher?: Dispatcher
}

/** An answer with any status. */
export type HttpAnswer = {
  readonly status: number
  readonly bytes: Uint8Array
  readonly text: string
  readonly retryAfterMs: number | null
  /** The `Date` header. */
  readonly date: string | null
}

/**
 * One HTTP exchange, the only one of the edges: with the address's headers and credentials, one
 * time-out for all of it, and bounds of bytes and of what JSON may hold. Redirects are answers.
 * Bodies are not compressed, and a compressed one is refused: the client does not read it, and the
 * Brotli decoder of some Node releases has a flaw. Throws the client's errors; `describeFailure`
 * puts them into words.
 */
export async function exchange(call: HttpCall): Promise<HttpAnswer> {
  if (call.dispatcher === undefined) openNetwork()
  const { url, headers } = dial(call.address)
  const timer = startTimer(call)
  try {
    const {
      statusCode,
      headers: found,
      body,
    } = await request(url, {
      method: call.method ?? (call.body === undefined ? "GET" : "POST"),
      body: call.body ?? null,
      headers: {
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
        ...headers,
        "accept-encoding": "identity",
      },
      signal:
        call.signal === undefined ? timer.signal : AbortSignal.any([timer.signal, call.signal]),
      headersTimeout: 0,
      bodyTimeout: 0,
      onInfo: refuseMany(MOST_NOTES),
      highWaterMark: PART_BYTES,
      ...(call.dispatcher ? { dispatcher: call.dispatcher } : {}),
    })
    const encoding = String(found["content-encoding"] ?? "identity")
    if (!/^(identity)?$/i.test(encoding.trim())) {
      // Nothing reads it, so its end by us would be an error that no listener meets.
      body.on("error", () => undefined).destroy()
      throw new Error(`refused content-encoding ${encoding.slice(0, 40)}`)
    }
    const { mostBytes = MOST_BYTES, mostValues, clock = systemClock } = call
    const scan = mostValues === null ? undefined : createJsonScan(mostBytes, mostValues)
    const bytes = await readBytes(body, mostBytes, scan)
    let text: string | null = null
    const readText = (): string => {
      text ??= decode(bytes)
      return text
    }
    return {
      status: statusCode,
      bytes,
      get text() {
        return readText()
      },
      retryAfterMs: readAskedPause(found, { status: statusCode, readText }, clock),
      date: typeof found["date"] === "string" ? found["date"] : null,
    }
  } catch (error) {
    const found = timer.signal.aborted ? new NoWholeAnswer(call.timeoutMs, error) : error
    // The caller judges the same error; only its words name the proxy.
    const proxy = call.dispatcher === undefined ? findProxy(url) : null
    if (proxy !== null && found instanceof Error) Object.assign(found, { proxy })
    throw found
  } finally {
    timer.stop()
  }
}

/** Parts of a single byte would otherwise be read by tens of thousands in one turn. */
const PART_BYTES = 8 * 1024
/** Enough of a text that is no UTF-8, and so no answer of ours, to show it. */
const SHOWN_BYTES = 20_000

/** A decoder takes ten times as long for bytes that are none. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(isUtf8(bytes) ? bytes : bytes.subarray(0, SHOWN_BYTES))
}

/** An interim answer announces the answer; a server that sends more and more of them has none. */
const MOST_NOTES = 8

function refuseMany(most: number): () => void {
  let seen = 0
  return () => {
    seen += 1
    if (seen > most) throw new Error("too many interim answers")
  }
}

/** The time-out of an exchange. */
export class NoWholeAnswer extends Error {
  constructor(timeoutMs: number, cause: unknown) {
    super(`no whole answer within ${timeoutMs} ms`, { cause })
  }
}

function startTimer({ timeoutMs, clock }: HttpCall): { signal: AbortSignal; stop: () => void } {
  if (clock === undefined) return { signal: AbortSignal.timeout(timeoutMs), stop: () => undefined }
  const late = new AbortController()
  const done = new AbortController()
  clock.sleep(timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) late.abort()
  })
  return { signal: late.signal, stop: () => done.abort("answered") }
}

/** Far more than any answer that Ballast asks for; a larger one is an attack or a mistake. */
const MOST_BYTES = 16 * 1024 * 1024

/** Why no answer came, in words, with the system's code. */
export function describeFailure(error: unknown): string {
  if (error instanceof z.ZodError)
    return `the answer has another form: ${error.issues[0]?.message ?? error.message}`
  if (error instanceof SyntaxError) return `the answer is broken JSON: ${error.message}`
  const { code, message } = rootOf(error)
  const refusal = describeProxyRefusal(message)
  if (refusal !== null) return refusal
  // An error without a code may be one in words already.
  const told = code === "ETLS" ? message : code
  const words = WORDS.find(([pattern]) => pattern.test(told))?.[1] ?? message
  const shown = code === "" || words.includes(code) ? words : `${words} (${code})`
  return `${shown}${describeWay(error)}`
}

/** `, through the proxy 10.0.0.1:3128`; empty of an exchange that went straight. */
export function describeWay(error: unknown): string {
  return error instanceof Error && "proxy" in error ? `, through the proxy ${error.proxy}` : ""
}

/** The client's two sentences about a proxy that opens no way to the host. */
function describeProxyRefusal(message: string): string | null {
  if (/Proxy Authentication Required/.test(message))
    return "the proxy wants user and password (HTTP 407)"
  const [, status = null] = /^Proxy response \((\d+)\)/.exec(message) ?? []
  return status === null ? null : `the proxy answers HTTP ${status} and opens no way to the host`
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, "the name of the host is not known (DNS)"],
  [/^ECONNREFUSED$/, "the connection is refused"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection broke"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "no connection in time"],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, "there is no way to the host"],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, "the TLS certificate is not valid at this time"],
  [/ALTNAME/, "the TLS certificate is that of another host"],
  [/SELF_SIGNED|UNABLE_TO_/, "the issuer of the TLS certificate is not known here"],
  [/\bSTARTTLS\b/, "the mail server does not change to TLS (STARTTLS)"],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, "the server speaks only an old version of TLS"],
  [/^\w*(CERT|SSL|TLS)\w*$/, "the TLS certificate or connection is not valid"],
]

/** A connection to several addresses of a host fails with the errors of all of them. */
function rootOf(error: unknown): { readonly code: string; readonly message: string } {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  if (!(first instanceof Error)) return { code: "", message: String(first) }
  return { code: "code" in first ? String(first.code) : "", message: first.message }
}

/** The server has an answer, and it is larger than Ballast reads. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof AnswerTooLarge || (error instanceof Error && isTooLarge(error.cause))
}
