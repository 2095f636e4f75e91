import { expect, test } from "vitest"
import { listVariants } from "#policy/rules/band/list-variants.ts"
import { A, B, bandOf, C, D } from "./sample-plan.ts"

const changes = (min: bigint, target: bigint, over = {}) =>
  listVariants(bandOf("band", A, [min, target, 900n], over), () => 1).map(({ change }) => change)

test("a band is tried with its minimum a fifth lower and higher, and without each partner", () => {
  expect(changes(100n, 200n, { sources: [B, C], sinks: [D] })).toEqual([
    "min 8 instead of 10",
    "min 12 instead of 10",
    `sources without ${B}`,
    `sources without ${C}`,
    `sinks without ${D}`,
  ])
})

test("a minimum stays at most its target, and another one than before", () => {
  expect(changes(100n, 120n)).toHaveLength(2)
  expect(changes(100n, 119n)).toEqual(["min 8 instead of 10"])
  expect(changes(1n, 9n)).toEqual(["min 0 instead of 0.1"])
  expect(changes(0n, 9n)).toEqual([])
})

test("a variant changes nothing else", () => {
  const band = bandOf("band", A, [100n, 200n, 300n], { sources: [B, C], sinks: [D] })
  expect(listVariants(band, () => 0).map(({ rule, without }) => [rule, without ?? null])).toEqual([
    [{ ...band, minUnits: 80n }, null],
    [{ ...band, minUnits: 120n }, null],
    [{ ...band, sources: [C] }, B],
    [{ ...band, sources: [B] }, C],
    [{ ...band, sinks: [] }, D],
  ])
})
