import { expect, test } from "vitest"
import { formatOrders } from "../../../web/orders/orders-csv.ts"

test("an export has a line of names, quotes what needs them, and gives a spreadsheet no formula", () => {
  const order = {
    id: "0f",
    createdAt: "2026-06-02T10:00:00Z",
    updatedAt: "2026-06-02T10:05:00Z",
    state: "completed",
    rule: "=cmd()",
    service: 'a "b", c',
    amount: "0.001",
    from: "base:wbtc",
    destinationAmount: null,
    to: "bitcoin:btc",
    fiat: "100",
    costFiat: "-0.4",
    costBps: 40,
    depositTx: "0x1",
    destinationTx: null,
  }
  // CAST: an export reads these fields.
  const [names, line, end] = formatOrders([order] as never).split("\r\n")
  expect(names).toBe(
    "id,requested,changed,state,rule,service,sent,sent_asset,received,received_asset," +
      "value_usd,cost_usd,cost_bps,deposit_tx,payout_tx",
  )
  expect(line).toBe(
    `0f,2026-06-02T10:00:00Z,2026-06-02T10:05:00Z,completed,'=cmd(),"a ""b"", c",0.001,` +
      "base:wbtc,,bitcoin:btc,100,-0.4,40,0x1,",
  )
  expect(end).toBe("")
})
