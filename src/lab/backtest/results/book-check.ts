import { WALLET_PREFIX } from "#books/accounts.ts"
import { bookStep } from "#books/book-step.ts"
import type { Wallets } from "#books/entries-of.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { LedgerEntry } from "#domain/ledger.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { OURS } from "../ours.ts"
import type { Scenario, ScenarioChain } from "../world/scenario.ts"

/**
 * Runs the real books beside a backtest. Throws `books.unbalanced` (bug) for an entry that does not
 * balance.
 */
export type BookCheck = {
  readonly post: (before: OrderData, after: OrderData) => void
  /** Entries posted so far. */
  readonly entries: () => number
  /** The sum of all entries for our wallets, by asset. */
  readonly walletUnits: () => ReadonlyMap<AssetId, bigint>
}

export function createBookCheck(assets: readonly Asset[], { chains }: Scenario): BookCheck {
  const chainNamed = (name: ChainId): ScenarioChain =>
    mustExist(
      chains.find(({ chain }) => chain === name),
      `the chain ${name}`,
    )
  const owned: Wallets = {
    assets,
    nativeOf: (chain) => chainNamed(chain).coin,
    takesRefundFeeFromAmount: (chain) => chainNamed(chain).takesRefundFeeOut,
    isOurs: (_asset, address) => address === OURS,
  }
  const booked = new Map<string, LedgerEntry>()
  const wallets = new Map<AssetId, bigint>()
  let entries = 0

  function add(entry: LedgerEntry, sign: 1n | -1n): void {
    entries += 1
    for (const { account, asset, units } of entry.postings) {
      if (account.startsWith(WALLET_PREFIX))
        wallets.set(asset, (wallets.get(asset) ?? 0n) + sign * units)
    }
  }

  return {
    post: (before, after) => {
      const { reversedKeys, add: added } = bookStep(before, after, owned)
      for (const key of reversedKeys)
        add(mustExist(booked.get(`${after.id}/${key}`), `the entry ${key}`), -1n)
      for (const entry of added) {
        booked.set(`${after.id}/${entry.key}`, entry)
        add(entry, 1n)
      }
    },
    entries: () => entries,
    walletUnits: () => wallets,
  }
}
