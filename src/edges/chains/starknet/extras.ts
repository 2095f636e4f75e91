import { z } from "zod"
import { HASH_LAYOUTS } from "./htlc.ts"

const hexFelt = z.string().regex(/^[0-9a-f]{1,64}$/)

/**
 * The facts that `decodeStarknetDeposit` keeps beside the deposit's own fields. A stored order may
 * lack each of them.
 */
export const starknetExtras = z.object({
  /**
   * The likeliest of our own derivations, hex without `0x`; `null` for a call that is no initiate.
   */
  orderId: z.string().nullable().catch(null),
  /** All derivations of known contracts. Orders from before version 0.3 have `orderId` alone. */
  orderIds: z.array(hexFelt).default([]),
  /** Version 0.2 and older accepted eight words alone. */
  layout: z.enum(HASH_LAYOUTS).default("words"),
  /** Felts, hex without `0x`; `null` for an `initiate` without destination data. */
  destinationData: z.array(hexFelt).nullable().default(null),
  /** Normalised and verified; `null` where there is no gasless way. */
  typedData: z
    .unknown()
    .optional()
    .transform((typedData) => typedData ?? null),
})
