import type { Initiated } from "./find-events.ts"
import { exactIds, type Search, sumTransfers } from "./leg-search.ts"
import { readAddress, readBytes32 } from "./wallet.ts"

/**
 * The initiation that the query means, or `null`.
 *
 * An order id that the query's own terms give decides. A contract version whose ids we cannot derive leaves the amount, and on the
 * source side the proof that our own funds went in; among equals the one that the service names goes first.
 */
export async function chooseInitiated(search: Search, events: readonly Initiated[]): Promise<Initiated | null> {
  for (const { htlc, orderId } of exactIds(search)) {
    const exact = events.find((event) => event.htlc === htlc && event.orderId === orderId)
    if (exact !== undefined) return exact
  }
  const { query } = search
  const hinted = readBytes32(query.hints.initiateTx)
  const ordered = [...events].sort((a, b) => Number(b.txid === hinted) - Number(a.txid === hinted))
  for (const event of ordered) {
    const enough = query.side === "source" ? event.units === query.units : event.units >= query.units
    if (enough && (query.side === "destination" || (await isFundedByInitiator(search, event)))) return event
  }
  return null
}

async function isFundedByInitiator(search: Search, event: Initiated): Promise<boolean> {
  const initiator = readAddress(search.query.initiator)
  if (initiator === null) return true
  if (search.asset.token !== null) {
    return (await sumTransfers(search, event.txid, initiator, event.htlc)) >= event.units
  }
  const { from } = await search.client.getTransaction({ hash: event.txid })
  return readAddress(from) === initiator
}
