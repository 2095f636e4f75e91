import type { AssetId } from "#domain/asset.ts"
import { createRandom, type Random } from "./random.ts"
import type { PairModel, PricePath, Scenario, ScenarioAsset, Spread } from "./scenario.ts"

/**
 * The random conditions of a run, step by step. They do not depend on the actions of the policy.
 */
export type Market = {
  /**
   * Call once for each step, in order. Signed smallest units by asset; assets with a recorded flow
   * are left out.
   */
  readonly sampleFlows: () => ReadonlyMap<AssetId, bigint>
  /** Call once for each step, in order. Fiat millionths by price name. */
  readonly samplePrices: () => ReadonlyMap<string, bigint>
  /**
   * The result of an order of a pair at a time. It depends on its arguments only, so two policies
   * with the same order get the same result.
   */
  readonly sampleOrder: (from: AssetId, to: AssetId, atMs: number, pair: PairModel) => OrderSample
}

type OrderSample = {
  readonly end: "completed" | "refunded" | "declined"
  readonly durationMs: number
  readonly approvalMs: number
}

export function createMarket(scenario: Scenario, seed: number): Market {
  const recorded = new Set(scenario.flows.map(({ asset }) => asset))
  const random = scenario.assets.filter(({ id }) => !recorded.has(id)).filter(isVariable)
  const flows = random.map((asset) => ({
    id: asset.id,
    draw: createFlow(asset, scenario.stepMs, seed),
  }))
  const prices = scenario.prices.map((path) => ({
    name: path.name,
    draw: createPrice(path, scenario.stepMs, seed),
  }))
  return {
    sampleFlows: () => new Map(flows.map(({ id, draw }) => [id, draw()])),
    samplePrices: () => new Map(prices.map(({ name, draw }) => [name, draw()])),
    sampleOrder: (from, to, atMs, pair) =>
      drawOrder(scenario, pair, createRandom(seed, `order/${from}>${to}@${atMs}`)),
  }
}

function isVariable({ driftUnits, volatilityUnits }: ScenarioAsset): boolean {
  return driftUnits !== 0n || volatilityUnits !== 0n
}

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const PPB = 1_000_000_000n

/** Spreads the drift over the steps, so that rounding adds or loses no smallest unit in a day. */
function createFlow(
  { id, driftUnits, volatilityUnits }: ScenarioAsset,
  stepMs: number,
  seed: number,
): () => bigint {
  const random = createRandom(seed, `flow/${id}`)
  const root = inBillionths(Math.sqrt(stepMs / DAY_MS))
  const driftUntil = (step: bigint): bigint =>
    floorDivide(driftUnits * step * BigInt(stepMs), BigInt(DAY_MS))
  let step = 0n
  return () => {
    step += 1n
    const drift = driftUntil(step) - driftUntil(step - 1n)
    if (volatilityUnits === 0n) return drift
    return drift + (volatilityUnits * root * inBillionths(random.normal())) / (PPB * PPB)
  }
}

function createPrice(path: PricePath, stepMs: number, seed: number): () => bigint {
  const random = createRandom(seed, `price/${path.name}`)
  const part = inBillionths(stepMs / YEAR_MS)
  const root = inBillionths(Math.sqrt(stepMs / YEAR_MS))
  let fiat = path.startFiat
  return () => {
    if (path.volatilityPpm === 0n && path.driftPpm === 0n) return fiat
    const noise = (path.volatilityPpm * root * inBillionths(random.normal())) / (PPB * 1_000_000n)
    const next = (fiat * (PPB + (path.driftPpm * part) / 1_000_000n + noise)) / PPB
    fiat = next > 1n ? next : 1n
    return fiat
  }
}

function drawOrder({ orders }: Scenario, pair: PairModel, random: Random): OrderSample {
  const luck = BigInt(Math.floor(random.next() * 1_000_000))
  const refunded = luck >= orders.declinedPpm && luck < orders.declinedPpm + orders.refundedPpm
  const end = luck < orders.declinedPpm ? "declined" : refunded ? "refunded" : "completed"
  const approvalMs = drawSpread(orders.approval, random)
  const durationMs = drawSpread(pair.duration, random)
  return { end, approvalMs, durationMs: end === "refunded" ? orders.refundAfterMs : durationMs }
}

/** The inverse of the triangular distribution. */
function drawSpread({ least, typical, most }: Spread, random: Random): number {
  const share = random.next()
  const width = most - least
  if (width <= 0) return least
  const rises = (typical - least) / width
  const at =
    share < rises
      ? least + Math.sqrt(share * width * (typical - least))
      : most - Math.sqrt((1 - share) * width * (most - typical))
  return Math.round(at)
}

function inBillionths(value: number): bigint {
  return BigInt(Math.round(value * 1e9))
}

function floorDivide(value: bigint, by: bigint): bigint {
  return value < 0n && value % by !== 0n ? value / by - 1n : value / by
}
