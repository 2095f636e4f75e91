import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { accountPrefix, allowanceLock } from "../context.ts"
import { sourceQuery } from "../leg-queries.ts"
import { declined, deferred, isTooLate, type Job, type Performer, sourceChain, tooLate, usesAllowance } from "./job.ts"

/**
 * Chooses the way to deposit and makes sure of the exact allowance. The allowance lock is reserved with either answer: between an exact
 * approval and the deposit that uses it, no other order may touch the same allowance.
 */
export const checkAllowance: Performer = async (job) => {
  if (isTooLate(job)) return tooLate(job)
  const way = chooseWay(job)
  if (way === null) {
    return declined([
      {
        code: "gasless.unavailable",
        message: "The configuration asks for gasless deposits, and the service offers no typed data",
      },
    ])
  }
  const chain = sourceChain(job)
  const deposit = present(job.data.deposit, "the verified deposit")
  const { from, sourceUnits } = job.data.request
  if (!usesAllowance(job)) return { event: { type: "allowance.ready", way } }
  const lock = allowanceLock(from, deposit.htlc)
  // What stands while another order has the lock is that order's, and gone when it lets go: looked at only once the lock is free. Who has
  // this chain's lane is the only one who could take it until the commit.
  if (job.context.journal.listReserved(lock, job.data.id).has("")) throw lockTaken(lock)
  // A deposit that carries its approval in the same transaction replaces the allowance of any other order too.
  const carried = chain.traits.allowances === "carried" && way === "onchain"
  const missing = carried ? null : await chain.findMissingApproval(from, deposit.htlc, sourceUnits)
  if (missing === null || (await isUsedUp(job))) return { event: { type: "allowance.ready", way }, reserve: [lock] }
  const reserved = job.context.journal.listReserved(accountPrefix(chain))
  const intent = { action: "approve", asset: from, spender: deposit.htlc, units: missing.setUnits } as const
  const plan = await chain.planTransaction(intent, reserved)
  if ("refused" in plan) return deferred(plan.refused)
  return {
    event: { type: "transaction.planned", plan },
    reserve: [lock, ...plan.resources.map((resource) => accountPrefix(chain) + resource)],
  }
}

/** A signature that the relay has may use the allowance at any moment: what is missing then must not be approved again. */
async function isUsedUp(job: Job): Promise<boolean> {
  if (job.data.gasless === null) return false
  return (await sourceChain(job).observeLeg(sourceQuery(job.data))).initiated !== null
}

function lockTaken(lock: string): AppError {
  return new AppError({
    code: "journal.resource_taken",
    disposition: "transient",
    message: "Another order holds this resource; try again when it is free",
    details: { resource: lock },
  })
}

function chooseWay({ data }: Job): "gasless" | "onchain" | null {
  const offered = data.deposit?.hasTypedData === true
  if (data.policy.way === "gasless") return offered ? "gasless" : null
  return data.policy.way === "auto" && offered ? "gasless" : "onchain"
}
