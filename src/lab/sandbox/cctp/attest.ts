import { concat, type Hex, keccak256, pad, slice, toHex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import type { AttesterFault } from "./attester-faults.ts"

/** One answer of the attestation service for one burn. */
export type Attestation = {
  readonly message: Hex
  readonly attestation: Hex
  readonly nonce: Hex
}

type Order = {
  readonly emitted: Hex
  /** Of the transaction and its log: the nonce follows from them. */
  readonly place: Hex
  readonly attesters: readonly PrivateKeyAccount[]
  readonly isFast: boolean
  readonly feeUnits: bigint
  readonly expirationBlock: bigint
  readonly fault: AttesterFault | null
}

/**
 * Fills the four fields of an emitted message and signs it, as Circle's attesters do. A fault
 * changes one of its parts.
 */
export async function attest(order: Order): Promise<Attestation> {
  const { emitted, place, isFast, fault } = order
  const nonce = keccak256(place)
  const maxFee = BigInt(slice(emitted, 280, 312))
  const fee = fault === "fee-above-max" ? maxFee + 1n : order.feeUnits
  const body = concat([
    slice(emitted, 148, 312),
    toHex(fee, { size: 32 }),
    toHex(order.expirationBlock, { size: 32 }),
    ...(emitted.length > 2 + 376 * 2 ? [slice(emitted, 376)] : []),
  ])
  const message = concat([
    slice(emitted, 0, 12),
    nonce,
    slice(emitted, 44, 144),
    toHex(isFast ? 1_000 : 2_000, { size: 4 }),
    fault === "altered-bytes" ? alterRecipient(body) : body,
  ])
  return { message, attestation: await sign(message, order), nonce }
}

/** Each signature has 65 bytes, in the order of the addresses. */
async function sign(message: Hex, { attesters, fault }: Order): Promise<Hex> {
  const ordered = [...attesters].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  const signers = fault === "unordered-signatures" ? ordered.reverse() : ordered
  const hash = keccak256(fault === "wrong-signature" ? concat([message, "0x00"]) : message)
  return concat(await Promise.all(signers.map((signer) => signer.sign({ hash }))))
}

/** The recipient of the mint is at bytes 36 to 68 of the body. */
function alterRecipient(body: Hex): Hex {
  return concat([slice(body, 0, 36), pad("0xbad0", { size: 32 }), slice(body, 68)])
}
