import { describe, expect, test } from "vitest"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { Sum, Swap } from "./read-swap.ts"
import { makeReport, type ReportLine } from "./report.ts"
import { SWAP_COLUMNS, toSwapRow } from "./swap-row.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const decimalsOf = (_asset: AssetId): number => 8
const sum = (asset: AssetId, units: bigint, fiat: bigint | null = null): Sum => ({
  asset,
  units,
  fiat,
})

/**
 * A hundred dollars of one coin for 99.5 of the other, 0.25 of network fees and 0.1 missing from
 * the payout.
 */
const SWAP: Swap = {
  id: "order-1",
  serviceOrderId: "aa",
  service: "main",
  kind: "htlc",
  solver: "solver",
  rule: "dca",
  outcome: "completed",
  state: "completed",
  askedAtMs: 0,
  depositedAtMs: 2_000,
  paidAtMs: 12_000,
  endedAtMs: 13_000,
  sent: sum(ETH, 400_000_000n, 100_000_000n),
  received: sum(BTC, 99_400n, 99_400_000n),
  refunded: sum(ETH, 0n, 0n),
  swapCost: sum(ETH, 2_000_000n, 500_000n),
  affiliateCost: sum(ETH, 0n, 0n),
  payoutCost: sum(BTC, 100n, 100_000n),
  networkFee: sum(ETH, 1_000_000n, 250_000n),
  redeemFee: null,
  quoted: { sourceUnits: 400_000_000n, destinationUnits: 99_500n },
  prices: { from: 25_000_000n, to: 100_000_000_000n },
  depositTx: "d",
  payoutTx: "p",
  refundTx: null,
  feeTxs: ["f", "g"],
  isBooked: true,
  earned: [],
  redeemedAtMs: 1,
}
const REJECTED: Swap = {
  ...SWAP,
  outcome: "rejected",
  sent: sum(ETH, 0n, 0n),
  received: sum(BTC, 0n, 0n),
  swapCost: sum(ETH, 0n, 0n),
  payoutCost: sum(BTC, 0n, 0n),
  networkFee: sum(ETH, 5n, null),
}

function summarize(
  swaps: readonly Swap[],
  decimals: (asset: AssetId) => number,
): Omit<ReportLine, "group"> {
  const { group: _total, ...line } = makeReport(swaps, ({ rule }) => rule, decimals).total
  return line
}

describe("a report", () => {
  test("adds up volume and every cost, and compares with quote and market", () => {
    expect(summarize([SWAP, REJECTED], decimalsOf)).toEqual({
      successBps: 5_000n,
      counts: { completed: 1, rejected: 1 },
      volumeFiat: 100_000_000n,
      swapCostFiat: 500_000n,
      affiliateCostFiat: 0n,
      payoutCostFiat: 100_000n,
      networkFeeFiat: 250_000n,
      costBps: 85n,
      unpriced: { swaps: 0, fees: 1 },
      // 0.1 of 99.5, rounded against us.
      againstQuoteBps: -11n,
      againstReferenceBps: -60n,
      sent: new Map([[ETH, 400_000_000n]]),
      received: new Map([[BTC, 99_400n]]),
      toDepositMs: { median: 2_000, longest: 2_000 },
      toPayoutMs: { median: 10_000, longest: 10_000 },
    })
  })

  test(
    "counts as a failure of the service neither an abandoned order nor one that the service " +
      "never had",
    () => {
      const others = [
        { ...REJECTED, outcome: "abandoned" },
        { ...REJECTED, serviceOrderId: null },
        { ...REJECTED, outcome: null, state: "funded" },
        { ...REJECTED, outcome: null, state: "held" },
      ]
      const line = summarize([SWAP, ...others], decimalsOf)
      expect([line.successBps, line.counts]).toEqual([
        10_000n,
        { completed: 1, abandoned: 1, rejected: 1, open: 1, held: 1 },
      ])
      expect(summarize(others, decimalsOf).successBps).toBeNull()
      expect(summarize([SWAP, REJECTED, REJECTED], decimalsOf).successBps).toBe(3_333n)
    },
  )

  test("compares each asset with the market in its own decimals", () => {
    const ownDecimals = (asset: typeof ETH): number => (asset === ETH ? 18 : 8)
    const swap = { ...SWAP, sent: sum(ETH, 4n * 10n ** 18n, 100_000_000n) }
    expect(summarize([swap], ownDecimals).againstReferenceBps).toBe(-60n)
    const unknown = { ...swap, prices: { from: 1n, to: null } }
    const other = { ...swap, prices: { from: null, to: 1n } }
    expect(summarize([swap, unknown, other], ownDecimals).againstReferenceBps).toBe(-60n)
    expect(summarize([unknown, other], ownDecimals).againstReferenceBps).toBeNull()
  })

  test("has the median and the longest of all times, and none for a step that did not happen", () => {
    const at = (depositedAtMs: number | null, paidAtMs: number | null): Swap => ({
      ...SWAP,
      depositedAtMs,
      paidAtMs,
    })
    const line = summarize(
      [at(9_000, 10_000), at(1_000, null), at(4_000, 3_000), at(null, 5_000)],
      decimalsOf,
    )
    expect(line.toDepositMs).toEqual({ median: 4_000, longest: 9_000 })
    // A payout that is older than its deposit comes from two clocks; it took no time.
    expect(line.toPayoutMs).toEqual({ median: 0, longest: 1_000 })
    expect(summarize([at(null, null)], decimalsOf).toPayoutMs).toBeNull()
  })

  test("counts a swap without a price as unpriced, not as free", () => {
    const unpriced = { ...SWAP, swapCost: sum(ETH, 0n, null), sent: sum(ETH, 400_000_000n, null) }
    const line = summarize([unpriced], decimalsOf)
    expect([line.volumeFiat, line.costBps, line.unpriced.swaps]).toEqual([0n, null, 1])
  })

  test("counts the fee of our own redemption among the network fees", () => {
    const redeemFee = sum(BTC, 4n, 50_000n)
    const line = summarize([{ ...SWAP, redeemFee }], decimalsOf)
    expect([line.networkFeeFiat, line.costBps]).toEqual([300_000n, 90n])
    const unpriced = { ...SWAP, redeemFee: sum(BTC, 4n, null) }
    expect(summarize([unpriced], decimalsOf)).toMatchObject({
      networkFeeFiat: 0n,
      unpriced: { swaps: 0, fees: 1 },
    })
  })

  test("has one line for each group, sorted by name", () => {
    const { lines } = makeReport(
      [SWAP, { ...SWAP, rule: "band" }, SWAP],
      ({ rule }) => rule,
      decimalsOf,
    )
    expect(lines.map(({ group, counts }) => [group, counts["completed"]])).toEqual([
      ["band", 1],
      ["dca", 2],
    ])
  })
})

describe("a row of an export", () => {
  test("has every column, exact amounts and rates, and empty cells for unknown values", () => {
    const row = toSwapRow(SWAP, decimalsOf)
    expect(Object.keys(row)).toEqual([...SWAP_COLUMNS])
    expect(row).toMatchObject({
      asked_at: "1970-01-01T00:00:00.000Z",
      sent_amount: "4",
      sent_fiat: "100",
      received_amount: "0.000994",
      network_fee_amount: "0.01",
      rate: "0.0002485",
      quoted_rate: "0.00024875",
      reference_rate: "0.00025",
      refund_tx: "",
      fee_txs: "f g",
      redeem_fee_asset: "",
      redeem_fee_amount: "",
    })
    const redeemFee = sum(BTC, 4n, 50_000n)
    expect(toSwapRow({ ...SWAP, redeemFee }, decimalsOf)).toMatchObject({
      redeem_fee_asset: BTC,
      redeem_fee_amount: "0.00000004",
      redeem_fee_fiat: "0.05",
    })
    expect(toSwapRow(REJECTED, decimalsOf)).toMatchObject({ rate: "", network_fee_fiat: "" })
  })
})

describe("a report of special swaps", () => {
  const counts = (swap: Partial<Swap>): unknown =>
    summarize([{ ...SWAP, ...swap }], decimalsOf).counts
  const unpriced = (swap: Partial<Swap>): unknown =>
    summarize([{ ...SWAP, ...swap }], decimalsOf).unpriced

  test("tells held orders from open ones", () => {
    expect(counts({ outcome: null, state: "held" })).toEqual({ held: 1 })
    expect(counts({ outcome: null, state: "funded" })).toEqual({ open: 1 })
  })

  test("counts a swap without a price, and a fee without one only if there was a fee", () => {
    expect(unpriced({})).toEqual({ swaps: 0, fees: 0 })
    expect(unpriced({ networkFee: sum(ETH, 0n, null) })).toEqual({ swaps: 0, fees: 0 })
    expect(unpriced({ networkFee: sum(ETH, 1n, null) })).toEqual({ swaps: 0, fees: 1 })
    expect(unpriced({ sent: sum(ETH, 1n, null) })).toEqual({ swaps: 1, fees: 0 })
    expect(unpriced({ received: sum(BTC, 1n, null) })).toEqual({ swaps: 1, fees: 0 })
  })

  test("leaves out the value of a swap without a payout, also of one unit", () => {
    const line = (units: bigint) =>
      summarize([{ ...SWAP, received: sum(BTC, units, 1n) }], decimalsOf)
    expect(line(0n)).toMatchObject({ volumeFiat: 0n, sent: new Map() })
    expect(line(1n)).toMatchObject({ volumeFiat: 100_000_000n, received: new Map([[BTC, 1n]]) })
  })

  test("adds each kind of cost to the others, and has no durations without times", () => {
    const affiliateCost = sum(ETH, 1n, 1_000_000n)
    const line = summarize([{ ...SWAP, affiliateCost, depositedAtMs: null }], decimalsOf)
    // 0.5 for the swap, 1 for affiliates, 0.1 of the payout and 0.25 of network fees, of a hundred.
    expect(line).toMatchObject({
      costBps: 185n,
      affiliateCostFiat: 1_000_000n,
      toDepositMs: null,
      toPayoutMs: null,
    })
  })

  test("sorts its groups by name", () => {
    const swaps = ["b", "c", "a"].map((rule) => ({ ...SWAP, rule }))
    const { lines } = makeReport(swaps, ({ rule }) => rule, decimalsOf)
    expect(lines.map(({ group }) => group)).toEqual(["a", "b", "c"])
  })
})
