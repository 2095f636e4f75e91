import type { Address } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { Wallet } from "../wallet.ts"

/** Why a transaction is not built, as reasons with the numbers. */

export function insufficient(asset: string, needUnits: bigint, haveUnits: bigint): Reason {
  return {
    code: "funds.insufficient",
    message: `The account holds too little ${asset}, worst-case gas included; top it up`,
    asset,
    needUnits: needUnits.toString(),
    haveUnits: haveUnits.toString(),
  }
}

export function gasAboveLimit(
  { maxGasLimit }: Pick<Wallet, "maxGasLimit">,
  estimate: bigint,
): Reason {
  const message =
    "The call needs more gas than the cap allows (gas_limit_cap); inspect the contract"
  return {
    code: "evm.gas_above_limit",
    message,
    estimate: estimate.toString(),
    limit: maxGasLimit.toString(),
  }
}

export function pairUnknown(asset: AssetId): Reason {
  const message =
    "The node cannot simulate a deposit before its approval is mined, so the approval goes first"
  return { code: "evm.simulation_reverted", message, asset }
}

export function swapIdUnreadable(intent: {
  readonly action: string
  readonly swapId?: string
}): Reason {
  const swapId = intent.swapId?.slice(0, 100) ?? ""
  return {
    code: "evm.swap_id",
    message: "The swap id is not 32 bytes of hex, and no other id is known",
    swapId,
  }
}

export function orderExists(to: Address, reason: string): Reason {
  const message =
    "The contract already holds an order with these terms, so a second deposit would revert: " +
    "look for the initiation on chain before anything else"
  return { code: "evm.order_exists", message, reason, to }
}
