import { UNIT_FIAT } from "../configuration.ts"
import { type Means, PRICES, PURSE } from "./prices.ts"

/**
 * The adversary's money: one purse for each order, and nothing else. Amounts in fiat millionths.
 */
export type Purse = {
  /**
   * Pays for `count` of the means out of the purse of this order; `false`, and nothing is paid,
   * where it lacks the money.
   */
  readonly pay: (order: PursedOrder, means: Means, count: bigint) => boolean
  /** How many of the means a share of the rest of this purse buys. */
  readonly afford: (order: PursedOrder, means: Means) => bigint
  /** Notes a means that costs nothing. */
  readonly note: (means: Means) => void
  readonly spent: () => ReadonlyMap<Means, Spent>
}

export type PursedOrder = { readonly orderId: string; readonly sourceUnits: bigint }

/** `times`: how often the means was used. */
export type Spent = { readonly times: number; readonly fiat: bigint }

export function createPurse(): Purse {
  const left = new Map<string, bigint>()
  const spent = new Map<Means, Spent>()
  const leftOf = ({ orderId, sourceUnits }: PursedOrder): bigint =>
    left.get(orderId) ?? sourceUnits * UNIT_FIAT * PURSE
  const note = (means: Means, fiat = 0n): void => {
    const known = spent.get(means)
    spent.set(means, { times: (known?.times ?? 0) + 1, fiat: (known?.fiat ?? 0n) + fiat })
  }
  return {
    pay: (order, means, count) => {
      const fiat = PRICES[means].each * count
      if (fiat > leftOf(order)) return false
      left.set(order.orderId, leftOf(order) - fiat)
      note(means, fiat)
      return true
    },
    afford: (order, means) => {
      const { each } = PRICES[means]
      return each === 0n ? 0n : leftOf(order) / each
    },
    note,
    spent: () => spent,
  }
}
