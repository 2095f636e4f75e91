import { describe, expect, test } from "vitest"
import type { OrderView } from "#order/view.ts"
import { createDisplay } from "./create-display.ts"
import { formatProgress, formatSummary, summariseDemo } from "./show-orders.ts"

const open = {
  id: "5f3a5f3a5f3a5f3a",
  amount: "0.001",
  from: "bitcoin_testnet:btc",
  to: "starknet_sepolia:wbtc",
  destinationAmount: "0.000996",
  deposit: "onchain",
  depositTx: null,
  deposited: false,
  outcome: null,
  state: "deposit-confirming",
  seen: {},
  createdAt: "2026-03-04T09:30:00.000Z",
  updatedAt: "2026-03-04T09:30:02.000Z",
}
// CAST: the display reads these fields alone.
const [order, done] = [
  open,
  { ...open, state: "completed", outcome: "completed" },
] as unknown as OrderView[]

describe("the live table", () => {
  test.each([30, 60, 80, 100, 200])(
    "fits %d columns, so that redrawing erases all of it",
    (columns) => {
      const table = formatProgress(
        [order, done].filter((one) => one !== undefined),
        "Ballast on the sandbox",
        columns,
      )
      const lines = table.split("\n")
      expect(lines.filter((line) => line.length > columns)).toEqual([])
      expect(lines).toHaveLength(7)
      expect(table).toContain("5f3a5f3a")
    },
  )

  test("keeps its stages as long as there is space", () => {
    const shown = [80, 200].map((columns) =>
      formatProgress(order === undefined ? [] : [order], "t", columns),
    )
    expect(shown.map((table) => table.includes("deposit-confirming"))).toEqual([true, true])
    expect(shown.map((table) => table.includes("onchain"))).toEqual([false, true])
  })

  test("and the summary name the kind of route", () => {
    // CAST: as above.
    const burn = { ...done, route: { kind: "cctp" } } as unknown as OrderView
    const orders = [order, burn].filter((one) => one !== undefined)
    for (const text of [formatProgress(orders, "t", 200), formatSummary(orders.map(summariseDemo))])
      expect(text).toMatch(/over[\s\S]*htlc[\s\S]*cctp/)
  })
})

test("a pipe gets one line for each change, and none ends in a semicolon", () => {
  const said: string[] = []
  const show = createDisplay(null, 2, (text) => said.push(text))
  for (const orders of [[], [order], [order], [done]])
    show(orders.filter((one) => one !== undefined))
  expect(said).toEqual([
    "0 of 2 completed",
    "0 of 2 completed; 5f3a5f3a deposit-confirming",
    "1 of 2 completed",
  ])
})
