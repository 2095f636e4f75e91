import type { Scenario } from "#backtest/world/scenario.ts"
import type { Config } from "#config/config.ts"
import { type ConfigFinding, findingOf } from "#config/judge/finding.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { AppError } from "#lib/app-error.ts"
import { type ConfiguredRule, ruleKindOf } from "#policy/rules/registry.ts"

/**
 * Rules whose every order costs more than they may, at the prices and costs that the simulator
 * assumes: about one dollar, 30 basis points, and the usual fee of a deposit.
 */
export async function judgeCosts(config: Config): Promise<ConfigFinding[]> {
  const scenario = await deriveUsualScenario(config)
  if (scenario === null) return []
  return config.rules.flatMap((rule, index) => {
    if (!rule.enabled) return []
    const sides = Map.groupBy(listOrders(config, scenario, rule), ({ side }) => side)
    return [...sides.values()].flatMap((orders) => judgeSide(rule.id, orders, index))
  })
}

/** `null` where an asset has no price that the simulator knows. */
async function deriveUsualScenario(config: Config): Promise<Scenario | null> {
  if (config.rules.length === 0) return null
  const [{ deriveScenario }, { parseScenario }, { toScenarioTraits, toSubject }] =
    await Promise.all([
      import("#backtest/world/derive-scenario.ts"),
      import("../../simulate/read-scenario.ts"),
      import("#daemon/study/to-subject.ts"),
    ])
  try {
    const choices = { ...parseScenario("", "no scenario", [config]), flows: [], quotes: [] }
    const traits = config.chains.map(toScenarioTraits)
    return deriveScenario([toSubject("check", config)], traits, 1, choices)
  } catch (error) {
    if (error instanceof AppError && error.code === "simulate.price_missing") return null
    throw error
  }
}

/** The orders that a rule makes of one pair, in fiat millionths. */
type OrderRange = {
  readonly from: AssetId
  readonly to: AssetId
  readonly side: "moves" | "drains"
  /** `null` for any amount up to `mostFiat`. */
  readonly exactFiat: bigint | null
  readonly mostFiat: bigint | null
  readonly fixedFiat: bigint
  readonly bps: bigint
  readonly ceilings: readonly CostLimit[]
}

function listOrders(config: Config, scenario: Scenario, rule: ConfiguredRule): OrderRange[] {
  const kind = ruleKindOf(rule)
  const { maxOrder, maxCost, windows } = config.guards
  const pairs =
    kind.wake === "schedule"
      ? [{ ...kind.pairOf(rule), whenAbove: false }]
      : (kind.pairsOf?.(rule) ?? [])
  const fixed = kind.wake === "schedule" ? (kind.fixedAmountOf?.(rule) ?? null) : null
  const ceilings = [maxCost, ceilingOf(rule)].filter((limit) => limit !== null)
  return pairs.map(({ from, to, whenAbove }): OrderRange => {
    const most = kind.balanceBounds(rule).find(({ asset }) => asset === to)?.maxUnits ?? null
    const limits = [maxOrder, ...windows.map(({ max }) => max)].map((limit) =>
      limit === null ? null : limitFiat(scenario, from, limit),
    )
    if (most !== null && !whenAbove) limits.push(fiatOf(scenario, to, most))
    const { fixedFiat, bps } = scenario.pairFor(from, to)
    return {
      from,
      to,
      side: whenAbove ? "drains" : "moves",
      exactFiat:
        fixed?.kind === "units" ? fiatOf(scenario, from, fixed.units) : (fixed?.fiat ?? null),
      mostFiat: limits.reduce(smaller, null),
      fixedFiat: fixedFiat + depositFiat(scenario, from),
      bps,
      ceilings,
    }
  })
}

/** The highest ceiling that the rule itself ever has; a band may allow more while it is empty. */
function ceilingOf(rule: ConfiguredRule): CostLimit | null {
  const empty = "maxCostWhenEmpty" in rule ? rule.maxCostWhenEmpty : null
  return empty ?? rule.maxCost ?? null
}

function judgeSide(id: string, orders: readonly OrderRange[], index: number): ConfigFinding[] {
  const verdicts = orders.map(findLeastFiat)
  if (verdicts.some(({ acts }) => acts)) return []
  const leasts = verdicts.flatMap(({ leastFiat }) => leastFiat ?? [])
  const least = leasts.toSorted((a, b) => (a < b ? -1 : 1))[0]
  const [order] = orders
  if (order === undefined) return []
  const what = order.side === "drains" ? "drains" : "orders"
  const assumed = "at assumed costs (about 1 usd, 30 bps and the network fee)"
  const found = { path: ["rules", index], subjects: [id] }
  if (least === undefined) {
    const message = `rule ${id}: ${assumed} each of its ${what} costs more than max_cost`
    const todo = "raise max_cost"
    return [findingOf("neverActs", { ...found, message, todo })]
  }
  const largest = order.exactFiat ?? order.mostFiat
  const size = largest === null ? "" : `; its largest is ${wholeUsd(largest)} usd`
  const message =
    `rule ${id}: ${assumed} only ${what} of at least ${wholeUsd(least)} usd cost less than ` +
    `max_cost${size}`
  const todo = "raise its amounts and max_order, or max_cost"
  const sentence = `only ${what} of at least ${wholeUsd(least)} usd can act`
  return [{ ...findingOf("neverActs", { ...found, message, todo }), sentence }]
}

/**
 * Whether an order of this range may cost so much, and the smallest amount that may; `null` where
 * no larger one may. A share is easier to keep with more, an amount in fiat with less. Pure.
 */
function findLeastFiat(order: OrderRange): {
  readonly acts: boolean
  readonly leastFiat: bigint | null
} {
  const { exactFiat, mostFiat, fixedFiat, bps, ceilings } = order
  const never = { acts: false, leastFiat: null }
  let leastFiat = 1n
  let highestFiat: bigint | null = null
  for (const limit of ceilings) {
    if (limit.kind === "share") {
      if (limit.bps <= bps) return never
      const needed = divideUp(fixedFiat * 10_000n, limit.bps - bps)
      if (needed > leastFiat) leastFiat = needed
    } else {
      if (limit.fiat <= fixedFiat) return never
      highestFiat = smaller(highestFiat, ((limit.fiat - fixedFiat) * 10_000n) / bps)
    }
  }
  const wantedFiat = exactFiat !== null && exactFiat > leastFiat ? exactFiat : leastFiat
  if (highestFiat !== null && wantedFiat > highestFiat) return never
  // Another finding names a scheduled amount above a limit.
  const largestFiat = exactFiat ?? mostFiat
  return { acts: largestFiat === null || largestFiat >= leastFiat, leastFiat }
}

function fiatOf({ assets, prices }: Scenario, id: AssetId, units: bigint): bigint {
  const asset = assets.find((each) => each.id === id)
  const price = prices.find(({ name }) => name === asset?.price)?.startFiat ?? 0n
  return (units * price) / 10n ** BigInt(asset?.decimals ?? 0)
}

function limitFiat(scenario: Scenario, from: AssetId, limit: SoldLimit): bigint | null {
  if (limit.kind === "fiat") return limit.fiat
  const units = limit.byAsset[from]
  return units === undefined ? null : fiatOf(scenario, from, units)
}

function depositFiat(scenario: Scenario, from: AssetId): bigint {
  const chain = scenario.chains.find((each) => each.chain === chainOf(from))
  return chain === undefined ? 0n : fiatOf(scenario, chain.coin, chain.depositFeeUnits)
}

function smaller(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

function wholeUsd(fiat: bigint): string {
  const whole = 10n ** BigInt(FIAT_DECIMALS)
  return formatUnits(divideUp(fiat, whole) * whole, FIAT_DECIMALS)
}
