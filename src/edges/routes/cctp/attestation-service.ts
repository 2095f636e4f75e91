import type { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { parsePeerJson } from "#lib/peer-json.ts"
import { type Address, headersOf, hideSecrets, hostOf, under, urlOf } from "#nodes/address.ts"
import { type Dispatcher, describeFailure, exchange, type HttpAnswer } from "#nodes/exchange.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { type FeeRate, parseFeeRate } from "./fee-rate.ts"
import { FINALITY } from "./message.ts"
import { type WireMessage, wireAllowance, wireFees, wireMessages } from "./wire.ts"

/** What Circle's service says. It proves nothing; `judge-attested.ts` and the chains do. */
export type AttestationService = {
  readonly host: string
  /** The least fee of each speed; `null` where the service names none. */
  fetchFees(source: number, destination: number): Promise<BurnFees>
  /** What fast burns of all users may still take, in units of the token. */
  fetchFastAllowance(): Promise<bigint>
  /** The messages of one transaction, in the order of its logs. Empty: not seen yet, no failure. */
  fetchMessages(source: number, txid: string): Promise<readonly WireMessage[]>
  /** Asks for a new attestation of an expired message. `false`: the service sees no need. */
  requestReattestation(nonce: string): Promise<boolean>
}

export type BurnFees = Readonly<Record<keyof typeof FINALITY, FeeRate | null>>

type Options = {
  /** `https://iris-api.circle.com` or that of the test network. */
  readonly address: Address
  readonly timeoutMs: number
  readonly clock: Clock
  /** Absent: no other client shares a pause. */
  readonly paces?: Paces | undefined
  readonly dispatcher?: Dispatcher
}

/** Circle allows 35 a second for each caller's address. */
const MOST_PER_SECOND = 10
/** The service blocks an address for five minutes after 429. */
const BLOCKED_MS = 330_000
const MOST_BYTES = 2 * 1024 * 1024

/**
 * The service over HTTP. All calls share one limit of requests.
 *
 * Errors: `cctp.unavailable` `cctp.rate_limited` `cctp.malformed` (transient) · `cctp.refused`
 * (refused).
 */
export function createAttestationService(options: Options): AttestationService {
  const { address, clock, timeoutMs, paces = createPaces(clock) } = options
  const paced = {
    url: urlOf(address),
    headers: headersOf(address),
    maxRequestsPerSecond: MOST_PER_SECOND,
  }
  const pace = paces(paced, timeoutMs)
  const ask = (path: string, method: "GET" | "POST" = "GET"): Promise<HttpAnswer> =>
    pace.sendOnce(() => askOnce(options, path, method))
  const parse = <Schema extends z.ZodType>(answer: HttpAnswer, schema: Schema) =>
    parseAnswer(address, answer, schema)
  return {
    host: hostOf(address),
    fetchFees: async (source, destination) => {
      const answer = await ask(`/v2/burn/USDC/fees/${source}/${destination}`)
      const fees = parse(answer, wireFees)
      const rateOf = (finality: number): FeeRate | null => {
        const found = fees.find(({ finalityThreshold }) => finalityThreshold === finality)
        return found === undefined ? null : parseFeeRate(found.minimumFee)
      }
      return { fast: rateOf(FINALITY.fast), standard: rateOf(FINALITY.standard) }
    },
    fetchFastAllowance: async () => {
      const answer = await ask("/v2/fastBurn/USDC/allowance")
      const [whole = "", fraction = ""] = parse(answer, wireAllowance).allowance.split(".")
      return BigInt(`${whole}${fraction.slice(0, 6).padEnd(6, "0")}`)
    },
    fetchMessages: async (source, txid) => {
      const answer = await ask(`/v2/messages/${source}?transactionHash=${txid}`)
      if (answer.status !== 404) return parse(answer, wireMessages).messages
      // The page of a proxy, or of a wrong base URL, does not say that the message is not there.
      if (answer.text.trimStart().startsWith("<")) throw malformed("HTTP 404 of a page")
      return []
    },
    requestReattestation: async (nonce) => {
      const answer = await ask(`/v2/reattest/${nonce}`, "POST")
      if (answer.status === 400) return false
      if (answer.status !== 200) throw refusal(address, answer)
      return true
    },
  }
}

async function askOnce(
  { address, clock, timeoutMs, dispatcher }: Options,
  path: string,
  method: "GET" | "POST",
): Promise<HttpAnswer> {
  const answer = await exchange({
    address: under(address, path),
    method,
    headers: { accept: "application/json" },
    timeoutMs,
    clock,
    mostBytes: MOST_BYTES,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  }).catch((error: unknown) => {
    throw unavailable(hideSecrets(address, describeFailure(error)), {}, error)
  })
  const { status, retryAfterMs } = answer
  if (status === 429) {
    const waitMs = Math.max(BLOCKED_MS, retryAfterMs ?? 0)
    throw new AppError({
      code: "cctp.rate_limited",
      disposition: "transient",
      message: "Circle's service limits our requests; it is asked again after its pause",
      details: { status, retryAfterMs: waitMs },
    })
  }
  if (status >= 500) throw unavailable(`HTTP ${status}`, { status })
  return answer
}

function parseAnswer<Schema extends z.ZodType>(
  address: Address,
  answer: HttpAnswer,
  schema: Schema,
): z.output<Schema> {
  if (answer.status !== 200) throw refusal(address, answer)
  const read = schema.safeParse(readJson(answer.text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw malformed(`${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim())
}

function readJson(text: string): unknown {
  try {
    return parsePeerJson(text)
  } catch {
    throw malformed("the answer is not JSON")
  }
}

function malformed(why: string): AppError {
  const message = `Circle's service gave another answer than its interface has: ${why}`
  return new AppError({ code: "cctp.malformed", disposition: "transient", message })
}

function unavailable(
  why: string,
  details: Readonly<Record<string, number>>,
  cause?: unknown,
): AppError {
  return new AppError({
    code: "cctp.unavailable",
    disposition: "transient",
    message: `Circle's service gives no answer: ${why}`,
    details,
    cause,
  })
}

function refusal(address: Address, { status, text }: HttpAnswer): AppError {
  return new AppError({
    code: "cctp.refused",
    disposition: "refused",
    message: "Circle's service refuses this question: check the domains of the route",
    details: { status, found: hideSecrets(address, text).slice(0, 200) },
  })
}
