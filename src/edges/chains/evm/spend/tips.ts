import { z } from "zod"
import { someOf } from "#chains/some-of.ts"
import { middle } from "#domain/urgent-offer.ts"

/**
 * One endpoint's estimates. `suggested`: its own suggestion. `paid`: the tip that most transactions
 * of recent blocks paid; both may be missing.
 */
export type Tips = { readonly suggested: bigint | null; readonly paid: bigint | null }

/**
 * Asks one endpoint for its estimates, for a transaction and for doctor. Throws its error where it
 * answers neither question.
 */
export async function readTips(
  ask: (method: string, params: readonly unknown[]) => Promise<unknown>,
): Promise<Tips> {
  const suggestion = ask("eth_maxPriorityFeePerGas", []).then((answer) => quantity.parse(answer))
  const history = ask("eth_feeHistory", ["0xa", "latest", [60]]).then((answer) =>
    middleTip(historySchema.parse(answer)),
  )
  const [suggested, paid] = await Promise.allSettled([suggestion, history])
  if (suggested.status === "rejected" && paid.status === "rejected") throw suggested.reason
  return {
    suggested: suggested.status === "fulfilled" ? suggested.value : null,
    paid: paid.status === "fulfilled" ? paid.value : null,
  }
}

/**
 * The median of the last blocks with transactions; `null` where there are none, because an empty
 * block says nothing about tips.
 */
function middleTip({ reward, gasUsedRatio }: z.output<typeof historySchema>): bigint | null {
  const used = (reward ?? []).flatMap(([tip], at) =>
    Number(gasUsedRatio?.[at] ?? 0) > 0 && tip !== undefined ? [tip] : [],
  )
  return middle(someOf(quantity).parse(used))
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => BigInt(text))
/** Some nodes leave parts of it out where blocks are empty. */
const historySchema = z.object({
  reward: z.array(z.array(z.unknown())).nullish(),
  gasUsedRatio: z.array(z.number().nullable()).nullish(),
})
