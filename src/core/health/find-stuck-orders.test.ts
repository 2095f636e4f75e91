import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { findStuckOrders } from "./find-stuck-orders.ts"
import type { AlarmReading, OrderReading, Readings } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const WBTC = parseAssetId("base_sepolia:wbtc")
const REFUSED = { code: "evm.reverted", message: "the token refuses transfers" }
const BEHIND = { code: "journal.resource_taken", message: "Another order holds this resource" }

const order = (id: string, change: Partial<OrderReading> = {}): OrderReading => ({
  id: `${id}00112233`,
  rule: "dca",
  from: WBTC,
  to: WBTC,
  amount: "1",
  destinationAmount: null,
  state: "planning",
  money: "in the wallet",
  sinceMs: NOW - 120_000,
  held: false,
  deadline: null,
  reasons: [REFUSED],
  ...change,
})
const find = (orders: readonly OrderReading[], alarms: readonly AlarmReading[] = []) =>
  // CAST: the function reads these fields.
  findStuckOrders({ orders, alarms, pause: null, nowMs: NOW } as unknown as Readings, 30_000)

test("orders that fail for one reason are one problem, with those that wait behind them", () => {
  const found = find([
    order("aaaa", { sinceMs: NOW - 300_000 }),
    order("bbbb"),
    order("cccc", { reasons: [BEHIND] }),
  ])
  expect(found).toMatchObject([
    {
      code: "order.stuck",
      sentence:
        "2 orders from base_sepolia:wbtc to base_sepolia:wbtc have waited at planning for 5 min: " +
        "the token refuses transfers " +
        "[evm.reverted]; 1 more wait behind them",
      command: "ballast order aaaa0011",
    },
  ])
})

test("an order whose secret is told has the end of its payout's lock", () => {
  const ending = (atMs: number, kind: "payout" | "refund" = "payout"): Partial<OrderReading> => ({
    deadline: { kind, atMs, what: "ends" },
  })
  const [told] = find([order("aaaa", ending(NOW + 9)), order("bbbb", ending(NOW + 7))])
  expect(told).toMatchObject({ deadlineMs: NOW + 7 })
  expect(told?.meaning).toMatch(/must be redeemed before the payout's lock ends/)
  const refund = find([order("aaaa", ending(NOW + 9, "refund"))])
  for (const kept of [...refund, ...find([order("aaaa")])]) {
    expect(kept.deadlineMs).toBeNull()
    expect(kept.meaning).toMatch(/stays behind its timelock/)
  }
})

test.each([
  [5, "", 4],
  [6, ", and 1 other pair have waited", 4],
  [7, ", and 2 other pairs have waited", 4],
])("of %i pairs five are named%s", (count, rest, commas) => {
  const orders = Array.from({ length: count }, (_, at) =>
    order(`aaa${at}`, { to: parseAssetId(`base_sepolia:t${at}`) }),
  )
  const [sentence = ""] = find(orders).map((one) => one.sentence)
  expect(sentence).toContain(rest)
  expect(sentence.split(", base_sepolia").length - 1).toBe(commas)
})

test("other steps and other reasons are problems of their own", () => {
  const other = { code: "service.unavailable", message: "HTTP 500" }
  const found = find([order("aaaa"), order("bbbb", { reasons: [other] })])
  expect(found.map(({ about }) => about)).toEqual([
    "planning evm.reverted",
    "planning service.unavailable",
  ])
})

test.each([
  ["starknet.rpc", "The endpoint answers starknet_getNonce with: Internal error", /^.*another end/],
  ["evm.rival_unnamed", "Our nonce is used, and no transaction used it", /another endpoint/],
  ["bitcoin.broadcast_unknown", "too-long-mempool-chain", /Wait for a block/],
  ["bitcoin.broadcast_unknown", "txn-mempool-conflict", /another program/],
  ["bitcoin.broadcast_unknown", "mempool full", /no room/],
  ["starknet.not_taken", "Invalid transaction nonce", /another program/],
  ["evm.not_taken", "replacement transaction underpriced", /another program/],
  ["solana.node_error", "custom program error: 0x1", /fund it/],
  ["solana.node_error", "custom program error: 0x11", /ask the issuer/],
  ["evm.reverted", "It reverts", /ask the issuer of the token/],
  ["quote.none", "No solver quotes this pair now", /Ask the operator of the service/],
  ["service.other", "It is not well", /Ask the operator of the service/],
])("an order that waits for %s has a step of its own", (code, message, todo) => {
  expect(find([order("aaaa", { reasons: [{ code, message }] })])[0]?.todo).toMatch(todo)
})

test("a fee above its cap may be the word of one node alone", () => {
  const dear = { code: "fees.above_cap", message: "The network's fee is above a configured cap" }
  expect(find([order("aaaa", { reasons: [dear] })])[0]?.todo).toMatch(
    /explorer: if your node alone asks for it, replace the endpoint/,
  )
})

test("an order that is new, rests, or has an alarm is not among them", () => {
  const alarm = { atMs: NOW, order: "dddd00112233", reason: REFUSED, closedMs: null }
  const orders = [
    order("aaaa", { sinceMs: NOW - 20_000 }),
    order("bbbb", { state: "awaiting-approval" }),
    order("cccc", { held: true }),
    order("dddd"),
    order("eeee", { reasons: [] }),
  ]
  expect(find(orders, [alarm])).toEqual([])
})

test("the words of the node or the token stand in the sentence, and decide the remedy", () => {
  const refusal = (id: string, found: string) =>
    order(id, { reasons: [{ code: "evm.not_taken", message: "It may have arrived", found }] })
  const paused = { code: "evm.simulation_reverted", message: "The call would revert on chain" }
  const found = find([
    refusal("aaaa", "The EVM endpoint answers eth_sendRawTransaction with: txpool is full"),
    refusal("bbbb", "eth_sendRawTransaction: the method is not available"),
    order("cccc", { reasons: [{ ...paused, reason: "Error(Pausable: paused)" }] }),
  ])
  expect(found.map(({ sentence, todo }) => `${sentence} ${todo}`)).toEqual([
    expect.stringMatching(/It may have arrived: .*txpool is full \[evm.not_taken\].*no room/),
    expect.stringMatching(/the method is not available .*takes no transactions/),
    expect.stringMatching(/would revert on chain: Error\(Pausable: paused\) .*issuer/),
  ])
})

test("numbers and hashes in the words do not tell two causes apart", () => {
  const refused = (id: string, nonce: number, hash: string) => {
    const found = `nonce too low: next nonce ${nonce + 1}, tx nonce ${nonce}, tx ${hash}`
    return order(id, {
      reasons: [{ code: "evm.not_taken", message: "It may have arrived", found }],
    })
  }
  const orders = [refused("aaaa", 7, `0x${"ab".repeat(32)}`), refused("bbbb", 8, "c1".repeat(32))]
  expect(find(orders)).toMatchObject([{ sentence: expect.stringMatching(/^2 orders .*nonce 8/) }])
})

test("the number of a token's own error has its words", () => {
  const reason = { code: "solana.node_error", message: "custom program error: 0x11" }
  expect(find([order("aaaa", { reasons: [reason] })])[0]?.sentence).toMatch(/0x11 \(.*frozen\)/)
  const other = { ...reason, message: "custom program error: 0x1770 of 0x11" }
  expect(find([order("aaaa", { reasons: [other] })])[0]?.sentence).not.toMatch(/frozen/)
})
