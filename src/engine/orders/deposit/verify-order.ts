import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { compareAffiliateFees } from "#guards/affiliate.ts"
import { decideSendUntil } from "#guards/deposit-window.ts"
import { decideIntent } from "#guards/intent.ts"
import { requiresApproval } from "#guards/requires-approval.ts"
import { verifyDeposit } from "#guards/verify-deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { serviceFor } from "../../context.ts"
import { noteHeight } from "../../watches/first-heights.ts"
import { noteLie } from "../../watches/service-conduct.ts"
import { findShortLock } from "../observe/find-short-lock.ts"
import {
  declineAfterPatience,
  declineOrder,
  destinationChain,
  type Job,
  type Performer,
  sourceChain,
} from "../observe/job.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, type WorkEntry, waitsWhilePaused } from "../work-entry.ts"
import { findChangedContracts } from "./check-contracts.ts"
import { judgeAfterApproval } from "./judge-after-approval.ts"

/** A service may need a moment before it can show an order that it has just created. */
const MAX_MISSING = 8

/**
 * Reads the order back, decodes the deposit request with our own code, and compares both with the
 * terms.
 */
export const verifyOrder: Performer = async (job) => {
  const ended = declineAfterPatience(job)
  if (ended) return ended
  const { context, data } = job
  const created = mustExist(data.created, "the created order")
  const source = sourceChain(job)
  const destination = destinationChain(job)
  const order = await readBack(job, created.orderId)
  const [sourceHeight, destinationHeight, changed] = await Promise.all([
    source.fetchHeight(),
    destination.fetchHeight(),
    findChangedContracts(job),
  ])
  noteHeight(context, destination.chain, destinationHeight)
  const { to, destinationOwner } = data.request
  // Neither a changed contract nor a missing account of the payee is a lie of the service, and a
  // lock is too short only for the configured depth.
  const unpayable = (await destination.contracts?.checkPayout(to, destinationOwner)) ?? []
  const obstacles = [...changed, ...unpayable, ...findShortLock(data, order, destination)]
  const ignored = answerOtherSecret(job, order)
  if (ignored !== null) return ignored
  const decoded = source.decodeDeposit(created.depositRequest, order, data.request.from)
  const sendUntilMs = decideSendUntil(
    { deadlineMs: order.deadlineMs, createdAtMs: data.createdAt, nowMs: job.nowMs },
    data.policy,
  )
  const verdict = verifyDeposit({
    terms: mustExist(data.terms, "the order's terms"),
    policy: data.policy,
    created,
    order,
    decoded,
    context: {
      nowMs: job.nowMs,
      sendUntilMs,
      ...ownSecretOf(job, destination),
      secretHashKnown: context.journal.isSecretHashKnown(decoded.secretHash, data.id),
      sameOnSource: (a, b) => source.sameAddress(a, b),
      sameOnDestination: (a, b) => destination.sameAddress(a, b),
      isSourceAddress: (text) => source.isAddress(text),
      destinationFindings: destination.outputs?.checkDestination(order.destination) ?? [],
    },
  })
  const unpaid = compareAffiliateFees(data.policy.affiliateFees ?? [], order.affiliateFees)
  if (!verdict.ok || unpaid.length > 0)
    return declineLie(job, [...(verdict.ok ? [] : verdict.reasons), ...unpaid, ...obstacles])
  if (obstacles.length > 0) return declineOrder(obstacles)
  const worse = data.approvedBy === null ? null : await judgeAfterApproval(job)
  if (worse !== null) return worse
  return {
    event: {
      type: "deposit.verified",
      deposit: verdict.deposit,
      serviceOrder: order,
      sendUntilMs,
      fromHeights: { source: sourceHeight, destination: destinationHeight },
      needsApproval: requiresApproval(data),
      intent: decideIntent(
        mustExist(data.terms, "the order's terms"),
        verdict.deposit,
        order,
        data.payoutFeeUnits,
      ),
    },
  }
}

export const verifyOrderWork: WorkEntry<"verifyOrder"> = {
  perform: verifyOrder,
  lane: null,
  spends: false,
  whilePaused: waitsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Plain read.",
}

function ownSecretOf({ data }: Job, { destinationExtras }: ChainPort) {
  if (data.ownSecret == null) return {}
  return {
    ownSecret: { hash: data.ownSecret.hash, delegate: destinationExtras["delegate"] ?? null },
  }
}

/**
 * Under `prefer-own` a service that does not take our hash is asked for another order, with a
 * secret of its own; nothing funds this one.
 */
function answerOtherSecret({ context, data }: Job, order: ServiceOrder): WorkResult | null {
  const own = data.ownSecret?.hash
  if (own === undefined || order.source.secretHash === own) return null
  const service = mustExist(data.service, "the order's service")
  if (
    context.settings.ownSecrets?.modeOf(service, data.request.from, data.request.to) !==
    "prefer-own"
  )
    return null
  const message =
    `The service ${service} did not take our secret hash; asking for an order with its own ` +
    "secret"
  const reasons = [{ code: "secret.not_taken", message, service }]
  return {
    event: {
      type: "quote.outdated",
      reasons,
      nonce: context.newNonce(),
      serviceChoosesSecret: true,
    },
  }
}

/**
 * The service's own answer is not the order that was asked for: nothing is signed, and the service
 * rests. A deadline that passed during a pause, a stop or a silence of our nodes is not the
 * service's fault.
 */
function declineLie({ context, data, nowMs }: Job, reasons: readonly Reason[]): WorkResult {
  const isLate = nowMs - data.stateSince > LATE_MS
  const first = reasons.find(({ code }) => code !== "verify.deadline" || !isLate)
  if (first !== undefined) noteLie(context, data, { code: first.code, message: first.message })
  return declineOrder(reasons)
}

const LATE_MS = 60_000

async function readBack(job: Job, orderId: string): Promise<ServiceOrder> {
  try {
    return await serviceFor(job.context, job.data).fetchOrder(orderId)
  } catch (error) {
    if (
      !(error instanceof AppError) ||
      error.code !== "service.not_found" ||
      job.data.tries >= MAX_MISSING
    )
      throw error
    const { code, message, details } = error
    throw new AppError({ code, disposition: "transient", message, details, cause: error })
  }
}
