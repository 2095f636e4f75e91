import { type Address, getAddress, type Hex } from "viem"
import type { LegQuery } from "#ports/chain.ts"
import { deriveOrderIds, encodeOrders, readAddress, type Terms } from "../htlc.ts"
import { isReverted } from "../nodes/post-rpc.ts"
import type { At } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import type { DerivedId } from "./known-ids.ts"

/**
 * An order as the contract stores it. Contracts never delete one: the audited source of version 3
 * and the published older ones only mark it as fulfilled, so an empty entry at a block means that
 * there was no such order at any block before.
 */
export type StoredOrder = {
  readonly initiator: Address
  readonly redeemer: Address
  readonly initiatedAt: bigint
  readonly timelock: bigint
  readonly units: bigint
  readonly isFulfilled: boolean
}

/**
 * `empty`: the contract has no order of this id. `unreadable`: the contract has no
 * `orders(bytes32)`, or another form of it.
 */
export type OrderEntry = StoredOrder | "empty" | "unreadable"

const WORDS = /^0x(?:[0-9a-f]{64}){6}$/i

/**
 * Reads one order at the block of the read. A reverting call is an answer: the contract has no such
 * view.
 */
export async function readOrder(
  { client, height }: Pick<At, "client" | "height">,
  htlc: Address,
  orderId: Hex,
): Promise<OrderEntry> {
  const data = encodeOrders(orderId)
  try {
    const answer = await client.call({ to: htlc, data, blockNumber: height })
    return decodeOrder(answer.data ?? "0x")
  } catch (error) {
    if (isReverted(error)) return "unreadable"
    throw error
  }
}

/**
 * Versions 1 and 2 store `(isFulfilled, initiator, redeemer, initiatedAt, timelock,
 * amount)`, version 3 `(initiator, redeemer, initiatedAt, timelock, amount, fulfilledAt)`. The
 * first word tells them apart: it is a truth value or an address.
 */
export function decodeOrder(data: Hex): OrderEntry {
  if (!WORDS.test(data)) return "unreadable"
  const words = Array.from({ length: 6 }, (_, index) =>
    BigInt(`0x${data.slice(2 + 64 * index, 66 + 64 * index)}`),
  )
  if (words.every((word) => word === 0n)) return "empty"
  const [first = 0n, ...rest] = words
  const isOlder = first <= 1n
  const [initiator = 0n, redeemer = 0n, initiatedAt = 0n, timelock = 0n, units = 0n] = isOlder
    ? rest
    : words
  const isFulfilled = isOlder ? first === 1n : (words[5] ?? 0n) !== 0n
  const parties = [toAddress(initiator), toAddress(redeemer)] as const
  if (parties[0] === null || parties[1] === null) return "unreadable"
  return { initiator: parties[0], redeemer: parties[1], initiatedAt, timelock, units, isFulfilled }
}

function toAddress(word: bigint): Address | null {
  return word >> 160n === 0n ? getAddress(`0x${word.toString(16).padStart(40, "0")}`) : null
}

/**
 * The leg's terms as the order shows them; `null` where one is unknown, so that no id follows.
 * Pure.
 */
function termsOfLeg(query: LegQuery): (Terms & { readonly initiator: Address }) | null {
  const { side, owner, secretHash, timelock, units } = query
  const initiator = readAddress(query.initiator ?? (side === "source" ? owner : ""))
  const redeemer = readAddress(side === "destination" ? owner : (query.redeemer ?? ""))
  if (initiator === null || redeemer === null || timelock === null) return null
  return { initiator, redeemer, timelock, units, secretHash }
}

/**
 * The ids of every contract version, the newest first. No word of the service is among them. Pure.
 */
export function deriveIds(
  { chainId }: Pick<Wallet, "chainId">,
  htlcs: readonly Address[],
  query: LegQuery,
): readonly DerivedId[] {
  const terms = termsOfLeg(query)
  if (terms === null) return []
  return htlcs.flatMap((htlc) => {
    const ids = deriveOrderIds(terms, { chainId, htlc })
    return (["v3", "v2", "v1"] as const).map((version) => ({
      htlc,
      orderId: ids[version],
      version,
    }))
  })
}

/**
 * Does the stored order have the leg's terms? The id of version 1 hashes the initiator only, so the
 * stored terms decide there.
 */
export function hasTerms(order: StoredOrder, query: LegQuery): boolean {
  const terms = termsOfLeg(query)
  if (terms === null) return false
  return (
    order.initiator === terms.initiator &&
    order.redeemer === terms.redeemer &&
    order.timelock === terms.timelock &&
    order.units === terms.units
  )
}
