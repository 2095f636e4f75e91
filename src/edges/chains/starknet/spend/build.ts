import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import { callOf } from "../decode.ts"
import { formatFelt, splitU256 } from "../felt.ts"
import { type Call, decodeMulticall, encodeInitiate, initiateSelector, SELECTORS } from "../htlc.ts"
import { findOpenPayout, nothingOpen } from "../legs/find-open-payout.ts"
import { listRefundIds } from "../legs/refund-ids.ts"
import { readAgreed, readWithAny } from "../nodes/compare-views.ts"
import { fetchAllowance, fetchNonce, fetchTokenBalance } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"
import { requireAddress, requireAsset, STRK_TOKEN, tokenOf, type Wallet } from "../wallet.ts"
import { estimateBounds, unsignedOf } from "./estimate.ts"
import { aboveCap } from "./fee-cap.ts"
import {
  type Bounds,
  formatInvoke,
  hashInvoke,
  maxFeeOf,
  parseInvoke,
  scalePrices,
} from "./invoke.ts"
import { BUMP_PERCENT, bumpBounds, highest, urgentBounds, voidBounds } from "./urgent-bounds.ts"

type Refused = { readonly refused: readonly Reason[] }

/**
 * Builds the unsigned invoke for an intent. See `ChainPort.planTransaction`; further refusals:
 * `starknet.would_revert`, `starknet.account_not_deployed`.
 */
export async function planStarknetTransaction(
  wallet: Wallet,
  intent: TransactionRequest,
  reserved: ReadonlySet<string>,
): Promise<TransactionPlan | Refused> {
  const read = ignoreUnhandled(readAccount(wallet, intent))
  // An approval does not depend on the account's state, so its estimate is part of that request.
  const early = intent.action === "approve" ? ignoreUnhandled(buildApproval(wallet, intent)) : null
  const account = await read
  if (account.nonce === null) return notDeployed(wallet)
  if (intent.action === "void") return planVoid(wallet, intent, account.height)
  const built = await (early ?? buildCalls(wallet, intent, account))
  if ("refused" in built) {
    // A token that cannot pay only reports a revert; the balances give the reason.
    const short = findShortages(wallet, intent, account, 0n)
    return short.length > 0 ? { refused: short } : built
  }
  const capped = aboveCap(wallet, built.bounds)
  // No more than the cap is ever paid, so a fee above it says nothing about the balance.
  const feeUnits = capped ? wallet.maxFeeUnits : maxFeeOf(built.bounds)
  const reasons = [...(capped ? [capped] : []), ...findShortages(wallet, intent, account, feeUnits)]
  if (reasons.length > 0) return { refused: reasons }
  const spends =
    intent.action === "initiate" ? [{ asset: intent.asset, units: intent.deposit.units }] : []
  const unsigned = unsignedOf(wallet, built.calls, firstFree(account.nonce, reserved), built.bounds)
  return toPlan(
    wallet,
    { action: intent.action, attempt: 0, spends, fromHeight: account.height },
    unsigned,
  )
}

/**
 * Binds a plan to the account's next free nonce, which endpoints have to agree on. A void and a
 * higher fee share the nonce of an earlier transaction, so they stay as they are.
 */
export async function bindStarknetPlan(
  wallet: Wallet,
  plan: TransactionPlan,
  reserved: ReadonlySet<string>,
): Promise<TransactionPlan> {
  if (plan.action === "void" || plan.attempt > 0) return plan
  const invoke = parseInvoke(plan.unsigned)
  const chainNonce = await readFor(
    wallet,
    isUrgentPlan(plan),
    (view) => fetchNonce(view, wallet.accountFelt),
    lowest,
  )
  const free = firstFree(chainNonce ?? 0n, reserved)
  wallet.nonce.likely = free + 1n
  const nonce = formatFelt(free)
  return invoke.nonce === nonce ? plan : toPlan(wallet, plan, { ...invoke, nonce })
}

/**
 * The account at the reference block. `tokenUnits` and `allowedUnits` are of the intent's own
 * token; 0 where it has none.
 */
type AccountState = {
  readonly height: bigint
  readonly nonce: bigint | null
  readonly strkUnits: bigint
  readonly tokenUnits: bigint
  readonly allowedUnits: bigint
}

async function readAccount(wallet: Wallet, intent: TransactionRequest): Promise<AccountState> {
  const owner = wallet.accountFelt
  const token = intent.action === "void" ? STRK_TOKEN : tokenOf(requireAsset(wallet, intent.asset))
  const ask = async (view: View): Promise<AccountState> => {
    const spender = intent.action === "initiate" ? requireAddress(intent.deposit.htlc) : null
    const [nonce, strkUnits, tokenUnits, allowedUnits] = await Promise.all([
      fetchNonce(view, owner),
      fetchTokenBalance(view, STRK_TOKEN, owner),
      fetchTokenBalance(view, token, owner),
      spender === null ? 0n : fetchAllowance(view, token, owner, spender),
    ])
    return { height: view.block.height, nonce, strkUnits, tokenUnits, allowedUnits }
  }
  const isUrgent = ["void", "refund", "redeem"].includes(intent.action) || isRevocation(intent)
  return readFor(wallet, isUrgent, ask, mergeStates)
}

/**
 * Contradictions do not stop a void, a refund or a redemption: of the balances the highest counts,
 * because the network checks them itself.
 */
function mergeStates(states: readonly AccountState[]): AccountState {
  const highestOf = (values: readonly bigint[]): bigint =>
    values.reduce((a, b) => (a > b ? a : b), 0n)
  return {
    ...lowestBy(states, ({ nonce }) => nonce ?? 0n),
    strkUnits: highestOf(states.map(({ strkUnits }) => strkUnits)),
    tokenUnits: highestOf(states.map(({ tokenUnits }) => tokenUnits)),
  }
}

/**
 * Voids, refunds, redemptions and revocations go on with whatever answers; new deposits need
 * agreement.
 */
function readFor<T>(
  { rpc }: Wallet,
  isUrgent: boolean,
  ask: (view: View) => Promise<T>,
  choose: (values: readonly T[]) => T,
): Promise<T> {
  return isUrgent ? readWithAny(rpc, ask, choose) : readAgreed(rpc, ask)
}

function isRevocation(intent: TransactionRequest): boolean {
  return intent.action === "approve" && intent.units === 0n
}

function isUrgentPlan({ action, unsigned }: TransactionPlan): boolean {
  if (action !== "approve") return action === "refund" || action === "redeem"
  const [call] = decodeMulticall(parseInvoke(unsigned).calldata.map((felt) => BigInt(felt))) ?? []
  return call?.calldata[1] === 0n && call.calldata[2] === 0n
}

/** Nodes refuse a nonce that is too low. One that is too high would wait behind a gap. */
function lowest(nonces: readonly (bigint | null)[]): bigint | null {
  return lowestBy(nonces, (nonce) => nonce ?? 0n)
}

function lowestBy<T>(values: readonly T[], keyOf: (value: T) => bigint): T {
  const [first] = values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return mustExist(first, "an answer")
}

/**
 * The same nonce and calls with prices and tip 15 % higher (`BUMP_PERCENT`). A redemption, refund
 * or void also follows the network's present prices and the time (`bumpBounds`): steps of 15 %
 * alone would take longer than the rest of a lock. `null` above the cap.
 */
export async function bumpStarknetTransaction(
  wallet: Wallet,
  plan: TransactionPlan,
): Promise<TransactionPlan | null> {
  const old = parseInvoke(plan.unsigned)
  const least = scalePrices(old.bounds, BUMP_PERCENT)
  if (aboveCap(wallet, least)) return null
  const { action, spends, fromHeight } = plan
  const attempt = plan.attempt + 1
  const parts = { action, attempt, spends, fromHeight }
  if (action !== "redeem" && action !== "refund" && action !== "void")
    return toPlan(wallet, parts, { ...old, bounds: least })
  const calls = decodeMulticall(old.calldata.map((felt) => BigInt(felt))) ?? []
  const of = { action, attempt, calls, old: old.bounds }
  return toPlan(wallet, parts, {
    ...old,
    bounds: await bumpBounds(wallet, of, await readStrk(wallet)),
  })
}

/** The same calls on the nonce of `of`, if their prices outbid it; see `NonceSequence`. */
export function takeStarknetNonce(
  wallet: Wallet,
  plan: TransactionPlan,
  of: TransactionPlan,
): TransactionPlan | null {
  const own = parseInvoke(plan.unsigned)
  const other = parseInvoke(of.unsigned)
  const least = scalePrices(other.bounds, BUMP_PERCENT)
  if (BigInt(own.bounds.l2Gas.price) < BigInt(least.l2Gas.price)) return null
  if (BigInt(own.bounds.tip) < BigInt(least.tip)) return null
  const { action, spends, fromHeight } = plan
  return toPlan(wallet, { action, attempt: 0, spends, fromHeight }, { ...own, nonce: other.nonce })
}

/**
 * The account's STRK; 0 where no endpoint tells it, so that a fee rises by the least step alone.
 */
async function readStrk({ rpc, accountFelt }: Wallet): Promise<bigint> {
  const most = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n)
  try {
    return await readWithAny(rpc, (view) => fetchTokenBalance(view, STRK_TOKEN, accountFelt), most)
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return 0n
    throw error
  }
}

function toPlan(
  wallet: Wallet,
  parts: Pick<TransactionPlan, "action" | "attempt" | "spends" | "fromHeight">,
  unsigned: ReturnType<typeof unsignedOf>,
): TransactionPlan {
  return {
    ...parts,
    chain: wallet.chain,
    account: wallet.account,
    unsigned: formatInvoke(unsigned),
    digest: hashInvoke(unsigned),
    resources: [`nonce:${BigInt(unsigned.nonce)}`],
    maxFeeUnits: maxFeeOf(unsigned.bounds),
    // A dropped transaction stays valid as long as its nonce is free.
    expiresAtHeight: null,
  }
}

function notDeployed({ account }: Wallet): Refused {
  const message =
    "the account contract is not deployed; deploy it with its wallet before funds are sent " +
    "through it"
  return { refused: [{ code: "starknet.account_not_deployed", message, account }] }
}

function firstFree(chainNonce: bigint, reserved: ReadonlySet<string>): bigint {
  let nonce = chainNonce
  while (reserved.has(`nonce:${nonce}`)) nonce += 1n
  return nonce
}

type Built = { readonly calls: readonly Call[]; readonly bounds: Bounds }
type Paid = Exclude<TransactionRequest, { action: "void" }>

async function buildCalls(
  wallet: Wallet,
  intent: Paid,
  account: AccountState,
): Promise<Built | Refused> {
  switch (intent.action) {
    case "approve":
      return buildApproval(wallet, intent)
    case "initiate":
      return estimated(wallet, buildInitiate(wallet, intent, account))
    case "refund":
      return buildRefund(wallet, intent, account)
    case "redeem":
      return buildRedemption(wallet, intent, account)
  }
}

async function buildApproval(
  wallet: Wallet,
  { asset, spender, units }: Extract<Paid, { action: "approve" }>,
): Promise<Built | Refused> {
  const token = tokenOf(requireAsset(wallet, asset))
  return estimated(wallet, [approveCall(token, requireAddress(spender), units)])
}

async function estimated(wallet: Wallet, calls: readonly Call[]): Promise<Built | Refused> {
  const bounds = await estimateBounds(wallet, calls)
  return "refused" in bounds ? bounds : { calls, bounds }
}

function buildInitiate(
  wallet: Wallet,
  { asset, deposit }: Extract<Paid, { action: "initiate" }>,
  { allowedUnits }: AccountState,
): readonly Call[] {
  const token = tokenOf(requireAsset(wallet, asset))
  const htlc = requireAddress(deposit.htlc)
  const call = callOf(deposit)
  // A contract of the other layout cannot read these felts, so the estimate reverts and nothing is
  // signed.
  const initiate = { to: htlc, selector: initiateSelector(call), calldata: encodeInitiate(call) }
  return allowedUnits < deposit.units
    ? [approveCall(token, htlc, deposit.units), initiate]
    : [initiate]
}

/**
 * Refunds the order that the chain shows as this deposit's. The contract pays the initiator, no
 * matter which account sends the refund.
 */
async function buildRefund(
  wallet: Wallet,
  { deposit, swapId }: Extract<Paid, { action: "refund" }>,
  { strkUnits }: AccountState,
): Promise<Built | Refused> {
  let refused: readonly Reason[] = [
    {
      code: "starknet.swap_id",
      message:
        "no order of this contract is this deposit; if the deposit is on chain, its order id " +
        "is in the Initiated event",
      swapId,
      htlc: deposit.htlc,
    },
  ]
  for (const id of await listRefundIds(wallet, deposit)) {
    const call = { to: requireAddress(deposit.htlc), selector: SELECTORS.refund, calldata: [id] }
    const bounds = await urgentBounds(wallet, "refund", [call], strkUnits)
    if (!("refused" in bounds)) return { calls: [call], bounds }
    refused = bounds.refused
  }
  return { refused }
}

/**
 * Redeems the order that the chain shows as this payout. A revert means that it ended in the
 * meantime.
 */
async function buildRedemption(
  wallet: Wallet,
  intent: Extract<Paid, { action: "redeem" }>,
  { strkUnits }: AccountState,
): Promise<Built | Refused> {
  const calls = await findOpenPayout(wallet, intent)
  if ("refused" in calls) return calls
  for (const call of calls) {
    const bounds = await urgentBounds(wallet, "redeem", [call], strkUnits)
    if (!("refused" in bounds)) return { calls: [call], bounds }
  }
  return nothingOpen(intent.payout)
}

function approveCall(token: bigint, spender: bigint, units: bigint): Call {
  return { to: token, selector: SELECTORS.approve, calldata: [spender, ...splitU256(units)] }
}

/**
 * The account must hold both the spent amount and the highest possible fee; STRK may have to pay
 * for both.
 */
function findShortages(
  wallet: Wallet,
  intent: Paid,
  { strkUnits, tokenUnits }: AccountState,
  feeUnits: bigint,
): readonly Reason[] {
  const spent = intent.action === "initiate" ? intent.deposit.units : 0n
  const isStrk = tokenOf(requireAsset(wallet, intent.asset)) === STRK_TOKEN
  const ofToken = { what: intent.asset, need: isStrk ? spent + feeUnits : spent, have: tokenUnits }
  const ofFees = { what: "STRK for fees", need: feeUnits, have: strkUnits }
  return (isStrk ? [ofToken] : [ofFees, ofToken])
    .filter(({ need, have }) => have < need)
    .map(({ what, need, have }) => insufficient(what, need, have))
}

function insufficient(what: string, needUnits: bigint, haveUnits: bigint): Reason {
  return {
    code: "funds.insufficient",
    message: `the account holds too little ${what}; top it up`,
    asset: what,
    needUnits: needUnits.toString(),
    haveUnits: haveUnits.toString(),
  }
}

/**
 * Uses up the nonce of another transaction with a multicall of no calls, which changes only nonce
 * and fee. Its prices outbid that transaction's, in case it waits in a mempool.
 */
async function planVoid(
  wallet: Wallet,
  {
    voids,
    isUnsent = false,
  }: Pick<Extract<TransactionRequest, { action: "void" }>, "voids" | "isUnsent">,
  fromHeight: bigint,
): Promise<TransactionPlan | Refused> {
  const rival = parseInvoke(voids.unsigned)
  const bounds = await voidBounds(wallet, rival.bounds)
  if ("refused" in bounds) return bounds
  const outbidding = isUnsent ? bounds : highest(bounds, scalePrices(rival.bounds, BUMP_PERCENT))
  const refused = aboveCap(wallet, outbidding)
  if (refused) return { refused: [refused] }
  const unsigned = unsignedOf(wallet, [], BigInt(rival.nonce), outbidding)
  return toPlan(
    wallet,
    { action: "void", attempt: voids.attempt + 1, spends: [], fromHeight },
    unsigned,
  )
}
