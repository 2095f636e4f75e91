import fc from "fast-check"
import { beforeEach, describe, expect, test } from "vitest"
import type { Swap } from "#books/read-swap.ts"
import { makeReport, type ReportLine } from "#books/report.ts"
import type { Config } from "#config/config.ts"
import { readSwaps } from "../../../src/app/daemon/views/read-swaps.ts"
import type { FakeService } from "../../support/fake-service.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const ALL = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }
let world: World
let beta: FakeService
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  beta = world.addService("beta")
  beta.conduct.costBps = 10n
  daemon = world.start()
})

const readAll = (): readonly Swap[] => {
  const assets = [...daemon.context.settings.assets.values()]
  // CAST: the report needs these parts of a configuration.
  const config = { assets, chains: [], service: { name: "main" } } as unknown as Config
  return [...readSwaps(daemon.context.journal, config, ALL)]
}

describe("the report by service", () => {
  test("counts an order that gave its quote up with no service", async () => {
    world.faults.inject(
      "beta.submitOrder",
      { before: failure("uncertain", "service.uncertain") },
      1_000,
    )
    const rejected = await daemon.accept(ETH, BTC, 1_000n)
    for (const name of ["service", "beta"])
      world.faults.inject(
        `${name}.fetchQuotes`,
        { before: failure("transient", "service.unavailable") },
        10_000,
      )
    await daemon.reach("rejected", rejected, 2 * 60 * 60_000)
    expect(readAll()).toMatchObject([{ service: null, outcome: "rejected" }])
  })

  test("adds up to the plain report, by service and by solver", async () => {
    for (const units of [1_000n, 2_000n, 3_000n]) {
      beta.conduct.costBps = units === 2_000n ? 60n : 10n
      await daemon.reach("completed", await daemon.accept(ETH, BTC, units))
    }
    const swaps = readAll()
    expect(swaps.map(({ service }) => service)).toEqual(["beta", "main", "beta"])
    expectSum(swaps, ({ service }) => service ?? "")
  })

  test("adds up for all swaps", async () => {
    const [like] = await oneSwap()
    const swap = fc
      .record({
        service: fc.constantFrom("a", "b", null),
        solver: fc.constantFrom("x", "y", null),
        outcome: fc.constantFrom("completed", "rejected", "refunded", "abandoned", null),
        units: fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fiat: fc.option(fc.bigInt({ min: 0n, max: 10n ** 15n })),
      })
      .map(({ units, fiat, ...rest }): Swap => {
        const outcome = { ...rest, sent: { ...like.sent, units, fiat } }
        return { ...like, ...outcome, received: { ...like.received, units: units / 2n, fiat } }
      })
    fc.assert(
      fc.property(fc.array(swap, { maxLength: 12 }), (swaps) => {
        expectSum(swaps, ({ service }) => service ?? "")
        expectSum(swaps, ({ service, solver }) => `${service}/${solver}`)
      }),
    )
  })
})

async function oneSwap(): Promise<readonly [Swap]> {
  await daemon.reach("completed", await daemon.accept(ETH, BTC, 1_000n))
  const [swap] = readAll()
  if (swap === undefined) throw new Error("no swap")
  return [swap]
}

function expectSum(swaps: readonly Swap[], groupOf: (swap: Swap) => string): void {
  const { lines, total } = makeReport(swaps, groupOf, () => 0)
  const sumOf = (of: (line: Omit<ReportLine, "group">) => bigint): void =>
    expect(lines.reduce((sum, line) => sum + of(line), 0n)).toBe(of(total))
  sumOf(({ volumeFiat }) => volumeFiat)
  sumOf(({ swapCostFiat }) => swapCostFiat)
  sumOf(({ affiliateCostFiat }) => affiliateCostFiat)
  sumOf(({ payoutCostFiat }) => payoutCostFiat)
  sumOf(({ networkFeeFiat }) => networkFeeFiat)
  sumOf(({ unpriced }) => BigInt(unpriced.swaps + unpriced.fees))
  sumOf(({ counts }) => BigInt(Object.values(counts).reduce((sum, count) => sum + count, 0)))
  for (const asset of total.sent.keys()) sumOf(({ sent }) => sent.get(asset) ?? 0n)
  for (const asset of total.received.keys()) sumOf(({ received }) => received.get(asset) ?? 0n)
}
