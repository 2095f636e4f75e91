import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Sum, Swap } from "./read-swap.ts"
import { makeReport, summarize } from "./report.ts"
import { SWAP_COLUMNS, toSwapRow } from "./swap-row.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const decimalsOf = (): number => 8
const sum = (asset: typeof ETH, units: bigint, fiat: bigint | null = null): Sum => ({ asset, units, fiat })

/** A hundred dollars of one coin for 99.5 of the other, 0.25 of network fees and 0.1 missing from the payout. */
const SWAP: Swap = {
  id: "order-1",
  serviceOrderId: "aa",
  service: "main",
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
  quoted: { sourceUnits: 400_000_000n, destinationUnits: 99_500n },
  prices: { from: 25_000_000n, to: 100_000_000_000n, native: null },
  depositTx: "d",
  payoutTx: "p",
  refundTx: null,
  feeTxs: ["f", "g"],
  isBooked: true,
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

  test("counts a swap without a price as unpriced, not as free", () => {
    const unpriced = { ...SWAP, swapCost: sum(ETH, 0n, null), sent: sum(ETH, 400_000_000n, null) }
    const line = summarize([unpriced], decimalsOf)
    expect([line.volumeFiat, line.costBps, line.unpriced.swaps]).toEqual([0n, null, 1])
  })

  test("has one line for each group, sorted by name", () => {
    const lines = makeReport([SWAP, { ...SWAP, rule: "band" }, SWAP], ({ rule }) => rule, decimalsOf)
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
    })
    expect(toSwapRow(REJECTED, decimalsOf)).toMatchObject({ rate: "", network_fee_fiat: "" })
  })
})
