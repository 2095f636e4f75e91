import { describe, expect, test } from "vitest"
import { type AuditedOrder, type AuditInput, audit } from "./audit.ts"
import type { Flow } from "./flow.ts"

const BTC = "bitcoin_testnet:btc"
const WBTC = "base_sepolia:wbtc"

const COMPLETED: AuditedOrder = {
  id: "one",
  from: WBTC,
  to: BTC,
  amountUnits: "100001",
  destinationAmountUnits: "99000",
  state: "completed",
  outcome: "completed",
  held: false,
  deposited: true,
  reasons: [],
}
const PAID: Flow = { asset: WBTC, direction: "out", units: 100_001n, tx: "a" }
const GOT: Flow = { asset: BTC, direction: "in", units: 99_000n, tx: "b" }
const GOT_BACK: Flow = { asset: WBTC, direction: "in", units: 100_001n, tx: "c" }

describe("the audit", () => {
  test("accepts an order with one deposit and one payout", () => {
    expect(run([COMPLETED], [PAID, GOT])).toEqual([])
  })

  test("accepts a refunded order", () => {
    expect(
      run([{ ...COMPLETED, state: "refunded", outcome: "refunded" }], [PAID, GOT_BACK]),
    ).toEqual([])
  })

  test("accepts a payout and a refund, and counts the solver's loss", () => {
    const result = audit(inputOf([COMPLETED], [PAID, GOT, GOT_BACK]))
    expect(result).toMatchObject({ violations: [], windfalls: 1 })
  })

  test.for<[string, AuditedOrder[], Flow[]]>([
    ["a second initiation", [COMPLETED], [PAID, { ...PAID, tx: "d" }, GOT]],
    ["an initiation of another amount", [COMPLETED], [{ ...PAID, units: 100_002n }, GOT]],
    [
      "an initiation of a rejected order",
      [{ ...COMPLETED, state: "rejected", outcome: "rejected" }],
      [PAID],
    ],
    ["an initiation that no order knows", [], [PAID]],
    ["a completed order without a payout", [COMPLETED], [PAID]],
    ["a completed order that paid out less", [COMPLETED], [PAID, { ...GOT, units: 98_999n }]],
    [
      "a refunded order without a refund",
      [{ ...COMPLETED, state: "refunded", outcome: "refunded" }],
      [PAID],
    ],
    ["an order that does not end", [{ ...COMPLETED, state: "funded", outcome: null }], [PAID]],
    [
      "a held order without a reason",
      [{ ...COMPLETED, state: "held", outcome: null, held: true }],
      [PAID],
    ],
  ])("finds %s", ([_name, orders, flows]) => {
    expect(run(orders, flows)).not.toEqual([])
  })

  test("finds a missing order, missing money and an oddity of a chain", () => {
    const input = inputOf([COMPLETED], [PAID, GOT])
    expect(audit({ ...input, accepted: ["one", "two"] }).violations).toHaveLength(1)
    expect(audit({ ...input, end: { ...input.end, [BTC]: 1n } }).violations).toHaveLength(1)
    expect(
      audit({ ...input, evidence: [{ flows: [], fees: {}, locked: {}, oddities: ["odd"] }] })
        .violations,
    ).toContain("odd")
  })

  test("subtracts fees and locked coins", () => {
    const input = inputOf([], [])
    const evidence = [{ flows: [], fees: { [BTC]: 5n }, locked: { [BTC]: 2n }, oddities: [] }]
    const end = { ...input.end, [BTC]: (input.start[BTC] ?? 0n) - 7n }
    expect(audit({ ...input, evidence, end }).violations).toEqual([])
    expect(audit({ ...input, evidence }).violations).toHaveLength(1)
  })
})

function run(orders: readonly AuditedOrder[], flows: readonly Flow[]): readonly string[] {
  return audit(inputOf(orders, flows)).violations
}

/** An input with balances that match the flows. */
function inputOf(orders: readonly AuditedOrder[], flows: readonly Flow[]): AuditInput {
  const start = { [BTC]: 10n ** 8n, [WBTC]: 10n ** 8n }
  const net = (asset: string): bigint =>
    flows
      .filter((flow) => flow.asset === asset)
      .reduce(
        (sum, { direction, units }) => (direction === "in" ? sum + units : sum - units),
        10n ** 8n,
      )
  const end = { [BTC]: net(BTC), [WBTC]: net(WBTC) }
  return {
    orders,
    accepted: [],
    evidence: [{ flows, fees: {}, locked: {}, oddities: [] }],
    start,
    end,
  }
}
