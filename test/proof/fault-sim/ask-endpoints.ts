import { AppError } from "#lib/app-error.ts"
import { type Agreement, agreedHead, agreeOn, type EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Endpoint } from "./endpoints.ts"

/**
 * How the answers of endpoints become one. `FAMILY_RULES` are the rules of the families; a planted
 * bug has others.
 */
export type ReadRules = {
  /**
   * `agreement`: enough endpoints gave the answer · `last`: the last endpoint is believed alone ·
   * `highest`: that with the highest claimed head.
   */
  readonly believes: "agreement" | "last" | "highest"
  /** An answer is believed although too few endpoints gave one. */
  readonly shortIsEnough: boolean
  /** One endpoint's final exclusion is enough. */
  readonly anyExcludes: boolean
  /**
   * A transaction that one backend does not show in a block, while another shows its nonce or input
   * as used, counts as excluded by this.
   */
  readonly absenceExcludes: "unknown" | "expired" | null
  /** One garbage answer is an error for a person. */
  readonly garbageHolds: boolean
  readonly balanceOfOne: boolean
  readonly planOfOne: boolean
}

export const FAMILY_RULES: ReadRules = {
  believes: "agreement",
  shortIsEnough: false,
  anyExcludes: false,
  absenceExcludes: null,
  garbageHolds: false,
  balanceOfOne: false,
  planOfOne: false,
}

export type EndpointSet = {
  readonly endpoints: readonly Endpoint[]
  /** So many endpoints must give the same answer about the same block. */
  readonly needed: number
  readonly rules: ReadRules
}

export type Ask<T> = (port: ChainPort) => Promise<T>

/** An answer and the block that it is about. */
export type AtBlock<T> = { readonly block: string; readonly value: T }
export type EndpointRead<T> = {
  readonly agreement: Agreement<AtBlock<T>>
  readonly answers: readonly EndpointAnswer<AtBlock<T>>[]
}

/** A read is tried so often without an agreement: another try reaches other backends. */
const TRIES = 3

/**
 * Asks every endpoint about the newest block that enough of them have. Throws AppError `transient`
 * if none answers.
 */
export async function askEndpoints<T>(set: EndpointSet, ask: Ask<T>): Promise<EndpointRead<T>> {
  let read = await askOnce(set, ask)
  for (let tries = 1; tries < TRIES && read.agreement.status !== "agreed"; tries++)
    read = await askOnce(set, ask)
  if (read.answers.some(({ ok }) => ok)) return read
  const failed = read.answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
  throw failed[0] ?? silence()
}

export async function askOnce<T>(set: EndpointSet, ask: Ask<T>): Promise<EndpointRead<T>> {
  const { endpoints, needed, rules } = set
  const heads = endpoints.map((endpoint) => tryEndpoint(rules, endpoint, () => endpoint.connect()))
  const heights = heads.flatMap((head) => (head.ok ? [head.value.reported] : []))
  const highest = agreedHead(heights, 1)
  const reference = agreedHead(heights, Math.min(needed, heights.length))
  const answers: EndpointAnswer<AtBlock<T>>[] = []
  for (const [index, head] of heads.entries()) {
    const endpoint = endpoints[index]
    if (endpoint === undefined) continue
    const isIgnored =
      (rules.believes === "highest" && head.ok && head.value.reported !== highest) ||
      (rules.believes === "last" && index < endpoints.length - 1)
    if (isIgnored) continue
    const height = rules.believes === "agreement" ? reference : null
    answers.push(head.ok ? await askOne(rules, endpoint, height, ask) : head)
  }
  return { answers, agreement: agreeOn(answers, rules.believes === "agreement" ? needed : 1) }
}

/**
 * Head and answer come from two requests, so they can come from two backends. `null` asks for the
 * newest block.
 */
async function askOne<T>(
  rules: ReadRules,
  endpoint: Endpoint,
  height: bigint | null,
  ask: Ask<T>,
): Promise<EndpointAnswer<AtBlock<T>>> {
  const opened = tryEndpoint(rules, endpoint, () => {
    const connection = endpoint.connect()
    return connection.at(height ?? connection.head)
  })
  if (!opened.ok) return opened
  const { block, port } = opened.value
  return { endpoint: endpoint.host, ok: true, value: { block, value: await ask(port) } }
}

/**
 * Asks the living endpoint with the newest block; for reads that protect funds and must go on with
 * any endpoint.
 */
export async function askNewest<T>(set: EndpointSet, ask: Ask<T>): Promise<T> {
  const open = set.endpoints.flatMap((endpoint) => {
    const head = tryEndpoint(set.rules, endpoint, () => endpoint.connect())
    return head.ok ? [head.value] : []
  })
  const [newest] = open.toSorted((a, b) => Number(b.head - a.head))
  if (newest === undefined) throw silence()
  return ask(newest.at(newest.head).port)
}

export function tryEndpoint<T>(
  { garbageHolds }: ReadRules,
  { host }: Endpoint,
  act: () => T,
): EndpointAnswer<T> {
  try {
    return { endpoint: host, ok: true, value: act() }
  } catch (error) {
    if (garbageHolds && error instanceof AppError && error.code === "endpoint.garbage")
      throw new AppError({
        code: "endpoint.garbage",
        disposition: "hold",
        message: `Simulated: ${host} sent a page`,
      })
    if (!(error instanceof AppError)) throw error
    return { endpoint: host, ok: false, error }
  }
}

function silence(): AppError {
  return new AppError({
    code: "endpoint.silent",
    disposition: "transient",
    message: "Simulated: no endpoint answers",
  })
}
