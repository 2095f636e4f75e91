import type { Reason } from "#domain/reason.ts"
import { isNearLockEnd, type RedeemStake } from "#domain/redeem-fee-cap.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  chainOfPurpose,
  deferWhileStopped,
  type Job,
  leadsToDeposit,
  type Performer,
  reasonOf,
  stuckReason,
} from "../observe/job.ts"
import { readRedeemStake } from "../observe/time-to-redeem.ts"
import { describeRedeemOffer } from "../pay/redeem-offer.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { fullNames } from "./bind-plan.ts"
import { findOpenCompanion } from "./open-companion.ts"

/**
 * Plans the same transaction with a higher fee on the same nonce or inputs, so that only one of the
 * two can land.
 */
function bumpTransaction(kind: TransactionPurpose): Performer {
  return async (job) => {
    if (leadsToDeposit(kind) && deferWhileStopped(job) !== null)
      return { event: { type: "transaction.unbumpable" } }
    const chain = chainOfPurpose(job, kind)
    const last = mustExist(job.data.transactions[kind].signed.at(-1), `the signed ${kind}`)
    if (kind === "redeem") logOffer(job, chain)
    const plan = await planOrRefusal(
      chain,
      last.plan,
      kind === "redeem" ? await readRedeemStake(job) : null,
    )
    // Both transactions of a pair wait for the nonce of the first.
    const companion = await findOpenCompanion(job, chain, kind)
    const first =
      companion === null ? undefined : await planOrRefusal(chain, companion.transaction.plan, null)
    if (
      plan === null ||
      "refused" in plan ||
      first === null ||
      (first !== undefined && "refused" in first)
    ) {
      const refused = [plan, first].flatMap((bump) =>
        bump != null && "refused" in bump ? bump.refused : [],
      )
      return {
        event: {
          type: "transaction.unbumpable",
          reasons: [...refused, stuckReason(kind, last.txid)],
        },
      }
    }
    if (companion === null || first === undefined)
      return { event: { type: "transaction.planned", plan }, reserve: fullNames(chain, plan) }
    const { purpose } = companion
    return {
      event: { type: "transaction.planned", plan, companion: { purpose, plan: first } },
      reserve: [...fullNames(chain, first), ...fullNames(chain, plan)],
    }
  }
}

function logOffer({ context, data, nowMs }: Job, port: ChainPort): void {
  const offer = describeRedeemOffer(data, {
    port,
    asset: context.settings.assets.get(data.request.to),
    nowMs,
  })
  if (offer !== null)
    context.log.info(
      { order: data.id, ...offer },
      "A redemption waits for a block; its fee is raised",
    )
}

export const bumpTransactionWork: WorkEntry<"bumpTransaction"> = {
  perform: (job, { purpose }) => bumpTransaction(purpose)(job),
  lane: "account",
  spends: false,
  whilePaused: runsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "The bump is not signed yet; the second run plans again.",
}

/**
 * A refusal would come again at once, so it counts as an impossible bump, after which the order
 * waits.
 */
async function planOrRefusal(
  chain: ChainPort,
  last: TransactionPlan,
  lock: RedeemStake | null,
): Promise<TransactionPlan | { readonly refused: readonly Reason[] } | null> {
  try {
    if (lock === null) return await chain.planBump(last)
    return await (isNearLockEnd(lock)
      ? chain.planBump(last, lock)
      : chain.planBump(last, null, lock))
  } catch (error) {
    if (error instanceof AppError && error.disposition === "refused")
      return { refused: [reasonOf(error)] }
    throw error
  }
}
