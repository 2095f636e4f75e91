import { createHash } from "node:crypto"
import { hash } from "starknet"
import { joinU256, splitU256 } from "./felt.ts"

/** The terms of an `initiate` call. `timelock` in blocks; `secretHash` is lower-case hex, 32 bytes, no `0x`. */
export type InitiateTerms = {
  readonly redeemer: bigint
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: string
}

/** One call of a multicall. */
export type Call = { readonly to: bigint; readonly selector: bigint; readonly calldata: readonly bigint[] }

/** Selectors are the Starknet keccak of the names; an event has its selector as first key. */
export const SELECTORS = {
  initiate: selectorOf("initiate"),
  refund: selectorOf("refund"),
  approve: selectorOf("approve"),
  allowance: selectorOf("allowance"),
  balanceOfSnake: selectorOf("balance_of"),
  balanceOfCamel: selectorOf("balanceOf"),
  transferEvent: selectorOf("Transfer"),
  initiatedEvent: selectorOf("Initiated"),
  initiatedWithDataEvent: selectorOf("InitiatedWithDestinationData"),
  redeemedEvent: selectorOf("Redeemed"),
  refundedEvent: selectorOf("Refunded"),
} as const

/** Field notes, Starknet: `[redeemer, timelock, amount.low, amount.high, 8 × u32 words of the secret hash]`. */
export function encodeInitiate({ redeemer, timelock, units, secretHash }: InitiateTerms): readonly bigint[] {
  return [redeemer, timelock, ...splitU256(units), ...wordsOf(secretHash)]
}

/** The inverse of `encodeInitiate`; `null` unless there are exactly twelve felts, each within its type. */
export function decodeInitiate(calldata: readonly bigint[]): InitiateTerms | null {
  const [redeemer, timelock, low, high, ...words] = calldata
  const units = joinU256(low, high)
  if (calldata.length !== 12 || redeemer === undefined || timelock === undefined || units === null) return null
  if (timelock >= 2n ** 128n || words.some((word) => word >= 2n ** 32n)) return null
  return { redeemer, timelock, units, secretHash: joinWords(words) }
}

/**
 * `swap_id` on the wire and `order_id` in the contract: poseidon over chain id, initiator and the calldata (field
 * notes).
 */
export function deriveOrderId(chainId: bigint, initiator: bigint, terms: InitiateTerms): bigint {
  return BigInt(hash.computePoseidonHashOnElements([chainId, initiator, ...encodeInitiate(terms)]))
}

/** The calldata of an account's `__execute__(Array<Call>)`. */
export function encodeMulticall(calls: readonly Call[]): readonly bigint[] {
  const encoded = calls.map(({ to, selector, calldata }) => [to, selector, BigInt(calldata.length), ...calldata])
  return [BigInt(calls.length), ...encoded.flat()]
}

/** The inverse of `encodeMulticall`; `null` unless it covers the felts exactly. */
export function decodeMulticall(felts: readonly bigint[]): readonly Call[] | null {
  const calls: Call[] = []
  let at = 1
  while (at < felts.length) {
    const [to, selector, length] = felts.slice(at, at + 3)
    if (to === undefined || selector === undefined || length === undefined) return null
    const end = at + 3 + Number(length)
    if (end > felts.length) return null
    calls.push({ to, selector, calldata: felts.slice(at + 3, end) })
    at = end
  }
  return felts[0] === BigInt(calls.length) ? calls : null
}

/** 32 bytes in hex as eight big-endian u32 words. */
export function wordsOf(hex: string): readonly bigint[] {
  return Array.from({ length: 8 }, (_, index) => BigInt(`0x${hex.slice(index * 8, index * 8 + 8)}`))
}

export function joinWords(words: readonly bigint[]): string {
  return words.map((word) => word.toString(16).padStart(8, "0")).join("")
}

/** An event from the node, with its felts parsed. */
export type ChainEvent = {
  readonly from: bigint
  readonly keys: readonly bigint[]
  readonly data: readonly bigint[]
}

/**
 * Reads `Initiated`. Deployed contracts (public source, 2025-2026) have `order_id` as the second key and in the data
 * the secret hash, as 8 × u32 or 2 × u128, and the amount. `null` if the event or the hash differs.
 */
export function readInitiated(event: ChainEvent, secretHash: string): { orderId: bigint; units: bigint } | null {
  const [name, orderId] = event.keys
  if (name !== SELECTORS.initiatedEvent && name !== SELECTORS.initiatedWithDataEvent) return null
  const rest = withoutHash(event.data, secretHash)
  const units = joinU256(rest?.[0], rest?.[1])
  return orderId === undefined || units === null ? null : { orderId, units }
}

/** Reads the secret in a `Redeemed` event (its last eight words); `null` if they do not hash to `secretHash`. */
export function readSecret(event: ChainEvent, secretHash: string): string | null {
  const words = event.data.slice(-8)
  if (words.length !== 8 || words.some((word) => word >= 2n ** 32n)) return null
  const secret = joinWords(words)
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash ? secret : null
}

/**
 * Reads an ERC-20 `Transfer`. Newer tokens index sender and recipient; older ones (ETH, STRK) keep everything in the
 * data. Keys and data together are sender, recipient, low, high in both cases.
 */
export function readTransfer(event: ChainEvent): { from: bigint; to: bigint; units: bigint } | null {
  if (event.keys[0] !== SELECTORS.transferEvent) return null
  const [from, to, low, high] = [...event.keys.slice(1), ...event.data]
  const units = joinU256(low, high)
  return from === undefined || to === undefined || units === null ? null : { from, to, units }
}

function withoutHash(data: readonly bigint[], secretHash: string): readonly bigint[] | null {
  const forms = [wordsOf(secretHash), [BigInt(`0x${secretHash.slice(0, 32)}`), BigInt(`0x${secretHash.slice(32)}`)]]
  const form = forms.find((words) => words.every((word, index) => data[index] === word))
  return form ? data.slice(form.length) : null
}

function selectorOf(name: string): bigint {
  return BigInt(hash.getSelectorFromName(name))
}
