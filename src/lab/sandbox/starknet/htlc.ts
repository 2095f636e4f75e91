import { createHash } from "node:crypto"
import {
  type Calldata,
  type Contract,
  defineContract,
  type EntryPoint,
  type Frame,
  splitU256,
} from "./contract.ts"
import { encodeShortString, poseidon, selectorOf } from "./felt.ts"
import { describeHtlcAbi } from "./htlc-abi.ts"
import { fromWords, type HtlcVariant, joinHash, splitHash } from "./htlc-variant.ts"
import { require } from "./revert.ts"
import { slotOf } from "./storage.ts"
import {
  hashInitiate,
  hashInstantRefund,
  type InitiateMessage,
  type Verifier,
} from "./typed-data.ts"

/**
 * The HTLC of `contracts/htlc.cairo` with the same entry points, refusals and events, and its older
 * variants. The refusals have the texts of the public contract source.
 *
 * Events: `Initiated` keys `[selector, order_id]`, data `[secret hash, amount.low, amount.high]` ·
 * `InitiatedWithDestinationData` the same and the data as an array · `Redeemed` keys
 * `[selector, order_id]`, data `[secret hash, 8 words of the secret]` · `Refunded` keys
 * `[selector, order_id]`. `HtlcVariant` says how hash and secret look.
 */
export function defineHtlc(token: bigint, variant: HtlcVariant): Contract {
  const contract = { token, variant }
  return defineContract(
    variant.classHash,
    {
      token: (_frame, input) => {
        input.end()
        return [token]
      },
      get_order: getOrder,
      initiate: initiateAs(contract, { onBehalf: false, withData: false }),
      initiate_with_destination_data: initiateAs(contract, { onBehalf: false, withData: true }),
      initiate_on_behalf: initiateAs(contract, { onBehalf: true, withData: false }),
      initiate_on_behalf_with_destination_data: initiateAs(contract, {
        onBehalf: true,
        withData: true,
      }),
      initiate_with_signature: (frame, input) => initiateWithSignature(frame, input, contract),
      redeem: (frame, input) => redeem(frame, input, contract),
      refund: (frame, input) => refund(frame, input, contract),
      instant_refund: (frame, input) => instantRefund(frame, input, contract),
    },
    describeHtlcAbi(variant),
  )
}

/** The parts of an order id beside the terms. */
type OrderPlace = { readonly chainId: bigint; readonly htlc: bigint; readonly initiator: bigint }

/**
 * `swap_id` on the wire and `order_id` in the contract. `HtlcVariant` names the sources of the
 * formulas.
 */
export function deriveOrderId(
  variant: HtlcVariant,
  place: OrderPlace,
  message: InitiateMessage,
): bigint {
  const { chainId, htlc, initiator } = place
  const { redeemer, timelock, units, secretHash } = message
  const hash = splitHash(variant, secretHash)
  const parties = [initiator, redeemer, timelock, ...splitU256(units)]
  return variant.namesContract
    ? poseidon([chainId, ...hash, ...parties, htlc])
    : poseidon([chainId, ...parties, ...hash])
}

type Htlc = { readonly token: bigint; readonly variant: HtlcVariant }

const FIELDS = [
  "fulfilled_at",
  "initiator",
  "redeemer",
  "initiated_at",
  "timelock",
  "amount",
] as const
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

function readInitiate(input: Calldata, variant: HtlcVariant): InitiateMessage {
  const redeemer = input.address()
  const timelock = input.u128()
  const units = input.u256()
  return { redeemer, timelock, units, secretHash: joinHash(variant, readHash(input, variant)) }
}

function readHash(input: Calldata, { hashPartBits }: HtlcVariant): bigint[] {
  const read = hashPartBits === 32 ? input.u32 : input.u128
  return Array.from({ length: 256 / hashPartBits }, read)
}

/**
 * The entry points without a signature. `onBehalf` names the initiator first, and the caller pays
 * in each case.
 */
function initiateAs(
  htlc: Htlc,
  { onBehalf, withData }: { onBehalf: boolean; withData: boolean },
): EntryPoint {
  return (frame, input) => {
    const initiator = onBehalf ? input.address() : frame.caller
    const message = readInitiate(input, htlc.variant)
    const data = withData ? input.array() : null
    input.end()
    requireTerms(initiator, message)
    require(!onBehalf || frame.caller !== message.redeemer, "HTLC: sender == redeemer")
    return lock(frame, htlc, { funder: frame.caller, initiator, message, data })
  }
}

function initiateWithSignature(frame: Frame, input: Calldata, htlc: Htlc): bigint[] {
  const initiator = input.address()
  const message = readInitiate(input, htlc.variant)
  const signature = input.array()
  input.end()
  requireTerms(initiator, message)
  const hash = hashInitiate(message, verifierOf(frame, htlc), initiator)
  require(isSigned(frame, initiator, hash, signature), "HTLC: invalid initiator signature")
  return lock(frame, htlc, { funder: initiator, initiator, message, data: null })
}

function verifierOf({ chainId, self }: Frame, { variant }: Htlc): Verifier {
  return { variant, chainId, htlc: self }
}

function isSigned(
  frame: Frame,
  signer: bigint,
  hash: bigint,
  signature: readonly bigint[],
): boolean {
  const calldata = [hash, BigInt(signature.length), ...signature]
  const [valid] = frame.call(signer, selectorOf("is_valid_signature"), calldata)
  return valid === encodeShortString("VALID") || valid === 1n
}

function requireTerms(initiator: bigint, { redeemer, timelock, units }: InitiateMessage): void {
  require(redeemer !== 0n, "HTLC: zero address redeemer")
  require(initiator !== 0n, "HTLC: zero address initiator")
  require(timelock > 0n, "HTLC: zero timelock")
  require(units > 0n, "HTLC: zero amount")
}

type Lock = {
  readonly funder: bigint
  readonly initiator: bigint
  readonly message: InitiateMessage
  readonly data: readonly bigint[] | null
}

function lock(
  frame: Frame,
  { token, variant }: Htlc,
  { funder, initiator, message, data }: Lock,
): bigint[] {
  const { redeemer, timelock, units, secretHash } = message
  require(initiator !== redeemer, "HTLC: same initiator & redeemer")
  const orderId = deriveOrderId(
    variant,
    { chainId: frame.chainId, htlc: frame.self, initiator },
    message,
  )
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
  frame.call(token, selectorOf("transfer_from"), [funder, frame.self, ...splitU256(units)])
  const event = [...splitHash(variant, secretHash), ...splitU256(units)]
  if (data === null) frame.emit([selectorOf("Initiated"), orderId], event)
  else
    frame.emit(
      [selectorOf("InitiatedWithDestinationData"), orderId],
      [...event, BigInt(data.length), ...data],
    )
  return []
}

/** The contract does not store the secret hash, because the order id commits to it. */
function redeem(frame: Frame, input: Calldata, { token, variant }: Htlc): bigint[] {
  const orderId = input.felt()
  const secret = variant.secretAsArray ? input.array(input.u32) : input.words(8)
  input.end()
  require(secret.length === 8, "HTLC: invalid length of secret")
  const order = requireOpen(frame, orderId)
  const secretHash = createHash("sha256")
    .update(Buffer.from(fromWords(secret), "hex"))
    .digest("hex")
  const { initiator, redeemer, timelock, amount } = order
  const place = { chainId: frame.chainId, htlc: frame.self, initiator }
  const derived = deriveOrderId(variant, place, { redeemer, timelock, units: amount, secretHash })
  require(derived === orderId, "HTLC: incorrect secret")
  pay(frame, token, orderId, order, redeemer)
  const shown = variant.secretAsArray ? [BigInt(secret.length), ...secret] : secret
  frame.emit([selectorOf("Redeemed"), orderId], [...splitHash(variant, secretHash), ...shown])
  return []
}

function refund(frame: Frame, input: Calldata, { token }: Htlc): bigint[] {
  const orderId = input.felt()
  input.end()
  const order = requireOpen(frame, orderId)
  require(BigInt(frame.blockNumber) - order.initiated_at >
    order.timelock, "HTLC: order not expired")
  pay(frame, token, orderId, order, order.initiator)
  frame.emit([selectorOf("Refunded"), orderId], [])
  return []
}

/** The redeemer agrees to an early refund, by a call of his own or by a signature. */
function instantRefund(frame: Frame, input: Calldata, htlc: Htlc): bigint[] {
  const orderId = input.felt()
  const signature = input.array()
  input.end()
  const order = requireOpen(frame, orderId)
  if (frame.caller !== order.redeemer) {
    const hash = hashInstantRefund(orderId, verifierOf(frame, htlc), order.redeemer)
    require(isSigned(frame, order.redeemer, hash, signature), "HTLC: invalid redeemer signature")
  }
  pay(frame, htlc.token, orderId, order, order.initiator)
  frame.emit([selectorOf("Refunded"), orderId], [])
  return []
}

function requireOpen(frame: Frame, orderId: bigint): Order {
  const order = readOrder(frame, orderId)
  require(order.redeemer !== 0n, "HTLC: order not initiated")
  require(order.fulfilled_at === 0n, "HTLC: order fulfilled")
  return order
}

function pay(frame: Frame, token: bigint, orderId: bigint, order: Order, to: bigint): void {
  writeOrder(frame, orderId, { ...order, fulfilled_at: BigInt(frame.blockNumber) })
  frame.call(token, selectorOf("transfer"), [to, ...splitU256(order.amount)])
}
