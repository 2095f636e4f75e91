import type { Reason } from "#domain/reason.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { hasTimeToRedeem, leftOf } from "#domain/time-to-redeem.ts"
import { estimateLock } from "#engine/orders/observe/payout-lock.ts"
import { decideStake, isPayoutEnding } from "#engine/orders/observe/time-to-redeem.ts"
import type { Given } from "#engine/orders/route/read-voucher.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"

/** The daemon alone refunds until the lock has been over for this part of its length. */
const REFUND_PARTS = 50n

/**
 * What a watchtower does now. `end`: a final block shows the payout with us, or the deposit back.
 */
export type TowerStep =
  | { readonly act: "wait"; readonly reason: Reason }
  | {
      readonly act: "redeem"
      readonly stake: RedeemStake | null
      /** In place of a secret. */
      readonly voucher?: RouteVoucher
    }
  | { readonly act: "refund" }
  | { readonly act: "end"; readonly outcome: "redeemed" | "refunded"; readonly txid: string }

/**
 * Both HTLCs of one order, as the tower's own nodes show them now. `null`: that chain cannot be
 * read. The step for the other chain does not wait for it.
 */
type Seen = {
  readonly payout: LegObservation | null
  readonly deposit: LegObservation | null
}

/**
 * What the tower knows besides. `secret`: `null` unless the daemon had decided to tell it.
 * `wasSent`: the tower has sent a redemption. `worthUnits`: the payout in its chain's native coin,
 * `null` without a price.
 */
type Known = {
  readonly secret: string | null
  readonly wasSent: boolean
  readonly worthUnits: bigint | null
  /** Of an order whose payout a voucher takes; absent or `null`: its secret does. */
  readonly payable?: VoucherKnown
}

/** What a payout by a voucher needs, at one moment; `null` for an order with secrets. */
export type VoucherKnown = { readonly isDue: boolean; readonly given: Given } | null

/**
 * Redeems the payout once less than two fifths of its lock are left, and refunds the deposit once
 * its lock has been over for a fiftieth of its length: until then the daemon acts alone. Pure.
 *
 * The daemon tells a secret only while half of the lock is left, so it has had at least a tenth of
 * the lock for its own redemption.
 */
export function decideStep(data: OrderData, known: Known, seen: Seen): TowerStep {
  const payout = withoutLoneWord(seen.payout)
  const deposit = withoutLoneWord(seen.deposit)
  const redeemed = payout?.redeemed ?? null
  const { secret } = known
  if (redeemed !== null)
    return redeemed.final
      ? { act: "end", outcome: "redeemed", txid: redeemed.txid }
      : wait(
          "tower.settling",
          "A block shows the payout's redemption; the tower waits until it is final",
        )
  if (known.payable != null) return decidePayout(known.payable, deposit)
  const refunded = deposit?.refunded ?? null
  if (refunded?.final === true) return { act: "end", outcome: "refunded", txid: refunded.txid }
  const isOpen = payout !== null && payout.initiated !== null && payout.refunded === null
  if (secret !== null && isOpen) return decideRedemption(data, known, payout, deposit)
  return decideRefund(data, secret, { payout, deposit })
}

/** The present heights of the chains, where they can be read. */
export type Blind = {
  readonly nowMs: number
  readonly payoutHead: bigint | null
  readonly depositHead: bigint | null
}

/**
 * The step by the file's own knowledge while a leg cannot be read: strangers may cause that, and
 * the lock goes on. `null` where only the leg tells more. Pure.
 */
export function decideUnread(
  data: OrderData,
  known: Known,
  { blind, ...legs }: Seen & { readonly blind: Blind },
): TowerStep | null {
  if (abilitiesOf(data).redeem === "voucher") return null
  const payout = withoutLoneWord(legs.payout)
  const deposit = withoutLoneWord(legs.deposit)
  if (known.secret !== null && payout === null) return redeemUnread(data, known, deposit, blind)
  const isKept = known.secret !== null && !isProvenLost(payout)
  return deposit === null && !isKept ? refundUnread(data, blind) : null
}

/** Only a redemption that tells the secret to none: its payout is not proven. */
function redeemUnread(
  data: OrderData,
  known: Known,
  deposit: LegObservation | null,
  { nowMs, payoutHead }: Blind,
): TowerStep | null {
  const { timelock } = mustExist(data.serviceOrder, "the order read back").destination
  const lock = estimateLock(data, payoutHead, nowMs)
  const left = leftOf(lock)
  const isEarly = left === null || left * 5n >= timelock * 2n
  if (isEarly || !isSecretOut(data, known, deposit)) return null
  const isEnding = isPayoutEnding(timelock, lock)
  return { act: "redeem", stake: isEnding ? decideStake(data, known.worthUnits, lock) : null }
}

function refundUnread(
  { deposit, seen: { refundableAtHeight, sourceInitiated } }: OrderData,
  { depositHead }: Blind,
): TowerStep | null {
  const { timelock } = mustExist(deposit, "the verified deposit")
  if (depositHead === null || sourceInitiated === null) return null
  const from = refundableAtHeight ?? sourceInitiated.height + timelock + 1n
  return (depositHead - from) * REFUND_PARTS < timelock ? null : { act: "refund" }
}

/**
 * One endpoint alone may invent the end of an HTLC, or that it is empty, and the tower's work would
 * stop by it.
 */
function withoutLoneWord(leg: LegObservation | null): LegObservation | null {
  if (leg === null || leg.agreed) return leg
  const isEmpty = leg.initiated === null || leg.refundableAt === null
  return isEmpty ? null : { ...leg, redeemed: null, refunded: null }
}

/** Nothing returns such a deposit, and its voucher tells nothing: it waits for the daemon alone. */
function decidePayout(
  { isDue, given }: NonNullable<VoucherKnown>,
  deposit: LegObservation | null,
): TowerStep {
  if (!isDue) return wait("tower.not_due", "The daemon still has time to take the payout")
  const { voucher, redeemable, alerts } = given
  if (voucher !== undefined && redeemable === true) return { act: "redeem", stake: null, voucher }
  if (voucher === undefined && deposit?.initiated == null)
    return wait("tower.unproven", "The tower's nodes do not show the deposit")
  const [alert] = alerts
  if (alert !== undefined) return { act: "wait", reason: alert }
  return wait("tower.no_voucher", "The route has not given what the payout is taken with")
}

function decideRedemption(
  data: OrderData,
  known: Known,
  payout: LegObservation,
  deposit: LegObservation | null,
): TowerStep {
  const { timelock } = mustExist(data.serviceOrder, "the order read back").destination
  const { refundableAt, height } = payout
  if (refundableAt === null)
    return wait("tower.unproven", "The tower's nodes do not tell the end of the payout's lock")
  const left = refundableAt - height
  if (left * 5n >= timelock * 2n)
    return wait("tower.not_due", "The payout is open, and the daemon still has time to redeem it", {
      left,
      timelock,
    })
  const isKnown = isSecretOut(data, known, deposit)
  if (!isKnown && !hasTimeToRedeem(timelock, payout))
    return wait(
      "tower.late",
      "The redemption would be the first to tell the secret, and it may lose against the solver",
    )
  if (!isKnown && !(payout.agreed && payout.initiated?.revealable === true))
    return wait(
      "tower.unproven",
      "The redemption would be the first to tell the secret, and the payout is not proven",
    )
  // The tower begins late, so its fee follows the lock only once that ends.
  const stake = isPayoutEnding(timelock, payout)
    ? decideStake(data, known.worthUnits, payout)
    : null
  return { act: "redeem", stake }
}

/** Others may have the secret, or it is of no use to them any more. */
function isSecretOut(
  { ownSecret }: OrderData,
  { wasSent }: Known,
  deposit: LegObservation | null,
): boolean {
  const isTaken = deposit !== null && deposit.redeemed !== null
  return ownSecret?.isTold === true || wasSent || isTaken || deposit?.refunded?.final === true
}

function isProvenLost(payout: LegObservation | null): boolean {
  return payout?.agreed === true && payout.refunded?.final === true
}

/**
 * After a told secret the deposit is the solver's unless the payout is proven to be back with the
 * solver, as for the daemon. A destination that cannot be read proves nothing, for ever perhaps:
 * the solver then had all of the deposit's lock and a tenth more, and the refund goes out.
 */
function decideRefund(data: OrderData, secret: string | null, seen: Seen): TowerStep {
  const { payout, deposit } = seen
  const { timelock } = mustExist(data.deposit, "the verified deposit")
  if (deposit === null) return wait("tower.unproven", "The tower cannot read the deposit's chain")
  const { refundableAt, height } = deposit
  if (deposit.redeemed !== null)
    return wait(
      "tower.deposit_taken",
      "The deposit is redeemed, and no payout is open: only the daemon's alarms remain",
    )
  if (deposit.refunded !== null)
    return wait(
      "tower.settling",
      "A block shows the deposit's refund; the tower waits until it is final",
    )
  if (secret !== null && payout !== null && !isProvenLost(payout))
    return wait(
      "tower.unproven",
      "The secret is told, and the tower's nodes do not prove that the payout is lost",
    )
  if (deposit.initiated === null || refundableAt === null)
    return wait("tower.unproven", "The tower's nodes do not show the deposit")
  const patience = secret !== null && payout === null ? 10n : REFUND_PARTS
  if ((height - refundableAt) * patience < timelock)
    return wait(
      "tower.not_due",
      "The deposit is locked, or the daemon still has time to refund it",
      {
        height,
        refundableAt,
      },
    )
  return { act: "refund" }
}

function wait(
  code: string,
  message: string,
  numbers: Readonly<Record<string, bigint>> = {},
): TowerStep {
  const texts = Object.entries(numbers).map(([name, value]) => [name, value.toString()])
  return { act: "wait", reason: { ...Object.fromEntries(texts), code, message } }
}
