import { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"
import type { FINALITY } from "./message.ts"

/**
 * A burn that an order will sign. `dealKey` names the order: its last digits are added to the
 * highest fee, so that two burns of equal terms still emit different messages.
 */
export type BurnRequest = {
  readonly amountUnits: bigint
  readonly destinationDomain: number
  /** The account on the destination that is paid, as a word of 32 bytes and as a text. */
  readonly mintRecipient: `0x${string}`
  readonly payee: string
  readonly maxFeeUnits: bigint
  readonly finality: keyof typeof FINALITY
  readonly dealKey: string
  /** The burn's transaction, where it was found on chain and no signed one names it. */
  readonly txid?: string
}

const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`)

const schema = z.object({
  amountUnits: z.bigint().positive(),
  destinationDomain: z.int().min(0),
  mintRecipient: hash,
  payee: z.string(),
  maxFeeUnits: z.bigint().min(0n),
  finality: z.enum(["fast", "standard"]),
  dealKey: z.string().regex(/^[0-9a-f]{64}$/),
  txid: z.string().min(1).exactOptional(),
})

/** `null` for a request of another kind. */
export function readBurnRequest(request: DepositRequest): BurnRequest | null {
  return schema.safeParse(request["burn"]).data ?? null
}

/** More than the tag of any order, in units of the token. */
export const TAG_UNITS = 1_000n

/** Between 0 and 999: a thousandth of a dollar at most. */
export function tagOf(dealKey: string): bigint {
  return BigInt(`0x${dealKey}`) % TAG_UNITS
}
