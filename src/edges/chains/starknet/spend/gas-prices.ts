import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { NotedFee } from "#nodes/quorum/fee-figures.ts"
import { readFelt } from "../felt.ts"
import type { BlockReader } from "../nodes/read-chain.ts"

const priceSchema = z.object({
  price_in_fri: z.unknown().transform((value, context) => {
    const price = readFelt(value)
    if (price !== null) return price
    context.addIssue({ code: "custom", message: "not a felt" })
    return z.NEVER
  }),
})

/** The gas prices in the head of a block. */
const pricesSchema = z.object({ l2_gas_price: priceSchema, l1_data_gas_price: priceSchema })

/** In fri for one gas. */
type GasPrices = { readonly l2Units: bigint; readonly l1DataUnits: bigint }

/** The prices of a block, for a transaction and for doctor. Throws as `requirePrice`. */
export async function fetchGasPrices({ read, at }: BlockReader): Promise<GasPrices> {
  const block = await read("starknet_getBlockWithTxHashes", [at], pricesSchema)
  const l2Units = block.l2_gas_price.price_in_fri
  requirePrice(l2Units, at)
  return { l2Units, l1DataUnits: block.l1_data_gas_price.price_in_fri }
}

/** Cautious: approve and initiate in one multicall, about twice as much as measured. */
export const DEPOSIT_GAS = { l2: 6_000_000n, l1Data: 2_000n }

/** The cap of a price is that with which a deposit costs the cap of a transaction. */
export function gasPriceFigure(maxFeeUnits: bigint): NotedFee<GasPrices> {
  return {
    figureOf: ({ l2Units }) => l2Units,
    unit: "fri per L2 gas",
    least: 1n,
    cap: { most: maxFeeUnits / DEPOSIT_GAS.l2, key: "max_fee" },
  }
}

/**
 * Gas always has a price (docs.starknet.io, fees), so that 0 is an endpoint without an answer: the
 * others count.
 */
export function requirePrice(price: bigint, block: unknown): void {
  if (price > 0n) return
  throw new AppError({
    code: "fees.unknown",
    disposition: "transient",
    message:
      "the Starknet endpoint names a gas price of 0; Ballast waits for one that has a price; " +
      "add an endpoint",
    details: { block: JSON.stringify(block).slice(0, 200) },
  })
}
