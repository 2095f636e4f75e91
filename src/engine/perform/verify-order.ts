import { sumBps } from "#domain/affiliate-fee.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Quote } from "#domain/quote.ts"
import { compareAffiliateFees } from "#guards/affiliate.ts"
import { decideIntent } from "#guards/intent.ts"
import { needsApproval } from "#guards/needs-approval.ts"
import { judgePrice } from "#guards/price.ts"
import { verifyDeposit } from "#guards/verify-deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { judgeByReference, readReference } from "../reference.ts"
import type { WorkResult } from "../stepper.ts"
import { declined, deferred, destinationChain, type Job, outOfPatience, type Performer, sourceChain } from "./job.ts"

/** A service may need a moment before an order that it has just created can be read. */
const MAX_MISSING = 8

/** Plain read: the order is read back, the answer decoded by our own code, and both compared with what was asked. */
export const verifyOrder: Performer = async (job) => {
  const ended = outOfPatience(job)
  if (ended) return ended
  const { context, data } = job
  const created = present(data.created, "the created order")
  const [source, destination] = [sourceChain(job), destinationChain(job)]
  const order = await readBack(job, created.orderId)
  const [sourceHeight, destinationHeight] = await Promise.all([source.fetchHeight(), destination.fetchHeight()])
  const decoded = source.decodeDeposit(created.depositRequest, order, data.request.from)
  const sendUntilMs = sendUntil(job, order)
  const verdict = verifyDeposit({
    terms: present(data.terms, "the order's terms"),
    policy: data.policy,
    created,
    order,
    decoded,
    facts: {
      nowMs: job.nowMs,
      sendUntilMs,
      secretHashKnown: context.journal.isSecretHashKnown(decoded.secretHash, data.id),
      sameOnSource: (a, b) => source.sameAddress(a, b),
      sameOnDestination: (a, b) => destination.sameAddress(a, b),
      isSourceAddress: (text) => source.isAddress(text),
      destinationFindings: destination.checkDestination?.(order.destination) ?? [],
    },
  })
  const unpaid = compareAffiliateFees(data.policy.affiliateFees ?? [], order.affiliateFees)
  if (!verdict.ok || unpaid.length > 0) return declined([...(verdict.ok ? [] : verdict.reasons), ...unpaid])
  const worse = data.approvedBy === null ? null : await judgeAfterApproval(job)
  if (worse !== null) return worse
  return {
    event: {
      type: "deposit.verified",
      deposit: verdict.deposit,
      serviceOrder: order,
      sendUntilMs,
      fromHeights: { source: sourceHeight, destination: destinationHeight },
      needsApproval: needsApproval(data),
      intent: decideIntent(present(data.terms, "the order's terms"), verdict.deposit, order),
    },
  }
}

/** The order's amounts are fixed, what they are worth is not: a person said yes to a price that the guard would let pass, at that time. */
async function judgeAfterApproval({ context, data }: Job): Promise<WorkResult | null> {
  const { from, to, sourceUnits } = data.request
  const affiliateBps = sumBps(data.policy.affiliateFees ?? [])
  const [best] = await context.service.fetchQuotes({ from, to, sourceUnits, affiliateBps })
  if (best === undefined) return deferred([{ code: "quote.none", message: "No solver quotes this pair now" }])
  const { destinationUnits } = present(data.terms, "the order's terms")
  const bound = { ...best, destinationUnits, destinationFiat: inProportion(best, destinationUnits) }
  const reasons = judgePrice(bound, data.policy)
  const byReference = judgeByReference(context, bound, await readReference(context, bound), data.policy)
  if (reasons.length === 0 && byReference.some(({ code }) => code === "price.reference_missing"))
    return deferred(byReference)
  if (reasons.length + byReference.length === 0) return null
  const message = `What ${data.approvedBy} approved has become dearer than allowed; nothing was signed`
  return declined([{ code: "approval.worse", message }, ...reasons, ...byReference])
}

function inProportion({ destinationFiat, destinationUnits }: Quote, units: bigint): bigint | null {
  return destinationFiat === null || destinationUnits <= 0n ? null : (destinationFiat * units) / destinationUnits
}

async function readBack(job: Job, orderId: string): Promise<ServiceOrder> {
  try {
    return await job.context.service.fetchOrder(orderId)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "service.not_found" || job.data.tries >= MAX_MISSING) throw error
    const { code, message, details } = error
    throw new AppError({ code, disposition: "transient", message, details, cause: error })
  }
}

/** The service's deadline is when the deposit must be *seen*: the configured margin, at most half of the time left, is kept for that. */
function sendUntil(job: Job, order: ServiceOrder): number {
  const { createdAt, policy } = job.data
  const deadlineMs = order.deadlineMs ?? createdAt + policy.depositWindowMs
  return deadlineMs - Math.min(policy.deadlineMarginMs, Math.max(0, (deadlineMs - job.nowMs) / 2))
}
