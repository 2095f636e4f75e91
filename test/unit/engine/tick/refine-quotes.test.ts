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

  /** The amounts that were asked for, in their order. */
  function ask(
    given: readonly Quote[],
    bounds: Parameters<typeof refineQuotes>[1],
    quote = quoteOf,
  ) {
    const asked: bigint[] = []
    const refined = runAtOnce(
      refineQuotes(given, bounds, (units) => {
        asked.push(units)
        return quote(units)
      }),
    )
    return { asked, refined }
  }
  /** A payout of many small units: nothing is coarse. */
  const fine = (sourceUnits: bigint): Quote => ({
    ...quoteOf(sourceUnits),
    destinationUnits: sourceUnits,
    destinationFiat: sourceUnits,
  })
  const bounds = (minUnits: bigint, maxUnits: bigint | null) => ({ minUnits, maxUnits })

  test.each<[string, readonly bigint[], ReturnType<typeof bounds> | null, readonly bigint[]]>([
    ["a quarter of one amount", [400n], null, [100n]],
    ["a quarter of amounts near each other", [201n, 400n], null, [100n]],
    ["nothing for one twice as large", [200n, 400n], null, []],
    ["four times as much below the least order", [400n], bounds(101n, null), [1_600n]],
    ["no more than the largest order", [400n], bounds(101n, 900n), [900n]],
    ["nothing where the amount is the only one", [400n], bounds(101n, 400n), []],
    ["four times as much where a quarter is nothing", [3n], null, [12n]],
    ["not for nothing, though that is in bounds", [3n], bounds(0n, null), [12n]],
    ["a quarter of the least amount that has one", [4n], null, [1n]],
    ["a quarter that is the least order", [400n], bounds(100n, null), [100n]],
    [
      "four times as much where the largest order is larger",
      [400n],
      bounds(101n, 9n ** 9n),
      [1_600n],
    ],
    ["nothing, whichever amount comes first", [400n, 200n], null, []],
  ])("of a fine payout are asked for %s", (_name, given, within, asked) => {
    const found = ask(given.map(fine), within, fine)
    expect(found.asked).toEqual(asked)
    const largest = given.toSorted((a, b) => (a < b ? -1 : 1)).at(-1) ?? 0n
    const nearest = given.length > 1 && asked.length === 0 ? given : [largest]
    const sizes = [...nearest, ...asked].sort((a, b) => (a < b ? -1 : 1))
    expect(found.refined.map(({ sourceUnits }) => sourceUnits)).toEqual(sizes)
  })

  test("that pay nothing are kept as they are, and a farther amount must pay", () => {
    const none = [{ ...fine(10n), destinationUnits: 0n }]
    expect(ask(none, null, fine)).toEqual({ asked: [], refined: none })
    const silent = ask([fine(400n)], null, (units) =>
      units < 400n ? { ...fine(units), destinationUnits: 0n } : fine(units),
    )
    expect(silent.asked).toEqual([100n, 1_600n])
  })

  test("are of the least amount with their payout, to a cent or a ten-thousandth", () => {
    for (const sold of [50_000n, 77_777n, 200_000n]) {
      const { asked, refined } = ask([quoteOf(sold)], null)
      const payout = quoteOf(sold).destinationUnits
      const found = refined.find(({ destinationUnits }) => destinationUnits === payout)
      const { sourceUnits = 0n } = found ?? {}
      // A unit of the payout costs 19 000 units; ten halvings leave a thousandth of that.
      expect(quoteOf(sourceUnits - 40n).destinationUnits).toBe(payout - 1n)
      expect(asked.length).toBeLessThanOrEqual(22)
    }
  })

  test("stay as they are where no answer comes, and where their value is not known", () => {
    const silent = runAtOnce(refineQuotes([quoteOf(200_000n)], bounds(1n, 200_000n), () => null))
    expect(silent).toEqual([quoteOf(200_000n)])
    const unknown = { ...quoteOf(200_000n), destinationFiat: null }
    expect(ask([{ ...quoteOf(50_000n), destinationFiat: null }, unknown], null).asked).toEqual([])
  })

  test("begin no smaller than the least order", () => {
    const { asked } = ask([quoteOf(2_000_000n)], bounds(100_000n, null))
    expect(asked[0]).toBe(100_000n)
    expect(ask([quoteOf(2_000_000n)], bounds(1_000_001n, null)).asked).not.toContain(1_000_001n)
  })

  /** So many units for so much, worth `fiat` in all; the amounts that are asked for. */
  const askedFor = (sourceUnits: bigint, destinationUnits: bigint, fiat: bigint) => {
    const given = { ...quoteOf(sourceUnits), destinationUnits, destinationFiat: fiat }
    const half = { ...given, sourceUnits: sourceUnits / 2n }
    return ask([half, given], null, (units) => ({ ...given, sourceUnits: units })).asked
  }

  test("begin with the smallest order where a unit is worth more than one of the currency", () => {
    expect(askedFor(1_000n, 10n, 10n * FIAT + 1n)[0]).toBe(200n)
    expect(askedFor(1_000n, 10n, 10n * FIAT)[0]).not.toBe(200n)
  })

  test("are asked for where a unit is worth more than a cent, ten times at most for each", () => {
    expect(askedFor(10n ** 9n, 1n, 10_000n)).toEqual([])
    expect(askedFor(10n ** 9n, 1n, 10n ** 6n).length).toBeGreaterThan(0)
    expect(askedFor(10n ** 9n, 1n, 10n ** 15n)).toHaveLength(20)
  })

  test("are asked for where a unit is more than a ten-thousandth", () => {
    const worth = 10n ** 15n
    expect(askedFor(10_000_000n, 10_000n, worth).filter((units) => units > 9_000_000n)).toEqual([])
    expect(
      askedFor(9_999_000n, 9_999n, worth).filter((units) => units > 9_000_000n).length,
    ).toBeGreaterThan(0)
  })

  test("try four times the smallest order where that pays nothing", () => {
    const given = { ...quoteOf(16_000n), destinationUnits: 16n, destinationFiat: 10n ** 9n }
    const { asked, refined } = ask([given], null, (sourceUnits) => {
      const destinationUnits = sourceUnits < 5_000n ? 0n : 1n
      return { ...given, sourceUnits, destinationUnits }
    })
    expect(asked.slice(0, 2)).toEqual([2_000n, 8_000n])
    expect(refined.map(({ destinationUnits }) => destinationUnits)).toEqual([1n, 16n])
  })

  test("halve what a unit may cost down to the last one", () => {
    const given = { ...quoteOf(11n), destinationUnits: 1n, destinationFiat: 10n ** 15n }
    const { asked, refined } = ask([given], bounds(11n, 11n), (units) => {
      return { ...given, sourceUnits: units }
    })
    expect(asked).toEqual([5n, 2n, 1n])
    expect(refined.map(({ sourceUnits }) => sourceUnits)).toEqual([1n])
  })
})
