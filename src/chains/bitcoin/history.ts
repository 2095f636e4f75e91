import type { Endpoint, Listed } from "./endpoint.ts"

/**
 * Lists every transaction of an address that one endpoint knows, mempool first. `isWhole` is false if the address has more than Ballast reads:
 * anybody can fill the history of an address with dust.
 */
export async function listWholeHistory(
  endpoint: Endpoint,
  address: string,
): Promise<{ readonly entries: readonly Listed[]; readonly isWhole: boolean }> {
  const found = new Map<string, Listed>()
  let lastSeen: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const entries = await endpoint.listHistory(address, lastSeen)
    const fresh = entries.filter(({ txid }) => !found.has(txid))
    for (const entry of fresh) found.set(entry.txid, entry)
    const oldest = entries.findLast(({ height }) => height !== null)
    // A server that repeats a page would be asked for ever.
    if (oldest === undefined || fresh.length === 0 || entries.length < CHAIN_PAGE)
      return { entries: [...found.values()], isWhole: true }
    lastSeen = oldest.txid
  }
  return { entries: [...found.values()], isWhole: false }
}

/** Esplora's page of confirmed transactions (API.md). */
const CHAIN_PAGE = 25
const MOST_PAGES = 8
