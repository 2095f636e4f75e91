/**
 * The transactions that funded each HTLC with the order's amount, by address, as they were
 * observed. They are only names: each endpoint still has to show their blocks, and their bytes
 * prove themselves. So the output that an observation showed is found again without any list of the
 * address, which strangers can fill.
 */
export type Outpoints = Map<string, ReadonlySet<string>>

/** The oldest leaves first; it is only searched again. */
const MOST_ADDRESSES = 10_000

export function noteFunding(
  outpoints: Outpoints | undefined,
  address: string | null,
  txid: string,
): void {
  if (outpoints === undefined || address === null) return
  const [oldest] = outpoints.keys()
  const known = outpoints.get(address)
  if (known === undefined && outpoints.size >= MOST_ADDRESSES && oldest !== undefined)
    outpoints.delete(oldest)
  outpoints.set(address, new Set([...(known ?? []), txid]))
}
