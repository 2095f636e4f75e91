import { chainOf } from "#domain/asset.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { legName, type Side } from "../adversary/floods.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

/**
 * A leg with money at stake that was unread for so long is an alarm. A slow node and a long turn
 * may take the rest.
 */
const LOUD_AFTER_MS = 60_000
const SLACK_MS = 45_000

/**
 * A blinded leg with money at stake is noticed: its order has an alarm, and no deposit of the same
 * pair begins.
 */
export function checkUnreadLegs(truth: GroundTruth): Checker {
  const { world, adversary, recorder, isAble, rowOf, sourceOf, destinationOf } = truth
  if (adversary === null) return {}
  const { clock, journal, service } = world

  function isAtStake(order: FakeOrder, side: Side): boolean {
    const source = sourceOf(order)
    const payout = destinationOf(order)
    if (side === "source")
      return source?.payer === "wallet" && source.redeemed === null && source.refunded === null
    const isTold = service.reveals.some(({ orderId }) => orderId === order.orderId)
    return isTold && payout !== undefined && payout.redeemed === null && payout.refunded === null
  }

  /** The unread legs of an order that have been so for this long. */
  function listUnread(order: FakeOrder, forMs: number): readonly Side[] {
    const sides = ["source", "destination"] as const
    return sides.filter((side) => {
      const chain = chainOf(side === "source" ? order.from : order.to)
      const sinceMs = adversary?.unreadSinceMs.get(legName(chain, side, order.secretHash))
      return sinceMs !== undefined && clock.now() - sinceMs > forMs && isAtStake(order, side)
    })
  }

  function checkLoud(): Violation[] {
    if (adversary?.unreadSinceMs.size === 0 || !isAble()) return []
    const unread = service.orders.flatMap((order) => {
      const row = rowOf(order)
      const sides = row === undefined ? [] : listUnread(order, LOUD_AFTER_MS + SLACK_MS)
      return sides.map((side) => ({ id: row?.id, side }))
    })
    // Alarms are read only where one is due, because each reading decodes all of them.
    const alarmed = unread.length === 0 ? new Set() : listAlarmed()
    return unread
      .filter(({ id }) => !alarmed.has(id))
      .map(({ id, side }) =>
        violation(
          "an unread leg is loud",
          `${id} cannot read its ${side} leg, and no alarm says so`,
        ),
      )
  }

  function listAlarmed(): ReadonlySet<unknown> {
    const alerts = journal.listAlerts(100_000).filter(({ reason }) => reason.code === CODE)
    return new Set(alerts.map(({ orderId }) => orderId))
  }

  function checkPair(orderId: string): Violation[] {
    const opened = recorder.opened.get(orderId)
    const blind = service.orders.flatMap((order) => {
      const row = rowOf(order)
      // An order that a death kept from the journal shares its legs with the one after it.
      const isOther = row !== undefined && row.id !== orderId
      const isOfPair = order.from === opened?.from && order.to === opened.to
      const isUnread = listUnread(order, LOUD_AFTER_MS + SLACK_MS).length > 0
      return isOther && isOfPair && isUnread ? [row.id] : []
    })
    return blind.map((id) =>
      violation(
        "no deposit beside an unread leg",
        `${orderId} deposits, and ${id} of its pair is unread`,
      ),
    )
  }

  return { afterTurn: checkLoud, onDeposit: (orderId) => checkPair(orderId) }
}

const CODE = "alarm.leg_unreadable"
