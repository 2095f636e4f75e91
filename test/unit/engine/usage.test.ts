import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import { type CountingContext, readUsage } from "#engine/rules/usage.ts"
import { encodeJson } from "#lib/json.ts"

const FROM = parseAssetId("base_sepolia:wbtc")
const TO = parseAssetId("bitcoin_testnet:btc")
const NOW = 1_000_000

test("an order that is judged again does not count against itself", () => {
  const inFlight = (exceptOrder: string | null) => read(exceptOrder).usage
  expect(inFlight(null)).toMatchObject({ inFlight: 3, inFlightOf: { rule: 3, pair: 3 } })
  expect(inFlight("order-1")).toMatchObject({ inFlight: 2, inFlightOf: { rule: 2, pair: 2 } })
  for (const { count } of inFlight("order-1").inFlightOf.chains) expect(count).toBe(2)
  expect(read("order-1").windows.map(({ exceptOrder }) => exceptOrder)).toEqual([
    "order-1",
    "order-1",
  ])
})

test("windows end at the time that the chains confirm, and one without a length has no begin", () => {
  expect(read(null).windows.map(({ sinceMs }) => sinceMs)).toEqual([NOW - 60_000, -1])
  const jumped = read(null, NOW - 600_000).windows.map(({ sinceMs }) => sinceMs)
  expect(jumped).toEqual([NOW - 660_000, -1])
  const setBack = read(null, NOW + 5_000).windows.map(({ sinceMs }) => sinceMs)
  expect(setBack).toEqual([NOW - 55_000, -1])
})

test("without a failure nothing cools down", () => {
  expect(read(null).usage.cooldownUntilMs).toBeNull()
})

test("a failure that a clock ahead has written holds new orders for its cool-down and no longer", () => {
  let nowMs = NOW
  let count = 1
  // CAST: counting uses only this part of the context.
  const context = {
    journal: {
      sumWindow: () => ({ fiat: 0n, units: 0n, feesFiat: 0n, count: 0 }),
      countInFlight: () => 0,
      readFailures: () => ({ count, lastMs: NOW + 7_200_000 }),
      readFlag: () => null,
    },
    settings: { limits: { windows: [] }, cooldownMs: 60_000 },
    clock: { now: () => nowMs },
    memory: createMemory(),
  } as unknown as CountingContext
  const until = (): number | null =>
    readUsage(context, { from: FROM, to: TO, rule: "rule", exceptOrder: null }).cooldownUntilMs
  expect(until()).toBe(NOW + 60_000)
  nowMs += 60_000
  expect(until()).toBe(NOW + 60_000)
  // The next failure in a row, also of the time that is still to come.
  count = 2
  expect(until()).toBe(NOW + 180_000)
  nowMs = NOW - 5_000
  expect(until()).toBe(NOW + 115_000)
  // At last the time has come.
  nowMs = NOW + 7_200_000
  expect(until()).toBe(NOW + 7_320_000)
})

function read(exceptOrder: string | null, confirmedMs: number | null = null) {
  const windows: { sinceMs: number; exceptOrder: string | null }[] = []
  const clock =
    confirmedMs === null ? null : encodeJson({ ms: confirmedMs, byOperator: false, alarmed: false })
  // CAST: counting uses only this part of the context.
  const context = {
    journal: {
      sumWindow: (sinceMs: number, _from: unknown, except: string | null) => {
        windows.push({ sinceMs, exceptOrder: except })
        return { fiat: 0n, units: 0n, feesFiat: 0n, count: 0 }
      },
      countInFlight: () => 3,
      readFailures: () => ({ count: 0, lastMs: null }),
      readFlag: () => clock,
    },
    settings: { limits: { windows: [{ perMs: 60_000 }, { perMs: null }] } },
    clock: { now: () => NOW },
    memory: createMemory(),
  } as unknown as CountingContext
  const usage = readUsage(context, { from: FROM, to: TO, rule: "rule", exceptOrder })
  return { usage, windows }
}
