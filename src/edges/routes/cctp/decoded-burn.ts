import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit, Finding } from "#domain/deposit.ts"
import type { BurnRequest } from "./burn-request.ts"
import { CCTP } from "./quote-burns.ts"

type Place = Pick<DecodedDeposit, "chain" | "family" | "htlc">

/** Each burn on each chain: it pays a contract for good, without a lock and without a refund. */
function frameOf({ chain, family, htlc }: Place) {
  return {
    kind: CCTP,
    chain,
    family,
    htlc,
    htlcKind: "contract",
    isRefundableByUs: false,
    hasTypedData: false,
    refundTo: "",
    timelock: 0n,
  } as const
}

/** A request that is no burn of the asset that the key may burn. */
export function describeNoBurn(place: Place, expected: AssetId, asset: AssetId): DecodedDeposit {
  return {
    ...frameOf(place),
    asset: null,
    units: 0n,
    redeemer: "",
    secretHash: "",
    extras: {},
    findings: [burnFinding("The request is no burn of this asset", expected, asset)],
  }
}

/** The terms of a burn; its bytes and the doubts about them are the chain's own. */
export function describeBurn(place: Place, asset: AssetId, burn: BurnRequest) {
  const { amountUnits, maxFeeUnits, dealKey, payee } = burn
  return {
    ...frameOf(place),
    asset,
    units: amountUnits,
    redeemer: payee,
    secretHash: dealKey,
    floorUnits: amountUnits - maxFeeUnits,
    mostUnits: amountUnits,
  }
}

export function burnFinding(message: string, expected: string, found: string): Finding {
  return { code: "cctp.burn_differs", message, expected, found: found.slice(0, 300) }
}
