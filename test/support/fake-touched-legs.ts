import type { TouchedLegs } from "#ports/chain/capabilities.ts"
import type { FakeLedger } from "./fake-ledger.ts"

/**
 * From events, which a refund has none of with a secret hash; on Solana from the accounts of the
 * waiting legs.
 */
export function listTouchedLegs(
  ledger: FakeLedger,
  since: bigint | null,
  waiting: readonly WatchedSwap[],
): TouchedLegs {
  const height = visibleHeight(ledger)
  if (ledger.kind === "slots")
    return { height, secretHashes: listChanged(ledger, { since, height }, waiting) }
  if (since === null || height <= since) return { height, secretHashes: [] }
  const swaps = [...ledger.state().swaps.values()].filter(({ initiated, redeemed }) =>
    [initiated, redeemed].some((part) => part !== null && part.height > since),
  )
  return { height, secretHashes: swaps.map(({ secretHash }) => secretHash) }
}

/**
 * From the transactions of each new block, as Bitcoin does: a refund too. After a reorganisation,
 * and at the first block, every waiting leg counts.
 */
export function createBlockScan(
  ledger: FakeLedger,
): (since: bigint | null, waiting: readonly { readonly secretHash: string }[]) => TouchedLegs {
  let last: { readonly height: bigint; readonly id: number | undefined } | null = null
  return (since, waiting) => {
    const height = visibleHeight(ledger)
    const { ids } = ledger.branch()
    const common = { height, blockMs: 600_000 }
    if (since === null || height <= since) return { ...common, secretHashes: [] }
    const isKnown = last?.height === since && last.id === ids[Number(since)]
    last = { height, id: ids[Number(height)] }
    if (!isKnown) return { ...common, secretHashes: waiting.map(({ secretHash }) => secretHash) }
    const swaps = [...ledger.state().swaps.values()].filter(({ initiated, redeemed, refunded }) =>
      [initiated, redeemed, refunded].some((part) => part !== null && part.height > since),
    )
    return { ...common, secretHashes: swaps.map(({ secretHash }) => secretHash), isWhole: true }
  }
}

/** A waiting leg by its key on the ledger. */
export type WatchedSwap = {
  readonly key: string
  readonly secretHash: string
  readonly isOpen: boolean
}

/**
 * The account that opens and closes between two answers looks untouched. A family remembers the
 * accounts of its last answer; the ledger knows their state at that height.
 */
function listChanged(
  ledger: FakeLedger,
  { since, height }: { readonly since: bigint | null; readonly height: bigint },
  waiting: readonly WatchedSwap[],
): string[] {
  const changed = waiting.filter(({ key, isOpen }) => {
    const swap = ledger.state().swaps.get(key)
    const isOpenAt = (at: bigint): boolean => {
      if (swap === undefined || swap.initiated.height > at) return false
      return ![swap.redeemed, swap.refunded].some((end) => end !== null && end.height <= at)
    }
    return isOpenAt(height) !== (since === null ? isOpen : isOpenAt(since))
  })
  return changed.map(({ secretHash }) => secretHash)
}

/**
 * The depth at which a transaction shows. Solana's newest block is only `processed`, which does not
 * count; the next block confirms it.
 */
export function visibleFrom({ kind }: FakeLedger): number {
  return kind === "slots" ? 2 : 1
}

/** The newest height with visible transactions. */
export function visibleHeight(ledger: FakeLedger): bigint {
  return ledger.height() - BigInt(visibleFrom(ledger) - 1)
}
