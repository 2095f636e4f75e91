import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type SigningScope, TERMS_PREFIX } from "#ports/key-holder.ts"
import type { LoggedSignature } from "./signature-log.ts"

/**
 * In smallest units; `null` for no limit. `perSignature` is without the network fee, which the
 * family's own caps bound; the windows include it.
 */
export type AssetLimit = {
  readonly perSignature: bigint | null
  readonly perHour: bigint | null
  readonly perDay: bigint | null
}

export type SignerLimits = {
  readonly byAsset: ReadonlyMap<AssetId, AssetLimit>
  readonly signaturesPerHour: number
}

export type SignatureQuestion = {
  readonly scope: SigningScope
  readonly order: string
  /** The chain's native coin. */
  readonly coin: AssetId
  readonly timelocks: { readonly min: bigint; readonly max: bigint }
  readonly nowMs: number
}

type SignatureHistory = {
  readonly deposits: readonly LoggedSignature[]
  /** A deposit with this secret hash is in the record. */
  readonly hasDeposit: (secretHash: string) => boolean
  /** A refund of such a deposit is in the record. */
  readonly hasRefund: (secretHash: string) => boolean
  readonly sameResources: readonly LoggedSignature[]
  readonly ofDay: readonly LoggedSignature[]
}

const HOUR_MS = 3_600_000

/** Every reason against a new signature. Pure. `isLasting`: no later time makes it right. */
export function judgeSignature(
  question: SignatureQuestion,
  history: SignatureHistory,
  limits: SignerLimits,
): { readonly reasons: readonly Reason[]; readonly isLasting: boolean } {
  const lasting = [
    ...checkTimelock(question),
    ...checkDeposits(question, history.deposits),
    ...checkResources(question, history.sameResources),
    ...checkAmounts(question, limits),
    ...checkToldSecret(question, history),
    ...checkDearRedemption(question, history, limits),
  ]
  const counted = listCounted(question, history)
  const rate = checkRate(question, counted, limits)
  const passing = [...checkWindows(question, counted, limits), ...rate]
  return { reasons: [...lasting, ...passing], isLasting: lasting.length > 0 }
}

/** Actions that get money back or keep it. None of them can pay a stranger, only cost a fee. */
const RESCUES: readonly SigningScope["action"][] = ["redeem", "refund", "void"]

/** Does the signature bring money back, or take a permission away? Pure. */
export function isRescue({ action, allowance }: SigningScope): boolean {
  return RESCUES.includes(action) || (action === "approve" && allowance?.units === 0n)
}

/**
 * The signatures of the day that use up the same limits. Deposits cannot use up those of rescues,
 * and nothing but redemptions those of a redemption whose secret belongs to a deposit of the
 * record: a refused redemption of a told secret loses its payout, a refused deposit loses nothing.
 */
function listCounted(
  { scope }: SignatureQuestion,
  { ofDay, hasDeposit }: SignatureHistory,
): readonly LoggedSignature[] {
  if (!isRescue(scope)) return ofDay
  const { action, redeemsHash } = scope
  const isOwed = action === "redeem" && redeemsHash !== undefined && hasDeposit(redeemsHash)
  return ofDay.filter((past) => (isOwed ? past.action === "redeem" : RESCUES.includes(past.action)))
}

/** The group and the charges under which a signature is recorded. */
export function chargeOf({ scope, coin }: Pick<SignatureQuestion, "scope" | "coin">): {
  readonly group: string
  readonly charges: ReadonlyMap<AssetId, bigint>
} {
  const charges = new Map<AssetId, bigint>()
  const add = (asset: AssetId, units: bigint) =>
    charges.set(asset, (charges.get(asset) ?? 0n) + units)
  for (const { asset, units } of scope.spends) add(asset, units)
  if (scope.feeUnits > 0n) add(coin, scope.feeUnits)
  const shares = scope.isExclusive && scope.resources.length > 0
  const terms = scope.resources.find((name) => name.startsWith(TERMS_PREFIX))
  const member = shares ? (terms ?? scope.resources.toSorted().join(",")) : scope.digest
  return { group: `${scope.chain}/${scope.account}/${member}`, charges }
}

function checkTimelock({ scope, timelocks }: SignatureQuestion): Reason[] {
  if (scope.deposit === null) return []
  const { timelock } = scope.deposit
  if (timelock === null) return []
  if (timelock >= timelocks.min && timelock <= timelocks.max) return []
  const bounds = {
    timelock: String(timelock),
    min: String(timelocks.min),
    max: String(timelocks.max),
  }
  return [
    {
      code: "signer.timelock",
      message: "the deposit's timelock is outside the signer's bounds",
      ...bounds,
    },
  ]
}

/**
 * An order has one secret hash, and every further deposit for either must exclude each earlier one.
 */
function checkDeposits(
  { scope, order }: SignatureQuestion,
  earlier: readonly LoggedSignature[],
): Reason[] {
  const { deposit } = scope
  if (deposit === null) return []
  const other = earlier.find(
    (past) => past.order === order && past.secretHash !== deposit.secretHash,
  )
  if (other !== undefined) {
    const message = "the order has an earlier deposit with another secret hash"
    return [{ code: "signer.order_reused", message, order, earlier: other.digest }]
  }
  const clash = earlier.find((past) => past.digest !== scope.digest && !sharesResource(past, scope))
  if (clash === undefined) return []
  const message = "an earlier deposit for this order or secret hash could land beside this one"
  return [{ code: "signer.second_deposit", message, order, earlier: clash.digest }]
}

/**
 * Equal terms exclude each other only between a relay and a transaction: two transactions need one
 * nonce.
 */
function sharesResource(
  past: LoggedSignature,
  { chain, account, resources, action }: SigningScope,
): boolean {
  const isSame = past.chain === chain && past.account === account
  const isRelayed = past.action === "gasless" || action === "gasless"
  return (
    isSame &&
    resources.some(
      (name) => past.resources.includes(name) && (isRelayed || !name.startsWith(TERMS_PREFIX)),
    )
  )
}

/** A nonce or an input belongs to one deposit. */
function checkResources(
  { scope }: SignatureQuestion,
  earlier: readonly LoggedSignature[],
): Reason[] {
  const { deposit } = scope
  if (deposit === null) return []
  const clash = earlier.find(
    ({ secretHash }) => secretHash !== null && secretHash !== deposit.secretHash,
  )
  if (clash === undefined) return []
  const message = "another deposit uses this nonce or input already"
  return [
    {
      code: "signer.resource_reused",
      message,
      resources: scope.resources.join(),
      earlier: clash.digest,
    },
  ]
}

function checkAmounts({ scope }: SignatureQuestion, { byAsset }: SignerLimits): Reason[] {
  const asked = [...scope.spends, ...(scope.allowance === null ? [] : [scope.allowance])]
  return asked.flatMap(({ asset, units }) => {
    const most = byAsset.get(asset)?.perSignature ?? null
    if (most === null || units <= most) return []
    const message = "the amount is above the signer's limit for one signature"
    return [{ code: "signer.amount", message, asset, units: String(units), limit: String(most) }]
  })
}

/**
 * After the signature of a refund the secret stays ours for ever: a redemption would tell it, and
 * the solver could take the deposit before the refund. A refund after a redemption is signed: it
 * pays only us, and it is all that is left of an order whose payout is lost.
 */
function checkToldSecret(
  { scope, order }: SignatureQuestion,
  { hasRefund }: SignatureHistory,
): Reason[] {
  if (scope.redeemsHash === undefined || !hasRefund(scope.redeemsHash)) return []
  const message =
    "a refund of the deposit with this secret is signed, and the redemption would tell the secret"
  return [{ code: "signer.refund_signed", message, order }]
}

/**
 * A fee above the urgent cap is worth paying only for a payout that a deposit of ours paid for: the
 * record must have one with the redemption's secret hash. The daemon's word about the payout's
 * worth is not proof, so the fee also stays within the limit for one signature of this coin.
 */
function checkDearRedemption(
  { scope, coin }: SignatureQuestion,
  { hasDeposit }: SignatureHistory,
  { byAsset }: SignerLimits,
): Reason[] {
  const { dearRedemptionOf: secretHash, feeUnits } = scope
  if (secretHash === undefined) return []
  const limit = byAsset.get(coin)
  const numbers = { asset: coin, units: String(feeUnits) }
  if (!hasDeposit(secretHash) || limit === undefined) {
    const message =
      "the fee is above the urgent cap, and the signer's record has no deposit with this " +
      "secret, or its limits do not name the coin"
    return [{ code: "signer.dear_redemption", message, ...numbers }]
  }
  if (limit.perSignature === null || feeUnits <= limit.perSignature) return []
  const message =
    "the fee of the redemption is above the signer's limit for one signature of the coin"
  return [{ code: "signer.amount", message, ...numbers, limit: String(limit.perSignature) }]
}

function checkWindows(
  question: SignatureQuestion,
  ofDay: readonly LoggedSignature[],
  limits: SignerLimits,
): Reason[] {
  const { group, charges } = chargeOf(question)
  return [...charges].flatMap(([asset, units]) => {
    const limit = limits.byAsset.get(asset)
    const windows = [
      { window: "1h", sinceMs: question.nowMs - HOUR_MS, most: limit?.perHour ?? null },
      { window: "24h", sinceMs: question.nowMs - 24 * HOUR_MS, most: limit?.perDay ?? null },
    ]
    return windows.flatMap(({ window, sinceMs, most }) => {
      if (most === null) return []
      const signedUnits = sumCharges(ofDay, { asset, sinceMs, group, units })
      if (signedUnits <= most) return []
      const message = "the signature would pass the signer's limit for this time"
      const numbers = {
        asset,
        window,
        units: String(units),
        withThis: String(signedUnits),
        limit: String(most),
      }
      return [{ code: "signer.velocity", message, ...numbers }]
    })
  })
}

/**
 * The largest charge of each group that has a signature in the window. The new one belongs to
 * `group`.
 */
function sumCharges(
  ofDay: readonly LoggedSignature[],
  {
    asset,
    sinceMs,
    group,
    units,
  }: { asset: string; sinceMs: number; group: string; units: bigint },
): bigint {
  const isRecent = new Set(ofDay.filter(({ atMs }) => atMs > sinceMs).map((past) => past.group))
  const largest = new Map<string, bigint>([[group, units]])
  for (const past of ofDay) {
    const charge = past.charges.get(asset) ?? 0n
    const counts = past.group === group || isRecent.has(past.group)
    if (counts && charge > (largest.get(past.group) ?? 0n)) largest.set(past.group, charge)
  }
  return [...largest.values()].reduce((sum, charge) => sum + charge, 0n)
}

/** Bounds the costs that no signed byte names, such as the data fee of a roll-up. */
function checkRate(
  { nowMs }: SignatureQuestion,
  ofDay: readonly LoggedSignature[],
  limits: SignerLimits,
): Reason[] {
  const count = ofDay.filter(({ atMs }) => atMs > nowMs - HOUR_MS).length + 1
  if (count <= limits.signaturesPerHour) return []
  const message = "the signer has made as many signatures in the last hour as it may"
  return [
    { code: "signer.rate", message, count: String(count), limit: String(limits.signaturesPerHour) },
  ]
}
