import { mustExist } from "#lib/assert.ts"
import type { LocalSwap, ObservedTransaction, SwapObservation } from "../local-chain.ts"
import { type Devnet, heightOf, type LocatedEvent, listEvents } from "./devnet.ts"
import { parseFelt, selectorOf } from "./felt.ts"
import { fromWords, type HtlcVariant, joinHash } from "./htlc-variant.ts"
import { slotOf } from "./storage.ts"

/**
 * Observes a swap by the events of its HTLC. It prefers the exact order. Otherwise it reports an
 * initiation by the same initiator with the same secret hash but other terms unchanged, so that the
 * service can judge it.
 */
export function observeSwap(
  devnet: Devnet,
  swap: LocalSwap,
  variant: HtlcVariant,
): SwapObservation {
  const htlc = parseFelt(mustExist(swap.extra["htlc"], "htlc"))
  const events = listEvents(devnet, 0, heightOf(devnet)).filter((event) => event.from === htlc)
  const ofOrder = (names: readonly string[], orderId: bigint): LocatedEvent | undefined =>
    events.find((event) => isNamed(event, names) && event.keys[1] === orderId)
  const exact = ofOrder(INITIATIONS, parseFelt(`0x${swap.swapId}`))
  const initiated = exact ?? events.find((event) => isInitiatedBy(devnet, event, swap, variant))
  const orderId = initiated?.keys[1]
  if (!initiated || orderId === undefined)
    return { initiated: null, redeemed: null, refunded: null }
  const redeemed = ofOrder(["Redeemed"], orderId)
  const refunded = ofOrder(["Refunded"], orderId)
  const [low = 0n, high = 0n] = initiated.data.slice(256 / variant.hashPartBits)
  return {
    initiated: { ...observedTransaction(devnet, initiated), filledUnits: low + (high << 128n) },
    redeemed: redeemed
      ? { ...observedTransaction(devnet, redeemed), secret: fromWords(redeemed.data.slice(-8)) }
      : null,
    refunded: refunded ? observedTransaction(devnet, refunded) : null,
  }
}

const INITIATIONS = ["Initiated", "InitiatedWithDestinationData"]

function isNamed({ keys }: LocatedEvent, names: readonly string[]): boolean {
  return names.some((name) => keys[0] === selectorOf(name))
}

function isInitiatedBy(
  devnet: Devnet,
  event: LocatedEvent,
  swap: LocalSwap,
  variant: HtlcVariant,
): boolean {
  const { from, keys, data } = event
  const hash = joinHash(variant, data.slice(0, 256 / variant.hashPartBits))
  if (!isNamed(event, INITIATIONS) || hash !== swap.secretHash) return false
  return devnet.storage.read(slotOf(from, "initiator", keys[1] ?? 0n)) === parseFelt(swap.initiator)
}

function observedTransaction(devnet: Devnet, { tx }: LocatedEvent): ObservedTransaction {
  const block = mustExist(devnet.state.blocks[tx.blockNumber], "block")
  return {
    txHash: tx.hash,
    blockNumber: BigInt(tx.blockNumber),
    confirmations: heightOf(devnet) - tx.blockNumber + 1,
    timestampMs: block.timestamp * 1_000,
  }
}
