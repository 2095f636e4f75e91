import { type Address, type Hex, isHex, keccak256, parseTransaction, serializeTransaction } from "viem"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { readAddress } from "./htlc.ts"

/** An EIP-1559 transaction (type 2) without access list: everything that we ever sign. Fees are per gas, in wei. */
export type UnsignedTx = {
  readonly chainId: number
  readonly nonce: number
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A plan's `unsigned` and `digest`: JSON with the fields as decimal text beside the serialisation that is signed, and its Keccak-256. */
export function formatUnsigned(tx: UnsignedTx): { unsigned: string; digest: Hex } {
  const serialized = serializeTransaction({ type: "eip1559", ...tx })
  const fields = { ...tx, type: "eip1559", serialized }
  const unsigned = JSON.stringify(fields, (_key, item: unknown) =>
    typeof item === "bigint" || typeof item === "number" ? item.toString() : item,
  )
  return { unsigned, digest: keccak256(serialized) }
}

/**
 * Reads what `formatUnsigned` wrote. The serialisation decides; it must give the very same text again, so that no field that a
 * person read in the journal can differ from what is signed. Throws `signer.unsigned` (refused).
 */
export function parseUnsigned(text: string): UnsignedTx {
  const tx = readSerialized(text)
  if (tx !== null && formatUnsigned(tx).unsigned === text) return tx
  throw new AppError({
    code: "signer.unsigned",
    disposition: "refused",
    message:
      "The stored transaction is not one that this version writes; nothing is signed. Look at the order's journal",
    details: { unsigned: text.slice(0, 300) },
  })
}

const schema = z.object({ serialized: z.string().regex(/^0x02[0-9a-f]+$/) })

function readSerialized(text: string): UnsignedTx | null {
  try {
    const { serialized } = schema.parse(JSON.parse(text))
    // CAST: the type byte was checked above, and it is all that this template type says.
    const tx = parseTransaction(serialized as `0x02${string}`)
    const to = readAddress(tx.to ?? "")
    const data = tx.data ?? "0x"
    if (to === null || !isHex(data)) return null
    const { chainId, nonce = 0, value = 0n, gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = tx
    return { chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas }
  } catch {
    return null // Whatever is wrong with the text, the caller says that it is.
  }
}
