import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { accrueAffiliate, isoWeek } from "./accrue-affiliate.ts"

const USDC = parseAssetId("base_sepolia:usdc")
const CBBTC = parseAssetId("ethereum_sepolia:cbbtc")
const SUNDAY_MS = Date.UTC(2026, 10, 22, 23, 59, 59, 999)

function order(redeemedAtMs: number, usdc: bigint | null, cbbtc: bigint) {
  return {
    redeemedAtMs,
    records: [
      { asset: USDC, address: "0xAB", feeBps: 10, units: usdc },
      { asset: CBBTC, address: "0xCD", feeBps: 20, units: cbbtc },
    ],
  }
}

describe("affiliate fees", () => {
  test("add up by week, asset and address; the week ends with Sunday in UTC", () => {
    const orders = [
      order(SUNDAY_MS + 1, 7n, 3n),
      order(SUNDAY_MS, 5n, 2n),
      order(SUNDAY_MS - 1_000, 5n, 2n),
    ]
    expect(accrueAffiliate(orders)).toEqual([
      { week: "2026-W47", asset: USDC, address: "0xAB", units: 10n, orders: 2, unknownOrders: 0 },
      { week: "2026-W47", asset: CBBTC, address: "0xCD", units: 4n, orders: 2, unknownOrders: 0 },
      { week: "2026-W48", asset: USDC, address: "0xAB", units: 7n, orders: 1, unknownOrders: 0 },
      { week: "2026-W48", asset: CBBTC, address: "0xCD", units: 3n, orders: 1, unknownOrders: 0 },
    ])
  })

  test("of two addresses stay apart, also those that differ in case without being hex", () => {
    const records = ["0xAB", "0xCD", "Abc", "aBC"].map((address, index) => {
      return { asset: USDC, address, feeBps: 10, units: BigInt(index + 1) }
    })
    expect(
      accrueAffiliate([{ redeemedAtMs: SUNDAY_MS, records }]).map(({ address, units }) => [
        address,
        units,
      ]),
    ).toEqual([
      ["0xAB", 1n],
      ["0xCD", 2n],
      ["Abc", 3n],
      ["aBC", 4n],
    ])
  })

  test(
    "of one address in two spellings add up; an order with an unknown amount is counted, not " +
      "added as zero",
    () => {
      const first = order(SUNDAY_MS, 5n, 2n)
      const second = order(SUNDAY_MS, null, 2n)
      const spelt = {
        ...second,
        records: second.records.map((record) => ({
          ...record,
          address: record.address.toLowerCase(),
        })),
      }
      expect(accrueAffiliate([first, spelt])[0]).toMatchObject({
        units: 5n,
        orders: 2,
        unknownOrders: 1,
      })
      expect(accrueAffiliate([])).toEqual([])
    },
  )
})

test.each([
  ["2024-12-30", "2025-W01"],
  ["2025-12-28", "2025-W52"],
  ["2026-12-31", "2026-W53"],
  ["2027-01-03", "2026-W53"],
  ["2027-01-04", "2027-W01"],
])("%s is in %s (ISO 8601)", (day, week) => {
  expect(isoWeek(Date.parse(`${day}T12:00:00Z`))).toBe(week)
})
