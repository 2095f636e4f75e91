import { z } from "zod"
import { feltSchema, joinU256 } from "../felt.ts"
import { SELECTORS } from "../htlc.ts"
import { type BlockReader, callIfThere } from "../nodes/read-chain.ts"

/** An order in the contract's storage. */
export type StoredOrder = {
  readonly isFulfilled: boolean
  readonly initiator: bigint
  readonly redeemer: bigint
  readonly timelock: bigint
  readonly units: bigint
}

/**
 * Reads `get_order`: `null` if the contract has no order of this id, `unreadable` if it has no such
 * view, or one with another number of fields. The fields are `fulfilled_at, initiator, redeemer,
 * initiated_at, timelock, amount` (published client's ABI).
 */
export async function fetchOrder(
  view: BlockReader,
  htlc: bigint,
  orderId: bigint,
): Promise<StoredOrder | null | "unreadable"> {
  const felts = await callIfThere(view, htlc, SELECTORS.getOrder, [orderId], z.array(feltSchema))
  const [fulfilledAt, initiator, redeemer, , timelock, low, high, ...more] = felts ?? []
  const units = joinU256(low, high)
  if (
    initiator === undefined ||
    redeemer === undefined ||
    timelock === undefined ||
    units === null ||
    more.length > 0
  )
    return "unreadable"
  return redeemer === 0n
    ? null
    : { isFulfilled: fulfilledAt !== 0n, initiator, redeemer, timelock, units }
}
