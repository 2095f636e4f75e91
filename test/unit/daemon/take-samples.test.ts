import { expect, test } from "vitest"
import type { Config } from "#config/config.ts"
import { createSampler } from "#daemon/money/take-samples.ts"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import type { NewSample } from "#ports/journal/ledger.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"

const HOT = parseAssetId("one:usd")
const COLD = parseAssetId("two:usd")
const DARK = parseAssetId("three:usd")

test("the network fees of patient rules alone are kept, and an unreadable one is left out", async () => {
  const asked: AssetId[] = []
  const chainOf = (fee: bigint | null) => ({
    estimateFees: async (asset: AssetId) => {
      asked.push(asset)
      if (fee === null)
        throw new AppError({ code: "chain.silent", disposition: "transient", message: "silent" })
      return { depositUnits: fee, refundUnits: 1n }
    },
  })
  const sweep = (from: AssetId, patienceMs: number | null) => ({ kind: "sweep", from, patienceMs })
  const rules = [sweep(HOT, 86_400_000), sweep(COLD, null), sweep(DARK, 86_400_000)]
  const journal = openJournal(":memory:")
  const kept: NewSample[] = []
  const sampler = createSampler({
    journal: { ...journal, addSample: (sample) => void kept.push(sample) },
    clock: createManualClock(7),
    prices: () => ({ fetchPrice: async () => null }),
    chains: new Map([
      [toChainId("one"), chainOf(12n)],
      [toChainId("two"), chainOf(13n)],
      [toChainId("three"), chainOf(null)],
    ]),
    // CAST: the sampler reads no other key.
    config: () => ({ assets: [], chains: [], rules }) as unknown as Config,
    log: silentLogger,
  })
  const stop = new AbortController()
  const running = sampler.run(stop.signal)
  await settle()
  stop.abort()
  await running
  expect(kept).toEqual([{ series: "fee/one:usd", atMs: 7, value: 12n }])
  expect(asked).toEqual([HOT, DARK])
})
