import type { Address, Hex, StateOverride } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { isNearLockEnd, mayAwaitEstimate, type RedeemStake } from "#domain/redeem-fee-cap.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { redeemOffer, rescueOffer } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { PlanOptions } from "#ports/chain/transactions.ts"
import { termsOf } from "../decode.ts"
import { decodeRevert, isDuplicateOrder, isKnownOrder, isUnknownOrder } from "../decode-revert.ts"
import { readEvmExtras } from "../extras.ts"
import {
  depositLimit,
  type FeeLimit,
  type Fees,
  feesAboveCap,
  type Market,
  outbid,
  raiseFees,
  readMarket,
  suggestFees,
} from "../fees.ts"
import { deriveOrderIds, encodeApprove, encodeInitiate, encodeRefund, tokenAbi } from "../htlc.ts"
import { findNonce, firstFree } from "../keys/nonces.ts"
import { findOpenPayout } from "../legs/find-open-payout.ts"
import { readOrder } from "../legs/read-orders.ts"
import { findRevert } from "../nodes/dialect.ts"
import type { EvmClient } from "../nodes/endpoint.ts"
import { readL1Fee } from "../nodes/l1-fee.ts"
import { isRouteSpender } from "../routes/route-key.ts"
import {
  htlcsOf,
  redeemCaps,
  requireAddress,
  requireAsset,
  tokenOf,
  type Wallet,
  withUrgentCaps,
} from "../wallet.ts"
import { overrideAllowance } from "./allowance-slot.ts"
import { readPairing } from "./pairs.ts"
import { toPlan } from "./plan.ts"
import { findTransferLoss } from "./probe-transfer.ts"
import {
  gasAboveLimit,
  insufficient,
  orderExists,
  pairUnknown,
  swapIdUnreadable,
} from "./refusals.ts"
import { nonceOf, parseUnsigned } from "./unsigned.ts"

type Refused = { readonly refused: readonly Reason[] }

/**
 * Builds the unsigned transaction of an intent from our own decoded fields. It copies no byte from
 * the service. See `ChainPort.planTransaction`; further refusals: `evm.simulation_reverted`,
 * `evm.order_exists`, `evm.gas_above_limit`, `evm.swap_id`.
 */
export async function planEvmTransaction(
  wallet: Wallet,
  intent: TransactionRequest,
  reserved: ReadonlySet<string>,
  options: PlanOptions = {},
): Promise<TransactionPlan | Refused> {
  const drafts =
    intent.action === "redeem"
      ? await findRedemption(wallet, intent)
      : draftTransactions(wallet, intent)
  return "refused" in drafts ? drafts : planDrafts(wallet, { intent, drafts, reserved }, options)
}

/** A redemption of a route kind beside HTLCs has neither a payout HTLC nor a secret. */
type Intent =
  | TransactionRequest
  | { readonly action: "redeem"; readonly stake?: RedeemStake; readonly pace?: RedeemStake }

/** Prices the first draft that the chain accepts. */
export async function planDrafts(
  wallet: Wallet,
  {
    intent,
    drafts,
    reserved,
  }: {
    readonly intent: Intent
    readonly drafts: readonly Draft[]
    readonly reserved: ReadonlySet<string>
  },
  { isBoundLater = false }: PlanOptions = {},
): Promise<TransactionPlan | Refused> {
  const stake = intent.action === "redeem" ? (intent.stake ?? intent.pace ?? null) : null
  const limit = feeLimitOf(wallet, intent.action, { gas: LEAST_GAS, stake })
  // The reads begin together, so they are one request; a failed one counts only where its answer is
  // needed.
  const isNew = intent.action === "initiate" || intent.action === "approve"
  const waits = isNew || (intent.action === "redeem" && mayAwaitEstimate(stake))
  const marketRead = ignoreUnhandled(
    readMarketFor(wallet, limit, { action: intent.action, stake, waits }),
  )
  const pricedRead = ignoreUnhandled(
    wallet.rpc.read((client) => chooseDraft({ wallet, client, intent, marketRead, stake }, drafts)),
  )
  const headsRead = ignoreUnhandled(wallet.rpc.readHeads())
  const nonceRead = ignoreUnhandled(chooseNonce(wallet, intent, reserved, isBoundLater))
  const market = await marketRead
  if (chooseFees(intent, market, limit) === null) return { refused: [feesAboveCap(market, limit)] }
  const priced = await pricedRead
  if ("refused" in priced) return priced
  const [nonce, { height: fromHeight }] = await Promise.all([nonceRead, headsRead])
  const { to, value, data, gas, fees, spends } = priced
  const attempt = intent.action === "void" ? intent.voids.attempt + 1 : 0
  const { chainId } = wallet
  return toPlan(
    wallet,
    { action: intent.action, attempt, spends, fromHeight },
    { chainId, nonce, to, value, data, gas, ...fees },
  )
}

/**
 * The nonce of a plan that is bound later decides nothing, so the lowest one that no reservation
 * holds stands for it without a read.
 */
async function chooseNonce(
  wallet: Wallet,
  intent: Intent,
  reserved: ReadonlySet<string>,
  isBoundLater: boolean,
): Promise<number> {
  if (intent.action === "void") return nonceOf(intent.voids)
  return isBoundLater
    ? firstFree({ count: 0, pending: 0, reserved })
    : findNonce(wallet, intent.action, reserved)
}

type Planning = {
  readonly wallet: Wallet
  readonly client: EvmClient
  readonly intent: Intent
  readonly marketRead: Promise<Market>
  readonly stake: RedeemStake | null
}

/** No transaction takes less, so no fee per gas can be higher. */
const LEAST_GAS = 21_000n

/**
 * A redemption with a known worth may pay any tip that recent blocks explain; an unexplained one is
 * bounded as without it.
 */
function readMarketFor(
  wallet: Wallet,
  { fee: feeCap, tip }: FeeLimit,
  {
    action,
    stake,
    waits,
  }: {
    readonly action: TransactionPlan["action"]
    readonly stake: RedeemStake | null
    readonly waits: boolean
  },
): Promise<Market> {
  const usual = { fee: wallet.maxFeePerGasUnits, tip: wallet.maxTipPerGasUnits }
  const quietCap = isEnding(stake) ? withUrgentCaps(wallet).maxTipPerGasUnits : usual.tip
  const urgentUpTo = isRescue(action) ? usual : null
  return readMarket(wallet.rpc, tip, { feeCap, quietCap, waits, urgentUpTo })
}

/** These bring money back, or keep it. */
function isRescue(action: TransactionPlan["action"]): boolean {
  return action === "redeem" || action === "refund" || action === "void"
}

function isEnding(stake: RedeemStake | null): boolean {
  return stake !== null && isNearLockEnd(stake)
}

type Rise = {
  readonly action: TransactionPlan["action"]
  readonly stake: RedeemStake | null
  readonly attempt: number
}

/**
 * The fees that time asks for: those of a redemption follow its lock, those of a refund or void the
 * number of earlier offers. The wallet's own coin (`mostPerGas`) bounds them, because nodes refuse
 * a transaction that it cannot pay. The first offer follows the market, which names a base fee, and
 * at most the configured caps; only the next ones go on to the payout's worth.
 */
function raise(
  wallet: Wallet,
  fees: Fees,
  { action, stake, attempt }: Rise,
  most: FeeLimit & { mostPerGas: bigint },
): Fees {
  if (!isRescue(action)) return fees
  const usual = { fee: wallet.maxFeePerGasUnits, tip: wallet.maxTipPerGasUnits }
  const capOf = (part: "fee" | "tip"): bigint =>
    attempt === 0 && usual[part] < most[part] ? usual[part] : most[part]
  return raiseFees(
    fees,
    (perGas, part) =>
      action === "redeem"
        ? (redeemOffer(perGas, { usualUnits: usual[part], capUnits: capOf(part) }, stake) ?? perGas)
        : rescueOffer(perGas, most[part], attempt),
    most,
  )
}

/** The first draft that the chain accepts, with its gas limit and fees. */
async function chooseDraft(
  planning: Planning,
  drafts: readonly Draft[],
): Promise<(Draft & Priced) | Refused> {
  const { intent } = planning
  const unread: Refused = { refused: [swapIdUnreadable(intent)] }
  let refusal = unread
  for (const draft of drafts) {
    if (draft.unprovenId !== null && !(await isOwnOrder(planning, draft.to, draft.unprovenId)))
      continue
    const priced = await priceDraft(planning, draft)
    if (!("refused" in priced)) return { ...draft, ...priced }
    // The contract knows the order of this id, so the other ids are not this deposit's: they are
    // not tried.
    if (isAboutKnownOrder(priced)) return priced
    // A wrong order id is unknown to the contract. The refusal of the right id says more, so it is
    // the answer.
    if (!isAboutUnknownOrder(priced) || refusal === unread) refusal = priced
  }
  return refusal
}

/**
 * A reported id does not follow from our terms. Only the contract can show that its order is ours:
 * with our account, and all our terms.
 */
async function isOwnOrder(
  { wallet, client, intent }: Planning,
  htlc: Address,
  orderId: Hex,
): Promise<boolean> {
  if (intent.action !== "refund") return false
  const { redeemer, timelock, units } = termsOf(intent.deposit)
  const order = await readOrder({ client, height: await client.getBlockNumber() }, htlc, orderId)
  if (typeof order === "string") return false
  const isSame = order.redeemer === redeemer && order.timelock === timelock && order.units === units
  return isSame && order.initiator === wallet.payee
}

/**
 * The same nonce and call with both fees at least 12.5 % higher, and at least the market's; `null`
 * above the cap.
 */
export async function bumpEvmTransaction(
  wallet: Wallet,
  plan: TransactionPlan,
  stake: RedeemStake | null,
): Promise<TransactionPlan | null> {
  const old = parseUnsigned(plan.unsigned)
  const limit = feeLimitOf(wallet, plan.action, { gas: old.gas, stake })
  const { action, attempt } = plan
  const market = await readMarketFor(wallet, limit, { action, stake, waits: false })
  const least = outbid(old, market, limit)
  if (least === null) return null
  const mostPerGas = isRescue(action) ? await readMostPerGas(wallet, old) : 0n
  const fees = raise(
    wallet,
    least,
    { action, stake, attempt: attempt + 1 },
    { ...limit, mostPerGas },
  )
  return toPlan(wallet, { ...plan, attempt: attempt + 1 }, { ...old, ...fees })
}

/**
 * What the wallet's coin pays for each gas of the call; 0 where that cannot be read, so that the
 * fee rises by the least step alone.
 */
async function readMostPerGas(
  wallet: Wallet,
  { gas, value, data }: ReturnType<typeof parseUnsigned>,
): Promise<bigint> {
  try {
    return await wallet.rpc.read(async (client) => {
      const [native, l1Fee] = await Promise.all([
        client.getBalance({ address: wallet.account }),
        readL1Fee(wallet, client, data.length / 2 + ENVELOPE_BYTES),
      ])
      return (native - l1Fee - value) / gas
    })
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return 0n
    throw error
  }
}

/** The call of a transaction and the amounts that it spends, before gas, fees and nonce. */
export type Draft = {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly spends: TransactionPlan["spends"]
  /** The amount that the account must hold besides gas; `token` is `null` for the native asset. */
  readonly needs: {
    readonly token: Address | null
    readonly asset: AssetId
    readonly units: bigint
  } | null
  /** The gas limit that the service reports, unproven. */
  readonly reportedGas: bigint | null
  /**
   * An order id that the service claims and that does not follow from our own terms; `null` for
   * every other draft.
   */
  readonly unprovenId: Hex | null
}

export const NO_NEEDS = { spends: [], needs: null, reportedGas: null, unprovenId: null } as const

/** The call of a redemption, found in the contract itself; see `find-open-payout.ts`. */
async function findRedemption(
  wallet: Wallet,
  intent: Extract<TransactionRequest, { action: "redeem" }>,
): Promise<readonly Draft[] | Refused> {
  const found = await findOpenPayout(wallet, intent)
  return "refused" in found ? found : [{ ...NO_NEEDS, to: found.htlc, value: 0n, data: found.data }]
}

/**
 * One draft; for a refund, one per order id that may be ours. The first draft that the chain
 * accepts is used.
 */
function draftTransactions(
  wallet: Wallet,
  intent: Exclude<TransactionRequest, { action: "redeem" }>,
): readonly Draft[] {
  switch (intent.action) {
    case "approve":
      return [draftApprove(wallet, intent)]
    case "initiate":
      return [draftInitiate(wallet, intent)]
    case "refund":
      return draftRefunds(wallet, intent)
    case "void":
      return [{ ...NO_NEEDS, to: wallet.account, value: 0n, data: "0x" }]
  }
}

function draftApprove(
  wallet: Wallet,
  intent: Extract<TransactionRequest, { action: "approve" }>,
): Draft {
  const asset = requireAsset(wallet, intent.asset)
  const token = tokenOf(asset)
  const spender = isRouteSpender(wallet.routes, token, intent.spender)
    ? requireAddress(intent.spender)
    : requireHtlc(wallet, intent.asset, intent.spender)
  if (token === null)
    throw refused("evm.approval_native", "A native asset needs no approval", { asset: asset.id })
  return { ...NO_NEEDS, to: token, value: 0n, data: encodeApprove(spender, intent.units) }
}

function draftInitiate(
  wallet: Wallet,
  { asset: id, deposit }: Extract<TransactionRequest, { action: "initiate" }>,
): Draft {
  const token = tokenOf(requireAsset(wallet, id))
  const { units } = deposit
  const { gasLimitClaim: reportedGas, destinationData } = readEvmExtras(deposit)
  return {
    to: requireHtlc(wallet, id, deposit.htlc),
    value: token === null ? units : 0n,
    data: encodeInitiate(termsOf(deposit), destinationData),
    spends: [{ asset: id, units }],
    needs: { token, asset: id, units },
    reportedGas,
    unprovenId: null,
  }
}

/**
 * The ids that we derive from our own deposit come first, because only they are certainly ours. The
 * service's swap id comes last, for a newer contract, and counts only if the contract's storage
 * shows our terms under it: the contract pays the initiator, no matter which account sends the
 * refund.
 */
function draftRefunds(
  wallet: Wallet,
  intent: Extract<TransactionRequest, { action: "refund" }>,
): readonly Draft[] {
  const { deposit } = intent
  const htlc = requireHtlc(wallet, intent.asset, deposit.htlc)
  const { v1, v2, v3 } = deriveOrderIds(
    { ...termsOf(deposit), initiator: wallet.payee },
    { chainId: wallet.chainId, htlc },
  )
  const derived: readonly Hex[] = [v3, v2, v1]
  const reported = readOrderId(intent.swapId)
  const ids = reported === null || derived.includes(reported) ? derived : [...derived, reported]
  return ids.map((id) => {
    const unprovenId = derived.includes(id) ? null : id
    return { ...NO_NEEDS, to: htlc, value: 0n, data: encodeRefund(id), unprovenId }
  })
}

function readOrderId(text: string): Hex | null {
  const digits = text.toLowerCase().replace(/^0x/, "")
  return /^[0-9a-f]{64}$/.test(digits) ? `0x${digits}` : null
}

/**
 * Throws `evm.htlc_unknown` (refused). A verified deposit names a configured contract, so this
 * check only backs up the guard.
 */
function requireHtlc(wallet: Wallet, asset: AssetId, text: string): Address {
  const htlc = htlcsOf(requireAsset(wallet, asset)).find((each) => each === requireAddress(text))
  if (htlc !== undefined) return htlc
  throw refused("evm.htlc_unknown", "This contract is not configured as an HTLC of the asset", {
    asset,
    contract: text,
  })
}

function chooseFees(intent: Intent, market: Market, limit: FeeLimit): Fees | null {
  return intent.action === "void" && intent.isUnsent !== true
    ? outbid(parseUnsigned(intent.voids.unsigned), market, limit)
    : suggestFees(market, limit)
}

/** `stake` belongs to a redemption alone. */
function feeLimitOf(
  wallet: Wallet,
  action: TransactionPlan["action"],
  { gas, stake }: { readonly gas: bigint; readonly stake: RedeemStake | null },
): FeeLimit {
  const caps = redeemCaps(wallet, gas, stake)
  const limit = { fee: caps.maxFeePerGasUnits, tip: caps.maxTipPerGasUnits }
  return action === "initiate" ? depositLimit(limit) : limit
}

type Priced = { readonly gas: bigint; readonly fees: Fees }

/**
 * The gas limit and the fees to sign, or a refusal. It judges the funds first, because a call
 * without them only reverts. The reads begin together, so they are one request; a failed one counts
 * only where its answer is needed. The simulation of a paired deposit needs the allowance's slot.
 */
async function priceDraft(planning: Planning, draft: Draft): Promise<Priced | Refused> {
  const { wallet, client, intent, marketRead, stake } = planning
  const paired = intent.action === "initiate" && intent.isPaired === true ? intent : null
  const l1FeeRead = ignoreUnhandled(
    readL1Fee(wallet, client, draft.data.length / 2 + ENVELOPE_BYTES),
  )
  const estimated =
    paired === null ? ignoreUnhandled(estimateGas(wallet, client, draft, null)) : null
  const htlc = intent.action === "initiate" ? requireAddress(intent.deposit.htlc) : null
  const lossRead = ignoreUnhandled(findTransferLoss(client, wallet.account, htlc, draft.needs))
  const [native, shortage] = await readFunds(wallet, client, draft)
  if (shortage) return { refused: [shortage] }
  const loss = await lossRead
  if (loss !== null) return { refused: [loss] }
  const slot = paired === null ? null : await readPairing(wallet, paired.asset, paired.deposit.htlc)
  if (paired !== null && slot === null) return { refused: [pairUnknown(paired.asset)] }
  const stateOverride =
    slot === null || paired === null ? null : overrideAllowance(slot, paired.deposit.units)
  const estimate = await (estimated ?? estimateGas(wallet, client, draft, stateOverride))
  if (typeof estimate !== "bigint") return { refused: [estimate] }
  if (estimate > wallet.maxGasLimit) return { refused: [gasAboveLimit(wallet, estimate)] }
  const gas = chooseGas(wallet, estimate, draft)
  const market = await marketRead
  const limit = feeLimitOf(wallet, intent.action, { gas, stake })
  const wanted = chooseFees(intent, market, limit)
  if (wanted === null) return { refused: [feesAboveCap(market, limit)] }
  const l1Fee = await l1FeeRead
  const mostPerGas = (native - draft.value - l1Fee) / gas
  const fitting = isEnding(stake) ? withinFunds(wanted, market, mostPerGas) : wanted
  const fees = raise(
    wallet,
    fitting,
    { action: intent.action, stake, attempt: 0 },
    { ...limit, mostPerGas },
  )
  const needUnits = draft.value + gas * fees.maxFeePerGas + l1Fee
  if (native < needUnits) return { refused: [insufficient(nativeName(wallet), needUnits, native)] }
  return { gas, fees }
}

/**
 * A redemption whose lock ends offers all that the wallet has rather than wait for the usual margin
 * above the base fee.
 */
function withinFunds(wanted: Fees, { baseFee }: Market, mostPerGas: bigint): Fees {
  if (wanted.maxFeePerGas <= mostPerGas || mostPerGas < baseFee) return wanted
  const { maxPriorityFeePerGas: tip } = wanted
  return { maxFeePerGas: mostPerGas, maxPriorityFeePerGas: tip < mostPerGas ? tip : mostPerGas }
}

/** The bytes of a signed EIP-1559 transaction beside its calldata. */
const ENVELOPE_BYTES = 120

/** The account's native units, and the reason if it lacks the units that the call moves. */
async function readFunds(
  wallet: Wallet,
  client: EvmClient,
  { needs }: Draft,
): Promise<readonly [native: bigint, shortage: Reason | null]> {
  const [native, held] = await Promise.all([
    client.getBalance({ address: wallet.account }),
    needs === null || needs.token === null
      ? null
      : readTokenBalance(client, needs.token, wallet.account),
  ])
  if (needs === null) return [native, null]
  const have = held ?? native
  return [native, have < needs.units ? insufficient(needs.asset, needs.units, have) : null]
}

function readTokenBalance(client: EvmClient, token: Address, owner: Address): Promise<bigint> {
  return client.readContract({
    address: token,
    abi: tokenAbi,
    functionName: "balanceOf",
    args: [owner],
  })
}

/**
 * Estimates without fees, so that the node runs the call and ignores its price. `stateOverride`:
 * the allowance of a deposit whose approval is not mined yet.
 */
async function estimateGas(
  wallet: Wallet,
  client: EvmClient,
  draft: Draft,
  stateOverride: StateOverride | null,
): Promise<bigint | Reason> {
  const { to, value, data } = draft
  try {
    const replaced = stateOverride === null ? {} : { stateOverride }
    const call = { account: wallet.account, to, value, data, prepare: false, ...replaced } as const
    // A watchtower's own pending transaction must not make its replacement look like a second
    // redemption.
    return await client.estimateGas(
      wallet.payee === wallet.account ? call : { ...call, blockTag: "latest" },
    )
  } catch (error) {
    const reason = readRevert(error)
    if (reason === null) throw error
    if (isDuplicateOrder(reason)) return orderExists(to, reason)
    const message = "The call would revert on chain, so it is not sent"
    return { code: "evm.simulation_reverted", message, reason, to }
  }
}

function isAboutKnownOrder({ refused: reasons }: Refused): boolean {
  return reasons.some(({ reason }) => typeof reason === "string" && isKnownOrder(reason))
}

function isAboutUnknownOrder({ refused: reasons }: Refused): boolean {
  return reasons.some(({ reason }) => typeof reason === "string" && isUnknownOrder(reason))
}

/**
 * Between the estimate and the block, an allowance or a balance can fall to zero, and writing to a
 * zero slot costs 19 900 gas more than writing the same value again (EIP-2200, EIP-2929).
 */
const ZERO_SLOT_GAS = 20_000n

/**
 * 30 % above the estimate, and at least enough for a slot that is zero by then, within the cap; the
 * service's own limit if it lies between the two.
 */
function chooseGas(
  { maxGasLimit }: Wallet,
  estimate: bigint,
  { data, reportedGas: reported }: Draft,
): bigint {
  const share = (estimate * 13n + 9n) / 10n
  const slot = data === "0x" ? 0n : estimate + ZERO_SLOT_GAS
  const ample = share > slot ? share : slot
  if (reported !== null && reported >= ample && reported <= maxGasLimit) return reported
  return ample < maxGasLimit ? ample : maxGasLimit
}

/** The contract's revert text, or `null` when the call failed for another reason. */
function readRevert(error: unknown): string | null {
  const revert = findRevert(error)
  if (revert === null) return null
  const { data, found } = revert.details
  return typeof data === "string" && data !== "0x" ? decodeRevert(data) : String(found)
}

function nativeName({ assets, chain }: Wallet): string {
  return assets.find(({ token }) => token === null)?.id ?? `${chain} (native, for gas)`
}

function refused(
  code: string,
  message: string,
  details: Readonly<Record<string, string>>,
): AppError {
  return new AppError({ code, disposition: "refused", message, details })
}
