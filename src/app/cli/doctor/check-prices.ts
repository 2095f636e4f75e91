import type { Config } from "#config/config.ts"
import { describeGuards, type KnownPrices } from "#daemon/views/describe-guards.ts"
import { judgeSources } from "#daemon/watch/price-watch.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { PricePort } from "#ports/prices.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * Reads the price of each asset and the state of each peg now, and shows every guard at these
 * prices.
 */
export async function checkReferencePrices(
  config: Config,
  prices: PricePort,
): Promise<Diagnosis[]> {
  const isDemanded = config.mode === "live" && !config.prices.trustService
  const known = new Map<AssetId, bigint>()
  const found = await Promise.all(
    config.assets.map(async ({ id }): Promise<Diagnosis[]> => {
      const check = `price ${id}`
      try {
        const price = await prices.fetchPrice(id)
        if (price === null) return []
        known.set(id, price.fiat)
        const shown = `${formatUnits(price.fiat, FIAT_DECIMALS)} usd from ${price.sources} sources`
        const less = judgeSources(id, price)
        if (less === null) return [healthy(check, shown)]
        const todo = "Find the wrong source, and replace it in prices.sources."
        return [doubtful(check, `${shown}. ${less.message} (${less.code})`, todo)]
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const todo = "Correct prices.sources; without a price the asset's orders are refused."
        return [(isDemanded ? broken : doubtful)(check, `${error.message} (${error.code})`, todo)]
      }
    }),
  )
  const pegs = ((await prices.checkPegs?.()) ?? []).map(({ code, message }) =>
    doubtful(
      "pegs",
      `${message} (${code})`,
      "Find out which price is wrong; until then its members have none.",
    ),
  )
  return [...found.flat(), ...pegs, ...showGuards(config, known)]
}

function showGuards(config: Config, prices: KnownPrices): Diagnosis[] {
  return describeGuards(config, prices).map(({ guard, means }) => healthy(`guard ${guard}`, means))
}
