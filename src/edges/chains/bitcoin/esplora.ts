import type { Transaction } from "bitcoinjs-lib"
import { agreeOn, type EndpointAnswer } from "#chains/agreement.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Address } from "#nodes/address.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { createEndpoint, type Endpoint, type SubmitAnswer } from "./nodes/endpoint.ts"

/**
 * Creates the client of all Esplora servers of a chain. `askEach` asks every server: a failure of
 * one is its answer, and concerns no other.
 */
export function createEsplora(options: EsploraOptions): Esplora {
  const { needed, clock, timeoutMs, genesis, paces = createPaces(clock) } = options
  const isAlone = options.endpoints.length === 1
  const endpoints = options.endpoints.map((url) =>
    createEndpoint({
      url,
      timeoutMs,
      clock,
      paces,
      genesis,
      attempts: isAlone ? 3 : 2,
      restMs: isAlone ? 0 : REST_MS,
    }),
  )
  const raws = new Map<string, Transaction>()
  const askEach = <T>(read: (endpoint: Endpoint) => Promise<T>) =>
    Promise.all(endpoints.map((endpoint) => answerOf(endpoint, read)))

  async function findRaw(txid: string, first?: Endpoint): Promise<Transaction | null> {
    const known = raws.get(txid)
    if (known !== undefined) return known
    const others = endpoints.filter((endpoint) => endpoint !== first)
    const answers: EndpointAnswer<Transaction | null>[] = []
    for (const endpoint of first === undefined ? others : [first, ...others]) {
      const answer = await answerOf(endpoint, ({ findRaw: find }) => find(txid))
      if (answer.ok && answer.value !== null) return remember(raws, txid, answer.value)
      answers.push(answer)
    }
    const failed = (first === undefined ? answers : answers.slice(0, 1)).find(
      (answer) => !answer.ok,
    )
    if (failed !== undefined && !failed.ok) throw failed.error
    return null
  }

  return {
    endpoints,
    needed,
    now: () => clock.now(),
    askEach,
    findRaw,
    submitTx: (raw) => Promise.all(endpoints.map((endpoint) => endpoint.submitTx(raw))),
  }
}

type EsploraOptions = {
  /** Base URLs, such as `https://host/api`; at least one. */
  readonly endpoints: readonly Address[]
  readonly paces?: Paces
  /** How many endpoints must give the same answer. */
  readonly needed: number
  readonly genesis: string | null
  readonly timeoutMs: number
  readonly clock: Clock
}

export type Esplora = {
  readonly endpoints: readonly Endpoint[]
  readonly needed: number
  now(): number
  askEach<T>(read: (endpoint: Endpoint) => Promise<T>): Promise<EndpointAnswer<T>[]>
  /**
   * The transaction with this id from any endpoint that has it: its bytes prove themselves. `null`
   * if every endpoint answers that it has none. With `first`, that endpoint is asked first, and its
   * own word for an absence is enough.
   */
  findRaw(txid: string, first?: Endpoint): Promise<Transaction | null>
  /** Returns the answer of each endpoint. Never throws: the caller judges the answers. */
  submitTx(raw: string): Promise<readonly SubmitAnswer[]>
}

const REST_MS = 10_000

/** Enough for the transactions of all open orders; the oldest leaves first. */
const MOST_RAWS = 500

function remember(
  raws: Map<string, Transaction>,
  txid: string,
  transaction: Transaction,
): Transaction {
  const [oldest] = raws.keys()
  if (raws.size >= MOST_RAWS && oldest !== undefined) raws.delete(oldest)
  raws.set(txid, transaction)
  return transaction
}

async function answerOf<T>(
  endpoint: Endpoint,
  read: (endpoint: Endpoint) => Promise<T>,
): Promise<EndpointAnswer<T>> {
  try {
    return { endpoint: endpoint.host, ok: true, value: await read(endpoint) }
  } catch (error) {
    // Any other failure is ours, and must not look like a silent endpoint.
    if (!isTransient(error)) throw error
    return { endpoint: endpoint.host, ok: false, error }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof AppError && error.disposition === "transient"
}

/**
 * The answer that enough endpoints give. Throws `bitcoin.disagreement` or `bitcoin.agreement_short`
 * (transient), and the first endpoint's own error if none answers.
 */
export function requireAgreement<T>(
  what: string,
  answers: readonly EndpointAnswer<T>[],
  { needed, endpoints }: Pick<Esplora, "needed" | "endpoints">,
  keyOf?: (value: T) => string,
): T {
  const agreement = agreeOn(answers, needed, keyOf)
  if (agreement.status === "agreed") return agreement.value
  if (agreement.status === "split") throw disagreement(what, agreement.answers)
  if (agreement.answered === 0) throw answers.find((answer) => !answer.ok)?.error
  throw agreementShort(what, agreement.answered, needed, endpoints.length)
}

function disagreement<T>(what: string, answers: readonly EndpointAnswer<T>[]): AppError {
  const given = answers.flatMap((answer) =>
    answer.ok ? [`${answer.endpoint}: ${short(answer.value)}`] : [],
  )
  return new AppError({
    code: "bitcoin.disagreement",
    disposition: "transient",
    message:
      `the Esplora servers contradict each other about ${what}; Ballast believes none of them ` +
      "and asks again",
    details: { what, answers: given.join(" | ") },
  })
}

export function agreementShort(
  what: string,
  answered: number,
  needed: number,
  endpoints: number,
): AppError {
  return new AppError({
    code: "bitcoin.agreement_short",
    disposition: "transient",
    message:
      `${answered} of ${endpoints} Esplora servers told ${what}, and ${needed} must agree; ` +
      "repair or add a server",
    details: { what, answered, needed, endpoints },
  })
}

function short(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "bigint" ? item.toString() : item,
  )
  return text.slice(0, 200)
}
