import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { agreedHead, type EndpointAnswer, neededAnswers } from "#nodes/quorum/agree-on.ts"
import { reportAgreement, reportSilence, requireAgreement } from "#nodes/quorum/conclude.ts"
import { createQuorum, type Quorum } from "#nodes/quorum/create-quorum.ts"
import type { Head, JudgedHeads } from "#nodes/quorum/judge-heads.ts"
import { agreementShort, describeMissing } from "#nodes/quorum/reasons.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
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
export type Endpoints = Quorum<Endpoint>

export type Endpoint = {
  /** The host, which names the endpoint in reports. */
  readonly host: string
  readonly checkNetwork: () => Promise<void>
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

export function createEndpoints(
  rpc: Rpc,
  agree: number | null,
  clock: Clock,
  headsForMs = 0,
): Endpoints {
  const nodes = rpc.endpoints.map((reader) => ({
    host: reader.host,
    checkNetwork: reader.checkNetwork,
    reader,
    histories: new Map(),
    transactions: new Map(),
    node: (view: NodeView) => createNode(reader, view),
  }))
  return createSolanaQuorum(nodes, neededAnswers(agree, nodes.length), clock, headsForMs)
}

export function createSolanaQuorum(
  nodes: readonly Endpoint[],
  needed: number,
  clock: Pick<Clock, "now" | "sleep">,
  headsForMs = 0,
): Endpoints {
  return createQuorum({
    nodes,
    needed,
    clock,
    lead: MOST_SPREAD_SLOTS,
    stalledMs: STALLED_MS,
    fastestBlockMs: null,
    patienceMs: PATIENCE_MS,
    longestMs: LONGEST_MS,
    headsForMs,
    codes: { stalled: "solana.stalled", silent: "solana.unreachable" },
  })
}

/**
 * A head may differ from the agreed one by this many slots, one minute of them. A healthy node lags
 * a few.
 */
const MOST_SPREAD_SLOTS = 150n
const STALLED_MS = 10 * 60_000
const PATIENCE_MS = 1_000
const LONGEST_MS = 5_000

/**
 * The newest slot of a commitment that enough endpoints have reached, and the endpoints that may be
 * asked about it. `slot` is `null` where too few answer; `lowest` is then the slot that all
 * answering endpoints have.
 */
export type Heads = {
  readonly slot: bigint | null
  readonly lowest: bigint
  /** The head of each endpoint that may be asked, else its error. */
  readonly heads: readonly EndpointAnswer<Head>[]
  readonly outliers: readonly Reason[]
  readonly tips: JudgedHeads<Head>["tips"]
}

/** Throws the error of an endpoint if none answers. */
export async function readHeads(endpoints: Endpoints, commitment: Commitment): Promise<Heads> {
  const { height, credible, heads, outliers, tips } = await endpoints.readHeads<Head>({
    readHead: async ({ node }) => ({ height: await node({ commitment }).fetchSlot() }),
    readTimeMs: ({ node }, head) => node({ commitment: "finalized" }).fetchBlockMs(head.height),
    kind: commitment,
  })
  const slots = heads.flatMap((head) => (head.ok ? [head.value.height] : []))
  return {
    slot: credible >= endpoints.needed ? height : null,
    lowest: agreedHead(slots, slots.length) ?? height,
    heads,
    outliers,
    tips,
  }
}

/**
 * The answer of enough endpoints about the same slot. A value that changes while the endpoints are
 * asked differs between them for a moment, so the question is repeated. Throws
 * `solana.disagreement` and `solana.agreement_short` (transient).
 */
export async function readAgreed<T>(
  endpoints: Endpoints,
  commitment: Commitment,
  ask: (node: SolanaNode, endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    const heads = await readHeads(endpoints, commitment)
    const minSlot = slotOf(heads, endpoints)
    const answers = await endpoints.askAt(heads.heads, (endpoint) =>
      ask(endpoint.node({ commitment, minSlot }), endpoint),
    )
    try {
      return requireAgreement(answers, { ...CODES, needed: endpoints.needed, about: "one slot" })
    } catch (error) {
      const isSplit = error instanceof AppError && error.code === CODES.split
      if (!isSplit || round === MOST_ROUNDS) throw error
    }
  }
}

const MOST_ROUNDS = 3
const CODES = { split: "solana.disagreement", short: "solana.agreement_short" } as const

/** The agreed slot of a commitment. Throws `solana.agreement_short` (transient). */
export async function readAgreedSlot(
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<bigint> {
  return slotOf(await readHeads(endpoints, commitment), endpoints)
}

function slotOf(heads: Heads, endpoints: Endpoints): bigint {
  if (heads.slot !== null) return heads.slot
  throw agreementShort(CODES.short, endpoints, describeMissing(heads.heads, heads.outliers))
}

/** Reports how many endpoints are at about the same slot now. */
export async function fetchAgreement(
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<AgreementReport> {
  const { needed, nodes } = endpoints
  try {
    const { slot, lowest, heads, outliers, tips } = await readHeads(endpoints, commitment)
    const least = (slot ?? lowest) - MOST_SPREAD_SLOTS
    const near = await endpoints.askAt(heads, async ({ host }, { height }) => {
      if (height < least) throw behind(host, height, slot ?? lowest)
      return "near"
    })
    return reportAgreement(near, { needed, doubts: outliers, tips })
  } catch (error) {
    return reportSilence(nodes.length, needed, error)
  }
}

function behind(host: string, slot: bigint, agreed: bigint): AppError {
  return new AppError({
    code: "solana.node_behind",
    disposition: "transient",
    message: `the Solana node at ${host} is at slot ${slot}, and the others at ${agreed}`,
    details: { host, slot: `${slot}`, agreed: `${agreed}` },
  })
}
