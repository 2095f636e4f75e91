import type { Endpoint, Listed, Utxo } from "../nodes/endpoint.ts"
import { outpointOf } from "../wallet.ts"

/** `isWhole` is false if the address has more than Ballast reads, or more than the caller needs. */
type WholeHistory = { readonly entries: readonly Listed[]; readonly isWhole: boolean }

/**
 * Lists the transactions of an address that one endpoint knows, mempool first, up to `mostPages` of
 * 25. Anybody can fill the history of an address with dust, so a list that is not whole shows no
 * absence.
 */
export async function listWholeHistory(
  endpoint: Endpoint,
  address: string,
  mostPages = MOST_PAGES,
): Promise<WholeHistory> {
  const found = new Map<string, Listed>()
  let lastSeen: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const entries = await endpoint.listHistory(address, lastSeen)
    const fresh = entries.filter(({ txid }) => !found.has(txid))
    for (const entry of fresh) found.set(entry.txid, entry)
    const oldest = entries.findLast(({ height }) => height !== null)
    if (oldest === undefined || entries.length < CHAIN_PAGE)
      return { entries: [...found.values()], isWhole: true }
    // A server that repeats a page would be asked for ever, and has not shown the rest.
    if (fresh.length === 0) break
    lastSeen = oldest.txid
  }
  return { entries: [...found.values()], isWhole: false }
}

/** Esplora's page of confirmed transactions (API.md). */
const CHAIN_PAGE = 25
/** 5 000 transactions, which cost a flooder about 0.025 BTC. */
const MOST_PAGES = 200

/**
 * The unspent outputs of an address by its history; `null` where that is not whole, or does not
 * name what each transaction spends and pays.
 */
export async function listCoinsByHistory(
  endpoint: Endpoint,
  address: string,
): Promise<readonly Utxo[] | null> {
  const { entries, isWhole } = await listWholeHistory(endpoint, address)
  if (!isWhole || entries.some(({ spends, pays }) => spends == null || pays == null)) return null
  const spent = new Set(entries.flatMap(({ spends }) => spends ?? []).map(outpointOf))
  return entries.flatMap(({ txid, height, pays }) =>
    (pays ?? [])
      .filter((output) => output.address === address && !spent.has(outpointOf({ txid, ...output })))
      .map(({ vout, units }) => ({ txid, vout, units, height })),
  )
}
