import type { AssetId } from "#domain/asset.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { type CostPolicy, judgeReference, type Reference, type ReferenceSide } from "#guards/price.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { EngineContext } from "./context.ts"

/** Both sides' reference prices at this moment. What cannot be read is a value here, because the guard makes a reason of it. */
export async function readReference(context: EngineContext, { from, to }: Quote): Promise<Reference> {
  const [source, destination] = await Promise.all([readSide(context, from), readSide(context, to)])
  return { from: source, to: destination }
}

/** The guard with the settings of this engine. */
export function judgeByReference(
  { settings }: EngineContext,
  quote: Quote,
  reference: Reference,
  { maxCost, ruleMaxCost = null }: CostPolicy,
): Reason[] {
  if (reference.from === null && reference.to === null) return []
  const decimalsOf = (id: AssetId): number => present(settings.assets.get(id), `the asset ${id}`).decimals
  const decimals = { from: decimalsOf(quote.from), to: decimalsOf(quote.to) }
  for (const limit of ruleMaxCost === null ? [maxCost] : [maxCost, ruleMaxCost]) {
    const toleranceBps = settings.priceToleranceBps
    const reasons = judgeReference(quote, reference, decimals, { maxCost: limit, toleranceBps })
    if (reasons.length > 0) return reasons
  }
  return []
}

async function readSide({ prices }: EngineContext, asset: AssetId): Promise<ReferenceSide> {
  try {
    return await prices.fetchPrice(asset)
  } catch (error) {
    if (!(error instanceof AppError) || error.disposition !== "transient") throw error
    return { missing: error.message }
  }
}
