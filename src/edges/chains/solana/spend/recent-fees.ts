import { z } from "zod"
import { someOf } from "#chains/some-of.ts"

/** A whole number of the protocol, which may be larger than a JSON number is exact. */
export const integer = z.union([z.int().nonnegative(), z.bigint().nonnegative()]).transform(BigInt)

/**
 * The answer to `getRecentPrioritizationFees`, in micro-lamports per compute unit: one price for
 * each recent slot.
 */
export const recentFees = someOf(
  z.object({ prioritizationFee: integer }).transform((entry) => entry.prioritizationFee),
)
