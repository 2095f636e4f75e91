import type { Hex } from "viem"
import { readInitiate } from "./decode.ts"
import type { Initiated, Redeemed, Refunded } from "./find-events.ts"
import { exactIds, type Search, sumTransfers } from "./leg-search.ts"
import { readAddress, sameAddress } from "./wallet.ts"

/**
 * What the query's owner received in the redeeming or refunding transaction; `null` when that cannot be read.
 *
 * One transaction may settle several orders of the same owner, so never more than this order held.
 */
export async function fetchPaid(
  search: Search,
  event: Redeemed | Refunded,
  initiated: Initiated | null,
): Promise<bigint | null> {
  const owner = readAddress(search.query.owner)
  if (owner === null) return null
  if (search.asset.token === null) return fetchNativePaid(search, event, initiated, owner)
  const paid = await sumTransfers(search, event.txid, event.htlc, owner)
  return initiated !== null && paid > initiated.units ? initiated.units : paid
}

/** The contract pays the redeemer or the initiator in full: whoever that is by the order itself, or else by the balance. */
async function fetchNativePaid(
  search: Search,
  event: Redeemed | Refunded,
  initiated: Initiated | null,
  owner: Hex,
): Promise<bigint | null> {
  if (initiated !== null && (await isPayee(search, event.kind, initiated, owner))) return initiated.units
  try {
    const [before, after] = await Promise.all(
      [event.height - 1n, event.height].map((blockNumber) => search.client.getBalance({ address: owner, blockNumber })),
    )
    return before === undefined || after === undefined || after < before ? null : after - before
  } catch {
    // Many nodes keep no past state: unknown, which is not zero.
    return null
  }
}

async function isPayee(
  search: Search,
  kind: "redeemed" | "refunded",
  initiated: Initiated,
  owner: Hex,
): Promise<boolean> {
  const { query, client } = search
  const exact = exactIds(search).find((id) => id.version !== "v1" && id.orderId === initiated.orderId)
  if (exact !== undefined) {
    const payee = kind === "redeemed" ? query.redeemer : query.initiator
    return payee !== null && sameAddress(payee, owner)
  }
  const { from, to, input } = await client.getTransaction({ hash: initiated.txid })
  const terms = to !== null && sameAddress(to, initiated.htlc) ? readInitiate(input) : null
  if (terms === null || terms.secretHash !== search.secretHash) return false
  return sameAddress(kind === "redeemed" ? terms.redeemer : from, owner)
}
