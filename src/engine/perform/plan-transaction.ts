import type { ChainPort } from "#chains/port.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { admitFees } from "#guards/limits.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { MinedTransaction, TransactionPurpose } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { budgetOf } from "../budget.ts"
import { accountPrefix } from "../context.ts"
import type { WorkResult } from "../stepper.ts"
import { readUsage } from "../usage.ts"
import {
  declined,
  deferred,
  heldForGas,
  isTooLate,
  type Job,
  type Performer,
  reasonOf,
  sourceChain,
  tooLate,
} from "./job.ts"
import { landedTransaction, observeAttempts } from "./observe-transaction.ts"

/** What waiting can mend: everything else ends the order while nothing is signed. */
const PASSING = ["fees.above_cap", "funds.insufficient", "funds.gas"]

/** How often a refusal of a node is tried again that lags behind the node that mined our approval: its simulation of the deposit fails. */
const SIMULATION_TRIES = 4

/** Nothing is signed yet, so planning again after a crash is free. The plan's nonce or inputs are reserved with it. */
export function planTransaction(kind: PlannedKind): Performer {
  return async (job) => {
    if (kind === "deposit" && isTooLate(job)) return tooLate(job)
    const chain = sourceChain(job)
    if (kind === "void") {
      const attempts = await observeAttempts(chain, job.data.transactions.deposit)
      if (attempts.status === "mined" || (attempts.status === "excluded" && attempts.final))
        return { event: { type: "deposit.unsettled" } }
    }
    const intent = kind === "revoke" ? await intentToRevoke(job, chain) : intentOf(job, kind)
    if (intent === "unsure") return deferred(job.data.reasons)
    if ("landed" in intent) return unneeded(job, intent.landed)
    // What this order holds itself is in nobody's way: it is used up, or about to be used again.
    const reserved = job.context.journal.listReserved(accountPrefix(chain), job.data.id)
    const plan = await planOrWait(chain, intent, reserved)
    if ("unvoidable" in plan) return deferred([plan.unvoidable])
    if ("refused" in plan) return onRefusal(job, kind, plan.refused)
    const reserve = plan.resources.map((resource) => accountPrefix(chain) + resource)
    return {
      event: { type: "transaction.planned", plan },
      reserve,
      ...(kind === "deposit" ? withinFees(job, plan) : {}),
    }
  }
}

/** Nobody looks at the approval again: what it cost is told now. */
function unneeded({ data }: Job, landed: MinedTransaction | null): WorkResult {
  const reasons = [...data.reasons, { code: "revoke.unneeded", message: "No allowance was left" }]
  return { event: { type: "order.declined", reasons, ...(landed === null ? {} : { landed }) } }
}

/**
 * What no transaction can make impossible ends by itself: on Solana the deposit's blockhash expires. Until then the look at it, before each new try,
 * is all that there is to do.
 */
async function planOrWait(chain: ChainPort, intent: TransactionRequest, reserved: ReadonlySet<string>) {
  try {
    return await chain.planTransaction(intent, reserved)
  } catch (error) {
    if (intent.action !== "void" || !(error instanceof AppError) || error.disposition !== "refused") throw error
    return { unvoidable: reasonOf(error) }
  }
}

/** The network may ask for more than was reckoned when the order was accepted: then the deposit waits, as long as it may. */
function withinFees({ context, data }: Job, plan: TransactionPlan): Pick<WorkResult, "recheck"> {
  const recheck = (): UntimedOrderEvent | null => {
    const { from, to } = data.request
    const planned = { ...data, transactions: { ...data.transactions, deposit: { ...data.transactions.deposit, plan } } }
    const usage = readUsage(context, { from, to, rule: data.rule, exceptOrder: data.id })
    const reasons = admitFees(budgetOf("deposit-planning", planned).feeFiat, usage, context.settings.limits)
    return reasons.length > 0 ? { type: "work.deferred", reasons } : null
  }
  return { recheck }
}

/** The approval is planned with the look at the allowance (`check-allowance.ts`). */
type PlannedKind = Exclude<TransactionPurpose, "approve">

function onRefusal(job: Job, kind: PlannedKind, reasons: Parameters<typeof declined>[0]): WorkResult {
  const { refusalsOfLaggingNodes } = sourceChain(job).traits
  const early = job.data.tries < SIMULATION_TRIES
  const passing = reasons.every(
    ({ code }) => PASSING.includes(code) || (early && refusalsOfLaggingNodes.includes(code)),
  )
  if ((kind === "deposit" || kind === "refund") && !passing) return declined(reasons)
  return (kind !== "deposit" ? heldForGas(job, kind, reasons) : null) ?? deferred(reasons)
}

function intentOf({ data }: Job, kind: Exclude<PlannedKind, "revoke">): TransactionRequest {
  const deposit = present(data.deposit, "the verified deposit")
  const asset = data.request.from
  switch (kind) {
    case "deposit":
      return { action: "initiate", asset, deposit }
    case "refund":
      return {
        action: "refund",
        asset,
        deposit,
        swapId: present(data.serviceOrder, "the order read back").source.swapId,
      }
    case "void":
      return { action: "void", voids: present(data.transactions.deposit.signed.at(-1), "the signed deposit").plan }
  }
}

/**
 * An approval that is not mined may land at any time, however long it is waited for: another transaction takes its nonce. One that is mined, or
 * that never can be, leaves what the chain says. That this is nothing is believed once the approval is final, of a node that knows its block; and
 * where nobody but this order could have used it, not before it was said again and again.
 */
async function intentToRevoke({ data }: Job, chain: ChainPort): Promise<TransactionRequest | Unneeded | "unsure"> {
  const { approve } = data.transactions
  const isSettled = approve.signed.length === 0 || approve.mined?.final === true
  const seen = isSettled ? null : await observeAttempts(chain, approve)
  if (seen?.status === "pending" || seen?.status === "unseen")
    return { action: "void", voids: present(approve.signed.at(-1), "the signed approval").plan }
  const asset = data.request.from
  const spender = present(data.deposit, "the verified deposit").htlc
  const height = await chain.fetchHeight()
  if ((await chain.findMissingApproval(asset, spender, 0n)) !== null)
    return { action: "approve", asset, spender, units: 0n }
  const landed = seen === null ? null : landedTransaction("approve", seen)
  const stood = approve.mined ?? (landed?.ok ? landed : null)
  const isOdd = stood !== null && data.gasless === null && data.tries < ODD_TRIES
  const isSure = seen === null || seen.final
  return isSure && !isOdd && height >= (stood?.height ?? 0n) ? { landed } : "unsure"
}

type Unneeded = { readonly landed: MinedTransaction | null }
/** Somewhat over a minute. */
const ODD_TRIES = 10
