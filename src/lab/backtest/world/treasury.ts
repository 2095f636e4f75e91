import { type Asset, type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { assert, mustExist } from "#lib/assert.ts"
import type { AssetView, TreasuryView } from "#policy/treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "#policy/value.ts"
import { type DayFlow, dayOf } from "#policy/values/forecast-flow.ts"
import type { PairModel, RecordedQuote, Scenario, ScenarioAsset } from "./scenario.ts"

/** Wallets, prices and quotes at the present instant of a run. */
export type Treasury = {
  readonly assets: readonly ScenarioAsset[]
  readonly asset: (id: AssetId) => ScenarioAsset
  readonly units: (id: AssetId) => bigint
  /** Negative units reduce the balance. A balance never goes below zero. */
  readonly add: (id: AssetId, units: bigint) => void
  /** As `add`, for what no order of ours moves. */
  readonly flow: (id: AssetId, units: bigint, atMs: number) => void
  readonly flows: (id: AssetId) => readonly DayFlow[]
  readonly payFee: (coin: AssetId, units: bigint, atMs: number) => void
  /** The network fees of each day. */
  readonly fees: (coin: AssetId) => readonly DayFlow[]
  readonly priceFiat: (id: AssetId) => bigint
  readonly setPrices: (fiat: ReadonlyMap<string, bigint>) => void
  readonly recordQuote: (quote: RecordedQuote) => void
  readonly pair: (from: AssetId, to: AssetId) => PairModel
  /**
   * Grows with every change, and with `touch`. A result computed from the same version still holds.
   */
  readonly version: () => number
  readonly touch: () => void
}

export function createTreasury(scenario: Scenario): Treasury {
  const assets = new Map(scenario.assets.map((asset) => [asset.id, asset]))
  const units = new Map(scenario.assets.map(({ id, startUnits }) => [id, startUnits]))
  const prices = new Map(scenario.prices.map(({ name, startFiat }) => [name, startFiat]))
  const recordedPrices = new Set<string>()
  const pairs = new Map<string, PairModel>()
  const flowed = createDays()
  const paid = createDays()
  let version = 0
  const assetOf = (id: AssetId): ScenarioAsset =>
    mustExist(assets.get(id), `the asset ${id} of the scenario`)

  function recordPrice(id: AssetId, fiat: bigint | null): void {
    if (fiat === null) return
    prices.set(assetOf(id).price, fiat)
    recordedPrices.add(assetOf(id).price)
  }

  function add(id: AssetId, change: bigint): void {
    if (change === 0n) return
    const left = (units.get(assetOf(id).id) ?? 0n) + change
    assert(left >= 0n, "a simulated wallet pays no more than it holds", { asset: id, left })
    units.set(id, left)
    version += 1
  }

  return {
    assets: scenario.assets,
    asset: assetOf,
    units: (id) => units.get(assetOf(id).id) ?? 0n,
    add,
    flow: (id, change, atMs) => {
      add(id, change)
      flowed.note(id, change, atMs)
    },
    flows: flowed.list,
    payFee: (coin, fee, atMs) => {
      add(coin, -fee)
      paid.note(coin, fee, atMs)
    },
    fees: paid.list,
    priceFiat: (id) => mustExist(prices.get(assetOf(id).price), `the price of ${id}`),
    setPrices: (drawn) => {
      for (const [name, fiat] of drawn) {
        if (recordedPrices.has(name) || prices.get(name) === fiat) continue
        prices.set(name, fiat)
        version += 1
      }
    },
    recordQuote: ({ from, to, fixedFiat, bps, fromPriceFiat, toPriceFiat }) => {
      pairs.set(`${from}>${to}`, { ...scenario.pairFor(from, to), available: true, fixedFiat, bps })
      recordPrice(from, fromPriceFiat)
      recordPrice(to, toPriceFiat)
      version += 1
    },
    pair: (from, to) => {
      const key = `${from}>${to}`
      const known = pairs.get(key) ?? scenario.pairFor(from, to)
      pairs.set(key, known)
      return known
    },
    version: () => version,
    touch: () => {
      version += 1
    },
  }
}

/** Sums of each asset and day. */
function createDays() {
  const known = new Map<AssetId, Map<number, { units: bigint; changes: number }>>()
  return {
    note: (id: AssetId, units: bigint, atMs: number): void => {
      const days = known.get(id) ?? new Map<number, { units: bigint; changes: number }>()
      const sum = days.get(dayOf(atMs)) ?? { units: 0n, changes: 0 }
      sum.units += units
      sum.changes += 1
      known.set(id, days.set(dayOf(atMs), sum))
    },
    list: (id: AssetId): readonly DayFlow[] =>
      [...(known.get(id) ?? [])].map(([day, sum]) => ({ day, ...sum })),
  }
}

/** All balances and prices for the policy, in the shape that the engine reads from nodes. */
export function viewTreasury(
  treasury: Treasury,
  configured: readonly Asset[],
  sides: {
    readonly balance: (asset: Asset) => AssetView["balance"]
    /** The reason for a missing price, or `null`. */
    readonly unpriced: (id: AssetId) => Reason | null
    readonly isReference: (id: AssetId) => boolean
  },
): TreasuryView {
  const assets = configured.map((asset): AssetView => {
    const { id, decimals } = asset
    const priceCause = sides.unpriced(id)
    const isReference = sides.isReference(id) ? { isReference: true } : {}
    const price =
      priceCause === null
        ? { priceFiat: treasury.priceFiat(id), ...isReference }
        : { priceFiat: null, priceCause }
    return { id, decimals, balance: sides.balance(asset), ...price }
  })
  return { assets, pairs: [] }
}

/** The least and the most units of an asset that the service swaps in one order. */
export function boundsOf(
  { leastFiat, mostFiat }: PairModel,
  from: AssetView,
): { readonly minUnits: bigint; readonly maxUnits: bigint | null } {
  const inUnits = (fiat: bigint, rounding: "up" | "down"): bigint =>
    unitsOfValue(from, from.priceFiat ?? 1n, fiat * VALUE_PER_FIAT, rounding)
  return {
    minUnits: leastFiat === null ? 0n : inUnits(leastFiat, "up"),
    maxUnits: mostFiat === null ? null : inUnits(mostFiat, "down"),
  }
}

/** An asset with its price, for calculations that need no balance. */
export function pricedAsset(
  treasury: Treasury,
  id: AssetId,
): AssetView & { readonly priceFiat: bigint } {
  return {
    id,
    decimals: treasury.asset(id).decimals,
    priceFiat: treasury.priceFiat(id),
    balance: NOT_READ,
  }
}

const NOT_READ = {
  readable: false,
  cause: { code: "policy.asset_unknown", message: "Only its price is asked for" },
} as const

/** The value of all wallets in fiat millionths. */
export function valueOfWallets(treasury: Treasury): bigint {
  return treasury.assets.reduce(
    (sum, { id, decimals }) =>
      sum + (treasury.units(id) * treasury.priceFiat(id)) / 10n ** BigInt(decimals),
    0n,
  )
}

/** The coin in which the asset's chain takes its fees. */
export function chainIn({ chains }: Scenario, asset: AssetId): Scenario["chains"][number] {
  return mustExist(
    chains.find(({ chain }) => chain === chainOf(asset)),
    `the chain of ${asset} in the scenario`,
  )
}
