import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { knownBlockTime } from "#chains/block-time.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { parseConfig } from "#config/load.ts"
import { toSettings } from "#daemon/start/settings.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import { verifyDeposit } from "#guards/verify-deposit.ts"
import { Secret } from "#lib/secret.ts"
import { evidenceOf } from "../../support/deposit-evidence.ts"
import { liveTimelocks, PRESETS, SEEN_TIMELOCKS } from "../../support/live-timelocks.ts"

const MAIN = PRESETS.filter(({ network }) => network === "main").map(({ name }) => name)
const TEST = PRESETS.filter(({ network }) => network === "test").map(({ name }) => name)

function policies(names: readonly string[]): (from: AssetId, to: AssetId) => OrderPolicy {
  const chains = names.map((name) => {
    const family = PRESETS.find((preset) => preset.name === name)?.family
    const nodes = family === "bitcoin" ? "esplora" : "rpc"
    const account = family === "starknet" ? ', account: "0x1"' : ""
    return `  ${name}: { ${nodes}: ["http://127.0.0.1:1"], key: "env:K"${account} }`
  })
  const text = `service: { url: "http://127.0.0.1:1" }\nchains:\n${chains.join("\n")}\n`
  const config = parseConfig(text, {
    file: "routes.yaml",
    secrets: (reference) => new Secret("k", reference),
  })
  return toSettings(config, new Map()).policyFor
}

const assetOn = (name: string): AssetId => parseAssetId(`${name}:coin`)

describe.each([
  ["main networks", MAIN],
  ["test networks", TEST],
] as const)("the timelock guards on the %s", (_title, names) => {
  const policyFor = policies(names)
  const routes = names.flatMap((from) =>
    names.filter((to) => to !== from).map((to) => ({ from, to })),
  )
  const judge = (
    { from, to }: { from: string; to: string },
    timelocks: { source: bigint; destination: bigint },
  ) => {
    const pair = { from: assetOn(from), to: assetOn(to) }
    const verdict = verifyDeposit(evidenceOf(pair, policyFor(pair.from, pair.to), timelocks))
    return verdict.ok ? [] : verdict.reasons.map(({ code }) => code)
  }

  test("pass every route with the timelocks of live orders", () => {
    expect(routes.length).toBe(names.length * (names.length - 1))
    expect(routes.length).toBeGreaterThan(100)
    const refused = routes.flatMap((route) => {
      const source = liveTimelocks(route.from).source
      const codes = judge(route, { source, destination: liveTimelocks(route.to).destination })
      return codes.length === 0 ? [] : [`${route.from} → ${route.to}: ${codes.join(", ")}`]
    })
    expect(refused).toEqual([])
  })

  test("refuse every route on which the destination lock is as long as the source lock", () => {
    const passed = routes.filter((route) => {
      const timelocks = {
        source: liveTimelocks(route.from).source,
        destination: liveTimelocks(route.to).source,
      }
      return !judge(route, timelocks).includes("verify.timelock_margin")
    })
    expect(passed).toEqual([])
  })

  test("refuse a lock of a month, on either side", () => {
    const month = 30n
    const passed = routes.filter((route) => {
      const source = liveTimelocks(route.from)
      const destination = liveTimelocks(route.to)
      const long = judge(route, {
        source: source.source * month,
        destination: destination.destination,
      })
      const far = judge(route, { source: source.source, destination: destination.source * month })
      return (
        !long.includes("verify.timelock_source") || !far.includes("verify.timelock_destination")
      )
    })
    expect(passed).toEqual([])
  })
})

test("the seen timelocks are a day and two hours of blocks", () => {
  for (const [name, { source, destination }] of Object.entries(SEEN_TIMELOCKS)) {
    const seconds = (PRESETS.find((preset) => preset.name === name)?.blockTime.ms ?? 0) / 1_000
    expect({ name, source: source * seconds, destination: destination * seconds }).toEqual({
      name,
      source: 86_400,
      destination: 7_200,
    })
  }
})

describe("a block time that differs from the one in use", () => {
  const ms = fc.integer({ min: 50, max: 600_000 })
  /**
   * How long the source lock is in days, and how many times as long as the destination lock, both
   * by the block times in use.
   */
  const days = fc.double({ min: 0.1, max: 20, noNaN: true })
  const ratio = fc.double({ min: 1, max: 13, noNaN: true })
  /**
   * The true block time as a part of the one in use: the ends of the range that the guard counts
   * with, and all between them.
   */
  const factor = fc.oneof(fc.constantFrom(0.5, 2), fc.double({ min: 0.5, max: 2, noNaN: true }))
  const boundsOf = (blockMs: number) => {
    const timelock = { min: 1n, max: null }
    return timelockBounds(
      { preset: null, timelock, blockTime: knownBlockTime(blockMs, "configuration") },
      { min: 1n },
    )
  }

  test(
    "never makes an accepted order's real margin too small, nor its real source lock longer " +
      "than two weeks",
    () => {
      let accepted = 0
      fc.assert(
        fc.property(
          ms,
          ms,
          days,
          ratio,
          factor,
          factor,
          (sourceMs, destinationMs, length, times, faster, slower) => {
            const source = Math.ceil((length * 86_400_000) / sourceMs)
            const destination = Math.ceil((length * 86_400_000) / times / destinationMs)
            // CAST: the guard reads only this part of a policy.
            const policy = {
              timelocks: { source: boundsOf(sourceMs), destination: boundsOf(destinationMs) },
            } as OrderPolicy
            const numbers = { source: BigInt(source), destination: BigInt(destination) }
            if (
              !verifyDeposit(evidenceOf({ from: assetOn("a"), to: assetOn("b") }, policy, numbers))
                .ok
            )
              return
            accepted += 1
            const realSourceMs = source * sourceMs * faster
            const realDestinationMs = destination * destinationMs * slower
            expect(realDestinationMs * 1.5).toBeLessThanOrEqual(realSourceMs * (1 + 1e-9))
            expect(realSourceMs).toBeLessThanOrEqual(14 * 86_400_000 + 2 * sourceMs)
          },
        ),
        { numRuns: 3_000 },
      )
      expect(accepted).toBeGreaterThan(300)
    },
  )

  test("does not refuse live timelocks, also where both block times in use are wrong by a quarter", () => {
    fc.assert(
      fc.property(
        ms,
        ms,
        fc.double({ min: 0.75, max: 1.25, noNaN: true }),
        fc.double({ min: 0.75, max: 1.25, noNaN: true }),
        (a, b, x, y) => {
          const timelocks = { source: boundsOf(a), destination: boundsOf(b) }
          // CAST: the guard reads only this part of a policy.
          const policy = { timelocks } as OrderPolicy
          const live = (real: number, length: number): bigint =>
            BigInt(Math.max(1, Math.round(length / real)))
          const numbers = { source: live(a * x, 86_400_000), destination: live(b * y, 7_200_000) }
          const verdict = verifyDeposit(
            evidenceOf({ from: assetOn("a"), to: assetOn("b") }, policy, numbers),
          )
          expect(verdict.ok ? [] : verdict.reasons).toEqual([])
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
