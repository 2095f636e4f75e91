import type { AssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { allowanceLock } from "../context.ts"
import type { Job } from "./job.ts"

/**
 * The name of the allowance lock, for the commit to reserve. Throws `journal.resource_taken` (transient) while another order holds it: then the
 * allowance on chain is that order's. The caller holds the account's lane until its commit, so no other order takes the lock in between.
 */
export function expectFreeAllowance({ context, data }: Job, asset: AssetId, spender: string): string {
  const lock = allowanceLock(asset, spender)
  const holder = context.journal.findHolder(lock)
  if (holder === null || holder === data.id) return lock
  throw new AppError({
    code: "journal.resource_taken",
    disposition: "transient",
    message: "Another order holds this resource; try again when it is free",
    details: { resource: lock, holder },
  })
}
