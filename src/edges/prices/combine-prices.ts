/** `dropped`: the prices that were too far from the median of all. */
type Combined =
  | {
      readonly ok: true
      readonly fiat: bigint
      readonly used: number
      readonly dropped: readonly bigint[]
    }
  | { readonly ok: false; readonly lowest: bigint; readonly highest: bigint }

/**
 * The median of the prices that are within `maxSpreadBps` of the middle one. More than half of the
 * prices must be: of two that differ more, nothing shows which is wrong, so there is no price.
 * Expects at least one price.
 */
export function combinePrices(prices: readonly bigint[], maxSpreadBps: bigint): Combined {
  const sorted = sort(prices)
  // A price that a source gave: the mean of two far ones would be near neither.
  const middle = sorted[(sorted.length - 1) >> 1] ?? 0n
  const isNear = (price: bigint): boolean => deviationBps(price, middle) <= maxSpreadBps
  const near = sorted.filter(isNear)
  if (near.length * 2 <= prices.length)
    return { ok: false, lowest: sorted[0] ?? 0n, highest: sorted.at(-1) ?? 0n }
  return {
    ok: true,
    fiat: median(near),
    used: near.length,
    dropped: sorted.filter((price) => !isNear(price)),
  }
}

/**
 * The difference of two prices as a share of the smaller one, in basis points rounded up. Both are
 * above zero.
 */
export function deviationBps(a: bigint, b: bigint): bigint {
  const [low, high] = a < b ? [a, b] : [b, a]
  return ((high - low) * 10_000n + low - 1n) / low
}

/** For an even number of prices: the mean of the middle two, rounded down. */
function median(sorted: readonly bigint[]): bigint {
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.reduce((sum, price) => sum + price, 0n) / BigInt(middle.length)
}

function sort(prices: readonly bigint[]): readonly bigint[] {
  return prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
