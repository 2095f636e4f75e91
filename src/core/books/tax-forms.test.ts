import { expect, test } from "vitest"
import { formatCsv } from "./format-csv.ts"
import { SWAP_COLUMNS, type SwapRow } from "./swap-row.ts"
import { listTaxed, TAX_FORMS } from "./tax-forms.ts"

// CAST: each column has a text.
const EMPTY = Object.fromEntries(SWAP_COLUMNS.map((column) => [column, ""])) as SwapRow
const COMPLETED: SwapRow = {
  ...EMPTY,
  order_id: "4f",
  outcome: "completed",
  asked_at: "2026-03-04T23:59:00.000Z",
  deposited_at: "2026-03-05T00:01:02.000Z",
  sent_asset: "base:usdc",
  sent_amount: "1000",
  sent_fiat: "999.5",
  received_asset: "bitcoin:btc",
  received_amount: "0.0165",
  network_fee_asset: "base:eth",
  network_fee_amount: "0.00001",
  network_fee_fiat: "0.03",
  deposit_tx: "0xdd",
}
const REFUNDED: SwapRow = {
  ...COMPLETED,
  outcome: "refunded",
  received_amount: "0",
  refunded_amount: "1000",
}

test("Koinly gets the swap with its fee and value, and a refund as its cost", () => {
  const { columns, toLine } = TAX_FORMS.koinly
  expect(formatCsv(columns, [COMPLETED, REFUNDED].map(toLine)).split("\r\n")).toEqual([
    "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency," +
      "Net Worth Amount,Net Worth Currency,Label,Description,TxHash",
    "2026-03-05 00:01:02 UTC,1000,USDC,0.0165,BTC,0.00001,ETH,999.5,USD,," +
      '"completed base:usdc to bitcoin:btc, order 4f",0xdd',
    "2026-03-05 00:01:02 UTC,0.00001,ETH,,,,,0.03,USD,cost," +
      '"refunded base:usdc to bitcoin:btc, order 4f",0xdd',
    "",
  ])
})

test("CoinTracker gets American dates and the received side first", () => {
  const { columns, toLine } = TAX_FORMS.cointracker
  expect(formatCsv(columns, [COMPLETED, REFUNDED].map(toLine)).split("\r\n")).toEqual([
    "Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency," +
      "Fee Amount,Fee Currency,Tag",
    "03/05/2026 00:01:02,0.0165,BTC,1000,USDC,0.00001,ETH,",
    "03/05/2026 00:01:02,,,0.00001,ETH,,,",
    "",
  ])
})

test("a value without a price stays empty, and so does a fee of nothing", () => {
  const row = { ...COMPLETED, sent_fiat: "", network_fee_amount: "0" }
  expect(TAX_FORMS.koinly.toLine(row)).toMatchObject({
    "Net Worth Amount": "",
    "Net Worth Currency": "",
    "Fee Amount": "",
    "Fee Currency": "",
  })
})

test.each([
  ["a swap that ended", COMPLETED, true],
  ["a refund with fees", REFUNDED, true],
  ["a refund without fees", { ...REFUNDED, network_fee_amount: "0.000" }, false],
  ["an open order", { ...COMPLETED, outcome: "" }, false],
  ["an order without a deposit", { ...COMPLETED, outcome: "rejected", deposited_at: "" }, false],
] as const)("%s counts: %#", (_name, row, counts) => {
  expect(listTaxed(row)).toEqual(counts ? [row] : [])
})

test("the fee of our own redemption is a cost of its own, because a line has one fee", () => {
  const row: SwapRow = {
    ...COMPLETED,
    paid_at: "2026-03-05T00:03:04.000Z",
    payout_tx: "0xpp",
    redeem_fee_asset: "solana:sol",
    redeem_fee_amount: "0.00096",
    redeem_fee_fiat: "0.2",
  }
  const lines = listTaxed(row)
  expect(lines.map(TAX_FORMS.koinly.toLine)).toMatchObject([
    { "Fee Amount": "0.00001", "Fee Currency": "ETH", Label: "" },
    {
      Date: "2026-03-05 00:03:04 UTC",
      "Sent Amount": "0.00096",
      "Sent Currency": "SOL",
      "Received Amount": "",
      "Fee Amount": "",
      "Net Worth Amount": "0.2",
      Label: "cost",
      TxHash: "0xpp",
    },
  ])
  expect(lines.map(TAX_FORMS.cointracker.toLine)[1]).toMatchObject({
    Date: "03/05/2026 00:03:04",
    "Sent Quantity": "0.00096",
    "Sent Currency": "SOL",
  })
})
