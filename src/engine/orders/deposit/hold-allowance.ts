import type { AssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { allowanceLock } from "../../context.ts"
import type { Job } from "../observe/job.ts"

/*
 * The use of one allowance (ADR 35). `alone`: a relay may use the allowance at any time, or its
 * exact amount is read before it is used. `inOrder`: each use has adjacent nonces, or sets the
 * allowance to zero, so the account's nonces keep the uses apart. One order has it alone, or any
 * number have it in order. Each caller has the account's lane until its commit, so no other order
 * changes the holds in between.
 */

/**
 * The name to reserve for the use alone. Throws `journal.resource_taken` (transient) while another
 * order has it alone: then the allowance on chain is that order's. `waitsFor` is a hold in order
 * that must end first; the name is reserved meanwhile, so that no further one begins.
 */
export function holdAllowanceAlone(
  job: Job,
  asset: AssetId,
  spender: string,
): { readonly lock: string; readonly waitsFor: AppError | null } {
  const lock = expectNotAlone(job, asset, spender)
  const [other] = job.context.journal.listReserved(sharePrefix(lock), job.data.id)
  return { lock, waitsFor: other === undefined ? null : taken(sharePrefix(lock) + other, other) }
}

/**
 * The name to reserve for the use in order. Throws `journal.resource_taken` (transient) while
 * another order has the allowance alone, unless this order has its hold already: then the other one
 * waits.
 */
export function holdAllowanceInOrder(job: Job, asset: AssetId, spender: string): string {
  const { journal } = job.context
  const own = sharePrefix(allowanceLock(asset, spender)) + job.data.id
  if (journal.findHolder(own) === job.data.id) return own
  const lock = expectNotAlone(job, asset, spender)
  return journal.findHolder(lock) === job.data.id ? lock : own
}

export function hasAllowanceAlone(
  { context, data }: Job,
  asset: AssetId,
  spender: string,
): boolean {
  return context.journal.findHolder(allowanceLock(asset, spender)) === data.id
}

function expectNotAlone({ context, data }: Job, asset: AssetId, spender: string): string {
  const lock = allowanceLock(asset, spender)
  const holder = context.journal.findHolder(lock)
  if (holder === null || holder === data.id) return lock
  throw taken(lock, holder)
}

/** The holds in order lie under the same `lock/`, so they are released with it. */
function sharePrefix(lock: string): string {
  return `${lock}#`
}

function taken(resource: string, holder: string): AppError {
  return new AppError({
    code: "journal.resource_taken",
    disposition: "transient",
    message: "Another order holds this resource; try again when it is free",
    details: { resource, holder },
  })
}
