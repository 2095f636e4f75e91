import type { Subject } from "#backtest/subject.ts"
import type { ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { PricePath, ScenarioFault } from "#backtest/world/scenario.ts"
import { parseUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { fiatOf } from "#schema/build-cost.ts"
import type { ScenarioFile } from "./file-schema.ts"
import type { PolicyTests } from "./read-test-file.ts"

type Given = NonNullable<ScenarioFile["given"]>

/** The choices that hold for all random worlds of a file: its usual balances and prices. */
export function toUsualChoices(
  { usual, prices }: Pick<PolicyTests, "usual" | "prices">,
  subject: Subject,
): ScenarioChoices {
  const chosen = subject.assets.flatMap(({ id, decimals }): [AssetId, ScenarioAssetChoice][] => {
    const balance = usual[id]
    const start = balance === undefined ? {} : { startUnits: parseUnits(balance, decimals) }
    const price = prices[id] === undefined ? {} : { price: id }
    return [[id, { ...start, ...price }]]
  })
  return { ...NOTHING_CHOSEN, assets: new Map(chosen), prices: pricesOf(prices) }
}

type ScenarioAssetChoice = { readonly startUnits?: bigint; readonly price?: string }

const NOTHING_CHOSEN: ScenarioChoices = {
  assets: new Map(),
  prices: new Map(),
  pair: {},
  pairs: new Map(),
  chains: new Map(),
  orders: {},
  flows: [],
  quotes: [],
}

/** An asset with a price of its own gets a price of its own name. */
function pricesOf(prices: PolicyTests["prices"]): ScenarioChoices["prices"] {
  const entries = Object.entries(prices).map(([id, price]): [string, Partial<PricePath>] => {
    return [id, { startFiat: fiatOf(price), volatilityPpm: 0n }]
  })
  return new Map(entries)
}

const PAYOUT_AFTER_MS = 5 * 60_000

/**
 * The choices of a scenario: a still world in which every order succeeds, with the values of
 * `given`.
 */
export function toGivenChoices(
  given: Given,
  tests: Pick<PolicyTests, "prices">,
  subject: Subject,
  startMs: number,
): ScenarioChoices {
  const prices = { ...tests.prices, ...given.prices }
  const unitsOf = (id: string, text: string): bigint => toUnits(subject, id, text)
  const assets = subject.assets.map(({ id }): [AssetId, ScenarioAssetChoice & StillAsset] => {
    const startUnits = unitsOf(id, given.balances?.[id] ?? "0")
    const price = prices[id] === undefined ? {} : { price: id }
    return [id, { startUnits, driftUnits: 0n, volatilityUnits: 0n, ...price }]
  })
  const duration = given.payout_after ?? PAYOUT_AFTER_MS
  const { pairs = [], ...costs } = given.costs ?? {}
  return {
    ...NOTHING_CHOSEN,
    startMs,
    assets: new Map(assets),
    prices: pricesOf(prices),
    pair: { ...toPair(costs), duration: { least: duration, typical: duration, most: duration } },
    pairs: new Map(pairs.map((pair) => [`${pair.from}>${pair.to}`, toPair(pair)])),
    orders: { declinedPpm: 0n, refundedPpm: 0n },
    flows: (given.flows ?? [])
      .map(({ after, asset, amount }) => ({
        atMs: startMs + after,
        asset: toId(subject, asset),
        units: unitsOf(asset, amount),
      }))
      .sort((a, b) => a.atMs - b.atMs),
  }
}

type StillAsset = { readonly driftUnits: bigint; readonly volatilityUnits: bigint }
type Costs = Omit<NonNullable<Given["costs"]>, "pairs">

function toPair({ available, fixed, bps, least, most }: Costs): ScenarioChoices["pair"] {
  return {
    ...(available === undefined ? {} : { available }),
    ...(fixed === undefined ? {} : { fixedFiat: fiatOf(fixed) }),
    ...(bps === undefined ? {} : { bps: BigInt(bps) }),
    ...(least === undefined ? {} : { leastFiat: fiatOf(least) }),
    ...(most === undefined ? {} : { mostFiat: fiatOf(most) }),
  }
}

/** The faults of a scenario. `endMs` is the end of a fault without a length. */
export function toFaults(
  { faults = [] }: Given,
  subject: Subject,
  startMs: number,
  endMs: number,
): ScenarioFault[] {
  return faults.map((fault): ScenarioFault => {
    const fromMs = startMs + (fault.after ?? 0)
    const span = { fromMs, untilMs: fault.for === undefined ? endMs + 1 : fromMs + fault.for }
    switch (fault.fault) {
      case "pair":
        return {
          ...span,
          kind: "pair",
          from: toId(subject, fault.from),
          to: toId(subject, fault.to),
        }
      case "pause":
        return { ...span, kind: "pause", scope: fault.scope ?? "all" }
      case "service":
        return { ...span, kind: "service" }
      default:
        return { ...span, kind: fault.fault, asset: toId(subject, fault.asset) }
    }
  })
}

/** The configured asset of a checked id. */
export function toId({ assets }: Subject, id: string): AssetId {
  return mustExist(
    assets.find((asset) => asset.id === id),
    `the asset ${id}`,
  ).id
}

/** Smallest units of a checked amount, which may be negative. */
export function toUnits({ assets }: Subject, id: string, text: string): bigint {
  const { decimals } = mustExist(
    assets.find((asset) => asset.id === id),
    `the asset ${id}`,
  )
  return text.startsWith("-") ? -parseUnits(text.slice(1), decimals) : parseUnits(text, decimals)
}
