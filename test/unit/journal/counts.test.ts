import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type AssetId, type ChainId, chainOf, parseAssetId, toChainId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { InFlightScope } from "#ports/journal/order-sums.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { PLAIN_STEP } from "../../support/order-row.ts"

const ETH = parseAssetId("base_sepolia:eth")
const WBTC = parseAssetId("base_sepolia:wbtc")
const BTC = parseAssetId("bitcoin_testnet:btc")
const ASSETS = [ETH, WBTC, BTC]

/** An order and the times at which it was held or disarmed, as a test draws them. */
type Drawn = OrderRow & { readonly restedAtMs: readonly number[] }

const time = fc.integer({ min: 0, max: 12 })
const isResting = (state: string): boolean => state === "held" || state === "disarmed"
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    state: fc.constantFrom("quoting", "funded", "held", "disarmed", "settling", "proving-unfunded"),
    outcome: fc.constantFrom(null, null, "completed", "rejected", "abandoned", "refunded"),
    rule: fc.constantFrom("dca", "band"),
    secondRule: fc.constantFrom(null, "dca", "band"),
    from: fc.constantFrom(...ASSETS),
    to: fc.constantFrom(...ASSETS),
    sourceUnits: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    sourceFiat: fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n })),
    feeFiat: fc.option(fc.bigInt({ min: 0n, max: 10n ** 9n })),
    feeUnits: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    deposited: fc.boolean(),
    service: fc.constantFrom(null, "", "first", "second"),
    countedAtMs: time,
    updatedAtMs: time,
    restedAtMs: fc.array(time, { minLength: 1, maxLength: 3 }),
  })
  .map((one) => ({
    ...one,
    id: "",
    secretHash: null,
    createdAtMs: 0,
    snapshot: "{}",
    secondRule: one.secondRule === one.rule ? null : one.secondRule,
    state: one.outcome ?? one.state,
    restedAtMs: isResting(one.outcome ?? one.state) ? one.restedAtMs : [],
  }))

/**
 * Writes the orders, with one event for each time at which an order was held or disarmed, the
 * latest first.
 */
function write(journal: Journal, orders: readonly Drawn[]): void {
  for (const { restedAtMs, ...order } of orders) {
    const opened = { atMs: 0, type: "order.opened", state: "quoting", body: "{}" }
    journal.openOrder(order, opened, null, null)
    for (const atMs of restedAtMs.toSorted((a, b) => b - a)) {
      journal.commit({
        ...PLAIN_STEP,
        order,
        event: { atMs, type: "test.event", state: order.state, body: "{}" },
      })
    }
  }
}

function withJournal(
  orders: readonly Drawn[],
  check: (journal: Journal, named: readonly Drawn[]) => void,
): void {
  const journal = openJournal(":memory:")
  try {
    const named = orders.map((order, index) => ({ ...order, id: `order-${index}` }))
    write(journal, named)
    check(journal, named)
  } finally {
    journal.close()
  }
}

const isUnderWay = ({ outcome, state }: Drawn): boolean => outcome === null && state !== "disarmed"
const serves =
  (wanted: string) =>
  ({ rule, secondRule }: Drawn): boolean =>
    rule === wanted || secondRule === wanted
const add = (values: readonly (bigint | null | undefined)[]): bigint =>
  values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n)
const orders = fc.array(drawn, { maxLength: 8 })

/** The counts, written a second time from the comments of the port, over plain arrays. */
describe("the counts of the journal agree with plain sums over its orders", () => {
  test("in a window", () => {
    const excepted = fc.option(fc.nat(7))
    fc.assert(
      fc.property(
        orders,
        time,
        fc.constantFrom(...ASSETS),
        excepted,
        (given, sinceMs, asset, except) =>
          withJournal(given, (journal, all) => {
            const counted = all
              .filter((order) => order.id !== `order-${except}`)
              .filter((order) => isUnderWay(order) || order.countedAtMs > sinceMs)
            const sold = counted.filter(
              ({ outcome }) => outcome !== "rejected" && outcome !== "abandoned",
            )
            expect(
              journal.sumWindow(sinceMs, asset, except === null ? null : `order-${except}`),
            ).toEqual({
              fiat: add(sold.map(({ sourceFiat }) => sourceFiat)),
              feesFiat: add(counted.map(({ feeFiat }) => feeFiat)),
              count: sold.length,
              units: add(
                sold.filter(({ from }) => from === asset).map(({ sourceUnits }) => sourceUnits),
              ),
            })
          }),
      ),
      { numRuns: 60 },
    )
  })

  test("of orders in flight", () => {
    const chains: readonly ChainId[] = [chainOf(ETH), chainOf(BTC), toChainId("another_chain")]
    const scopes: readonly [InFlightScope | undefined, (order: Drawn) => boolean][] = [
      [undefined, () => true],
      [{ rule: "dca" }, serves("dca")],
      [{ from: ETH, to: BTC }, ({ from, to }) => from === ETH && to === BTC],
      [{ from: BTC, to: ETH }, ({ from, to }) => from === BTC && to === ETH],
      ...chains.map((chain): [InFlightScope, (order: Drawn) => boolean] => [
        { chain },
        ({ from, to }) => chainOf(from) === chain || chainOf(to) === chain,
      ]),
      [{ service: "first" }, ({ service }) => service === "first"],
      [{ service: "second" }, ({ service }) => service === "second"],
    ]
    const waits = ({ state }: Drawn): boolean =>
      state === "settling" || state === "proving-unfunded"
    fc.assert(
      fc.property(orders, (given) =>
        withJournal(given, (journal, all) => {
          const inFlight = all.filter((order) => isUnderWay(order) && !waits(order))
          for (const [scope, isIn] of scopes) {
            expect(journal.countInFlight(scope), JSON.stringify(scope)).toBe(
              inFlight.filter(isIn).length,
            )
          }
        }),
      ),
      { numRuns: 60 },
    )
  })

  test("of the value with one service, without one order", () => {
    fc.assert(
      fc.property(orders, (given) =>
        withJournal(given, (journal, all) => {
          for (const service of ["first", "second"]) {
            const own = all.filter((order) => isUnderWay(order) && order.service === service)
            const fiat = own.reduce((sum, { sourceFiat }) => sum + (sourceFiat ?? 0n), 0n)
            expect(journal.sumFiatWith(service, null)).toBe(fiat)
            for (const { id, sourceFiat } of own)
              expect(journal.sumFiatWith(service, id)).toBe(fiat - (sourceFiat ?? 0n))
          }
        }),
      ),
      { numRuns: 60 },
    )
  })

  test("of all orders, by state and service", () => {
    fc.assert(
      fc.property(orders, (given) =>
        withJournal(given, (journal, all) => {
          const counted = journal.countOrders()
          expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
          for (const { state, outcome, service, count } of counted) {
            const same = all.filter(
              (order) => order.state === state && (order.service ?? null) === service,
            )
            expect([count, outcome]).toEqual([same.length, same[0]?.outcome])
          }
        }),
      ),
      { numRuns: 60 },
    )
  })

  test("of reserved fees and committed units", () => {
    fc.assert(
      fc.property(orders, fc.option(fc.nat(7)), (given, except) =>
        withJournal(given, (journal, all) => {
          const id = except === null ? null : `order-${except}`
          const open = all.filter((order) => isUnderWay(order) && order.id !== id)
          for (const asset of ASSETS) {
            const ofChain = open.filter(({ from }) => chainOf(from) === chainOf(asset))
            expect(journal.sumReservedFees(chainOf(asset), id)).toBe(
              add(ofChain.map(({ feeUnits }) => feeUnits)),
            )
            const committed = open.filter(({ from, deposited }) => from === asset && !deposited)
            expect(journal.sumCommitted(asset, id)).toBe(
              add(committed.map(({ sourceUnits }) => sourceUnits)),
            )
          }
        }),
      ),
      { numRuns: 60 },
    )
  })

  test("of failures since the last success; a held order failed when it was first held", () => {
    const pair = (from: AssetId, to: AssetId) => (order: Drawn) =>
      order.from === from && order.to === to
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 14 }), (given) =>
        withJournal(given, (journal, all) => {
          for (const [scope, isIn] of [
            [{ from: ETH, to: BTC }, pair(ETH, BTC)],
            [{ rule: "band" }, serves("band")],
          ] as const) {
            const ended = all
              .filter(isIn)
              .flatMap(({ outcome, state, updatedAtMs, restedAtMs }) => {
                if (outcome === null && isResting(state))
                  return [{ ok: false, atMs: Math.min(...restedAtMs) }]
                return outcome === null || outcome === "abandoned"
                  ? []
                  : [{ ok: outcome === "completed", atMs: updatedAtMs }]
              })
            const lastOk = Math.max(0, ...ended.filter(({ ok }) => ok).map(({ atMs }) => atMs))
            const failed = ended.filter(({ ok, atMs }) => !ok && atMs >= lastOk)
            expect(journal.readFailures(scope)).toEqual({
              count: failed.length,
              lastMs: failed.length === 0 ? null : Math.max(...failed.map(({ atMs }) => atMs)),
            })
          }
        }),
      ),
      { numRuns: 100 },
    )
  })
})
