import {
  type Agreement,
  agreedHead,
  agreeOn,
  type EndpointAnswer,
  neededAnswers,
} from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { encodeJson } from "#lib/json.ts"
import type { SwapHistories } from "../legs/list-history.ts"
import {
  type Commitment,
  createNode,
  type FoundTransaction,
  type NodeView,
  type SolanaNode,
} from "../node.ts"
import type { Rpc, RpcReader } from "../rpc.ts"

/** The endpoints of one chain, and how many of them must give the same answer. */
export type Endpoints = {
  readonly needed: number
  readonly all: readonly Endpoint[]
  readonly clock: Clock
}

export type Endpoint = {
  /** The host, which names the endpoint in reports. */
  readonly host: string
  readonly reader: RpcReader
  /** What it has listed so far. Absent: each look lists all. */
  readonly histories?: SwapHistories
  /**
   * The calls of swap accounts that it has shown in finalized slots. Absent: each look reads them
   * again.
   */
  readonly transactions?: Map<string, FoundTransaction>
  node(view: NodeView): SolanaNode
}

export function createEndpoints(rpc: Rpc, agree: number | null, clock: Clock): Endpoints {
  return {
    clock,
    needed: neededAnswers(agree, rpc.endpoints.length),
    all: rpc.endpoints.map((reader) => ({
      host: reader.host,
      reader,
      histories: new Map(),
      transactions: new Map(),
      node: (view) => createNode(reader, view),
    })),
  }
}

/**
 * The newest slot of a commitment that enough endpoints have reached, and the endpoints that may be
 * asked about it. `slot` is `null` where too few answer; `lowest` is then the slot that all
 * answering endpoints have.
 */
export type Heads = {
  readonly slot: bigint | null
  readonly lowest: bigint
  readonly live: readonly Endpoint[]
  /** The heads of the live endpoints. */
  readonly slots: readonly bigint[]
  /** Endpoints that do not answer or lie far from the others, each with its answer. */
  readonly reasons: readonly Reason[]
}

/**
 * A head may differ from the agreed one by this many slots, one minute of them. A healthy node lags
 * a few.
 */
export const MOST_SPREAD_SLOTS = 150n

/** Throws the error of an endpoint if none answers. */
export async function readHeads(endpoints: Endpoints, commitment: Commitment): Promise<Heads> {
  const { all, needed } = endpoints
  const answers = await askEach(endpoints, ({ node }) => node({ commitment }).fetchSlot(), all)
  const given = all.flatMap((endpoint, at) => {
    const answer = answers[at]
    return answer?.ok ? [{ endpoint, slot: answer.value }] : []
  })
  if (given.length === 0) throw firstErrorOf(answers)
  const stalled = await findStalled(endpoints, given)
  const reached = given.filter((head) => !stalled.includes(head))
  // With `agree: 1` the highest head would be agreed with itself, so the comparison takes the
  // second highest where there is one.
  const anchor = anchorOf(slotsOf(reached), needed)
  const usable = reached.filter(({ slot }) => slot <= anchor + MOST_SPREAD_SLOTS)
  const far = reached.filter(
    ({ slot }) => slot > anchor + MOST_SPREAD_SLOTS || slot + MOST_SPREAD_SLOTS < anchor,
  )
  return {
    slot: agreedHead(slotsOf(usable), needed),
    lowest: slotsOf(usable).reduce((low, slot) => (slot < low ? slot : low)),
    live: usable.map(({ endpoint }) => endpoint),
    slots: slotsOf(usable),
    reasons: [
      ...answers.flatMap((answer) =>
        answer.ok ? [] : [describeSilence(answer.endpoint, answer.error)],
      ),
      ...stalled.map(({ endpoint, slot }) => describeStall(endpoint.host, slot)),
      ...far.map(({ endpoint, slot }) => describeOutlier(endpoint.host, slot, anchor)),
    ],
  }
}

type Head = { readonly endpoint: Endpoint; readonly slot: bigint }

function anchorOf(slots: readonly bigint[], needed: number): bigint {
  return agreedHead(slots, Math.min(Math.max(needed, 2), slots.length)) ?? 0n
}

/**
 * The newest of some slots that `needed` of them have reached, or all where there are fewer. One
 * far above the others does not count.
 */
export function chooseSlot(slots: readonly bigint[], needed: number): bigint {
  const bound = anchorOf(slots, needed) + MOST_SPREAD_SLOTS
  const usable = slots.filter((slot) => slot <= bound)
  return agreedHead(usable, Math.min(needed, usable.length)) ?? 0n
}

/**
 * An endpoint whose newest block is older follows the chain no more, if another one has newer
 * blocks.
 */
const STALLED_MS = 10 * 60_000

/**
 * The low heads, if heads are far apart, every low one is old, and a high one is fresh. Then reads
 * go on with the high one.
 */
async function findStalled(endpoints: Endpoints, heads: readonly Head[]): Promise<readonly Head[]> {
  const bound = anchorOf(slotsOf(heads), 2) + MOST_SPREAD_SLOTS
  if (heads.every(({ slot }) => slot <= bound)) return []
  const nowMs = endpoints.clock.now()
  const ages = new Map<Head, number>()
  const readAge = async (head: Head): Promise<void> => {
    const ms = await head.endpoint.node({ commitment: "finalized" }).fetchBlockMs(head.slot)
    if (ms !== null) ages.set(head, nowMs - ms)
  }
  const all = heads.map(({ endpoint }) => endpoint)
  await askEach(
    endpoints,
    (endpoint) => Promise.all(heads.filter((head) => head.endpoint === endpoint).map(readAge)),
    all,
  )
  const low = heads.filter(({ slot }) => slot <= bound)
  const isFresh = heads.some(
    (head) => head.slot > bound && Math.abs(ages.get(head) ?? Infinity) <= STALLED_MS,
  )
  return isFresh && low.every((head) => (ages.get(head) ?? 0) > STALLED_MS) ? low : []
}

function describeStall(endpoint: string, slot: bigint): Reason {
  return {
    code: "chain.agreement_short",
    message:
      `The newest block of the endpoint ${endpoint} is old, and another endpoint has newer ` +
      "ones; repair or replace it",
    endpoint,
    found: `${slot}`,
  }
}

function slotsOf(heads: readonly { readonly slot: bigint }[]): bigint[] {
  return heads.map(({ slot }) => slot)
}

/**
 * Asks each endpoint the same question at the same time. An endpoint that is much slower than the
 * others counts as silent, so that one hanging endpoint does not stop the reads of a chain.
 */
export async function askEach<T>(
  { needed, clock }: Endpoints,
  ask: (endpoint: Endpoint) => Promise<T>,
  asked: readonly Endpoint[],
): Promise<EndpointAnswer<T>[]> {
  const answers = new Map<Endpoint, EndpointAnswer<T>>()
  const first = Promise.withResolvers<void>()
  const enough = Promise.withResolvers<void>()
  let given = 0
  const askOne = async (endpoint: Endpoint): Promise<void> => {
    try {
      answers.set(endpoint, { endpoint: endpoint.host, ok: true, value: await ask(endpoint) })
      given += 1
      first.resolve()
      if (given >= needed) enough.resolve()
    } catch (error) {
      answers.set(endpoint, { endpoint: endpoint.host, ok: false, error })
    }
  }
  await Promise.race([
    Promise.all(asked.map(askOne)),
    first.promise.then(() => clock.sleep(WAIT_AFTER_FIRST_MS)),
    enough.promise.then(() => clock.sleep(WAIT_AFTER_ENOUGH_MS)),
  ])
  return asked.map(
    (endpoint) =>
      answers.get(endpoint) ?? { endpoint: endpoint.host, ok: false, error: tooSlow(endpoint) },
  )
}

const WAIT_AFTER_FIRST_MS = 5_000
const WAIT_AFTER_ENOUGH_MS = 1_000

function tooSlow({ host }: Endpoint): AppError {
  const why = "is much slower than the others; Ballast goes on without it"
  return new AppError({
    code: "solana.unreachable",
    disposition: "transient",
    message: `the Solana node at ${host} ${why}`,
    details: { host },
  })
}

/**
 * The answer of enough endpoints about the same slot. A value that changes while the endpoints are
 * asked differs between them for a moment, so the question is repeated. Throws
 * `solana.disagreement` and `solana.agreement_short` (transient), each with the hosts.
 */
export async function readAgreed<T>(
  endpoints: Endpoints,
  commitment: Commitment,
  ask: (node: SolanaNode, endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    const heads = await readHeads(endpoints, commitment)
    const { slot } = heads
    if (slot === null) throw agreementShort(heads.live.length, endpoints, heads.reasons)
    const answers = await askEach(
      endpoints,
      (endpoint) => ask(endpoint.node({ commitment, minSlot: slot }), endpoint),
      heads.live,
    )
    const agreement = agreeOn(answers, endpoints.needed)
    if (agreement.status === "agreed") return agreement.value
    if (agreement.status === "split" && round < MOST_ROUNDS) continue
    throw describeFailure(agreement, answers, endpoints)
  }
}

const MOST_ROUNDS = 3

/** The agreed slot of a commitment. Throws `solana.agreement_short` (transient). */
export async function readAgreedSlot(
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<bigint> {
  const { slot, live, reasons } = await readHeads(endpoints, commitment)
  if (slot === null) throw agreementShort(live.length, endpoints, reasons)
  return slot
}

function describeFailure<T>(
  agreement: Agreement<T>,
  answers: readonly EndpointAnswer<T>[],
  endpoints: Endpoints,
): unknown {
  if (agreement.status === "split") {
    return new AppError({
      code: "solana.disagreement",
      disposition: "transient",
      message:
        "the Solana endpoints contradict each other about the same slot; Ballast uses none " +
        "of the answers",
      details: Object.fromEntries(
        agreement.answers.flatMap((one) => (one.ok ? [[one.endpoint, textOf(one.value)]] : [])),
      ),
    })
  }
  const failures = answers.flatMap((answer) =>
    answer.ok ? [] : [describeSilence(answer.endpoint, answer.error)],
  )
  if (answers.every(({ ok }) => !ok)) return firstErrorOf(answers)
  return agreementShort(answers.length - failures.length, endpoints, failures)
}

/** The error of one endpoint where all failed: a passing one before a lasting one. */
export function firstErrorOf(answers: readonly EndpointAnswer<unknown>[]): AppError {
  const errors = answers.flatMap((answer) => (answer.ok ? [] : [codedError(answer.error)]))
  return (
    errors.find(({ disposition }) => disposition === "transient") ?? errors[0] ?? codedError(null)
  )
}

function codedError(error: unknown): AppError {
  return toAppError(error, { code: "solana.unreachable", disposition: "bug" })
}

function agreementShort(
  answered: number,
  { needed, all }: Endpoints,
  reasons: readonly Reason[],
): AppError {
  return new AppError({
    code: "solana.agreement_short",
    disposition: "transient",
    message:
      `${answered} of ${all.length} Solana endpoints answer about the agreed slot, and ` +
      `${needed} are needed; Ballast asks again; check rpc if this lasts`,
    details: {
      answered,
      needed,
      missing: reasons.map(({ endpoint, found }) => `${endpoint}: ${found}`).join(" | "),
    },
  })
}

/** An endpoint that is missing for an agreement. */
export function describeSilence(endpoint: string, error: unknown): Reason {
  const { code, message } = codedError(error)
  return {
    code: "chain.agreement_short",
    message:
      `The endpoint ${endpoint} gives no usable answer, so it cannot agree with the others ` +
      `(${message})`,
    endpoint,
    found: code,
  }
}

function describeOutlier(endpoint: string, slot: bigint, anchor: bigint): Reason {
  return {
    code: "chain.head_outlier",
    message:
      `The endpoint ${endpoint} is at slot ${slot}, far from the ${anchor} of the others; ` +
      "Ballast does not follow it",
    endpoint,
    found: `${slot}`,
    agreed: `${anchor}`,
  }
}

/** One reason with the answers of all hosts. */
export function describeContradiction<T>(
  what: string,
  answers: readonly EndpointAnswer<T>[],
): Reason {
  const given = answers.flatMap((one) => (one.ok ? [`${one.endpoint}: ${textOf(one.value)}`] : []))
  return {
    code: "chain.disagreement",
    message:
      `The endpoints contradict each other about ${what}; Ballast ends and releases nothing by ` +
      "it",
    answers: given.join(" | "),
  }
}

function textOf(value: unknown): string {
  return encodeJson(value).slice(0, 300)
}
