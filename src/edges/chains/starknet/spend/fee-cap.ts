import type { Reason } from "#domain/reason.ts"
import type { Wallet } from "../wallet.ts"
import { type Bounds, maxFeeOf } from "./invoke.ts"

/** Returns a refusal if the bounds exceed the configured cap, else `null`. */
export function aboveCap(wallet: Pick<Wallet, "maxFeeUnits">, bounds: Bounds): Reason | null {
  const fee = maxFeeOf(bounds)
  if (fee <= wallet.maxFeeUnits) return null
  return {
    code: "fees.above_cap",
    message:
      "the network asks for more than the configured fee cap; Ballast retries when fees are lower",
    feeUnits: fee.toString(),
    capUnits: wallet.maxFeeUnits.toString(),
  }
}
