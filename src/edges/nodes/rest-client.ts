import type { z } from "zod"
import { AppError, transient } from "#lib/app-error.ts"
import { type Address, hideSecrets, hostOf, under } from "./address.ts"
import { describeFailure, exchange, type HttpAnswer } from "./exchange.ts"
import { createNetworkCheck } from "./network-check.ts"
import { readAgain } from "./node-client.ts"
import { isLimited } from "./pace.ts"
import { type AskOptions, createPaces } from "./paces.ts"
import { isLimitAnswer, LIMIT_TEXT, sayLimit } from "./request-limit.ts"
import { firstIssues } from "./rpc-answer.ts"
import { GiantJson, parsePathAnswer } from "./scan-json.ts"

/** The words of a family whose nodes answer paths, and the codes of its errors. */
export type RestDialect = {
  /** For messages: `Esplora`. */
  readonly name: string
  /** The key of the configuration that names the endpoint. */
  readonly setting: string
  readonly codes: {
    readonly unreachable: string
    readonly busy: string
    /** Not the form of an answer. */
    readonly answer: string
  }
  readonly mostBytes: (path: string) => number
}

/** Reads and sends at one endpoint. Every failure is transient: another one may answer. */
export type RestClient = {
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  /** `null` for 404. A text that is no JSON reaches the schema as text. */
  find<T>(path: string, schema: z.ZodType<T>): Promise<T | null>
  /** The same of a path that always has an answer. */
  read<T>(path: string, schema: z.ZodType<T>): Promise<T>
  /** One try, whose failure does not make the endpoint rest; `null` without an answer of 200. */
  findBytes(path: string, bounds: Bounds): Promise<Uint8Array | null>
  /** Sends once, before every read. Never throws: the caller judges the answer. */
  send(path: string, body: string): Promise<SentAnswer>
  /** The page of a proxy passes, and another endpoint may answer correctly now. */
  invalid(path: string, found: string): AppError
}

/**
 * `status` is `null` when no answer came. `text` is judged and never shown: a short password may
 * stand by chance in a hash. `shown` is without the keys of the endpoint.
 */
export type SentAnswer = {
  readonly status: number | null
  readonly text: string
  readonly shown: string
}

type Bounds = { readonly timeoutMs: number; readonly mostBytes: number }

export type RestOptions = AskOptions & {
  readonly url: Address
  /** How often a read is tried. */
  readonly attempts: number
  /**
   * After a time-out the endpoint fails at once for this long, so that one dead server does not
   * slow every read down.
   */
  readonly restMs: number
}

/** Throws where the endpoint is on another network. */
type CheckNetwork = (rest: Pick<RestClient, "find" | "invalid">) => Promise<void>

export function createRestClient(
  dialect: RestDialect,
  options: RestOptions,
  checkNetwork: CheckNetwork,
): RestClient {
  const { clock, attempts, paces = createPaces(clock) } = options
  const pace = paces(options.url, options.timeoutMs)
  const peer: Peer = { ...options, dialect, host: hostOf(options.url), restsUntilMs: 0 }
  const invalid: RestClient["invalid"] = (path, found) => invalidAnswer(peer, path, found)
  const readOnce = async <T>(path: string, schema: z.ZodType<T>): Promise<T | null> =>
    readAnswer(peer, path, await pace.send(() => ask(peer, path), path), schema)
  const findUnchecked: RestClient["find"] = (path, schema) =>
    readAgain(
      () => pace.reads.follow(methodOf(path), readOnce(path, schema)),
      clock,
      () => attempts,
    )
  const network = createNetworkCheck(() => checkNetwork({ find: findUnchecked, invalid }))
  const find: RestClient["find"] = async (path, schema) => {
    await network.first()
    return findUnchecked(path, schema)
  }
  return {
    host: peer.host,
    checkNetwork: network.again,
    invalid,
    find,
    read: async (path, schema) => {
      const found = await find(path, schema)
      if (found !== null) return found
      throw invalid(path, "404 for a path that always has an answer")
    },
    findBytes: async (path, bounds) => {
      try {
        const call = { ...bounds, mostValues: null }
        const { status, bytes } = await pace.sendOnce(() => exchangeAt(peer, path, call))
        return status === 200 ? bytes : null
      } catch {
        return null
      }
    },
    send: async (path, body) => {
      const { timeoutMs } = options
      const question = { body, headers: { "content-type": "text/plain" }, timeoutMs }
      try {
        const { status, text } = await pace.sendWrite(() => exchangeAt(peer, path, question))
        return {
          status,
          text: text.trim().slice(0, 500),
          shown: hide(peer, text).trim().slice(0, 500),
        }
      } catch (error) {
        if (isLimited(error)) return { status: 429, text: "", shown: error.message }
        const shown = `${peer.host}: ${hide(peer, describeFailure(error))}`
        return { status: null, text: "", shown }
      }
    },
  }
}

/** `/address/…/utxo`: reads of one kind, without the addresses, hashes and heights. */
function methodOf(path: string): string {
  const [plain = ""] = path.split("?")
  return plain.replace(/\/(?:\d+|\w{24,})(?=\/|$)/g, "/…")
}

type Peer = RestOptions & {
  readonly dialect: RestDialect
  readonly host: string
  restsUntilMs: number
}

async function ask(peer: Peer, path: string): Promise<HttpAnswer> {
  const { clock, timeoutMs, dialect, restMs } = peer
  if (clock.now() < peer.restsUntilMs)
    throw unreachable(peer, path, "it did not answer a moment ago")
  try {
    const call = { timeoutMs, mostBytes: dialect.mostBytes(path) }
    return await exchangeAt(peer, path, call, (status) => status === 429 || status >= 500)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof GiantJson) throw invalidAnswer(peer, path, error.message)
    peer.restsUntilMs = clock.now() + restMs
    throw unreachable(peer, path, hide(peer, describeFailure(error)), error)
  }
}

/** Throws the refusal of a limit, from which the pace learns. */
async function exchangeAt(
  peer: Peer,
  path: string,
  call: Omit<Parameters<typeof exchange>[0], "address">,
  isBusy = (status: number): boolean => status === 429,
): Promise<HttpAnswer> {
  const { url, host: endpoint, dialect } = peer
  const answer = await exchange({ address: under(url, path), ...call })
  const { retryAfterMs } = answer
  const status = isLimitAnswer(answer, LIMIT_TEXT) ? 429 : answer.status
  if (!isBusy(status)) return answer
  throw transient(
    dialect.codes.busy,
    `the ${dialect.name} server ${endpoint} answered ${status}; try again later or add another ` +
      "endpoint",
    {
      endpoint,
      path,
      status,
      said: sayLimit(answer.text, (found) => hide(peer, found)),
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    },
  )
}

function readAnswer<T>(
  peer: Peer,
  path: string,
  { status, text }: HttpAnswer,
  schema: z.ZodType<T>,
): T | null {
  // An HTML page of a proxy or a wrong base URL must not count as "unknown transaction", even with
  // status 404.
  if (text.trimStart().startsWith("<"))
    throw invalidAnswer(peer, path, `${status} ${hide(peer, text)}`)
  if (status === 404) return null
  if (status !== 200) throw invalidAnswer(peer, path, `${status} ${hide(peer, text)}`)
  const parsed = schema.safeParse(parsePathAnswer(text))
  if (parsed.success) return parsed.data
  throw invalidAnswer(
    peer,
    path,
    `${hide(peer, text).slice(0, 120)} (${firstIssues(parsed.error)})`,
  )
}

function hide({ url }: Peer, text: string): string {
  return hideSecrets(url, text)
}

function unreachable(peer: Peer, path: string, why: string, cause?: unknown): AppError {
  const { host: endpoint, timeoutMs, dialect } = peer
  return transient(
    dialect.codes.unreachable,
    `no answer from ${endpoint} within ${timeoutMs} ms (${why}); check ${dialect.setting} and ` +
      "the server",
    { endpoint, path, timeoutMs, found: why },
    cause,
  )
}

function invalidAnswer({ host: endpoint, dialect }: Peer, path: string, found: string): AppError {
  return transient(
    dialect.codes.answer,
    `the answer of ${endpoint} to ${path} is not an ${dialect.name} answer; check ` +
      `${dialect.setting} (base URL, proxy)`,
    { endpoint, path, found: found.slice(0, 300) },
  )
}
