import { Psbt } from "bitcoinjs-lib"
import { z } from "zod"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { type HtlcTerms, htlcTerms } from "../htlc.ts"
import type { Wallet } from "../wallet.ts"

/**
 * The content of `TransactionPlan.unsigned`: JSON of the PSBT and of its purpose, so that the
 * signer can compare the two. An initiate has a `deposit`, a refund has an `htlc`, a redeem has an
 * `htlc` and its `secret`, a void has none of them.
 */
export type Unsigned = {
  readonly psbt: Psbt
  readonly deposit: DepositTarget | null
  readonly htlc: HtlcTerms | null
  /** 32 bytes, hex. The witness needs it, and a PSBT has no place for it. */
  readonly secret?: string | undefined
}

/** The HTLC's address and the exact amount in satoshi. */
export type DepositTarget = { readonly address: string; readonly units: bigint }

export function encodeUnsigned(unsigned: Unsigned): string {
  const { psbt, deposit, htlc, secret } = unsigned
  const target =
    deposit === null ? null : { address: deposit.address, units: deposit.units.toString() }
  return JSON.stringify({ psbt: psbt.toBase64(), deposit: target, htlc, secret })
}

/** Reads the stored JSON back. Throws `signer.plan_unreadable` (refused). */
export function parseUnsigned(plan: TransactionPlan, wallet: Wallet): Unsigned {
  try {
    const parsed = unsignedSchema.parse(JSON.parse(plan.unsigned))
    return { ...parsed, psbt: Psbt.fromBase64(parsed.psbt, { network: wallet.network }) }
  } catch (cause) {
    throw new AppError({
      code: "signer.plan_unreadable",
      disposition: "refused",
      message: "the stored Bitcoin transaction cannot be read; plan a new one",
      details: { purpose: plan.action, attempt: plan.attempt },
      cause,
    })
  }
}

const unsignedSchema = z.object({
  psbt: z.string(),
  deposit: z
    .object({ address: z.string(), units: z.string().regex(/^\d+$/).transform(BigInt) })
    .nullable(),
  htlc: htlcTerms.nullable(),
  secret: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
})
