import { chainOf } from "#domain/asset.ts"
import { isFinal } from "#order/states.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"
import { CHAIN_FAMILIES } from "../infrastructure.ts"
import type { Signature } from "../signature-recorder.ts"

/** States in which an order has set an allowance, or is about to, and its deposit is not on chain yet. */
const NEEDS_ALLOWANCE = /^(approve-|gasless-|deposit-)/

const FUNDED = ["funded", "settling", "redeem-reported", "refund-watch"]

/** States that wait for a deposit which the service takes only until its deadline. */
const WAITS_FOR_DEPOSIT = /^(verifying|allowing|deposit-planning|gasless-.*)$/
/** With no faults, such a state ends within this time after the deadline. */
const LONGEST_MS = 20 * 60_000

/**
 * An allowance belongs to one order at a time, a deadline ends the wait for its deposit, and in the end none is left, except for orders that wait for an operator. On Starknet a
 * deposit carries its own approval.
 */
export function checkAllowances(truth: GroundTruth): Checker {
  const { world, recorder, schedule, trustsRows, ledgerOf, hasLanded, rowOf } = truth
  /** A deposit that landed released the lock. A reorganisation may remove it after another order took the lock. */
  const released = new Set<string>()

  function checkDeadlines(): Violation[] {
    const nowMs = world.clock.now()
    const isOver = (deadlineMs: number): boolean => nowMs - Math.max(deadlineMs, schedule.quietSinceMs()) > LONGEST_MS
    if (schedule.quietSinceMs() === Number.NEGATIVE_INFINITY) return []
    return world.service.orders.flatMap((order) => {
      const row = order.deadlineMs !== null && isOver(order.deadlineMs) ? rowOf(order) : undefined
      if (row === undefined || !WAITS_FOR_DEPOSIT.test(row.state)) return []
      return [violation("a deadline ends the wait", `${row.id} is ${row.state} long after its deadline`)]
    })
  }

  function checkLateness({ orderId, purpose, attempt, registeredMs }: Signature): Violation[] {
    if (purpose !== "deposit" || attempt > 0) return []
    const order = world.service.orders.find((one) => rowOf(one)?.id === orderId)
    if (order === undefined || order.deadlineMs === null || registeredMs <= order.deadlineMs) return []
    return [
      violation("no deposit after its deadline", `${orderId} deposits ${registeredMs - order.deadlineMs} ms too late`),
    ]
  }

  function findOwner({ orderId }: Signature): string | null {
    const from = recorder.rows.get(orderId)?.from
    const others = [...recorder.rows.values()].filter(
      (row) => row.id !== orderId && row.from === from && !released.has(row.id),
    )
    const owner = others.find(({ id, state }) => {
      const own = recorder.signatures.filter((one) => one.orderId === id)
      const isSet = own.some((one) => one.purpose === "approve" && hasLanded(one))
      const isUsed = own.some((one) => one.purpose !== "approve" && hasLanded(one))
      const isRelayed = own.length > 0 && isFunded(id)
      return NEEDS_ALLOWANCE.test(state) && isSet && !isUsed && !isRelayed
    })
    return owner?.id ?? null
  }

  function isFunded(orderId: string): boolean {
    const row = recorder.rows.get(orderId)
    if (row === undefined) return false
    const swaps = ledgerOf(chainOf(row.from)).state().swaps.values()
    return [...swaps].some(({ secretHash, payer }) => payer === "wallet" && secretHash === row.secretHash)
  }

  return {
    onCommit: (_, { order }) => {
      if (FUNDED.includes(order.state)) released.add(order.id)
      return []
    },
    onSignature: (signature): Violation[] => {
      const late = checkLateness(signature)
      if (late.length > 0) return late
      if (signature.purpose !== "approve" || !trustsRows || CHAIN_FAMILIES.get(signature.chain) !== "evm") return []
      const owner = findOwner(signature)
      return owner === null
        ? []
        : [violation("an allowance has one owner", `${signature.orderId} replaces the allowance of ${owner}`)]
    },
    afterTurn: checkDeadlines,
    atEnd: () =>
      [...world.ledgers.values()].flatMap((ledger) =>
        [...ledger.state().allowances].flatMap(([name, units]) => {
          const asset = name.slice(0, -HTLC.length - 1)
          const waits = [...recorder.rows.values()].some(
            ({ from, state }) => from === asset && (isResting(state) || !isFinal(state)),
          )
          return units === 0n || waits ? [] : [violation("no allowance left", `${units} of ${name} are still allowed`)]
        }),
      ),
  }
}
