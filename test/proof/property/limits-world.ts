import { existsSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { familyNamed } from "#chains/families.ts"
import { type Asset, type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { ReferencePrice } from "#domain/price.ts"
import type { EngineContext, EngineSettings } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { silentLogger } from "#lib/log.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { ServicePort } from "#ports/service.ts"
import { POLICY } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts"
import type { Random } from "../fault-sim/random.ts"

/**
 * The treasury that the limits guard. Its balances, prices and clock do not depend on journal or
 * books.
 */
export type LimitsWorld = {
  readonly clock: ManualClock
  readonly balances: Map<AssetId, bigint>
  /** Fiat millionths per unit; changes while orders are open. */
  readonly prices: Map<AssetId, bigint>
  /** The service gives no quotes while this is set. */
  silent: boolean
  /** The daemon's context. `restart` closes and opens the journal and replaces the context. */
  context: EngineContext
  readonly restart: () => void
  readonly close: () => void
}

export const ETH = parseAssetId("base:eth")
export const WBTC = parseAssetId("base:wbtc")
export const BTC = parseAssetId("bitcoin:btc")
export const ASSETS = [ETH, WBTC, BTC] as const

/** Estimated fees; the paid fees are never higher. */
export const FEE = { depositUnits: 30n, refundUnits: 20n }
export const FLOOR = 500n
export const HOUR_MS = 3_600_000

/** Each has one solver of the same name. */
export const SERVICES = ["first", "second"] as const

export const LIMITS = {
  maxOrder: { kind: "units", byAsset: { [ETH]: 4_000n, [WBTC]: 4_000n, [BTC]: 4_000n } },
  maxInFlight: 6,
  maxInFlightPerRule: 4,
  maxInFlightPerPair: 3,
  maxInFlightPerChain: 6,
  maxInFlightPerService: 3,
  windows: [
    { perMs: HOUR_MS, max: { kind: "fiat", fiat: 30_000n }, maxFeesFiat: 1_300n, maxCount: null },
    {
      perMs: 6 * HOUR_MS,
      max: { kind: "units", byAsset: { [ETH]: 16_000n } },
      maxFeesFiat: null,
      maxCount: 50,
    },
    { perMs: null, max: null, maxFeesFiat: null, maxCount: 60 },
  ],
} as const satisfies EngineSettings["limits"]

export function createLimitsWorld(
  random: Random,
  plant: (journal: Journal) => Journal,
): LimitsWorld {
  const clock = createManualClock(Date.UTC(2026, 2, 2))
  // In memory if possible: this test checks counts and not the disk.
  const file = join(
    existsSync("/dev/shm") ? "/dev/shm" : tmpdir(),
    `limits-${random.below(1e9)}-${process.pid}.db`,
  )
  let journal = openJournal(file)
  let ids = 0
  const world: LimitsWorld = {
    clock,
    balances: new Map([
      [ETH, 6_000n],
      [WBTC, 5_000n],
      [BTC, 6_000n],
    ]),
    prices: new Map(ASSETS.map((asset) => [asset, 2n])),
    silent: false,
    context: contextOf(),
    restart: () => {
      journal.close()
      journal = openJournal(file)
      world.context = contextOf()
    },
    close: () => {
      journal.close()
      for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true })
    },
  }
  return world

  function contextOf(): EngineContext {
    return {
      journal: plant(journal),
      memory: createMemory(),
      services: new Map(SERVICES.map((name) => [name, serviceOf(name)])),
      prices: { fetchPrice: async (asset) => priceOf(asset) },
      chains: new Map(
        ["base", "bitcoin"].map((name) => [chainOf(parseAssetId(`${name}:x`)), chainPortOf(name)]),
      ),
      clock,
      log: silentLogger,
      settings: SETTINGS,
      newOrderId: () => `order-${++ids}`,
      newNonce: () => String(++ids),
    }
  }

  function priceOf(asset: AssetId): ReferencePrice {
    return { fiat: (world.prices.get(asset) ?? 1n) * 10n ** DECIMALS, sources: 1 }
  }

  function serviceOf(solverId: string): ServicePort {
    const fetchQuotes: ServicePort["fetchQuotes"] = async ({ from, to, sourceUnits }) => {
      await turns(random.below(4))
      if (world.silent) throw failure("transient")
      const sourceFiat = sourceUnits * (world.prices.get(from) ?? 1n)
      const destinationFiat = sourceFiat - sourceFiat / 200n
      const destinationUnits = destinationFiat / (world.prices.get(to) ?? 1n)
      return [
        {
          from,
          to,
          sourceUnits,
          destinationUnits,
          sourceFiat,
          destinationFiat,
          solverId,
          estimatedSeconds: 1,
        },
      ]
    }
    // CAST: admission only fetches quotes.
    return { fetchQuotes } as unknown as ServicePort
  }

  function chainPortOf(name: string): ChainPort {
    const port: Partial<ChainPort> = {
      chain: chainOf(parseAssetId(`${name}:x`)),
      family: name === "base" ? "evm" : "bitcoin",
      traits: familyNamed(name === "base" ? "evm" : "bitcoin").traits,
      account: `${name}/wallet`,
      isAddress: () => true,
      sameAddress: (a, b) => a === b,
      fetchBalance: async (asset) => {
        const units = world.balances.get(asset) ?? 0n
        await turns(random.below(4))
        return { units, spendableUnits: units }
      },
      estimateFees: async () => FEE,
    }
    // CAST: admission only fetches balances and fees.
    return port as unknown as ChainPort
  }
}

const DECIMALS = 2n
const SETTINGS: EngineSettings = {
  assets: new Map(ASSETS.map((id) => [id, assetOf(id)])),
  limits: LIMITS,
  cooldownMs: 2_000,
  serviceRestMs: 1,
  minNative: new Map([
    [chainOf(ETH), FLOOR],
    [chainOf(BTC), FLOOR],
  ]),
  priceToleranceBps: 10_000n,
  affiliateFees: [],
  rules: [],
  // The network fees of this world are large beside its orders; its ceilings are no part of the
  // test.
  policyFor: () => ({ ...POLICY, maxCost: { kind: "fiat", fiat: 10n ** 12n } }),
  destinationFor: (to) => `${chainOf(to)}/wallet`,
  mode: "live",
}

function assetOf(id: AssetId): Asset {
  return {
    id,
    chain: chainOf(id),
    decimals: Number(DECIMALS),
    token: id === WBTC ? "0xtoken" : null,
    htlc: [],
  }
}

/** Waits some turns, so that reads end in any order. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}
