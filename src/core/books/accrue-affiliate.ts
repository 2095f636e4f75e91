import type { AssetId } from "#domain/asset.ts"
import type { AffiliateRecord } from "#domain/route/affiliate-fee.ts"

/**
 * Sums the earnings of affiliates by ISO week (UTC), asset and address. An order counts in the week
 * in which its destination was redeemed; the service pays at the end of that week (service
 * interface §1). Oldest week first.
 *
 * The amounts are the service's own records, at the prices of each order's quote. An order without
 * an amount counts in `unknownOrders` and adds nothing.
 */
export function accrueAffiliate(orders: readonly EarningOrder[]): readonly AffiliateWeek[] {
  const weeks = new Map<string, AffiliateWeek>()
  for (const { redeemedAtMs, records } of orders) {
    for (const { asset, address, units } of records) {
      const week = isoWeek(redeemedAtMs)
      const key = [week, asset, sameAddressKey(address)].join(" ")
      const known = weeks.get(key) ?? {
        week,
        asset,
        address,
        units: 0n,
        orders: 0,
        unknownOrders: 0,
      }
      weeks.set(key, {
        ...known,
        units: known.units + (units ?? 0n),
        orders: known.orders + 1,
        unknownOrders: known.unknownOrders + (units === null ? 1 : 0),
      })
    }
  }
  const order = (row: AffiliateWeek): string => `${row.week} ${row.asset} ${row.address}`
  return [...weeks.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** An order with a redeemed destination, and the service's affiliate records. */
type EarningOrder = { readonly redeemedAtMs: number; readonly records: readonly AffiliateRecord[] }

export type AffiliateWeek = {
  /** For example `2026-W47`. */
  readonly week: string
  readonly asset: AssetId
  readonly address: string
  /** Smallest units of the asset. */
  readonly units: bigint
  readonly orders: number
  readonly unknownOrders: number
}

const DAY_MS = 86_400_000

/**
 * The ISO 8601 week of a moment, UTC: a week begins on Monday and belongs to the year of its
 * Thursday. Written by hand: `getISOWeek` of date-fns uses the local time zone.
 */
export function isoWeek(ms: number): string {
  const day = new Date(ms)
  const thursdayMs = Date.UTC(
    day.getUTCFullYear(),
    day.getUTCMonth(),
    day.getUTCDate() + 4 - (day.getUTCDay() || 7),
  )
  const year = new Date(thursdayMs).getUTCFullYear()
  const week = Math.floor((thursdayMs - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1
  return `${year}-W${String(week).padStart(2, "0")}`
}

/** Hex addresses may carry a checksum in the case of their letters. */
function sameAddressKey(address: string): string {
  return address.startsWith("0x") ? address.toLowerCase() : address
}
