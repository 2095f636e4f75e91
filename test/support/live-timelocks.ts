import { FAMILIES } from "#chains/families.ts"

/** Every preset of every family. */
export const PRESETS = FAMILIES.flatMap(({ name: family, presets }) =>
  presets.map((preset) => ({ family, ...preset })),
)

/**
 * Timelocks of live orders, in blocks (field notes). A destination that is missing there is a
 * twelfth of the source, as everywhere else.
 */
export const SEEN_TIMELOCKS: Readonly<
  Record<string, { readonly source: number; readonly destination: number }>
> = {
  ethereum: { source: 7_200, destination: 600 },
  base: { source: 43_200, destination: 3_600 },
  robinhood: { source: 432_000, destination: 36_000 },
  starknet: { source: 43_200, destination: 3_600 },
  solana: { source: 216_000, destination: 18_000 },
  bitcoin: { source: 144, destination: 12 },
}

/**
 * Chains without seen timelocks: a day and two hours of blocks, the rule that all seen ones follow.
 */
export function liveTimelocks(name: string): {
  readonly source: bigint
  readonly destination: bigint
} {
  const ms = PRESETS.find((preset) => preset.name === name)?.blockTime.ms ?? Number.NaN
  const { source, destination } = SEEN_TIMELOCKS[name] ?? {
    source: 86_400_000 / ms,
    destination: 7_200_000 / ms,
  }
  return { source: BigInt(Math.round(source)), destination: BigInt(Math.round(destination)) }
}
