import { WALLET_PREFIX } from "#books/accounts.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Journal } from "#ports/journal.ts"

/**
 * Contradictions in the books: entries that do not balance or stand twice, and accounts that differ
 * from the sum of their postings.
 */
export function findLedgerFaults(journal: Journal): string[] {
  const sums = new Map<string, bigint>()
  const faults: string[] = []
  const entries = journal.listEntries({})
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  const live = new Set<string>()
  for (const entry of entries) {
    const name = `${entry.orderId} ${entry.key}`
    if (entry.reverses === null && !reversed.has(entry.id)) {
      if (live.has(name)) faults.push(`${name} is booked twice`)
      live.add(name)
    }
    const byAsset = new Map<AssetId, bigint>()
    for (const { account, asset, units } of entry.postings) {
      byAsset.set(asset, (byAsset.get(asset) ?? 0n) + units)
      sums.set(`${account} ${asset}`, (sums.get(`${account} ${asset}`) ?? 0n) + units)
    }
    for (const [asset, sum] of byAsset)
      if (sum !== 0n) faults.push(`${entry.key} is ${sum} ${asset} out of balance`)
  }
  const open = [...sums].filter(([, sum]) => sum !== 0n).map(([name, sum]) => `${name} ${sum}`)
  const kept = journal
    .listAccounts("")
    .map(({ account, asset, units }) => `${account} ${asset} ${units}`)
  if (open.sort().join() !== kept.sort().join())
    faults.push(`accounts are ${kept.join()}, postings add up to ${open.join()}`)
  return faults
}

/** The booked change of the wallets since the first entry, by asset. */
export function walletUnits(journal: Journal): ReadonlyMap<AssetId, bigint> {
  return new Map(journal.listAccounts(WALLET_PREFIX).map(({ asset, units }) => [asset, units]))
}
