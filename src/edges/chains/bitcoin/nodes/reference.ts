import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { reportNow, requireReached } from "#nodes/quorum/conclude.ts"
import type { Head, JudgedHeads } from "#nodes/quorum/judge-heads.ts"
import { behind } from "#nodes/quorum/reasons.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { Esplora } from "../esplora.ts"
import { UNSETTLED_BLOCKS } from "./compare-readings.ts"
import type { Endpoint } from "./endpoint.ts"

type Reference = JudgedHeads<Head>

/**
 * Reads the block height that all facts of one observation refer to: the newest that `needed`
 * endpoints have reached. With fewer endpoints, the lowest of those that answered. Throws the first
 * endpoint's error if none answers.
 */
export function readReference(esplora: Esplora): Promise<Reference> {
  return esplora.readHeads<Head>({
    readHead: (endpoint) => endpoint.fetchHead(),
    readTimeMs: (endpoint, { height }) => endpoint.findBlockMs(height),
    kind: "tip",
  })
}

/** The height that enough endpoints have reached. Throws `bitcoin.agreement_short` (transient). */
export async function fetchAgreedHeight(esplora: Esplora): Promise<bigint> {
  return requireReached(esplora, await readReference(esplora))
}

/**
 * Asks every endpoint that has reached the reference. An endpoint behind it, and one with an
 * impossible head, counts as no answer: its view is of another time.
 */
export function askAt<T>(
  esplora: Esplora,
  { height, heads }: Pick<Reference, "height" | "heads">,
  read: (endpoint: Endpoint) => Promise<T>,
): Promise<readonly EndpointAnswer<T>[]> {
  return esplora.askAt(heads, async (endpoint, head) => {
    if (head.height < height) throw behind(BEHIND, endpoint.host, head.height, height)
    return read(endpoint)
  })
}

/**
 * Reports how many endpoints answer and have the same block a little below the agreed height. Never
 * throws for endpoints that are silent: they are among the reasons.
 */
export async function fetchAgreement(
  esplora: Esplora,
  known: SettledBlocks = new Map(),
): Promise<AgreementReport> {
  return reportNow<unknown>(esplora, async () => {
    const { height, heads, ...how } = await readReference(esplora)
    if (esplora.nodes.length === 1) return { ...how, blocks: heads }
    // An endpoint that is a block or two behind still has the settled block.
    const settled = height > UNSETTLED_BLOCKS ? height - UNSETTLED_BLOCKS : 0n
    const blocks = await askAt(esplora, { height: settled, heads }, async (endpoint) => {
      const last = known.get(endpoint)
      if (last?.height === settled) return last.hash
      const hash = await endpoint.findBlockHash(settled, { listed: true })
      if (hash === null) throw behind(BEHIND, endpoint.host, settled - 1n, settled)
      known.set(endpoint, { height: settled, hash })
      return hash
    })
    return { ...how, blocks, about: `block ${settled}` }
  })
}

/**
 * The block of each endpoint that the last report compared. Only a higher one is asked for: the
 * next block shows an endpoint that has changed its chain meanwhile.
 */
export type SettledBlocks = Map<Endpoint, { readonly height: bigint; readonly hash: string }>

const BEHIND = "bitcoin.esplora_behind"
