import { mustExist } from "#lib/assert.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { ChainPort } from "#ports/chain.ts"
import { type Job, sourceChain } from "../observe/job.ts"
import { hasAllowanceAlone } from "./hold-allowance.ts"

/** An order whose approval is in a block goes on within this time. */
const FRESH_MS = 1_000

type Missing = ReturnType<ChainPort["findMissingApproval"]>

/**
 * Reads the allowance beside a look at its approval, so that both are one request. Only an
 * allowance that is exact serves the next step: no other order changes it while this one has it
 * alone, so that step would get the same answer.
 */
export function foreseeAllowance(job: Job): void {
  const { context, data } = job
  const { deposit, request } = data
  if (deposit === null || !hasAllowanceAlone(job, request.from, deposit.htlc)) return
  const atMs = context.clock.now()
  const { allowances } = context.memory
  const foreseen = { atMs, missing: ignoreUnhandled(readMissing(job)) }
  allowances.set(data.id, foreseen)
  const forget = (): void => {
    if (allowances.get(data.id) === foreseen) allowances.delete(data.id)
  }
  // The next step asks itself.
  foreseen.missing.then((missing) => missing === null || forget(), forget)
}

/** As `findMissingApproval` of the order's own amount. */
export async function findMissing(job: Job): Missing {
  const { context, data } = job
  const { allowances } = context.memory
  const foreseen = allowances.get(data.id)
  allowances.delete(data.id)
  const ageMs = Math.abs(context.clock.now() - (foreseen?.atMs ?? Number.NEGATIVE_INFINITY))
  // It may still be on its way: the look at the approval takes one request less on some chains.
  const known = ageMs < FRESH_MS ? await foreseen?.missing.catch(() => undefined) : undefined
  return known === null ? null : readMissing(job)
}

function readMissing(job: Job): Missing {
  const { from, sourceUnits } = job.data.request
  const { htlc } = mustExist(job.data.deposit, "the verified deposit")
  return sourceChain(job).findMissingApproval(from, htlc, sourceUnits)
}
