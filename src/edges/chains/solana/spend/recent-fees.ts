import { z } from "zod"

const integer = z.union([z.int().nonnegative(), z.bigint().nonnegative()]).transform(BigInt)

/**
 * The answer to `getRecentPrioritizationFees`, in micro-lamports per compute unit: one price for
 * each recent slot.
 */
export const recentFees = z.array(
  z.object({ prioritizationFee: integer }).transform((entry) => entry.prioritizationFee),
)
