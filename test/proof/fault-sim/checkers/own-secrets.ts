import { chainOf } from "#domain/asset.ts"
import type { SwapState } from "../../../support/fake-ledger.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import type { Signature } from "../signature-recorder.ts"

/** Blocks of a lock: those in which Ballast could act, all of them, and the height until which. */
type Chance = { readonly able: bigint; readonly whole: bigint; readonly height: bigint }

/** Faults that keep a redemption from its block, or its block from us, whatever Ballast does. */
const CENSORS = ["mempool dropped", "node unreadable", "endpoint dead"] as const

/**
 * Our own secret leaves the process only for a payout that the ledger holds, with the terms of the
 * order, and never beside a refund. So service and solver take no deposit without a payout, unless
 * Ballast could not act for most of the payout's lock, or the network drops its redemption.
 */
export function checkOwnSecrets({
  world,
  profile,
  recorder,
  rowOf,
  orderOf,
  sourceOf,
  destinationOf,
  ledgerOf,
  isAble,
  adversary,
}: GroundTruth): Checker {
  if (!profile.hasOwnSecrets) return {}
  const told = new Set<string>()
  /** The sources that were redeemed before this turn. */
  const shown = new Set<string>()
  const chances = new Map<string, Chance>()
  const isCensored = CENSORS.some((kind) => profile.enabled.has(kind))
  let judged = 0

  function judgeReveal(order: FakeOrder, how: string): Violation[] {
    const id = rowOf(order)?.id ?? order.orderId
    const payout = destinationOf(order)
    const isLate = payout !== undefined && how === "to the service" && isToldLate(order, payout)
    told.add(id)
    const isRight =
      payout !== undefined &&
      payout.units === order.destinationUnits &&
      payout.timelock === order.destinationTimelock &&
      payout.redeemer === undefined &&
      payout.refunded === null
    const wasRefunded = recorder.signatures.some(
      ({ orderId, purpose }) => orderId === id && purpose === "refund",
    )
    return [
      ...(isLate
        ? [
            violation(
              "a secret is told in time",
              `${id} told its secret with most of the lock over`,
            ),
          ]
        : []),
      ...(isRight
        ? []
        : [
            violation(
              "a secret needs a payout",
              `${id} told its secret (${how}) without its payout`,
            ),
          ]),
      ...(wasRefunded
        ? [violation("no secret beside a refund", `${id} told its secret (${how}) after a refund`)]
        : []),
    ]
  }

  /** The proof of the payout is some blocks older than the telling. */
  function isToldLate(order: FakeOrder, { initiated, timelock }: SwapState): boolean {
    const passed = ledgerOf(chainOf(order.to)).height() - initiated.height
    return (
      !shown.has(order.orderId) &&
      !told.has(rowOf(order)?.id ?? order.orderId) &&
      passed * 20n > timelock * 13n
    )
  }

  function judgeSignature({ orderId, call }: Signature): Violation[] {
    const order = orderOf(orderId)
    if (order === undefined) return []
    if (call === "redeem" && !told.has(orderId)) return judgeReveal(order, "in a redemption")
    if (call !== "refund" || !told.has(orderId)) return []
    const isLost = destinationOf(order)?.refunded != null
    return isLost
      ? []
      : [
          violation(
            "no refund beside a secret",
            `${orderId} signed a refund after its secret was told`,
          ),
        ]
  }

  /**
   * Secrets that the service received since the last check. The turn is short, so the ledgers are
   * as they were, or one block further.
   */
  function judgeTold(): Violation[] {
    const fresh = world.service.reveals.slice(judged)
    judged = world.service.reveals.length
    return fresh.flatMap(({ orderId }) => {
      const order = world.service.orders.find((one) => one.orderId === orderId)
      return order === undefined ? [] : judgeReveal(order, "to the service")
    })
  }

  /**
   * Counts for how many blocks of the payout's lock Ballast could act. Milliseconds would not do:
   * the lock ends by blocks, and a jump of the clock brings none.
   */
  function noteChances(): void {
    for (const order of world.service.orders) {
      const id = rowOf(order)?.id
      const payout = destinationOf(order)
      if (
        id === undefined ||
        !told.has(id) ||
        payout === undefined ||
        payout.redeemed ||
        payout.refunded
      )
        continue
      const height = ledgerOf(chainOf(order.to)).height()
      const { able, whole, height: last } = chances.get(id) ?? chanceOf(payout, height)
      const passed = height > last ? height - last : 0n
      chances.set(id, {
        able: able + (isAble() || adversary?.tower.guarded.has(id) === true ? passed : 0n),
        whole: whole + passed,
        height,
      })
    }
  }

  /** Until it told the secret, Ballast could act. */
  function chanceOf({ initiated }: SwapState, height: bigint): Chance {
    const passed = height - initiated.height
    return { able: passed, whole: passed, height }
  }

  function noteShown(): void {
    for (const order of world.service.orders)
      if (sourceOf(order)?.redeemed != null) shown.add(order.orderId)
  }

  function hadChance(id: string): boolean {
    const { able, whole } = chances.get(id) ?? { able: 1n, whole: 1n }
    return !isCensored && able * 4n >= whole * 3n
  }

  /** The state of our redemption, for the reader of a violation. */
  function describeRedemption(order: FakeOrder): string {
    const ledger = ledgerOf(chainOf(order.to))
    const id = rowOf(order)?.id
    const own = recorder.signatures.filter(
      ({ orderId, call }) => orderId === id && call === "redeem",
    )
    const [last] = own.slice(-1)
    if (last === undefined) return "; no redemption was signed"
    const [resource = ""] = last.resources
    const next = ledger.state().nonce
    const isBehind = resource.startsWith("nonce:") && Number(resource.slice("nonce:".length)) > next
    return (
      "; its redemption pays " +
      `${last.feeUnits}${isBehind ? ` and waits behind nonce ${next}` : ""}`
    )
  }

  function checkTaken(): Violation[] {
    return world.service.orders.flatMap((order) => {
      const isTaken =
        order.isOwn === true &&
        sourceOf(order)?.redeemed != null &&
        destinationOf(order)?.redeemed == null
      const payout = destinationOf(order)
      const mayStillRedeem =
        payout !== undefined &&
        payout.refunded === null &&
        ledgerOf(chainOf(order.to)).height() < payout.initiated.height + payout.timelock
      return isTaken && !mayStillRedeem && hadChance(rowOf(order)?.id ?? "")
        ? [
            violation(
              "no deposit without a payout",
              `${rowOf(order)?.id} lost its deposit although it chose the ` +
                `secret${describeRedemption(order)}`,
            ),
          ]
        : []
    })
  }

  return {
    // A redemption may be signed in the turn in which the service got the secret.
    onSignature: (signature) => [...judgeTold(), ...judgeSignature(signature)],
    afterTurn: () => {
      const fresh = judgeTold()
      noteChances()
      const found = [...fresh, ...checkTaken()]
      noteShown()
      return found
    },
    atEnd: checkTaken,
  }
}
