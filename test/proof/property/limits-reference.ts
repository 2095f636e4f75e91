import { type AssetId, chainOf } from "#domain/asset.ts"
import { FLOOR, LIMITS } from "./limits-world.ts"

/** The real history of one order, recorded by the test itself. */
export type Entry = {
  readonly id: string
  /** The rules that the order serves; one rule may be named twice. */
  readonly rules: readonly string[]
  readonly from: AssetId
  readonly to: AssetId
  readonly units: bigint
  readonly acceptedAt: number
  /** By the prices at the accepted quote; `null` without a quote. */
  fiat: bigint | null
  quoteFeeFiat: bigint
  /** By the solver of the accepted quote; `null` without a quote. */
  service: string | null
  depositedAt: number | null
  endedAt: number | null
  /** Network fees paid, in fiat at the price of that quote. */
  networkFiat: bigint
  completed: boolean
}

/**
 * Counts the limits again from the list of histories, without journal and reservations. The
 * deposits of every window of time must be within the window's limits; the open orders must be
 * within the other limits.
 */
export function findBreaches(
  entries: readonly Entry[],
  balances: ReadonlyMap<AssetId, bigint>,
  nowMs: number,
): string[] {
  const open = entries.filter(({ endedAt }) => endedAt === null)
  return [
    ...most("in flight", open.length, LIMITS.maxInFlight),
    ...perKey(
      "in flight of a rule",
      open.map(({ rules }) => [...new Set(rules)]),
      LIMITS.maxInFlightPerRule,
    ),
    ...perKey(
      "in flight of a pair",
      open.map(({ from, to }) => [`${from}>${to}`]),
      LIMITS.maxInFlightPerPair,
    ),
    ...perKey(
      "in flight of a chain",
      open.map(({ from, to }) => [...new Set([chainOf(from), chainOf(to)])]),
      LIMITS.maxInFlightPerChain,
    ),
    ...perKey(
      "in flight of a service",
      open.map(({ service }) => (service === null ? [] : [service])),
      LIMITS.maxInFlightPerService,
    ),
    ...LIMITS.windows.flatMap((window, index) => findWindowBreaches(entries, window, index, nowMs)),
    ...[...balances].flatMap(([asset, units]) => {
      const floor = asset.endsWith("wbtc") ? 0n : FLOOR
      return units < floor ? [`${asset} is down to ${units}, below ${floor}`] : []
    }),
  ]
}

type Window = (typeof LIMITS.windows)[number]

/** Checks every window that ends with a deposit; those windows cover all others. */
function findWindowBreaches(
  entries: readonly Entry[],
  window: Window,
  index: number,
  nowMs: number,
): string[] {
  const deposited = entries.filter(({ depositedAt }) => depositedAt !== null)
  const perMs = window.perMs ?? nowMs
  const ends = deposited.map(({ depositedAt }) => depositedAt ?? 0)
  return ends.flatMap((endMs) => {
    const within = deposited.filter(({ depositedAt }) => {
      const atMs = depositedAt ?? 0
      return atMs <= endMs && atMs > endMs - perMs
    })
    const name = `window ${index}`
    const fees = within.reduce(
      (sum, one) => sum + one.networkFiat + (one.completed ? one.quoteFeeFiat : 0n),
      0n,
    )
    const fiat = within.reduce((sum, one) => sum + (one.fiat ?? 0n), 0n)
    const { max } = window
    return [
      ...(window.maxCount === null ? [] : most(`${name} orders`, within.length, window.maxCount)),
      ...(window.maxFeesFiat === null ? [] : most(`${name} fees`, fees, window.maxFeesFiat)),
      ...(max?.kind === "fiat" ? most(`${name} fiat`, fiat, max.fiat) : []),
      ...(max?.kind === "units"
        ? Object.entries(max.byAsset).flatMap(([asset, units]) => {
            const sold = within
              .filter(({ from }) => from === asset)
              .reduce((sum, one) => sum + one.units, 0n)
            return most(`${name} ${asset}`, sold, units)
          })
        : []),
    ]
  })
}

function perKey(what: string, keys: readonly (readonly string[])[], max: number): string[] {
  const counts = new Map<string, number>()
  for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].flatMap(([key, count]) => most(`${what} ${key}`, count, max))
}

function most(what: string, found: bigint | number, max: bigint | number): string[] {
  return BigInt(found) > BigInt(max) ? [`${what}: ${found}, at most ${max}`] : []
}
