import { z } from "zod"

/** The facts that `decodeStarknetDeposit` keeps beside the deposit's own fields. A stored order may lack either. */
export const starknetExtras = z.object({
  /** Our own derivation, hex without `0x`; `null` for a call that is no initiate. */
  orderId: z.string().nullable().catch(null),
  /** Normalised and verified; `null` where there is no gasless way. */
  typedData: z
    .unknown()
    .optional()
    .transform((typedData) => typedData ?? null),
})
