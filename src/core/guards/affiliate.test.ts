import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { AffiliateFee } from "#domain/route/affiliate-fee.ts"
import { compareAffiliateFees, judgeAffiliateFees } from "./affiliate.ts"

const USDC: AffiliateFee = {
  asset: parseAssetId("base_sepolia:usdc"),
  address: "0xAbCd",
  feeBps: 10,
}
const CBBTC: AffiliateFee = {
  asset: parseAssetId("ethereum_sepolia:cbbtc"),
  address: "0x1234",
  feeBps: 20,
}
const RECORDS = [USDC, CBBTC].map((fee) => ({ ...fee, units: 5n }))
const codes = (reasons: readonly { code: string }[]): string[] => reasons.map(({ code }) => code)

describe("affiliate entries", () => {
  test("in USDC and cbBTC are accepted, with a valid address or on a chain that is not configured", () => {
    expect(
      judgeAffiliateFees([USDC, CBBTC], ({ asset }) => (asset === USDC.asset ? true : null)),
    ).toEqual([])
    expect(judgeAffiliateFees([], () => false)).toEqual([])
  })

  test(
    "in another asset, to another chain's address, or above the whole amount are refused, each " +
      "with its reason",
    () => {
      const wrong = { ...USDC, asset: parseAssetId("base_sepolia:wbtc") }
      expect(codes(judgeAffiliateFees([wrong, CBBTC], () => false))).toEqual([
        "affiliate.asset",
        "affiliate.address",
      ])
      expect(codes(judgeAffiliateFees([{ ...USDC, feeBps: 9_981 }, CBBTC], () => true))).toEqual([
        "affiliate.sum",
      ])
      expect(codes(judgeAffiliateFees([{ ...USDC, feeBps: 9_980 }, CBBTC], () => true))).toEqual([])
      expect(codes(judgeAffiliateFees([{ ...wrong, feeBps: 10_001 }], () => true))).toEqual([
        "affiliate.asset",
        "affiliate.sum",
      ])
    },
  )
})

describe("an order read back", () => {
  test("passes with all entries in any order, and with entries of other parties", () => {
    const other = { ...USDC, address: "0x9999", units: null }
    expect(compareAffiliateFees([USDC, CBBTC], [...RECORDS.toReversed(), other])).toEqual([])
    expect(compareAffiliateFees([USDC], [{ ...USDC, address: "0xabcd", units: 1n }])).toEqual([])
    expect(compareAffiliateFees([], RECORDS)).toEqual([])
    const base58 = { ...USDC, address: "AbCd" }
    expect(
      codes(compareAffiliateFees([base58], [{ ...base58, address: "abcd", units: 1n }])),
    ).toEqual(["affiliate.record"])
  })

  test.each([
    ["nothing", []],
    ["one of the two", RECORDS.slice(0, 1)],
    ["another address", [RECORDS[0], { ...CBBTC, address: "0x1235", units: 5n }]],
    ["another asset", [RECORDS[0], { ...CBBTC, asset: USDC.asset, units: 5n }]],
    ["another fee", [RECORDS[0], { ...CBBTC, feeBps: 19, units: 5n }]],
  ])("with %s is refused, and the reason names the missing entry", (_name, recorded) => {
    // CAST: the list has no holes.
    const reasons = compareAffiliateFees([USDC, CBBTC], recorded as typeof RECORDS)
    expect(reasons.at(-1)).toMatchObject({
      code: "affiliate.record",
      expected: "20 bps in ethereum_sepolia:cbbtc to 0x1234",
    })
  })

  test("names the recorded entries, or their absence", () => {
    const found = (recorded: typeof RECORDS) =>
      compareAffiliateFees([CBBTC], recorded)[0]?.["found"]
    expect(found([])).toBe("none")
    expect(found([...RECORDS.slice(0, 1), ...RECORDS.slice(0, 1)])).toBe(
      "10 bps in base_sepolia:usdc to 0xAbCd, 10 bps in base_sepolia:usdc to 0xAbCd",
    )
  })

  test("does not count one record for two equal entries", () => {
    expect(codes(compareAffiliateFees([USDC, USDC], RECORDS))).toEqual(["affiliate.record"])
  })
})
