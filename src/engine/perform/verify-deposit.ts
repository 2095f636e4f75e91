import type { ServiceOrder } from "#domain/leg.ts"
import { verifyDeposit as judge } from "#guards/verify-deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { declined, destinationChain, type Job, outOfPatience, type Performer, sourceChain } from "./job.ts"

/** A service may need a moment before an order that it has just created can be read. */
const MAX_MISSING = 8

/** Plain read: the order is read back, the answer decoded by our own code, and both compared with what was asked. */
export const verifyDeposit: Performer = async (job) => {
  const ended = outOfPatience(job)
  if (ended) return ended
  const { context, data } = job
  const created = present(data.created, "the created order")
  const [source, destination] = [sourceChain(job), destinationChain(job)]
  const order = await readBack(job, created.orderId)
  const [sourceHeight, destinationHeight] = await Promise.all([source.fetchHeight(), destination.fetchHeight()])
  const decoded = source.decodeDeposit(created.claim, order, data.request.from)
  const sendUntilMs = sendUntil(job, order)
  const verdict = judge({
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
  if (!verdict.ok) return declined(verdict.reasons)
  return {
    fact: {
      type: "deposit.verified",
      deposit: verdict.deposit,
      claims: order,
      sendUntilMs,
      fromHeights: { source: sourceHeight, destination: destinationHeight },
      needsApproval: needsApproval(job),
    },
  }
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

function needsApproval({ data }: Job): boolean {
  const { approveAbove } = data.policy
  if (approveAbove === null) return false
  if (approveAbove.kind === "units") return data.request.sourceUnits > approveAbove.units
  const fiat = data.quote?.sourceFiat ?? null
  return fiat === null || fiat > approveAbove.fiat
}
