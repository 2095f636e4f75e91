import { z } from "zod"

/** The facts that `decodeDeposit` keeps beside the deposit's own fields. */
export const solanaExtras = z.object({
  swapAccount: z.string().optional(),
  /**
   * Accounts that the service's transaction takes from a lookup table, with the address that each
   * must be.
   */
  lookups: z
    .array(z.object({ table: z.string(), index: z.int(), expected: z.string() }))
    .default([]),
  /** The relay's transaction, base64, where a gasless deposit is offered and was verified. */
  typedData: z.string().optional(),
  /** Tokens only. */
  spl: z
    .object({
      mint: z.string(),
      tokenProgram: z.string(),
      vault: z.string(),
      /** Our associated token account: the deposit leaves it, and a refund enters it. */
      tokenAccount: z.string(),
      /** Hex. */
      destinationData: z.string().nullable(),
    })
    .optional(),
})

export type SolanaExtras = z.output<typeof solanaExtras>

/** An account that a lookup table must hold at an index. */
export type ExpectedLookup = SolanaExtras["lookups"][number]
