import { createHash } from "node:crypto"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { replaceQuote } from "../deposit/replace-quote.ts"
import { declineAfterPatience, type Performer } from "../observe/job.ts"
import { routeFor } from "./legs.ts"

/** The chain's fee and the route's own may have moved since an older quote. */
const QUOTE_MAX_AGE_MS = 60_000

/**
 * Builds the terms that the order will sign at its quote. No other party is asked, so a second run
 * builds the same.
 */
export const openRoute: Performer = async (job) => {
  const ended = declineAfterPatience(job)
  if (ended) return ended
  const { context, data } = job
  const quote = mustExist(data.quote, "the accepted quote")
  const ageMs = job.nowMs - data.stateSince
  if (ageMs < 0 || ageMs > QUOTE_MAX_AGE_MS)
    return replaceQuote(job, { code: "quote.old", message: "The quote is too old" })
  const { from, to, sourceUnits, sourceOwner, destinationOwner } = data.request
  const { destinationUnits } = quote
  const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
  const created = routeFor(context, data).open({
    orderId: data.id,
    dealKey: dealKeyOf(data),
    terms,
    quote,
  })
  return { event: { type: "order.created", created, terms } }
}

/** The name of the order in its deposit, which tells it from every other one. */
export function dealKeyOf({ id, nonce }: Pick<OrderData, "id" | "nonce">): string {
  return createHash("sha256").update(`${id}/${nonce}`).digest("hex")
}
