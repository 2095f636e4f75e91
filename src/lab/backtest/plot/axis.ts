/** Round values from `low` to `high`, about `count` of them, with at most six digits each. */
export function roundTicks(low: number, high: number, count = 3): readonly number[] {
  const largest = Math.max(Math.abs(low), Math.abs(high))
  const finest = 10 ** (Math.floor(Math.log10(largest)) - 5)
  const rough = Math.max((high - low) / count, finest)
  if (!(high > low)) return [low]
  // The logarithm of a power of ten may be a hair too low.
  const power = 10 ** Math.floor(Math.log10(rough * (1 + 1e-9)))
  const parts = power > 5 * finest ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10]
  const step = power * (parts.find((part) => part * power >= rough * (1 - 1e-9)) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

const PREFIXES = [
  [1_000_000_000, "G"],
  [1_000_000, "M"],
  [1_000, "k"],
] as const

/** A number of an axis in few characters, `1.2k`, but as many as tell it from its neighbours. */
export function axisNumber(value: number, step = value): string {
  const [size, letter] = PREFIXES.find(([least]) => Math.abs(value) >= least) ?? [1, ""]
  const digits = step === 0 ? 4 : Math.ceil(Math.log10(Math.abs(value / step) || 1)) + 3
  return `${Number((value / size).toPrecision(Math.max(4, Math.min(12, digits))))}${letter}`
}
