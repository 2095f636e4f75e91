import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import { combineLimits, gasSources } from "#engine/rules/tick/plan-limits.ts"
import type { CountingContext } from "#engine/rules/usage.ts"

const [ETH, WBTC, BTC] = ["base_sepolia:eth", "base_sepolia:wbtc", "bitcoin_testnet:btc"].map(
  parseAssetId,
)

test.each([
  ["the coin first", [ETH, WBTC]],
  ["the token first", [WBTC, ETH]],
] as const)(
  "a chain's orders keep back the fees of its dearest source, with %s",
  (_name, sources) => {
    const pairs = sources.map((from) => ({
      rule: "band",
      from: from ?? "",
      to: BTC ?? "",
      destination: null,
    })) as Pairs
    expect(gasSources([...pairs, ...pairs])).toEqual(sources)
    const of = { chain: "base_sepolia", coin: ETH ?? null }
    const gas = sources.map((from) =>
      from === ETH
        ? { ...of, perOrderUnits: 10n, leftUnits: null }
        : { ...of, perOrderUnits: 25n, leftUnits: 70n },
    )
    const general = { maxOrders: 5, maxOrder: null, split: true, maxCost: null }
    const combined = combineLimits(idle(), general, pairs, {
      refusalsOf: () => [],
      gas: gas as Gas,
      servicesLeft: null,
    })
    expect(combined.gas).toEqual([{ ...of, perOrderUnits: 25n, leftUnits: 70n }])
  },
)

type Pairs = Parameters<typeof combineLimits>[2]
type Gas = Parameters<typeof combineLimits>[3]["gas"]

/** No orders, no windows. */
function idle(): CountingContext {
  const journal = {
    sumWindow: () => ({ fiat: 0n, feesFiat: 0n, count: 0, units: 0n }),
    countInFlight: () => 0,
    readFailures: () => ({ count: 0, lastMs: null }),
    readFlag: () => null,
  }
  const limits = {
    maxOrder: null,
    minOrder: null,
    maxInFlight: 5,
    windows: [],
    quietHours: [],
    maxCost: null,
  }
  // CAST: without windows and orders the counts read nothing else.
  return {
    journal,
    settings: { limits },
    memory: createMemory(),
    clock: { now: () => 0 },
  } as unknown as CountingContext
}
