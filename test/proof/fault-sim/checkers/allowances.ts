import { type ChainId, chainOf } from "#domain/asset.ts"
import { isFinal } from "#order/states.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"
import { CHAIN_FAMILIES } from "../infrastructure.ts"
import type { Signature } from "../signature-recorder.ts"
import { isBurnOrder } from "./burns.ts"

/**
 * States in which an order has set an allowance, or is about to, and its deposit is not on chain
 * yet.
 */
const NEEDS_ALLOWANCE = /^(approve-|gasless-|deposit-)/

const FUNDED = ["funded", "settling", "redeem-reported", "refund-watch"]

/** States that wait for a deposit which the service takes only until its deadline. */
const WAITS_FOR_DEPOSIT = /^(verifying|allowing|deposit-planning|gasless-.*)$/
/** With no faults, such a state ends within this time after the deadline. */
const LONGEST_MS = 20 * 60_000

/**
 * An allowance belongs to one order at a time, a deadline ends the wait for its deposit, and in the
 * end none is left, except for orders that wait for an operator. On Starknet a deposit carries its
 * own approval.
 */
export function checkAllowances(truth: GroundTruth): Checker {
  const { world, recorder, schedule, trustsRows, ledgerOf, hasLanded, rowOf, orderOf } = truth
  /**
   * A deposit that landed released the lock. A reorganisation may remove it after another order
   * took the lock.
   */
  const released = new Set<string>()
  /** By chain: the newest block of the last look. */
  const looked = new Map<ChainId, number>()
  /** The height of its source chain when each order ended. */
  const endedAt = new Map<string, number>()

  function checkDeadlines(): Violation[] {
    const nowMs = world.clock.now()
    const isOver = (deadlineMs: number): boolean =>
      nowMs - Math.max(deadlineMs, schedule.quietSinceMs()) > LONGEST_MS
    if (schedule.quietSinceMs() === Number.NEGATIVE_INFINITY) return []
    return world.service.orders.flatMap((order) => {
      const row = order.deadlineMs !== null && isOver(order.deadlineMs) ? rowOf(order) : undefined
      if (row === undefined || !WAITS_FOR_DEPOSIT.test(row.state)) return []
      return [
        violation("a deadline ends the wait", `${row.id} is ${row.state} long after its deadline`),
      ]
    })
  }

  function checkLateness({ orderId, purpose, attempt, registeredMs }: Signature): Violation[] {
    if (purpose !== "deposit" || attempt > 0) return []
    const order = orderOf(orderId)
    if (order === undefined || order.deadlineMs === null || registeredMs <= order.deadlineMs)
      return []
    return [
      violation(
        "no deposit after its deadline",
        `${orderId} deposits ${registeredMs - order.deadlineMs} ms too late`,
      ),
    ]
  }

  /** A deposit that was signed together with its approval has the nonce right after it. */
  function checkPair(signature: Signature): Violation[] {
    const { orderId, purpose } = signature
    const row = recorder.rows.get(orderId)
    if (purpose !== "deposit" || CHAIN_FAMILIES.get(signature.chain) !== "evm" || row === undefined)
      return []
    const approvals = recorder.signatures.filter(
      (one) => one.orderId === orderId && one.purpose === "approve",
    )
    if (approvals.length === 0 || approvals.some(hasLanded)) return []
    if (approvals.some((one) => nonceOf(one) === nonceOf(signature) - 1)) return []
    const text =
      `${orderId} deposits with nonce ${nonceOf(signature)}, and its approval has ` +
      `${approvals.map(nonceOf).join()}`
    return [violation("an approval comes right before its deposit", text)]
  }

  function findOwner(approval: Signature): string | null {
    const { orderId } = approval
    const own = recorder.rows.get(orderId)
    if (own === undefined) return null
    // A burn allows another contract than a deposit into an HTLC does.
    const others = [...recorder.rows.values()].filter(
      (row) =>
        row.id !== orderId &&
        row.from === own.from &&
        isBurnOrder(row) === isBurnOrder(own) &&
        !released.has(row.id),
    )
    const owner = others.find(({ id, state }) => {
      const signed = recorder.signatures.filter((one) => one.orderId === id)
      // An approval with a higher nonce lands after this one, which replaces nothing of it.
      const isSet = signed.some(
        (one) => one.purpose === "approve" && hasLanded(one) && nonceOf(one) < nonceOf(approval),
      )
      const isUsed = signed.some((one) => one.purpose !== "approve" && hasLanded(one))
      const isRelayed = signed.length > 0 && isFunded(id)
      // Its deposit has a lower nonce, so it comes before this approval.
      const isBefore = signed.some(
        (one) => one.purpose === "deposit" && nonceOf(one) < nonceOf(approval),
      )
      return NEEDS_ALLOWANCE.test(state) && isSet && !isUsed && !isRelayed && !isBefore
    })
    return owner?.id ?? null
  }

  function isFunded(orderId: string): boolean {
    const row = recorder.rows.get(orderId)
    if (row === undefined) return false
    const swaps = ledgerOf(chainOf(row.from)).state().swaps.values()
    return [...swaps].some(
      ({ secretHash, payer }) => payer === "wallet" && secretHash === row.secretHash,
    )
  }

  /**
   * Each block since the last look: what is allowed belongs to verified deposits of orders that
   * have not ended.
   */
  function checkBlocks(): Violation[] {
    return [...world.ledgers].flatMap(([chain, ledger]) => {
      if (CHAIN_FAMILIES.get(chain) !== "evm") return []
      const { states } = ledger.branch()
      const from = Math.min(looked.get(chain) ?? 0, states.length - 1)
      looked.set(chain, states.length - 1)
      return states
        .slice(from)
        .flatMap(({ allowances }, index) =>
          [...allowances].flatMap((allowed) => checkAllowed(allowed, from + index)),
        )
    })
  }

  /** An order that ended at a later block was under way at this one. */
  function checkAllowed([name, units]: readonly [string, bigint], height: number): Violation[] {
    if (units === 0n) return []
    const asset = name.slice(0, name.lastIndexOf("/"))
    const underWay = [...recorder.rows.values()]
      .filter(({ from, secretHash }) => from === asset && secretHash !== null)
      .filter(({ id, state }) => !isFinal(state) || (endedAt.get(id) ?? -1) >= height)
      .reduce((sum, { sourceUnits }) => sum + sourceUnits, 0n)
    if (units <= underWay) return []
    const text = `${units} of ${name} are allowed, and deposits of ${underWay} are under way`
    return [violation("an allowance is under way", text)]
  }

  return {
    onCommit: (_, { order }) => {
      if (FUNDED.includes(order.state)) released.add(order.id)
      if (isFinal(order.state))
        endedAt.set(order.id, Number(ledgerOf(chainOf(order.from)).height()))
      return []
    },
    onSignature: (signature): Violation[] => {
      const wrong = [...checkLateness(signature), ...checkPair(signature)]
      if (wrong.length > 0) return wrong
      if (
        signature.purpose !== "approve" ||
        !trustsRows ||
        CHAIN_FAMILIES.get(signature.chain) !== "evm"
      )
        return []
      const owner = findOwner(signature)
      return owner === null
        ? []
        : [
            violation(
              "an allowance has one owner",
              `${signature.orderId} replaces the allowance of ${owner}`,
            ),
          ]
    },
    afterTurn: () => [...checkDeadlines(), ...checkBlocks()],
    atEnd: () =>
      [...world.ledgers.values()].flatMap((ledger) =>
        [...ledger.state().allowances].flatMap(([name, units]) => {
          const asset = name.slice(0, name.lastIndexOf("/"))
          const waits = [...recorder.rows.values()].some(
            ({ from, state }) => from === asset && (isResting(state) || !isFinal(state)),
          )
          return units === 0n || waits
            ? []
            : [violation("no allowance left", `${units} of ${name} are still allowed`)]
        }),
      ),
  }
}

function nonceOf({ resources }: Signature): number {
  return Number(resources[0]?.replace(/^nonce:/, ""))
}
