import type { Clock } from "#lib/clock.ts"
import type { Esplora } from "../esplora.ts"
import type { Utxo } from "../nodes/endpoint.ts"
import { fetchAgreedHeight } from "../nodes/reference.ts"
import { readCoinsAt } from "./read-coins.ts"

/**
 * The coins of the wallet. An order asks for them when it is admitted, and its plan a moment later
 * at the same block: then the first answer serves both, unless Ballast has sent a transaction
 * meanwhile. The journal reserves the coins that other orders use.
 */
export type RecentCoins = {
  /** Asks. Throws as `readAgreedCoins`. */
  readonly read: () => Promise<readonly Utxo[]>
  /** For a plan: asks where no answer of this moment is about the newest block. */
  readonly readForPlan: () => Promise<readonly Utxo[]>
  /** A transaction of ours spends some of them. */
  readonly forget: () => void
}

export function createRecentCoins(
  esplora: Esplora,
  address: string,
  { now }: Pick<Clock, "now">,
): RecentCoins {
  let last: Known | null = null
  let sendings = 0
  const read = async (): Promise<readonly Utxo[]> => {
    const atMs = now()
    const before = sendings
    const { height, coins } = await readCoinsAt(esplora, address)
    last = sendings === before ? { atMs, height, coins } : null
    return coins
  }
  return {
    read,
    readForPlan: async () => {
      if (last === null) return read()
      const height = await fetchAgreedHeight(esplora)
      const isSame = last?.height === height && Math.abs(now() - last.atMs) < RECENT_MS
      return isSame ? last.coins : read()
    },
    forget: () => {
      last = null
      sendings++
    },
  }
}

type Known = {
  readonly atMs: number
  readonly height: bigint
  readonly coins: readonly Utxo[]
}

const RECENT_MS = 5_000
