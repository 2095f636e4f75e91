import { expect, it } from "vitest"
import { depthsOf, MEDIUM_UNITS, SMALL_UNITS } from "#chains/bitcoin/finality.ts"

const shipped = { confirmations: null, finality: null }

it.each([
  ["mainnet", 1n, { seen: 1, reveal: 2, ending: 2 }],
  ["mainnet", 1_000_000n, { seen: 1, reveal: 2, ending: 2 }],
  ["mainnet", 1_000_001n, { seen: 2, reveal: 3, ending: 3 }],
  ["mainnet", 10_000_000n, { seen: 2, reveal: 3, ending: 3 }],
  ["mainnet", 10_000_001n, { seen: 3, reveal: 6, ending: 6 }],
  ["mainnet", 21n * 10n ** 14n, { seen: 3, reveal: 6, ending: 6 }],
  ["testnet", 1n, { seen: 1, reveal: 2, ending: 3 }],
  ["testnet4", 10n ** 9n, { seen: 1, reveal: 2, ending: 3 }],
  ["signet", 10n ** 9n, { seen: 1, reveal: 2, ending: 2 }],
  ["regtest", 10n ** 9n, { seen: 1, reveal: 2, ending: 2 }],
] as const)("on %s, %d sat need %o", (network, units, depths) => {
  expect(depthsOf(network, shipped, units)).toEqual(depths)
})

it("keeps the amounts from which the main network asks for more", () => {
  expect([SMALL_UNITS, MEDIUM_UNITS]).toEqual([1_000_000n, 10_000_000n])
})

it("takes one number for all, or each part that the configuration names", () => {
  const finality = { seen: null, reveal: null, ending: 12 }
  expect(depthsOf("mainnet", { confirmations: null, finality }, 1n)).toEqual({
    seen: 1,
    reveal: 2,
    ending: 12,
  })
  expect(depthsOf("mainnet", { confirmations: 4, finality }, 1n)).toEqual({
    seen: 4,
    reveal: 4,
    ending: 4,
  })
})
