import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import {
  combineLimits,
  gasSources,
  limitsOf,
  listSecretLimits,
  neededPairs,
} from "#engine/rules/tick/plan-limits.ts"
import type { CountingContext } from "#engine/rules/usage.ts"
import type { Limits } from "#guards/limits.ts"
import type { Need } from "#policy/need.ts"

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

const A = parseAssetId("base_sepolia:eth")
const B = parseAssetId("bitcoin_testnet:btc")
const GENERAL = { maxOrders: 5, maxOrder: null, split: true, maxCost: null }
const PAIR = { rule: "band", from: A, to: B, destination: null }
const WINDOW = { perMs: 60_000, max: null, maxFeesFiat: null, maxCount: null }
const OWN = { refusalsOf: () => [], gas: [], servicesLeft: null }
const REFUSED = { code: "pause.paused", message: "paused" }

test.each<[string, Partial<Limits>, Partial<Parameters<typeof combineLimits>[3]>, object]>([
  ["nothing", {}, {}, {}],
  [
    "a refusal",
    {},
    { refusalsOf: () => [REFUSED] },
    { blocked: [{ rule: "band", from: A, to: B, reasons: [REFUSED] }] },
  ],
  [
    "the room of the services",
    { maxInFlightPerService: 3 },
    { servicesLeft: 2 },
    { counts: [{ left: 2, reason: { code: "limit.in_flight_service", max: "3" } }] },
  ],
  ["fewer orders in flight than planned", { maxInFlight: 2 }, {}, { maxOrders: 2 }],
  ["more orders in flight than planned", { maxInFlight: 9 }, {}, {}],
  [
    "the largest order of a pair",
    {},
    { orderLimits: [{ ...PAIR, max: { kind: "fiat", fiat: 1n } }] },
    { orderLimits: [{ from: A }] },
  ],
  [
    "a window in fiat",
    { windows: [{ ...WINDOW, max: { kind: "fiat", fiat: 7n } }] },
    {},
    { windows: [{ leftFiat: 7n }] },
  ],
  [
    "a window of fees",
    { windows: [{ ...WINDOW, maxFeesFiat: 7n }] },
    {},
    { windows: [{ leftFeesFiat: 7n }] },
  ],
  [
    "a window in units",
    { windows: [{ ...WINDOW, max: { kind: "units", byAsset: { [A]: 7n } } }] },
    {},
    { windows: [{ leftUnits: { [A]: 7n } }] },
  ],
  [
    "no window for other assets",
    { windows: [{ ...WINDOW, max: { kind: "units", byAsset: { [B]: 7n } } }] },
    {},
    {},
  ],
])("a plan is told exactly %s", (_name, limits, own, expected) => {
  const combined = combineLimits(idle(limits), GENERAL, [PAIR], { ...OWN, ...own })
  expect(combined).toMatchObject({ ...GENERAL, ...expected })
  expect(Object.keys(combined).sort()).toEqual(Object.keys({ ...GENERAL, ...expected }).sort())
  expect(combineLimits(idle(limits), GENERAL, [], { ...OWN, ...own })).toBe(GENERAL)
})

test("the general limits keep a percent of a fiat limit, and count the orders in flight", () => {
  const of = (limits: Partial<Limits>, inFlight = 0) => {
    const { journal, settings } = idle(limits)
    return limitsOf({ journal: { ...journal, countInFlight: () => inFlight }, settings }, null)
  }
  expect(of({ maxInFlight: 8 }, 3)).toMatchObject({ maxOrders: 5, maxOrder: null, split: true })
  expect(of({ maxInFlight: 8 }, 9)).toMatchObject({ maxOrders: 0, bindSums: true })
  expect(of({ maxOrder: { kind: "fiat", fiat: 1_000n } }).maxOrder).toEqual({
    kind: "fiat",
    fiat: 990n,
  })
  const units = { kind: "units", byAsset: { [A]: 1_000n } } as const
  expect(of({ maxOrder: units }).maxOrder).toEqual(units)
})

test("a pair is judged for the rule of each need that its order may serve, once", () => {
  // CAST: only these parts of a need count.
  const need = (rule: string, over: Partial<Need>): Need =>
    ({ rule, kind: "gain", ...over }) as Need
  const partner = (asset: typeof A, destination: string | null = null) =>
    ({ asset, destination }) as Need["partners"][number]
  const gain = need("gains", { asset: B, partners: [partner(A), partner(A)] })
  const lose = need("loses", { kind: "lose", asset: A, partners: [partner(B)] })
  const sweep = need("sweeps", {
    kind: "lose",
    asset: A,
    partners: [partner(B, "far")],
  })
  const same = need("same", { asset: A, partners: [] })
  const pair = (rule: string, destination: string | null = null) => ({
    rule,
    from: A,
    to: B,
    destination,
  })
  expect(neededPairs([gain])).toEqual([pair("gains")])
  expect(neededPairs([lose])).toEqual([pair("loses")])
  expect(neededPairs([gain, lose])).toEqual([pair("gains"), pair("loses")])
  expect(neededPairs([sweep, gain])).toEqual([pair("sweeps", "far"), pair("gains"), pair("sweeps")])
  expect(neededPairs([gain, same])).toEqual([pair("gains")])
})

test.each([
  ["service", true, null, 198n],
  ["own", true, null, null],
  ["prefer-own", true, null, null],
  ["prefer-own", false, null, 198n],
  ["prefer-own", true, "far", 198n],
  ["prefer-own", true, "us", null],
] as const)(
  "the secret limit of a pair: %s, with a keeper %s, to %s",
  (mode, isKept, destination, fiat) => {
    const secrets = {
      // CAST: only its presence counts.
      ownSecrets: {
        keeper: isKept ? {} : null,
        modeOf: () => mode,
        maxServiceSecret: { kind: "fiat", fiat: 200n },
      },
      services: ["main", "other"],
      paysUs: (pair: typeof PAIR) => pair.destination === null || pair.destination === "us",
    } as unknown as Parameters<typeof listSecretLimits>[0]
    const found = listSecretLimits(secrets, [{ ...PAIR, destination }])
    const limit = { from: A, to: B, destination, max: { kind: "fiat", fiat } }
    expect(found).toEqual(fiat === null ? [] : [limit])
  },
)

/** No orders, no windows. */
function idle(over: Partial<Limits> = {}): CountingContext {
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
    ...over,
  }
  // CAST: without windows and orders the counts read nothing else.
  return {
    journal,
    settings: { limits },
    memory: createMemory(),
    clock: { now: () => 0 },
  } as unknown as CountingContext
}
