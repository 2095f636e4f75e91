import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { isUnpricedFor } from "#health/find-price-problems.ts"
import { AppError } from "#lib/app-error.ts"
import { createPriceWatch } from "./price-watch.ts"

const BTC = parseAssetId("bitcoin:btc")
const ETH = parseAssetId("base:eth")
const CHECK_MS = 10_000
const ALARM_AFTER_MS = 30_000
const MINUTE_MS = 60_000

/** A world in which the prices of BTC fail from one instant to another. */
function createPrices(failsFromMs: number, untilMs = Number.POSITIVE_INFINITY) {
  let nowMs = 0
  const asked: { readonly asset: string; readonly atMs: number }[] = []
  const watch = createPriceWatch({ now: () => nowMs }, () => ({
    fetchPrice: async (asset) => {
      asked.push({ asset, atMs: nowMs })
      if (asset === BTC && nowMs >= failsFromMs && nowMs < untilMs)
        throw new AppError({
          code: "prices.unavailable",
          disposition: "transient",
          message: "no price",
        })
      return null
    },
  }))
  /** The time of the first check with an alarm; `null` without one. */
  async function run(toMs: number): Promise<number | null> {
    let alarmedMs: number | null = null
    for (; nowMs < toMs; nowMs += CHECK_MS) {
      const unpriced = await watch.check([BTC, ETH])
      const isAlarm = unpriced.some((one) => isUnpricedFor(one, ALARM_AFTER_MS, nowMs))
      if (isAlarm) alarmedMs ??= nowMs
    }
    return alarmedMs
  }
  return { run, asked }
}

describe("the watch of prices", () => {
  test("asks each source twice a minute while all is well", async () => {
    const { run, asked } = createPrices(Number.POSITIVE_INFINITY)
    expect(await run(10 * MINUTE_MS)).toBeNull()
    expect(asked.filter(({ asset }) => asset === BTC)).toHaveLength(20)
  })

  test("knows a missing price within a minute, whenever it goes missing", async () => {
    for (let fromMs = 0; fromMs <= MINUTE_MS; fromMs += 500) {
      const { run } = createPrices(fromMs)
      const alarmedMs = await run(5 * MINUTE_MS)
      expect(alarmedMs).not.toBeNull()
      expect((alarmedMs ?? 0) - fromMs).toBeLessThanOrEqual(50_000)
    }
  })

  test("takes one failed read for no alarm, and repeats only that read", async () => {
    const { run, asked } = createPrices(30_000, 35_000)
    expect(await run(2 * MINUTE_MS)).toBeNull()
    expect(asked.map(({ asset, atMs }) => `${asset} ${atMs / 1_000}`).slice(2, 5)).toEqual([
      `${BTC} 30`,
      `${ETH} 30`,
      `${BTC} 40`,
    ])
  })

  test("knows a price that comes and goes, and forgets it when it stays", async () => {
    let nowMs = 0
    let isFailing = true
    const watch = createPriceWatch({ now: () => nowMs }, () => ({
      fetchPrice: async () => {
        const error = { disposition: "transient" as const, message: "no price" }
        // Each read of a round fails, and each repetition succeeds.
        if (isFailing && nowMs > 0 && nowMs % 30_000 === 0)
          throw new AppError({ code: "prices.unavailable", ...error })
        return null
      },
    }))
    const readAfter = async (ms: number): ReturnType<typeof watch.check> => {
      for (const endMs = nowMs + ms; nowMs < endMs; nowMs += CHECK_MS) await watch.check([ETH])
      return watch.check([ETH])
    }
    expect(await readAfter(90_000)).toMatchObject([{ asset: ETH, sinceMs: 30_000, breaks: 3 }])
    isFailing = false
    expect(await readAfter(3 * MINUTE_MS)).toEqual([])
  })

  test("does not ask a dead source more often than a good one, beside that repetition", async () => {
    const { run, asked } = createPrices(0)
    await run(10 * MINUTE_MS)
    expect(asked.filter(({ asset }) => asset === BTC)).toHaveLength(21)
  })

  test.each([
    ["3000 of a source without a time", { fiat: 3_000_000_000n, isUndated: true }, true],
    ["3000 of a source with its time", { fiat: 3_000_000_000n }, false],
    ["a coin pegged to the currency", { fiat: 1_000_000n, isUndated: true }, false],
  ] as const)("names a number that stands still: %s", async (_name, price, isNamed) => {
    let nowMs = 0
    let more = 0n
    const watch = createPriceWatch({ now: () => nowMs }, () => ({
      fetchPrice: async () => ({ sources: 1, ...price, fiat: price.fiat + more }),
    }))
    const codesAfter = async (minutes: number): Promise<readonly string[]> => {
      for (const endMs = nowMs + minutes * MINUTE_MS; nowMs < endMs; nowMs += CHECK_MS)
        await watch.check([ETH])
      return (await watch.check([ETH])).map(({ reason }) => reason.code)
    }
    expect(await codesAfter(6 * 60 - 1)).toEqual([])
    expect(await codesAfter(2)).toEqual(isNamed ? ["prices.frozen"] : [])
    more = 1n
    expect(await codesAfter(6 * 60 - 1)).toEqual([])
  })
})
