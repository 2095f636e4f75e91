import { z } from "zod"

/**
 * Esplora's answer to `/fee-estimates`: satoshi per virtual byte by target in blocks. Some servers
 * write `null` for targets without an estimate.
 */
export const feesSchema = z
  .record(z.string(), z.unknown())
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([target, rate]) =>
        typeof rate === "number" ? [[target, rate]] : [],
      ),
    ),
  )

/**
 * Picks the estimate for the wanted target, else for the next slower target, else the slowest of
 * the faster targets; `null` where there is none. In satoshi per virtual byte.
 */
export function pickRate(estimates: Readonly<Record<string, number>>): number | null {
  const usable = Object.entries(estimates)
    .map(([target, rate]) => ({ target: Number(target), rate }))
    .filter(({ target, rate }) => Number.isInteger(target) && Number.isFinite(rate) && rate > 0)
    .sort((a, b) => a.target - b.target)
  const chosen = usable.find(({ target }) => target >= TARGET_BLOCKS) ?? usable.at(-1)
  return chosen?.rate ?? null
}

const TARGET_BLOCKS = 2
