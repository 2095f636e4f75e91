import type { AssetId, ChainId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import type { ChainPort } from "#ports/chain.ts"

type Chains = ReadonlyMap<ChainId, ChainPort>

/**
 * The chains of one process. They are opened once; after a failure the next call tries again.
 *
 * `readAhead` opens them, and makes the first reads of a leader's start. The answers are dropped,
 * but the connections are open and the code is compiled when the start asks again. At most once in
 * ten seconds. Never throws.
 */
type ReadyChains = { open(): Promise<Chains>; readAhead(): Promise<void> }

const AGAIN_MS = 10_000

export function createReadyChains(
  openChains: () => Promise<Chains>,
  assetsOf: (chain: ChainId) => readonly { readonly id: AssetId }[],
  clock: Pick<Clock, "now">,
): ReadyChains {
  let opened: Promise<Chains> | null = null
  let readMs = Number.NEGATIVE_INFINITY
  const open = (): Promise<Chains> => {
    opened ??= openChains().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  const readAll = ({ chain, assetChecks, uses }: ChainPort) => [
    ...assetsOf(chain).map(({ id }) => assetChecks?.checkAsset(id)),
    uses?.fetchUses(null),
  ]
  return {
    open,
    readAhead: async () => {
      const sinceMs = clock.now() - readMs
      if (sinceMs >= 0 && sinceMs < AGAIN_MS) return
      readMs = clock.now()
      const chains = await open().catch(() => null)
      await Promise.allSettled([...(chains?.values() ?? [])].flatMap(readAll))
    },
  }
}
