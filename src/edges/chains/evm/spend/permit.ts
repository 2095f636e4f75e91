import type { AssetId } from "#domain/asset.ts"
import type { TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import { AppError, type ErrorDetails } from "#lib/app-error.ts"
import { decodeApprove, decodeDeposit, isRefund, isUnlimited, readRedeemSecret } from "../htlc.ts"
import { isRouteSpender } from "../routes/route-key.ts"
import { htlcsOf, tokenOf, type Wallet, withUrgentCaps } from "../wallet.ts"
import { formatUnsigned, parseUnsigned, type UnsignedTx } from "./unsigned.ts"

/**
 * The last check before the signature. Decodes the stored bytes again and permits only these calls:
 * an exact approval for a configured HTLC on that asset's token, `initiate`, `refund` or `redeem`
 * on a configured HTLC, a burn to an own account and the mint of one (`cctp/burn-permissions.ts`),
 * or an empty call of value 0 to our own account. Each must stay within the
 * caps and match the plan. A redemption may be urgent, or cost up to the worth of its payout.
 *
 * Throws `signer.*` (refused). Pure.
 */
export function checkPermitted(
  wallet: Permissions,
  plan: TransactionPlan,
  worthUnits = 0n,
): UnsignedTx {
  const tx = parseUnsigned(plan.unsigned)
  check(
    plan.chain === wallet.chain && plan.account === wallet.account,
    "account",
    "belongs to another account",
    {
      chain: plan.chain,
      account: plan.account,
    },
  )
  check(tx.chainId === wallet.chainId, "chain_id", "is for another chain", { chainId: tx.chainId })
  check(tx.gas <= wallet.maxGasLimit, "gas_limit", "has a gas limit above the cap", { gas: tx.gas })
  const worst = tx.gas * tx.maxFeePerGas
  if (plan.action !== "redeem" || worst > worthUnits)
    checkCaps(plan.action === "redeem" ? withUrgentCaps(wallet) : wallet, tx)
  check(
    formatUnsigned(tx).digest === plan.digest,
    "digest",
    "has a different digest than the plan",
    {
      digest: plan.digest,
    },
  )
  check(
    plan.resources.join() === `nonce:${tx.nonce}`,
    "claims",
    "uses a nonce that is not reserved",
    {
      nonce: tx.nonce,
    },
  )
  check(plan.maxFeeUnits === worst, "max_fee", "may cost a different amount than reserved", {
    worst,
  })
  checkCall(wallet, plan, tx)
  return tx
}

function checkCaps(
  caps: Pick<Permissions, "maxFeePerGasUnits" | "maxTipPerGasUnits">,
  tx: UnsignedTx,
): void {
  check(tx.maxFeePerGas <= caps.maxFeePerGasUnits, "fee_cap", "has a fee above the cap", {
    fee: tx.maxFeePerGas,
  })
  check(tx.maxPriorityFeePerGas <= caps.maxTipPerGasUnits, "tip_cap", "has a tip above the cap", {
    tip: tx.maxPriorityFeePerGas,
  })
}

/** The part of a wallet that decides about signatures. */
export type Permissions = Pick<
  Wallet,
  | "chain"
  | "chainId"
  | "account"
  | "assets"
  | "maxGasLimit"
  | "maxFeePerGasUnits"
  | "maxTipPerGasUnits"
  | "routes"
>

function checkCall(wallet: Permissions, plan: TransactionPlan, tx: UnsignedTx): void {
  const call = readCall(wallet, tx)
  if (call === null) {
    throw refusal("call", "is not a call that this wallet makes", {
      to: tx.to,
      value: tx.value,
      data: tx.data.slice(0, 300),
    })
  }
  check(call.action === plan.action, "purpose", "differs from its action", {
    purpose: plan.action,
    found: call.action,
  })
  const [spend, ...more] = plan.spends
  const spends =
    call.units === null
      ? spend === undefined
      : spend !== undefined &&
        more.length === 0 &&
        spend.units === call.units &&
        call.assets.includes(spend.asset)
  check(spends, "spends", "spends a different amount or asset than reserved", { units: call.units })
}

type Call = {
  readonly action: TransactionAction
  readonly units: bigint | null
  readonly assets: readonly AssetId[]
}

/** Reads the one permitted call that these bytes make, or `null`. */
export function readCall(wallet: Permissions, tx: UnsignedTx): Call | null {
  const nothing = { units: null, assets: [] }
  if (tx.data === "0x")
    return tx.to === wallet.account && tx.value === 0n ? { action: "void", ...nothing } : null
  const held = wallet.assets.filter((asset) => htlcsOf(asset).includes(tx.to))
  for (const { asset, readDeposit, isRedemption } of wallet.routes ?? []) {
    const units = readDeposit(tx)
    if (units !== null) return { action: "initiate", units, assets: [asset] }
    if (isRedemption(tx)) return { action: "redeem", ...nothing }
  }
  const deposit = decodeDeposit(tx.data)
  if (deposit !== null) {
    // Ballast deposits for its own account only, so it makes no call on behalf of an initiator.
    if (deposit.initiator !== null) return null
    const { units } = deposit.terms
    const paid = held.filter(({ token }) => tx.value === (token === null ? units : 0n))
    return paid.length === 0
      ? null
      : { action: "initiate", units, assets: paid.map(({ id }) => id) }
  }
  if (tx.value !== 0n) return null
  if (isRefund(tx.data)) return held.length === 0 ? null : { action: "refund", ...nothing }
  if (readRedeemSecret(tx.data) !== null)
    return held.length === 0 ? null : { action: "redeem", ...nothing }
  const approve = decodeApprove(tx.data)
  if (approve === null || isUnlimited(approve.units)) return null
  const allowed = wallet.assets.some(
    (asset) =>
      tokenOf(asset) === tx.to &&
      (htlcsOf(asset).includes(approve.spender) ||
        isRouteSpender(wallet.routes, tx.to, approve.spender)),
  )
  return allowed ? { action: "approve", ...nothing } : null
}

function check(holds: boolean, code: string, message: string, details: ErrorDetails): void {
  if (!holds) throw refusal(code, message, details)
}

function refusal(code: string, message: string, details: ErrorDetails): AppError {
  return new AppError({
    code: `signer.${code}`,
    disposition: "refused",
    message: `Not signed: the stored transaction ${message}. Inspect the order and its journal`,
    details,
  })
}
