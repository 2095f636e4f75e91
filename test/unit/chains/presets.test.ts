import { evmToViemChainMap } from "@gardenfi/core"
import * as viemChains from "viem/chains"
import { describe, expect, test } from "vitest"
import { ASSUMED_PRICES, guessCoinPrice } from "#backtest/assumptions.ts"
import { FAMILIES, findPreset } from "#chains/families.ts"
import { foreignName } from "#chains/foreign-families.ts"
import { PUBLISHED } from "../../support/published-chains.ts"

// CAST: chains without an EVM are empty maps there.
const CLIENT_CHAINS = evmToViemChainMap as Readonly<Record<string, { readonly id?: number }>>

const OURS = new Set(FAMILIES.map(({ name }) => name))
const PRESETS = FAMILIES.flatMap(({ name: family, presets }) =>
  presets.map((preset) => ({ family, preset })),
)

describe("every chain of the published list", () => {
  test.each(PUBLISHED)(
    "$name has a preset, or is refused by the name of its family",
    ({ name, type, network, ids }) => {
      const found = findPreset(name)
      if (!OURS.has(type) || name.startsWith("hypercore")) {
        expect(found).toBeNull()
        expect(foreignName(`${name}:x`)).toContain("not supported yet")
        return
      }
      expect(foreignName(name)).toBeNull()
      expect(found?.family.name).toBe(type)
      expect(found?.preset.network).toBe(network === "mainnet" ? "main" : "test")
      if (type === "evm" && ids.length > 0)
        expect(ids).toEqual([`evm:${found?.preset.identity["chain_id"]}`])
    },
  )

  test("has its chain id in the preset", () => {
    const known = Object.entries(CLIENT_CHAINS).flatMap(([name, chain]) =>
      chain?.id ? [{ name, id: chain.id }] : [],
    )
    expect(known.length).toBeGreaterThan(20)
    const presets = known.filter(({ name }) => !name.endsWith("_localnet"))
    expect(
      presets.map(({ name }) => ({ name, id: findPreset(name)?.preset.identity["chain_id"] })),
    ).toEqual(presets)
  })

  test("with Starknet's ids as text in the list's numbers", () => {
    for (const [name, id] of [
      ["starknet", "SN_MAIN"],
      ["starknet_sepolia", "SN_SEPOLIA"],
    ] as const) {
      const felt = BigInt(`0x${Buffer.from(id, "latin1").toString("hex")}`)
      expect(PUBLISHED.find((chain) => chain.name === name)?.ids).toEqual([`starknet:${felt}`])
      expect(findPreset(name)?.preset.identity).toEqual({ chain_id: id })
    }
  })
})

describe("a preset", () => {
  test("has a coin with an assumed price, so that a backtest needs none", () => {
    const unpriced = PRESETS.filter(({ preset }) => {
      const price = guessCoinPrice(preset.nativeCoin.symbol.toLowerCase())
      return price === null || ASSUMED_PRICES[price] === undefined
    })
    expect(unpriced).toEqual([])
  })

  test("has a name of its own in all families", () => {
    const names = PRESETS.map(({ preset }) => preset.name)
    expect(new Set(names).size).toBe(names.length)
  })

  test("never contains an address of an HTLC or a token of the published list", () => {
    const addresses = PUBLISHED.flatMap(({ assets }) =>
      assets.flatMap(({ token, htlc }) => [token, htlc]),
    )
    const listed = addresses
      .filter((address) => address !== null)
      .map((address) => address.toLowerCase())
    expect(listed.length).toBeGreaterThan(60)
    const text = JSON.stringify(PRESETS).toLowerCase()
    expect(listed.filter((address) => text.includes(address))).toEqual([])
    const hidden = JSON.stringify(PRESETS.map(({ preset }) => ({ ...preset, nativeCoin: null })))
    expect(hidden.match(/0x[0-9a-f]{20,}|[1-9A-HJ-NP-Za-km-z]{32,}/g)).toBeNull()
  })

  test.each(PRESETS)("$preset.name dates its block time", ({ preset }) => {
    expect(preset.blockTime.ms).toBeGreaterThan(0)
    expect(preset.blockTime.asOf).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/)
    expect(preset.blockTime.source).not.toBe("")
    for (const page of [
      preset.explorer?.tx.replace("{tx}", "1"),
      preset.explorer?.address.replace("{address}", "1"),
    ])
      expect(page).toMatch(/^https:\/\/[^{}]+\/1(\?[a-z=]+)?$/)
  })

  test("agrees with the chain list of viem, where that knows the coin and the block time", () => {
    // Facts that are newer than the list: the Fermi upgrade, and the pace that live orders show.
    const newer = new Set(["bnbchain", "robinhood"])
    const known = Object.values(viemChains)
    let compared = 0
    for (const { family, preset } of PRESETS.filter((one) => one.family === "evm")) {
      const ids = known.filter(({ id }) => id === preset.identity["chain_id"])
      // Test networks of no interest here use ids of others.
      const same = ids.filter(({ testnet }) => testnet !== true || preset.network === "test")
      const symbols = same.map(({ nativeCurrency }) => nativeCurrency.symbol)
      if (symbols.length > 0)
        expect(symbols, `${family} ${preset.name}`).toContain(preset.nativeCoin.symbol)
      const times = same.flatMap(({ blockTime }) => (blockTime === undefined ? [] : [blockTime]))
      if (times.length === 0 || newer.has(preset.name)) continue
      expect(times, preset.name).toContain(preset.blockTime.ms)
      compared += 1
    }
    expect(compared).toBeGreaterThan(8)
  })
})
