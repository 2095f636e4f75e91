import {
  type Hex,
  isHex,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from "viem"
import { z } from "zod"
import type { MovePlan } from "#domain/move.ts"
import { AppError } from "#lib/app-error.ts"
import type { Wallet } from "./wallet.ts"

/** An EIP-1559 transaction in full: nothing is left for the signer to fill in. Access lists are always empty. */
export type Unsigned = {
  readonly chainId: number
  readonly nonce: number
  readonly to: Hex
  readonly value: bigint
  readonly data: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export function toPlan(
  wallet: Wallet,
  facts: Pick<MovePlan, "purpose" | "attempt" | "spends" | "fromHeight">,
  unsigned: Unsigned,
): MovePlan {
  const transaction = serializeTransaction(toSerializable(unsigned))
  return {
    ...facts,
    chain: wallet.chain,
    account: wallet.account,
    unsigned: JSON.stringify({ transaction, purpose: facts.purpose }),
    digest: keccak256(transaction),
    claims: [`nonce:${unsigned.nonce}`],
    maxFeeUnits: unsigned.gas * unsigned.maxFeePerGas,
    // Signed bytes stay valid as long as their nonce is free.
    expiresAtHeight: null,
  }
}

/** Throws `signer.unsigned` (refused) for anything but what `toPlan` writes, to the byte. */
export function parseUnsigned(plan: MovePlan): Unsigned {
  const unsigned = readUnsigned(plan)
  // Written again it must give the digest, so nothing else (an access list, say) was in it.
  const matches = unsigned !== null && keccak256(serializeTransaction(toSerializable(unsigned))) === plan.digest
  if (matches && plan.claims.join() === `nonce:${unsigned.nonce}`) return unsigned
  throw new AppError({
    code: "signer.unsigned",
    disposition: "refused",
    message: "Not signed: the stored plan is not a transaction that this program wrote. Look at the journal",
    details: { digest: plan.digest, claims: plan.claims.join() },
  })
}

export function toSerializable(unsigned: Unsigned): TransactionSerializableEIP1559 & { type: "eip1559" } {
  return { type: "eip1559", ...unsigned }
}

const schema = z.strictObject({ transaction: z.string(), purpose: z.string() })

/** RLP writes zero as empty, which the library reads as absent: a missing number is a zero here, by the format. */
function readUnsigned(plan: MovePlan): Unsigned | null {
  try {
    const { transaction, purpose } = schema.parse(JSON.parse(plan.unsigned))
    if (!isHex(transaction) || !transaction.startsWith("0x02") || purpose !== plan.purpose) return null
    // CAST: the prefix says EIP-1559 (EIP-2718 type 2).
    const parsed = parseTransaction(transaction as `0x02${string}`)
    const { chainId, nonce = 0, to, value = 0n, data = "0x", gas = 0n } = parsed
    const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parsed
    if (!to) return null
    return { chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas }
  } catch {
    // Whatever the parsers object to, it is not ours: the caller says so.
    return null
  }
}
