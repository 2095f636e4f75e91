import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { listConfigChanges, noteConfig, readBands } from "#daemon/money/past-bands.ts"
import { parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { TREASURY, treasuryWith } from "../../unit/policy-test/sample-treasury.ts"

const WBTC = parseAssetId("base:wbtc")
const configOf = (text: string) =>
  parseConfig(text, { file: "ballast.yaml", secrets: (name) => new Secret("", name) })

function createFlags() {
  const flags = new Map<string, string>()
  const writes: string[] = []
  return {
    writes,
    readFlag: (key: string) => flags.get(key) ?? null,
    noteFlag: (key: string, value: string | null) => {
      writes.push(key)
      if (value !== null) flags.set(key, value)
    },
  }
}

const before = { minUnits: 20_000_000n, targetUnits: 50_000_000n, maxUnits: 100_000_000n }

test("a band is noted when it changes, and its end too", () => {
  const flags = createFlags()
  const wider = treasuryWith([['min: "0.2"', 'min: "0.1"']])
  const without = treasuryWith([["id: hot, kind: band", "id: hot, enabled: false, kind: band"]])
  noteConfig(flags, configOf(TREASURY), 1)
  noteConfig(flags, configOf(TREASURY), 2)
  noteConfig(flags, configOf(wider), 3)
  noteConfig(flags, configOf(without), 4)
  expect(listConfigChanges(flags)).toEqual([3, 4])
  expect(readBands(flags, WBTC)).toEqual([
    { atMs: 1, band: before },
    { atMs: 3, band: { ...before, minUnits: 10_000_000n } },
    { atMs: 4, band: null },
  ])
  // Nothing is written for what stayed, nor for an asset that never had a band.
  expect(flags.writes.filter((key) => key.endsWith("wbtc"))).toHaveLength(3)
  expect(readBands(flags, parseAssetId("bitcoin:btc"))).toEqual([])
  expect(flags.writes.filter((key) => key.endsWith(":btc"))).toEqual([])
})

test("the list is bounded, and the newest stay", () => {
  const flags = createFlags()
  for (let at = 0; at < 100; at++)
    noteConfig(flags, configOf(treasuryWith([['max: "1"', `max: "${at + 1}"`]])), at)
  expect(readBands(flags, WBTC).map(({ atMs }) => atMs)).toEqual(
    Array.from({ length: 52 }, (_, index) => index + 48),
  )
})
