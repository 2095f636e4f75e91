import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Job } from "../observe/job.ts"
import { legsFor } from "./legs.ts"

/** The redemption of a payout that a voucher takes. */
export function planWithVoucher(
  { context, data }: Job,
  chain: ChainPort,
  reserved: ReadonlySet<string>,
): ReturnType<ChainPort["planTransaction"]> {
  const payout = {
    asset: data.request.to,
    deposit: mustExist(data.deposit, "the verified deposit"),
    owner: data.request.destinationOwner,
  }
  const voucher = mustExist(data.voucher, "the route's voucher")
  const isBoundLater = chain.nonces !== undefined
  return legsFor(context, data).destination.planRedemption(payout, voucher, reserved, {
    isBoundLater,
  })
}
