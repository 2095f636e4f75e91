import {
  type Address,
  type Hex,
  isHex,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from "viem"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { readAddress } from "../htlc.ts"

/**
 * An EIP-1559 transaction (type 2) without access list, the only kind that we sign. Fees are per
 * gas, in wei.
 */
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

/**
 * Formats a plan's `unsigned` (JSON with the fields as decimal text and the serialisation to sign)
 * and `digest` (its Keccak-256).
 */
export function formatUnsigned(tx: UnsignedTx): { unsigned: string; digest: Hex } {
  const serialized = serializeTransaction({ type: "eip1559", ...tx })
  const fields = { ...tx, type: "eip1559", serialized }
  const unsigned = JSON.stringify(fields, (_key, item: unknown) =>
    typeof item === "bigint" || typeof item === "number" ? item.toString() : item,
  )
  return { unsigned, digest: keccak256(serialized) }
}

export function nonceOf(plan: { readonly unsigned: string }): number {
  return parseUnsigned(plan.unsigned).nonce
}

/**
 * Reads the output of `formatUnsigned`. The serialisation decides, and it must give exactly the
 * same text again, so that no readable field in the journal can differ from the signed bytes.
 * Throws `signer.unsigned` (refused).
 */
export function parseUnsigned(text: string): UnsignedTx {
  const tx = readSerialized(text)
  if (tx !== null && formatUnsigned(tx).unsigned === text) return tx
  throw new AppError({
    code: "signer.unsigned",
    disposition: "refused",
    message:
      "This version did not write the stored transaction, so Ballast does not sign it. " +
      "Inspect the order's journal",
    details: { unsigned: text.slice(0, 300) },
  })
}

const schema = z.object({ serialized: z.string().regex(/^0x02[0-9a-f]+$/) })

function readSerialized(text: string): UnsignedTx | null {
  try {
    const { serialized } = schema.parse(JSON.parse(text))
    // CAST: the schema has checked the type byte, and the template type states nothing else.
    const tx = parseTransaction(serialized as `0x02${string}`)
    const to = readAddress(tx.to ?? "")
    const data = tx.data ?? "0x"
    if (to === null || !isHex(data)) return null
    const {
      chainId,
      nonce = 0,
      value = 0n,
      gas = 0n,
      maxFeePerGas = 0n,
      maxPriorityFeePerGas = 0n,
    } = tx
    return { chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas }
  } catch {
    return null // The caller reports the unreadable text.
  }
}
