import { decodeFunctionData, encodeFunctionData } from "viem"
import type { Asset } from "#domain/asset.ts"
import type { MovePlan } from "#domain/move.ts"
import { AppError } from "#lib/app-error.ts"
import { readInitiate } from "./decode.ts"
import { htlcAbi, tokenAbi } from "./htlc.ts"
import { parseUnsigned, type Unsigned } from "./unsigned.ts"
import { holdsHtlc, sameAddress, type Wallet } from "./wallet.ts"

/**
 * Decodes the bytes that are about to be signed and lets only four things through: an approval of a configured HTLC on its asset's
 * token, an initiate or refund on a configured HTLC, and an empty call to ourselves. Each only under its own purpose.
 *
 * Throws `signer.*` (refused).
 */
export function permitMove(plan: MovePlan, wallet: Wallet): Unsigned {
  if (plan.chain !== wallet.chain || !sameAddress(plan.account, wallet.account)) {
    throw refusal("signer.foreign_plan", "the plan is another wallet's", `${plan.chain} ${plan.account}`)
  }
  const unsigned = parseUnsigned(plan)
  checkBounds(unsigned, wallet)
  // The fee budget counts what the plan says.
  const feeUnits = unsigned.gas * unsigned.maxFeePerGas
  if (feeUnits > plan.maxFeeUnits) throw refusal("signer.fee", "the fee can be above the planned one", feeUnits)
  checkPurpose(plan, unsigned, wallet)
  return unsigned
}

function checkBounds({ chainId, gas, maxFeePerGas }: Unsigned, wallet: Wallet): void {
  if (chainId !== wallet.chainId) throw refusal("signer.chain_id", "the transaction is for another chain", chainId)
  if (gas > wallet.maxGasLimit) throw refusal("signer.gas_limit", "the gas limit is above the configured one", gas)
  // The tip is never above this: such a transaction cannot be serialised, so it does not parse either.
  if (maxFeePerGas > wallet.maxFeePerGasUnits) {
    throw refusal("signer.fee_cap", "the fee per gas is above the configured cap", maxFeePerGas)
  }
}

function checkPurpose(plan: MovePlan, unsigned: Unsigned, wallet: Wallet): void {
  const { to, value } = unsigned
  switch (plan.purpose) {
    case "approve":
      if (value === 0n && spendsOf(plan) === "" && wallet.assets.some((asset) => isApproval(unsigned, asset))) return
      throw refusal("signer.approve", "the call is no approval of a configured HTLC on its asset's token", to)
    case "initiate":
      if (wallet.assets.some((asset) => isInitiate(plan, unsigned, asset))) return
      throw refusal("signer.initiate", "the call is no initiate on a configured HTLC with the planned amount", to)
    case "refund":
      if (value === 0n && spendsOf(plan) === "" && isRefund(unsigned, wallet)) return
      throw refusal("signer.refund", "the call is no refund on a configured HTLC", to)
    case "void":
      if (value === 0n && unsigned.data === "0x" && sameAddress(to, wallet.account) && spendsOf(plan) === "") return
      throw refusal("signer.void", "the call is not an empty one to ourselves", to)
  }
}

function isApproval({ to, data }: Unsigned, asset: Asset): boolean {
  if (asset.token === null || !sameAddress(to, asset.token)) return false
  try {
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data })
    if (functionName !== "approve") return false
    return holdsHtlc(asset, args[0]) && encodeFunctionData({ abi: tokenAbi, functionName, args }) === data
  } catch {
    // Not a call of the token that we know: not permitted.
    return false
  }
}

/** The plan's own word about what leaves the account, which limits count, must be what the bytes do. */
function isInitiate(plan: MovePlan, { to, value, data }: Unsigned, asset: Asset): boolean {
  const terms = readInitiate(data)
  if (terms === null || !holdsHtlc(asset, to)) return false
  const valueRight = value === (asset.token === null ? terms.units : 0n)
  return valueRight && spendsOf(plan) === `${asset.id} ${terms.units}`
}

function isRefund({ to, data }: Unsigned, wallet: Wallet): boolean {
  if (!wallet.assets.some((asset) => holdsHtlc(asset, to))) return false
  try {
    const { functionName, args } = decodeFunctionData({ abi: htlcAbi, data })
    return functionName === "refund" && encodeFunctionData({ abi: htlcAbi, functionName, args }) === data
  } catch {
    // Not a call of the HTLC that we know: not permitted.
    return false
  }
}

function spendsOf({ spends }: MovePlan): string {
  return spends.map(({ asset, units }) => `${asset} ${units}`).join()
}

function refusal(code: string, problem: string, found: string | number | bigint): AppError {
  return new AppError({
    code,
    disposition: "refused",
    message: `Not signed: ${problem}. Look at the order and its journal`,
    details: { found },
  })
}
