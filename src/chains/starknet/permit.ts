import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { aboveCap } from "./estimate.ts"
import { joinU256, readFelt } from "./felt.ts"
import { type Call, decodeInitiate, decodeMulticall, SELECTORS } from "./htlc.ts"
import { hashInvoke, maxFeeOf, parseInvoke, type UnsignedInvoke } from "./invoke.ts"
import { htlcsOf, tokenOf, type Wallet } from "./wallet.ts"

/**
 * Reads a stored plan back from its own bytes and lets through only what its action allows: the last check before the key. Throws
 * `signer.*` (refused).
 *
 * Allowed: an exact approval of a configured HTLC on that asset's token · an initiate on a configured HTLC, alone or after an approval of
 * the same amount · a refund on a configured HTLC · for a void, no call at all.
 */
export function checkPermitted(wallet: Wallet, plan: TransactionPlan): UnsignedInvoke {
  const invoke = parseInvoke(plan.unsigned)
  if (hashInvoke(invoke) !== plan.digest) throw refuse("signer.digest", "the digest is not that of the transaction")
  if (plan.chain !== wallet.chain || invoke.chainId !== wallet.chainId) {
    throw refuse("signer.chain", "the transaction is for another chain")
  }
  if (readFelt(invoke.sender) !== wallet.accountFelt || readFelt(plan.account) !== wallet.accountFelt)
    throw refuse("signer.account", "the transaction is another account's")
  if (plan.resources.join() !== `nonce:${BigInt(invoke.nonce)}`)
    throw refuse("signer.nonce", "the nonce is not the one claimed")
  if (aboveCap(wallet, invoke.bounds)) throw refuse("signer.fee_cap", "the fee bound is above the configured cap")
  if (maxFeeOf(invoke.bounds) !== plan.maxFeeUnits) throw refuse("signer.fee", "the fee bound is not the one planned")
  const calls = decodeMulticall(invoke.calldata.map((felt) => BigInt(felt)))
  if (!calls || !isPermitted(wallet, plan, calls)) {
    throw refuse("signer.calls", `the calls are not what "${plan.action}" allows`)
  }
  return invoke
}

function isPermitted(wallet: Wallet, plan: TransactionPlan, calls: readonly Call[]): boolean {
  const [first, second] = calls
  switch (plan.action) {
    case "void":
      return calls.length === 0
    case "approve":
      return calls.length === 1 && first !== undefined && readApproval(wallet, first) !== null
    case "refund":
      return calls.length === 1 && first !== undefined && isRefund(wallet, first)
    case "initiate": {
      const deposit = calls.length === 1 ? first : calls.length === 2 ? second : undefined
      const paid = deposit ? readDeposit(wallet, plan, deposit) : null
      if (!paid || !first) return false
      if (calls.length === 1) return true
      const approval = readApproval(wallet, first)
      return approval?.spender === paid.htlc && approval.token === paid.token && approval.units === paid.units
    }
  }
}

function readApproval(wallet: Wallet, { to, selector, calldata }: Call) {
  const [spender, low, high, ...more] = calldata
  const units = joinU256(low, high)
  if (selector !== SELECTORS.approve || spender === undefined || units === null || more.length > 0) return null
  const known = wallet.assets.some((asset) => tokenOf(asset) === to && htlcsOf(asset).includes(spender))
  return known ? { token: to, spender, units } : null
}

/** An initiate of exactly what the plan says is spent. */
function readDeposit(wallet: Wallet, plan: TransactionPlan, { to, selector, calldata }: Call) {
  const [spend, ...more] = plan.spends
  const terms = decodeInitiate(calldata)
  const asset = wallet.assets.find((each) => each.id === spend?.asset)
  if (selector !== SELECTORS.initiate || !terms || !asset || !spend || more.length > 0) return null
  if (!htlcsOf(asset).includes(to) || terms.units !== spend.units) return null
  return { htlc: to, token: tokenOf(asset), units: terms.units }
}

function isRefund(wallet: Wallet, { to, selector, calldata }: Call): boolean {
  const known = wallet.assets.some((asset) => htlcsOf(asset).includes(to))
  return known && selector === SELECTORS.refund && calldata.length === 1
}

function refuse(code: string, why: string): AppError {
  return new AppError({
    code,
    disposition: "refused",
    message: `Not signed: ${why}. Look at the order and its journal before anything else is sent`,
  })
}
