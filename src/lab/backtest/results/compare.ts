import type { Scenario } from "../world/scenario.ts"
import type { SeedResult } from "./measure.ts"
import { type Percentiles, percentilesOf } from "./percentiles.ts"
import { feesOf, outsideBps } from "./summarise.ts"

/**
 * Two policies under the same seeds: the second minus the first for each seed, which removes the
 * effect of the market.
 */
export type Comparison = {
  readonly feesFiat: Paired<bigint>
  readonly outsideBps: Paired<number>
  readonly moves: Paired<number>
  /**
   * The better policy; `null` when the difference is within two standard deviations of a coin toss.
   */
  readonly cheaper: "first" | "second" | null
  readonly steadier: "first" | "second" | null
}

export type Paired<T> = {
  readonly difference: Percentiles<T>
  /** The number of seeds in which the second policy has less, the same, and more. */
  readonly less: number
  readonly same: number
  readonly more: number
}

export function compare(
  first: readonly SeedResult[],
  second: readonly SeedResult[],
  scenario: Scenario,
): Comparison {
  const pairs = first.flatMap((run, index): [SeedResult, SeedResult][] => {
    const other = second[index]
    return other === undefined ? [] : [[run, other]]
  })
  const feesFiat = pair(
    pairs.map(([a, b]) => feesOf(b) - feesOf(a)),
    0n,
  )
  const outside = pair(
    pairs.map(([a, b]) => round(outsideBps(b, scenario) - outsideBps(a, scenario))),
    0,
  )
  return {
    feesFiat,
    outsideBps: outside,
    moves: pair(
      pairs.map(([a, b]) => b.moves - a.moves),
      0,
    ),
    cheaper: winner(feesFiat),
    steadier: winner(outside),
  }
}

function pair<T extends bigint | number>(differences: readonly T[], zero: T): Paired<T> {
  return {
    difference: percentilesOf(differences),
    less: differences.filter((difference) => difference < zero).length,
    same: differences.filter((difference) => difference === zero).length,
    more: differences.filter((difference) => difference > zero).length,
  }
}

function winner({ less, more }: Paired<unknown>): "first" | "second" | null {
  if (Math.abs(less - more) <= 2 * Math.sqrt(less + more)) return null
  return less > more ? "second" : "first"
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
