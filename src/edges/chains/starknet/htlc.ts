import { createHash } from "node:crypto"
import { hash } from "starknet"
import { joinU256, splitU256 } from "./felt.ts"

/**
 * The terms of an `initiate` call. `timelock` in blocks; `secretHash` is lower-case hex, 32 bytes,
 * no `0x`.
 */
export type InitiateTerms = {
  readonly redeemer: bigint
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: string
}

/**
 * The form of a contract's secret hash: `halves` is `[u128; 2]`, high half first, and `words` is
 * `[u32; 8]`. The published client's ABI and calldata have halves; the audited contract source and
 * older deployments have words. Both are big-endian.
 */
export type HashLayout = (typeof HASH_LAYOUTS)[number]
export const HASH_LAYOUTS = ["halves", "words"] as const

/**
 * The calldata of a deposit, and the entry point that takes it: with data for
 * `initiate_with_destination_data`, else `initiate`.
 */
export type InitiateCall = {
  readonly terms: InitiateTerms
  readonly layout: HashLayout
  /** Felts that the contract only repeats in its event; `null` for the entry point without them. */
  readonly destinationData: readonly bigint[] | null
}

/** One call of a multicall. */
export type Call = {
  readonly to: bigint
  readonly selector: bigint
  readonly calldata: readonly bigint[]
}

/** Selectors are the Starknet keccak of the names; an event has its selector as first key. */
export const SELECTORS = {
  initiate: selectorOf("initiate"),
  initiateWithData: selectorOf("initiate_with_destination_data"),
  getOrder: selectorOf("get_order"),
  refund: selectorOf("refund"),
  redeem: selectorOf("redeem"),
  approve: selectorOf("approve"),
  allowance: selectorOf("allowance"),
  transfer: selectorOf("transfer"),
  balanceOfSnake: selectorOf("balance_of"),
  balanceOfCamel: selectorOf("balanceOf"),
  decimals: selectorOf("decimals"),
  token: selectorOf("token"),
  transferEvent: selectorOf("Transfer"),
  initiatedEvent: selectorOf("Initiated"),
  initiatedWithDataEvent: selectorOf("InitiatedWithDestinationData"),
  redeemedEvent: selectorOf("Redeemed"),
  refundedEvent: selectorOf("Refunded"),
} as const

/**
 * `[redeemer, timelock, amount.low, amount.high, secret hash]`, and the destination data as a Cairo
 * array, where there is some.
 */
export function encodeInitiate({
  terms,
  layout,
  destinationData,
}: InitiateCall): readonly bigint[] {
  const { redeemer, timelock, units, secretHash } = terms
  const data = destinationData === null ? [] : [BigInt(destinationData.length), ...destinationData]
  return [redeemer, timelock, ...splitU256(units), ...HASH_FORMS[layout].split(secretHash), ...data]
}

export function initiateSelector({ destinationData }: InitiateCall): bigint {
  return destinationData === null ? SELECTORS.initiate : SELECTORS.initiateWithData
}

/**
 * The inverse of `encodeInitiate`. Recognises the layout by the number of felts, and with
 * destination data by the length of its array. `null` for another entry point, for felts beyond
 * their types, and for felts that fit both layouts.
 */
export function decodeInitiate(
  selector: bigint | null,
  calldata: readonly bigint[],
): InitiateCall | null {
  if (selector !== SELECTORS.initiate && selector !== SELECTORS.initiateWithData) return null
  const withData = selector === SELECTORS.initiateWithData
  const fitting = HASH_LAYOUTS.map((layout) => decodeAs(layout, calldata, withData)).filter(
    (call) => call !== null,
  )
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function decodeAs(
  layout: HashLayout,
  calldata: readonly bigint[],
  withData: boolean,
): InitiateCall | null {
  const { count, join } = HASH_FORMS[layout]
  const [redeemer, timelock, low, high, ...rest] = calldata
  const units = joinU256(low, high)
  const secretHash = join(rest.slice(0, count))
  const tail = rest.slice(count)
  if (redeemer === undefined || timelock === undefined || units === null || secretHash === null)
    return null
  if (timelock >= 2n ** 128n) return null
  const [length, ...data] = tail
  const isWhole = withData ? length === BigInt(data.length) : length === undefined
  if (!isWhole) return null
  return {
    terms: { redeemer, timelock, units, secretHash },
    layout,
    destinationData: withData ? data : null,
  }
}

type HashForm = {
  readonly count: number
  readonly split: (hex: string) => readonly bigint[]
  readonly join: (parts: readonly bigint[]) => string | null
}

const HASH_FORMS: Readonly<Record<HashLayout, HashForm>> = {
  halves: hashForm(2),
  words: hashForm(8),
}

function hashForm(count: number): HashForm {
  const digits = 64 / count
  const limit = 1n << BigInt(digits * 4)
  return {
    count,
    split: (hex) =>
      Array.from({ length: count }, (_, index) =>
        BigInt(`0x${hex.slice(index * digits, (index + 1) * digits)}`),
      ),
    join: (parts) =>
      parts.length === count && parts.every((part) => part < limit)
        ? parts.map((part) => part.toString(16).padStart(digits, "0")).join("")
        : null,
  }
}

/**
 * The calldata of `redeem(order_id, secret)`, in the forms that a contract may take, the likeliest
 * first. `secret` in hex, 32 bytes.
 *
 * The secret is eight words: plain beside halves (`[u32; 8]` in the published client's ABI), and
 * after their number beside words (a Cairo array in the audited contract source). The published
 * client itself sends their number beside halves too, against its ABI.
 */
export function encodeRedeem(
  orderId: bigint,
  secret: string,
  layout: HashLayout,
): readonly (readonly bigint[])[] {
  const words = HASH_FORMS.words.split(secret)
  const plain = [orderId, ...words]
  const counted = [orderId, BigInt(words.length), ...words]
  return layout === "halves" ? [plain, counted] : [counted, plain]
}

/** The secret (hex) of calldata in one of the forms of `encodeRedeem`; `null` for any other. */
export function readRedeemSecret(calldata: readonly bigint[]): string | null {
  const [, ...rest] = calldata
  const words = rest.length === 9 && rest[0] === 8n ? rest.slice(1) : rest
  return HASH_FORMS.words.join(words)
}

/** The parties and the place of an order, which its id commits to. */
type OrderScope = { readonly chainId: bigint; readonly initiator: bigint; readonly htlc: bigint }

/**
 * The ids that the known contracts give to this order, the likeliest first. An id is only a
 * candidate: the chain has to show it, by `get_order` or by an event, before Ballast uses it.
 *
 * - Halves: poseidon over chain id, hash, initiator, redeemer, timelock, amount and contract
 *   (public contract source with halves).
 * - Words: poseidon over chain id, initiator and the calldata (field notes, with a published
 *   vector), or the form above with eight words (audited contract source).
 */
export function deriveOrderIds(
  scope: OrderScope,
  terms: InitiateTerms,
  layout: HashLayout,
): readonly bigint[] {
  const { chainId, initiator, htlc } = scope
  const { redeemer, timelock, units } = terms
  const hashed = HASH_FORMS[layout].split(terms.secretHash)
  const bound = poseidon([
    chainId,
    ...hashed,
    initiator,
    redeemer,
    timelock,
    ...splitU256(units),
    htlc,
  ])
  if (layout === "halves") return [bound]
  return [poseidon([chainId, initiator, redeemer, timelock, ...splitU256(units), ...hashed]), bound]
}

function poseidon(felts: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements([...felts]))
}

/** The calldata of an account's `__execute__(Array<Call>)`. */
export function encodeMulticall(calls: readonly Call[]): readonly bigint[] {
  const encoded = calls.map(({ to, selector, calldata }) => [
    to,
    selector,
    BigInt(calldata.length),
    ...calldata,
  ])
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

/** An event from the node, with its felts parsed. */
export type ChainEvent = {
  readonly from: bigint
  readonly keys: readonly bigint[]
  readonly data: readonly bigint[]
}

/**
 * Reads `Initiated` or `InitiatedWithDestinationData`. Both have `order_id` as the second key, and
 * in the data the secret hash in the contract's layout and the amount (published client's ABI).
 * `null` if the event or the hash differs.
 */
export function readInitiated(
  event: ChainEvent,
  secretHash: string,
): { orderId: bigint; units: bigint } | null {
  const [name, orderId] = event.keys
  if (name !== SELECTORS.initiatedEvent && name !== SELECTORS.initiatedWithDataEvent) return null
  const rest = withoutHash(event.data, secretHash)
  const units = joinU256(rest?.[0], rest?.[1])
  return orderId === undefined || units === null ? null : { orderId, units }
}

/**
 * The secret hash that an `Initiated`, `InitiatedWithDestinationData` or `Redeemed` event names:
 * its data begins with it in both layouts. Eight felts of 32 bits are the words, because the first
 * half of a hash never has so many leading zeros. `null` for any other event.
 */
export function readSecretHash({ keys, data }: ChainEvent): string | null {
  const [name] = keys
  const names = [
    SELECTORS.initiatedEvent,
    SELECTORS.initiatedWithDataEvent,
    SELECTORS.redeemedEvent,
  ]
  if (name === undefined || !names.includes(name)) return null
  const { words, halves } = HASH_FORMS
  return words.join(data.slice(0, words.count)) ?? halves.join(data.slice(0, halves.count))
}

/**
 * Reads the secret in a `Redeemed` event; `null` if it does not hash to `secretHash`. The last
 * eight felts are its words in both layouts: a fixed array beside halves, and a Cairo array, after
 * its length, beside words.
 */
export function readSecret(event: ChainEvent, secretHash: string): string | null {
  const secret = HASH_FORMS.words.join(event.data.slice(-8))
  if (secret === null) return null
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
    ? secret
    : null
}

/**
 * Reads an ERC-20 `Transfer`. Newer tokens index sender and recipient; older ones (ETH, STRK) keep
 * everything in the data. Keys and data together are sender, recipient, low, high in both cases.
 */
export function readTransfer(
  event: ChainEvent,
): { from: bigint; to: bigint; units: bigint } | null {
  if (event.keys[0] !== SELECTORS.transferEvent) return null
  const [from, to, low, high] = [...event.keys.slice(1), ...event.data]
  const units = joinU256(low, high)
  return from === undefined || to === undefined || units === null ? null : { from, to, units }
}

function withoutHash(data: readonly bigint[], secretHash: string): readonly bigint[] | null {
  const forms = HASH_LAYOUTS.map((layout) => HASH_FORMS[layout].split(secretHash))
  const form = forms.find((parts) => parts.every((part, index) => data[index] === part))
  return form ? data.slice(form.length) : null
}

/** The parts of 32 bytes in hex, in the layout's order. */
export function splitHash(hex: string, layout: HashLayout): readonly bigint[] {
  return HASH_FORMS[layout].split(hex)
}

/** The inverse of `splitHash`; `null` for another number of parts, or a part beyond its type. */
export function joinHash(parts: readonly bigint[], layout: HashLayout): string | null {
  return HASH_FORMS[layout].join(parts)
}

function selectorOf(name: string): bigint {
  return BigInt(hash.getSelectorFromName(name))
}
