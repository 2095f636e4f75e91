import { createHash } from "node:crypto"
import { type Calldata, type Contract, defineContract, type Frame, splitU256 } from "./contract.ts"
import { encodeShortString, poseidon, selectorOf } from "./felt.ts"
import { require } from "./revert.ts"
import { slotOf } from "./storage.ts"
import { hashInitiate, type InitiateMessage } from "./typed-data.ts"

/**
 * The HTLC of `contracts/htlc.cairo` with the same entry points, refusals and events.
 *
 * Events: `Initiated` keys `[selector, order_id]`, data `[8 words of the secret hash, amount.low, amount.high]` · `Redeemed` keys
 * `[selector, order_id]`, data `[8 words of the secret hash, 8, 8 words of the secret]` · `Refunded` keys `[selector, order_id]`.
 * The deployed v1 and v2 contracts have the same layout (public contract source, 2025).
 */
export function defineHtlc(token: bigint): Contract {
  return defineContract(encodeShortString("local htlc"), {
    token: () => [token],
    get_order: getOrder,
    initiate: (frame, input) => {
      const message = readInitiate(input)
      input.end()
      return lock(frame, token, frame.caller, message)
    },
    initiate_with_signature: (frame, input) => initiateWithSignature(frame, input, token),
    redeem: (frame, input) => redeem(frame, input, token),
    refund: (frame, input) => refund(frame, input, token),
  })
}

/** `swap_id` on the wire and `order_id` in the contract (field notes, Starknet). */
export function deriveOrderId(chainId: bigint, initiator: bigint, message: InitiateMessage): bigint {
  const { redeemer, timelock, units, words } = message
  return poseidon([chainId, initiator, redeemer, timelock, ...splitU256(units), ...words])
}

/** Splits 32 bytes in hex into eight big-endian u32 words. */
export function toWords(hex: string): bigint[] {
  return Array.from({ length: 8 }, (_, index) => BigInt(`0x${hex.slice(index * 8, index * 8 + 8)}`))
}

export function fromWords(words: readonly bigint[]): string {
  return words.map((word) => word.toString(16).padStart(8, "0")).join("")
}

const FIELDS = ["fulfilled_at", "initiator", "redeemer", "initiated_at", "timelock", "amount"] as const
type Field = (typeof FIELDS)[number]
type Order = Record<Field, bigint>

function readOrder({ self, storage }: Frame, orderId: bigint): Order {
  const read = (field: Field): bigint => storage.read(slotOf(self, field, orderId))
  return {
    fulfilled_at: read("fulfilled_at"),
    initiator: read("initiator"),
    redeemer: read("redeemer"),
    initiated_at: read("initiated_at"),
    timelock: read("timelock"),
    amount: read("amount"),
  }
}

function writeOrder({ self, storage }: Frame, orderId: bigint, order: Order): void {
  for (const field of FIELDS) storage.write(slotOf(self, field, orderId), order[field])
}

function getOrder(frame: Frame, input: Calldata): bigint[] {
  const order = readOrder(frame, input.felt())
  input.end()
  const { fulfilled_at, initiator, redeemer, initiated_at, timelock, amount } = order
  return [fulfilled_at, initiator, redeemer, initiated_at, timelock, ...splitU256(amount)]
}

function readInitiate(input: Calldata): InitiateMessage {
  return { redeemer: input.address(), timelock: input.u128(), units: input.u256(), words: input.words(8) }
}

function initiateWithSignature(frame: Frame, input: Calldata, token: bigint): bigint[] {
  const initiator = input.address()
  const message = readInitiate(input)
  const signature = input.array()
  input.end()
  const hash = hashInitiate(message, frame.chainId, initiator)
  const [valid] = frame.call(initiator, selectorOf("is_valid_signature"), [
    hash,
    BigInt(signature.length),
    ...signature,
  ])
  require(valid === encodeShortString("VALID"), "HTLC: invalid signature of the initiator")
  return lock(frame, token, initiator, message)
}

function lock(frame: Frame, token: bigint, initiator: bigint, message: InitiateMessage): bigint[] {
  const { redeemer, timelock, units, words } = message
  require(redeemer !== 0n, "HTLC: zero redeemer")
  require(timelock > 0n, "HTLC: zero timelock")
  require(units > 0n, "HTLC: zero amount")
  require(initiator !== redeemer, "HTLC: initiator is the redeemer")
  const orderId = deriveOrderId(frame.chainId, initiator, message)
  require(readOrder(frame, orderId).redeemer === 0n, "HTLC: duplicate order")
  const initiatedAt = BigInt(frame.blockNumber)
  writeOrder(frame, orderId, {
    fulfilled_at: 0n,
    initiator,
    redeemer,
    initiated_at: initiatedAt,
    timelock,
    amount: units,
  })
  frame.call(token, selectorOf("transfer_from"), [initiator, frame.self, ...splitU256(units)])
  frame.emit([selectorOf("Initiated"), orderId], [...words, ...splitU256(units)])
  return []
}

/** `secret` is an `Array<u32>` of eight words. The contract does not store the secret hash, because the order id commits to it. */
function redeem(frame: Frame, input: Calldata, token: bigint): bigint[] {
  const orderId = input.felt()
  const secret = input.array(input.u32)
  input.end()
  const order = requireOpen(frame, orderId)
  const bytes = Buffer.from(fromWords(secret), "hex")
  const words = toWords(createHash("sha256").update(bytes).digest("hex"))
  const { initiator, redeemer, timelock, amount } = order
  const derived = deriveOrderId(frame.chainId, initiator, { redeemer, timelock, units: amount, words })
  require(derived === orderId, "HTLC: wrong secret")
  pay(frame, token, orderId, order, redeemer)
  frame.emit([selectorOf("Redeemed"), orderId], [...words, BigInt(secret.length), ...secret])
  return []
}

function refund(frame: Frame, input: Calldata, token: bigint): bigint[] {
  const orderId = input.felt()
  input.end()
  const order = requireOpen(frame, orderId)
  require(order.initiated_at + order.timelock < BigInt(frame.blockNumber), "HTLC: order not expired")
  pay(frame, token, orderId, order, order.initiator)
  frame.emit([selectorOf("Refunded"), orderId], [])
  return []
}

function requireOpen(frame: Frame, orderId: bigint): Order {
  const order = readOrder(frame, orderId)
  require(order.redeemer !== 0n, "HTLC: order not initiated")
  require(order.fulfilled_at === 0n, "HTLC: order already fulfilled")
  return order
}

function pay(frame: Frame, token: bigint, orderId: bigint, order: Order, to: bigint): void {
  writeOrder(frame, orderId, { ...order, fulfilled_at: BigInt(frame.blockNumber) })
  frame.call(token, selectorOf("transfer"), [to, ...splitU256(order.amount)])
}
