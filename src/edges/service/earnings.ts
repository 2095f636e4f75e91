import { z } from "zod"
import { parseAssetId } from "#domain/asset.ts"
import type { StatedEarnings } from "#domain/route/affiliate-fee.ts"
import { wireUnits } from "#lib/wire-integer.ts"
import type { Exchange } from "./http.ts"
import { expectValue, resultOf } from "./read-result.ts"
import { expectShape, reading } from "./to-domain.ts"

/**
 * The affiliate money of our app id, as live services list it. The signature of a claim is left
 * out: a claim is a person's act.
 */
const wireEarning = z.object({
  asset: z.string(),
  claim_amount: wireUnits,
  claimed_amount: wireUnits.nullish(),
  contract: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/)
    .nullish()
    .catch(null),
})
const wireEarnings = z.union([
  z.array(wireEarning),
  z.object({ earnings: z.array(wireEarning) }).transform(({ earnings }) => earnings),
  wireEarning.transform((one) => [one]),
])

export async function fetchEarnings(exchange: Exchange): Promise<readonly StatedEarnings[]> {
  const operation = { what: "list the affiliate earnings", write: false }
  const answer = await exchange({ operation, method: "GET", path: "/apps/earnings" })
  const result = resultOf(answer, operation)
  const read = reading(() =>
    expectShape(wireEarnings, result, "the list of earnings").map((one) => ({
      asset: parseAssetId(one.asset.toLowerCase()),
      owedUnits: one.claim_amount,
      paidUnits: one.claimed_amount ?? null,
      contract: one.contract ?? null,
    })),
  )
  return expectValue(read, operation)
}
