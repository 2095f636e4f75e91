import { describe, expect, test } from "vitest"
import type { Quote } from "#domain/quote.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import { refineQuotes } from "#engine/rules/tick/refine-quotes.ts"
import { ARB, BTC } from "../../../support/fake-world.ts"

const FIAT = 1_000_000n

/** A cent for each unit sold; a unit of the payout is worth 190, and the fixed cost is 2.34. */
function quoteOf(sourceUnits: bigint): Quote {
  const sourceFiat = (sourceUnits * FIAT) / 100n
  const net = sourceFiat - 2_340_000n
  const destinationUnits = net > 0n ? net / (190n * FIAT) : 0n
  return {
    from: ARB,
    to: BTC,
    sourceUnits,
    destinationUnits,
    sourceFiat,
    destinationFiat: destinationUnits * 190n * FIAT,
    solverId: "s",
    estimatedSeconds: null,
  }
}

/** What the quote loses, in fiat millionths. */
const lossOf = ({ sourceFiat, destinationFiat }: Quote): bigint =>
  (sourceFiat ?? 0n) - (destinationFiat ?? 0n)

const refine = (...units: bigint[]): readonly Quote[] =>
  runAtOnce(refineQuotes(units.map(quoteOf), null, quoteOf))

describe("quotes of a coarse payout", () => {
  test("are of the smallest and the largest order, and lose only a small part of a unit", () => {
    const given = [50_000n, 200_000n].map(quoteOf)
    const refined = refine(50_000n, 200_000n)
    expect(given.map(lossOf).some((loss) => loss > 50n * FIAT)).toBe(true)
    expect(refined.map(({ destinationUnits }) => destinationUnits)).toEqual([1n, 10n])
    for (const loss of refined.map(lossOf)) expect(loss).toBeLessThan(3n * FIAT)
  })

  test("leave out an amount that pays nothing, and ask for a larger one", () => {
    const refined = refine(10_000n, 40_000n)
    expect(refined.map(({ destinationUnits }) => destinationUnits)).toEqual([2n, 8n])
  })

  test("are asked for farther amounts where the given ones are near each other", () => {
    const [low, high] = refine(190_000n, 200_000n)
    expect(low?.sourceUnits ?? 0n).toBeLessThan((high?.sourceUnits ?? 0n) / 2n)
  })
})
