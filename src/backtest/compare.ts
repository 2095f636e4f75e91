import type { SeedResult } from "./measure.ts"
import { type Percentiles, percentilesOf } from "./percentiles.ts"
import type { Scenario } from "./scenario.ts"
import { feesOf, outsideBps } from "./summarise.ts"

/** Two policies in the same worlds, seed by seed: the second less the first, so that what the worlds did falls out. */
export type Comparison = {
  readonly feesFiat: Paired<bigint>
  readonly outsideBps: Paired<number>
  readonly moves: Paired<number>
  /** Which of the two, `null` where chance alone would often say as much: fewer than two standard deviations of a tossed coin. */
  readonly cheaper: "first" | "second" | null
  readonly steadier: "first" | "second" | null
}

export type Paired<T> = {
  readonly difference: Percentiles<T>
  /** In how many of the seeds the second has less, the same, and more. */
  readonly less: number
  readonly same: number
  readonly more: number
}

export function compare(first: readonly SeedResult[], second: readonly SeedResult[], scenario: Scenario): Comparison {
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
