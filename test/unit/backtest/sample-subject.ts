import type { Subject } from "#backtest/subject.ts"
import type { ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import { type Asset, type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { Limits } from "#guards/limits.ts"
import type { TimedRule } from "#policy/rules/registry.ts"

/**
 * Two stable coins on two roll-ups. A relay pays the deposits, and there are no limits except the
 * given ones.
 */
export const A = parseAssetId("one:usda")
export const B = parseAssetId("two:usdb")
export const DECIMALS = 6
export const UNIT = 1_000_000n
export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

export const CHAINS = ["one", "two"].map((name) => ({
  chain: toChainId(name),
  nativeCoin: { symbol: "ETH", decimals: 18, token: null },
  refundFeeTakenFromAmount: false,
  isSlow: false,
  fees: { depositFeeUnits: 3_000_000_000_000n, refundFeeUnits: 2_000_000_000_000n },
}))

export function sampleSubject(
  rules: readonly TimedRule[],
  limits: Partial<Limits> = {},
  policy: Partial<OrderPolicy> = {},
): Subject {
  return {
    name: "sample",
    assets: [sampleAsset(A), sampleAsset(B)],
    maxCost: SAMPLE_POLICY.maxCost,
    priced: new Set(),
    settings: {
      rules,
      limits: { maxOrder: null, maxInFlight: 8, windows: [], ...limits },
      cooldownMs: null,
      minNative: new Map(),
      policyFor: () => ({ ...SAMPLE_POLICY, ...policy }),
    },
  }
}

/**
 * A market without luck: orders complete at once and never fail, and cost only their basis points.
 */
export function sampleChoices(choices: Partial<ScenarioChoices> = {}): ScenarioChoices {
  return {
    startMs: 0,
    stepMs: HOUR_MS,
    assets: new Map(),
    prices: new Map(),
    pair: { fixedFiat: 0n, bps: 20n, leastFiat: null, duration: { least: 0, typical: 0, most: 0 } },
    pairs: new Map(),
    chains: new Map(),
    orders: { declinedPpm: 0n, refundedPpm: 0n },
    flows: [],
    quotes: [],
    ...choices,
  }
}

export function assetChoice(
  id: AssetId,
  startUnits: bigint,
  driftUnits = 0n,
  volatilityUnits = 0n,
): [AssetId, { startUnits: bigint; driftUnits: bigint; volatilityUnits: bigint }] {
  return [id, { startUnits, driftUnits, volatilityUnits }]
}

function sampleAsset(id: AssetId): Asset {
  return { id, chain: toChainId(id.slice(0, 3)), decimals: DECIMALS, token: "0x1", htlc: [] }
}

const BOUNDS = { min: 1n, max: 1_000_000n, secondsPerUnit: 2 }

const SAMPLE_POLICY: OrderPolicy = {
  way: "gasless",
  maxCost: { kind: "share", bps: 100n },
  pollMinMs: 1_000,
  pollMaxMs: 5_000,
  stuckAfterMs: 600_000,
  patienceMs: 600_000,
  depositWindowMs: 3_600_000,
  deadlineMarginMs: 60_000,
  reportPatienceMs: 900_000,
  timelocks: { source: BOUNDS, destination: BOUNDS },
  approveAbove: null,
  approvalTtlMs: 3_600_000,
}
