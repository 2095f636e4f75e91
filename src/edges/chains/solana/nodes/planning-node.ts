import type { TransactionAction } from "#domain/transaction.ts"
import { transient } from "#lib/app-error.ts"
import { agreedHead } from "#nodes/quorum/agree-on.ts"
import { askInTurn } from "#nodes/quorum/create-quorum.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { Commitment, SolanaNode } from "../node.ts"
import { fetchPrices } from "../spend/fetch-prices.ts"
import { type Endpoint, type Endpoints, readAgreedSlot, readHeads } from "./endpoints.ts"

/**
 * A node for planning: its own reads come from one endpoint, and the values that a plan keeps come
 * from all of them.
 */
export type PlanningNode = SolanaNode & {
  /**
   * The prices, in micro-lamports per compute unit, for a transaction that writes these accounts,
   * of all endpoints that have one; `cap` is the most that is offered.
   */
  fetchPrices(cap: bigint, ...accounts: readonly string[]): Promise<readonly bigint[]>
  fetchLife(action: TransactionAction): Promise<Life>
}

/**
 * `fromHeight` is a slot; a search for the transaction starts there. After `lastValidBlockHeight`
 * no block takes the blockhash.
 */
type Life = {
  readonly fromHeight: bigint
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

/** `commitment`: that of the slot from which a search starts. */
export function createPlanningNode(
  node: SolanaNode,
  endpoints: Endpoints,
  commitment: Commitment,
): PlanningNode {
  return {
    ...node,
    fetchPrices: (cap, ...accounts) => fetchPrices(accounts, endpoints, cap),
    fetchLife: (action) => fetchLife(action, endpoints, commitment),
  }
}

/**
 * A slot that is too high would hide the transaction from a later search, so that of a deposit is
 * agreed; other actions go on with the lowest slot that any endpoint names. A last valid height
 * that is too high would keep a transaction alive for ever in our books, and one that is too low
 * has already passed; the next endpoint's blockhash is taken instead.
 */
async function fetchLife(
  action: TransactionAction,
  endpoints: Endpoints,
  commitment: Commitment,
): Promise<Life> {
  const readSlot = async (): Promise<bigint> =>
    action === "initiate"
      ? readAgreedSlot(endpoints, commitment)
      : (await readHeads(endpoints, commitment)).lowest
  const fetchHash = ({ node }: Endpoint) => node({ commitment: "confirmed" }).fetchBlockhash()
  const [fromHeight, heights, early] = await Promise.all([
    readSlot(),
    endpoints.askEach(({ node }) => node({ commitment: "confirmed" }).fetchBlockHeight()),
    endpoints.nodes[0] && fetchHash(endpoints.nodes[0]).catch(() => null),
  ])
  const given = heights.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const height = agreedHead(given, Math.min(endpoints.needed, given.length))
  if (height === null) throw firstFailure(heights)
  const readLife = async (endpoint: Endpoint): Promise<Life> => {
    const { host } = endpoint
    const life = (endpoint === endpoints.nodes[0] && early) || (await fetchHash(endpoint))
    const { lastValidBlockHeight } = life
    if (lastValidBlockHeight > height && lastValidBlockHeight <= height + MOST_LIFE_BLOCKS)
      return { fromHeight, ...life }
    throw transient(
      "solana.nonsense",
      `the Solana node at ${host} names a last valid block height that no blockhash can have ` +
        "now; Ballast asks another endpoint",
      { host, lastValid: `${lastValidBlockHeight}`, height: `${height}` },
    )
  }
  return askInTurn(endpoints.nodes, readLife, () => true)
}

/**
 * A blockhash lives for 150 blocks (`MAX_PROCESSING_AGE` of the validator). The endpoint may be
 * ahead of the others by as many.
 */
const MOST_LIFE_BLOCKS = 300n
