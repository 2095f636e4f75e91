import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { joinU256, readFelt } from "../felt.ts"
import { type Call, decodeInitiate, decodeMulticall, readRedeemSecret, SELECTORS } from "../htlc.ts"
import { htlcsOf, tokenOf, type Wallet, withUrgentCap } from "../wallet.ts"
import { aboveCap } from "./fee-cap.ts"
import { hashInvoke, maxFeeOf, parseInvoke, type UnsignedInvoke } from "./invoke.ts"

/**
 * The last check before the signature: decodes a stored plan from its own bytes and permits only
 * the calls of its action. Throws `signer.*` (refused). Pure.
 *
 * Allowed: an exact approval of a configured HTLC on that asset's token · an initiate on a
 * configured HTLC, alone or after an approval of the same amount · a refund or a redemption on a
 * configured HTLC, which pay only the parties of its order · no call for a void. A redemption may
 * be urgent, or cost up to the worth of its payout.
 */
export function checkPermitted(
  wallet: Permissions,
  plan: TransactionPlan,
  worthUnits = 0n,
): UnsignedInvoke {
  const invoke = parseInvoke(plan.unsigned)
  if (hashInvoke(invoke) !== plan.digest)
    throw refuse("signer.digest", "the digest does not match the transaction")
  if (plan.chain !== wallet.chain || invoke.chainId !== wallet.chainId) {
    throw refuse("signer.chain", "the transaction is for another chain")
  }
  if (
    readFelt(invoke.sender) !== wallet.accountFelt ||
    readFelt(plan.account) !== wallet.accountFelt
  )
    throw refuse("signer.account", "the transaction belongs to another account")
  if (plan.resources.join() !== `nonce:${BigInt(invoke.nonce)}`)
    throw refuse("signer.nonce", "the nonce is not the reserved one")
  const isWithinWorth = plan.action === "redeem" && maxFeeOf(invoke.bounds) <= worthUnits
  const capped = plan.action === "redeem" ? withUrgentCap(wallet) : wallet
  if (!isWithinWorth && aboveCap(capped, invoke.bounds))
    throw refuse("signer.fee_cap", "the fee bound is above the configured cap")
  if (maxFeeOf(invoke.bounds) !== plan.maxFeeUnits)
    throw refuse("signer.fee", "the fee bound differs from the plan")
  const calls = decodeMulticall(invoke.calldata.map((felt) => BigInt(felt)))
  if (!calls || !isPermitted(wallet, plan, calls)) {
    throw refuse("signer.calls", `the action "${plan.action}" does not allow these calls`)
  }
  return invoke
}

/** The part of a wallet that decides about signatures. */
export type Permissions = Pick<
  Wallet,
  "chain" | "chainId" | "account" | "accountFelt" | "maxFeeUnits" | "assets"
>

function isPermitted(wallet: Permissions, plan: TransactionPlan, calls: readonly Call[]): boolean {
  const [first, second] = calls
  switch (plan.action) {
    case "void":
      return calls.length === 0
    case "openTokenAccount":
      return false
    case "redeem":
      return plan.spends.length === 0 && isOne(calls, (call) => isRedemption(wallet, call))
    case "approve":
      return isOne(calls, (call) => readApproval(wallet, call) !== null)
    case "refund":
      return isOne(calls, (call) => isRefund(wallet, call))
    case "initiate": {
      const deposit = calls.length === 1 ? first : calls.length === 2 ? second : undefined
      const paid = deposit ? readDeposit(wallet, plan, deposit) : null
      if (!paid || !first) return false
      if (calls.length === 1) return true
      const approval = readApproval(wallet, first)
      return (
        approval?.spender === paid.htlc &&
        approval.token === paid.token &&
        approval.units === paid.units
      )
    }
  }
}

type SafeAction = "void" | "refund" | "redeem"

/**
 * The action of these calls if they pay only the parties of our orders, or nothing; else `null`.
 */
export function readSafeAction(wallet: Permissions, calls: readonly Call[]): SafeAction | null {
  if (calls.length === 0) return "void"
  if (isOne(calls, (call) => isRefund(wallet, call))) return "refund"
  return isOne(calls, (call) => isRedemption(wallet, call)) ? "redeem" : null
}

function isOne(calls: readonly Call[], isAllowed: (call: Call) => boolean): boolean {
  return calls.length === 1 && calls.every(isAllowed)
}

export function readApproval(wallet: Permissions, { to, selector, calldata }: Call) {
  const [spender, low, high, ...more] = calldata
  const units = joinU256(low, high)
  if (selector !== SELECTORS.approve || spender === undefined || units === null || more.length > 0)
    return null
  const known = wallet.assets.some(
    (asset) => tokenOf(asset) === to && htlcsOf(asset).includes(spender),
  )
  return known ? { token: to, spender, units } : null
}

/** Reads an initiate of exactly the planned amount and asset, else `null`. */
function readDeposit(wallet: Permissions, plan: TransactionPlan, { to, selector, calldata }: Call) {
  const [spend, ...more] = plan.spends
  const terms = decodeInitiate(selector, calldata)?.terms
  const asset = wallet.assets.find((each) => each.id === spend?.asset)
  if (!terms || !asset || !spend || more.length > 0) return null
  if (!htlcsOf(asset).includes(to) || terms.units !== spend.units) return null
  return { htlc: to, token: tokenOf(asset), units: terms.units }
}

function isRefund(wallet: Permissions, { to, selector, calldata }: Call): boolean {
  const known = wallet.assets.some((asset) => htlcsOf(asset).includes(to))
  return known && selector === SELECTORS.refund && calldata.length === 1
}

function isRedemption(wallet: Permissions, { to, selector, calldata }: Call): boolean {
  const known = wallet.assets.some((asset) => htlcsOf(asset).includes(to))
  return known && selector === SELECTORS.redeem && readRedeemSecret(calldata) !== null
}

function refuse(code: string, reason: string): AppError {
  return new AppError({
    code,
    disposition: "refused",
    message: `Not signed: ${reason}. Inspect the order and its journal before the next transaction`,
  })
}
