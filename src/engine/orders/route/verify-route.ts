import { decideSendUntil } from "#guards/deposit-window.ts"
import { decideIntent } from "#guards/intent.ts"
import { requiresApproval } from "#guards/requires-approval.ts"
import { verifyRouteDeposit } from "#guards/verify-route-deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { noteHeight } from "../../watches/first-heights.ts"
import { noteObstacle } from "../../watches/service-conduct.ts"
import { findChangedContracts } from "../deposit/check-contracts.ts"
import { judgeAfterApproval } from "../deposit/judge-after-approval.ts"
import {
  declineAfterPatience,
  declineOrder,
  destinationChain,
  type Performer,
  sourceChain,
} from "../observe/job.ts"
import { legsFor, routeFor } from "./legs.ts"
import { dealKeyOf } from "./open-route.ts"
import { findMissingGas } from "./payout-gas.ts"

/**
 * Decodes the deposit with our own code, compares it with the terms, and reads everything that
 * could keep its payout from us: after the deposit nothing brings the money back but that payout.
 */
export const verifyRoute: Performer = async (job) => {
  const ended = declineAfterPatience(job)
  if (ended) return ended
  const { context, data } = job
  const terms = mustExist(data.terms, "the order's terms")
  const { source, destination } = legsFor(context, data)
  const chains = { source: sourceChain(job), destination: destinationChain(job) }
  const created = mustExist(data.created, "the created order")
  const decoded = source.decodeDeposit(created.depositRequest, data.request.from)
  const verdict = verifyRouteDeposit({
    terms,
    decoded,
    kind: source.kind,
    dealKey: dealKeyOf(data),
    dealKeyKnown: context.journal.isSecretHashKnown(decoded.secretHash, data.id),
    sameOnDestination: (a, b) => chains.destination.sameAddress(a, b),
  })
  if (!verdict.ok) return declineOrder(verdict.reasons)
  const { deposit } = verdict
  const { to, destinationOwner } = data.request
  const [sourceHeight, destinationHeight, ...obstacles] = await Promise.all([
    chains.source.fetchHeight(),
    chains.destination.fetchHeight(),
    findChangedContracts(job),
    routeFor(context, data).checkDeposit(deposit),
    source.checkDeposit(deposit),
    destination.checkPayout({ asset: to, deposit, owner: destinationOwner }, null),
    findMissingGas(context, mustExist(data.quote, "the accepted quote")),
  ])
  noteHeight(context, chains.destination.chain, destinationHeight)
  const reasons = obstacles.flat()
  const [obstacle] = reasons
  if (obstacle !== undefined) {
    noteObstacle(context, data, obstacle)
    return declineOrder(reasons)
  }
  const worse = data.approvedBy === null ? null : await judgeAfterApproval(job)
  if (worse !== null) return worse
  return {
    event: {
      type: "deposit.verified",
      deposit,
      serviceOrder: null,
      sendUntilMs: decideSendUntil(
        { deadlineMs: null, createdAtMs: data.patienceSince, nowMs: job.nowMs },
        data.policy,
      ),
      fromHeights: { source: sourceHeight, destination: destinationHeight },
      needsApproval: requiresApproval(data),
      intent: decideIntent(terms, deposit, null, data.payoutFeeUnits),
    },
  }
}
