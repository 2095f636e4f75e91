import { sumBps } from "#domain/route/affiliate-fee.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { serviceFor } from "../../context.ts"
import { noteFailure } from "../../watches/service-conduct.ts"
import {
  declineAfterPatience,
  declineOrder,
  deferWork,
  type Job,
  type Performer,
  reasonOf,
  refuseIfGone,
  sourceChain,
} from "../observe/job.ts"
import { untilHere } from "../outgoing-calls.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, type WorkEntry, waitsWhilePaused } from "../work-entry.ts"
import { chooseSecret } from "./choose-secret.ts"
import { replaceQuote } from "./replace-quote.ts"

/** The service documents no expiry of quotes; an older quote is replaced. */
const QUOTE_MAX_AGE_MS = 60_000
/**
 * The service may refuse an order at a fresh quote because its price has moved. After this many
 * refusals the order ends.
 */
const MAX_REFUSALS = 3
const MALFORMED = "service.malformed"

/**
 * Asks the service for an order.
 *
 * The call is not idempotent, so the same request is never sent twice: after a lost answer Ballast
 * asks for a new order under a new nonce. An unfunded duplicate is harmless (field notes), because
 * only the one answer in the journal can ever be funded. For the same reason the journal does not
 * record the beginning: a crash in between leads to the same request, which the service refuses by
 * its nonce, or to a duplicate.
 */
export const createOrder: Performer = async (job) => {
  const ended = declineAfterPatience(job)
  if (ended) return ended
  const { context, data } = job
  // After the clock was set back the age of the quote is unknown, so the quote counts as old.
  const ageMs = job.nowMs < data.stateSince ? Number.POSITIVE_INFINITY : job.nowMs - data.stateSince
  const restMs = waitMs(data.creations) - ageMs
  if (job.repeated && restMs > 0) return deferWork(data.reasons, restMs)
  if (job.repeated) return askAgain(job)
  if (ageMs > QUOTE_MAX_AGE_MS)
    return replaceQuote(job, { code: "quote.old", message: "The quote is too old" })
  const quote = mustExist(data.quote, "the accepted quote")
  const { from, to, sourceUnits, sourceOwner, destinationOwner } = data.request
  const affiliateFees = data.policy.affiliateFees ?? []
  const affiliateBps = sumBps(affiliateFees)
  if ((quote.affiliateBps ?? 0) !== affiliateBps)
    return replaceQuote(job, {
      code: "affiliate.sum",
      message: "The quote is for other affiliate fees; asking for a new quote",
    })
  if (!context.services.has(mustExist(data.service, "the order's service")))
    return replaceQuote(job, {
      code: "config.service_missing",
      message: `The service ${data.service} is not configured any more; asking for a new quote`,
    })
  const secret = context.settings.ownSecrets === undefined ? {} : await chooseSecret(job)
  if ("refused" in secret) return declineOrder(secret.refused)
  const request = {
    quote,
    sourceOwner,
    destinationOwner,
    sourceExtras: sourceChain(job).sourceExtras,
    affiliateFees,
    nonce: data.nonce,
    ...secret,
  }
  // A disk that refuses the journal is no failure of the service.
  await untilHere(context.journal)
  refuseIfGone(job)
  try {
    const created = await serviceFor(context, data).submitOrder(request)
    const { destinationUnits } = quote
    const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
    const ownSecret = secret.ownSecret && {
      ownSecret: { nonce: data.nonce, hash: secret.ownSecret.hash },
    }
    return { event: { type: "order.created", created, terms, affiliateBps, ...ownSecret } }
  } catch (error) {
    noteFailure(context, data, error)
    return answerFailure(error, data.creations)
  }
}

function answerFailure(error: unknown, creations: number): WorkResult {
  if (!(error instanceof AppError)) throw error
  if (error.disposition === "refused" && creations < MAX_REFUSALS)
    return deferWork([reasonOf(error)], waitMs(creations))
  // Each request leaves an unfunded order at the service, and none of its answers can be read.
  if (error.code === MALFORMED && creations >= MAX_REFUSALS) return declineOrder([reasonOf(error)])
  throw error
}

/** The answer to the last request was lost, or could not be read. */
function askAgain(job: Job): WorkResult {
  const unread = job.data.reasons.find(({ code }) => code === MALFORMED)
  const why = unread?.message ?? "The answer to an order request was lost"
  return replaceQuote(job, { code: "create.unknown", message: `${why}; asking for a new order` })
}

export const createOrderWork: WorkEntry<"createOrder"> = {
  perform: createOrder,
  lane: null,
  spends: false,
  whilePaused: waitsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat:
    "Asks for a new order under a new nonce; only the answer in the journal is ever funded " +
    "(ADR 5).",
}

function waitMs(creations: number): number {
  return Math.min(60_000, 500 * 2 ** creations)
}
