import { AppError, transient } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { agreedHead, type EndpointAnswer, neededAnswers } from "#nodes/quorum/agree-on.ts"
import { reportNow, requireAgreement, requireReached } from "#nodes/quorum/conclude.ts"
import { type Quorum, quorumsOf } from "#nodes/quorum/create-quorum.ts"
import type { Head, JudgedHeads } from "#nodes/quorum/judge-heads.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import { createSwapNotes, type SwapNotes } from "../legs/swap-notes.ts"
import { type Commitment, createNode, type NodeView, type SolanaNode } from "../node.ts"
import type { Rpc, RpcReader } from "../rpc.ts"

/** The endpoints of one chain, and how many of them must give the same answer. */
export type Endpoints = Quorum<Endpoint>

export type Endpoint = {
  /** The host, which names the endpoint in reports. */
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  readonly reader: RpcReader
  /** Absent: each look lists and reads all. */
  readonly notes?: SwapNotes
  node(view: NodeView): SolanaNode
}

export function createEndpoints(
  rpc: Rpc,
  agree: number | null,
  clock: Clock,
  headsForMs = 0,
): Endpoints {
  const nodes = rpc.endpoints.map((reader) => ({
    ...reader,
    reader,
    notes: createSwapNotes(),
    node: (view: NodeView) => createNode(reader, view),
  }))
  return createSolanaQuorum(nodes, neededAnswers(agree, nodes.length), clock, headsForMs)
}

/**
 * A head may differ from the agreed one by this many slots, one minute of them. A healthy node lags
 * a few.
 */
const MOST_SPREAD_SLOTS = 150n
const RULES = {
  lead: MOST_SPREAD_SLOTS,
  patienceMs: 1_000,
  longestMs: 5_000,
  readsHideNetwork: true,
  codes: {
    stalled: "solana.stalled",
    silent: "solana.unreachable",
    split: "solana.disagreement",
    short: "solana.agreement_short",
  },
}

export const createSolanaQuorum = quorumsOf<Endpoint>(RULES)

/**
 * The newest slot of a commitment that enough endpoints have reached, and the endpoints that may be
 * asked about it. `slot` is `null` where too few answer; `lowest` is then the slot that all
 * answering endpoints have.
 */
export type Heads = JudgedHeads<Head> & { readonly slot: bigint | null; readonly lowest: bigint }

/** Throws the error of an endpoint if none answers. */
export async function readHeads(endpoints: Endpoints, commitment: Commitment): Promise<Heads> {
  const judged = await endpoints.readHeads<Head>({
    readHead: async ({ node }) => ({ height: await node({ commitment }).fetchSlot() }),
    readTimeMs: ({ node }, head) => node({ commitment: "finalized" }).fetchBlockMs(head.height),
    kind: commitment,
  })
  const { height, credible, heads } = judged
  const slots = heads.flatMap((head) => (head.ok ? [head.value.height] : []))
  return {
    ...judged,
    slot: credible >= endpoints.needed ? height : null,
    lowest: agreedHead(slots, slots.length) ?? height,
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
    const minSlot = requireReached(endpoints, heads)
    const answers = await endpoints.askAt(heads.heads, (endpoint) =>
      ask(endpoint.node({ commitment, minSlot }), endpoint),
    )
    try {
      return requireAgreement(endpoints, answers, { about: "one slot" })
    } catch (error) {
      const isSplit = error instanceof AppError && error.code === endpoints.codes.split
      if (!isSplit || round === MOST_ROUNDS) throw error
    }
  }
}

const MOST_ROUNDS = 3

/** The agreed slot of a commitment. Throws `solana.agreement_short` (transient). */
export async function readAgreedSlot(
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<bigint> {
  return requireReached(endpoints, await readHeads(endpoints, commitment))
}

/** Reports how many endpoints are at about the same slot now. */
export function fetchAgreement(
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<AgreementReport> {
  return reportNow(endpoints, async () => {
    const { slot, lowest, heads, ...how } = await readHeads(endpoints, commitment)
    const agreed = slot ?? lowest
    const blocks = heads.map((head): EndpointAnswer<string> => {
      if (!head.ok) return head
      const { endpoint: host, value } = head
      if (value.height >= agreed - MOST_SPREAD_SLOTS) return { ...head, value: "near" }
      const slot = `${value.height}`
      const why = `the Solana node at ${host} is at slot ${slot}, and the others at ${agreed}`
      const error = transient("solana.node_behind", why, { host, slot, agreed: `${agreed}` })
      return { endpoint: host, ok: false, error }
    })
    return { ...how, blocks }
  })
}
