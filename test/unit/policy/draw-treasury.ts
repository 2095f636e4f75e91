import { createRandom } from "#backtest/world/random.ts"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { DueRule } from "#policy/evaluate.ts"
import type { ChainGas, OrderCount, PlanLimits, WindowRest } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type {
  AssetView,
  Corrections,
  HoldingPoint,
  PairCosts,
  PairView,
  TreasuryView,
} from "#policy/treasury-view.ts"
import type { DayFlow } from "#policy/values/forecast-flow.ts"

/** All that one decision reads. */
export type Treasury = {
  readonly view: TreasuryView
  readonly rules: readonly PolicyRule[]
  readonly limits: PlanLimits
  readonly due: readonly DueRule[]
}

type Shape = { readonly id: AssetId; readonly decimals: number; readonly priceFiat: bigint }

/**
 * Even numbers collide: a balance is at its bound, an order at its limit. Odd ones show each
 * rounding, and coarse units as well.
 */
const EVEN: readonly Shape[] = ["a:usd", "b:usd", "c:usd", "d:usd", "a:eur"].map((id) => ({
  id: parseAssetId(id),
  decimals: 0,
  priceFiat: 1_000_000n,
}))
const ODD: readonly Shape[] = [
  { id: parseAssetId("a:btc"), decimals: 8, priceFiat: 97_123_450_000n },
  { id: parseAssetId("b:eth"), decimals: 18, priceFiat: 3_456_789_123n },
  { id: parseAssetId("b:gold"), decimals: 2, priceFiat: 260_333_337n },
  { id: parseAssetId("c:usdc"), decimals: 6, priceFiat: 999_871n },
  { id: parseAssetId("d:bars"), decimals: 0, priceFiat: 83_141_592n },
]
/** Few units of much worth: most orders lose a part of their payout, and many are the smallest. */
const COARSE: readonly Shape[] = [
  { id: parseAssetId("a:bars"), decimals: 0, priceFiat: 411_000_000n },
  { id: parseAssetId("a:lots"), decimals: 1, priceFiat: 3_000_000_000n },
  { id: parseAssetId("b:coins"), decimals: 0, priceFiat: 130_333_333n },
  { id: parseAssetId("c:eur"), decimals: 0, priceFiat: 70_000_000n },
  { id: parseAssetId("d:usd"), decimals: 2, priceFiat: 1_000_000n },
]
const FIAT = 1_000_000n
const DAY_MS = 86_400_000

type Draw = {
  readonly between: (least: number, most: number) => number
  readonly chance: (percent: number) => boolean
  /** Something that ends plans. */
  readonly rare: (percent: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  readonly shuffle: <T>(items: readonly T[]) => T[]
  /** Ceilings of costs are so many times as high: the rounding of a coarse payout costs much. */
  readonly ceilings: bigint
}

/**
 * `many`: plans of many orders, which limits cut. `scheduled`: most rules have a schedule, and
 * their orders stand against limits and quotes. `coarse`: units of much worth.
 */
export type Theme = "any" | "many" | "scheduled" | "coarse"

/** The same treasury for a seed on every machine, whatever the version of a library. */
export function drawTreasury(seed: number, theme: Theme): Treasury {
  const draw = createDraw(seed, theme)
  const isMany = theme === "many"
  const isEven = draw.chance(60)
  const isLarge = draw.chance(4)
  const drawn = theme === "coarse" ? COARSE : isEven ? EVEN : ODD
  const some = draw.shuffle(drawn).slice(0, draw.between(isMany ? 3 : 2, 5))
  const shapes = isLarge ? [...EVEN, ...ODD] : some
  const sizes = createSizes(draw, isEven)
  const view = drawView(draw, isMany ? { ...sizes, fees: 8 } : sizes, shapes)
  const rules = Array.from({ length: isLarge ? 8 : draw.between(1, 5) }, (_, at) =>
    drawRule(draw, sizes, shapes, { id: `r${at}`, theme }),
  )
  const due = rules
    .filter(() => !draw.rare(8))
    .map(({ id, kind }) => ({ rule: id, occurrence: kind === "recurring" ? `${id}@now` : null }))
  return { view: { ...view, ...drawCorrections(draw, rules) }, rules, due, limits: drawLimits() }

  function drawLimits(): PlanLimits {
    const ids = shapes.map(({ id }) => id)
    return {
      maxOrders: isMany ? draw.pick([4, 6, 9, 20]) : draw.pick([0, 1, 2, 3, 9, 9, 9]),
      maxOrder: draw.chance(isMany ? 80 : 45) ? drawSold(draw, sizes, shapes) : null,
      split: isMany || draw.chance(70),
      maxCost: draw.chance(isMany ? 40 : 80) ? drawCost(draw) : null,
      ...(draw.chance(40) ? { bindSums: true } : {}),
      ...(draw.rare(25) ? { blocked: [drawBlocked(draw, ids)] } : {}),
      ...(draw.chance(45) ? { windows: [drawWindow(draw, sizes, shapes)] } : {}),
      ...(draw.rare(35) ? { counts: [drawCount(draw, ids)] } : {}),
      ...(draw.chance(50) ? { gas: drawGas(draw, sizes, shapes) } : {}),
      ...(draw.chance(20)
        ? { orderLimits: [{ ...drawPair(draw, ids), ...drawOrderLimit(draw, sizes, shapes) }] }
        : {}),
    }
  }
}

/** What came to an asset and left it, on most days up to `today`. */
export function drawFlows(seed: number, today: number): readonly DayFlow[] {
  const { between, chance } = createDraw(seed, "any")
  const days = between(12, 62)
  const mean = between(-4, 4)
  const wide = between(0, 9)
  const weekday = between(0, 9)
  return Array.from({ length: days }, (_, at) => today - days + 1 + at)
    .filter(() => !chance(5))
    .map((day) => {
      const size = day % 7 === weekday ? 5 * mean : mean + between(-wide, wide)
      return { day, units: BigInt(size) * 100n }
    })
}

function createDraw(seed: number, theme: Theme): Draw {
  const random = createRandom(seed, "recorded plans")
  const between = (least: number, most: number): number =>
    least + Math.floor(random.next() * (most - least + 1))
  const pick = <T>(items: readonly T[]): T => {
    const [one] = items.slice(between(0, items.length - 1))
    if (one === undefined) throw new Error("nothing to pick from")
    return one
  }
  const shuffle = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  const chance = (percent: number): boolean => random.next() * 100 < percent
  const isPlain = theme === "any" || theme === "scheduled"
  const rare = (percent: number): boolean => chance(isPlain ? percent : 0)
  return { between, pick, shuffle, chance, rare, ceilings: theme === "coarse" ? 12n : 1n }
}

/** Amounts by their worth in hundreds, in smallest units of an asset; and in fiat. */
type Sizes = {
  /** The highest share of a quote, in basis points; fixed fees are of this size too. */
  readonly fees: number
  readonly unitsOf: (shape: Shape, least: number, most: number) => bigint
  readonly fiat: (least: number, most: number) => bigint
}

function createSizes({ between }: Draw, isEven: boolean): Sizes {
  const worth = (least: number, most: number): bigint => {
    const hundreds = BigInt(between(least, most)) * 100n * FIAT
    return isEven ? hundreds : (hundreds * BigInt(between(871_234, 1_098_765))) / 1_000_000n
  }
  const unitsOf = ({ decimals, priceFiat }: Shape, least: number, most: number): bigint =>
    (worth(least, most) * 10n ** BigInt(decimals)) / priceFiat
  return { unitsOf, fiat: worth, fees: 60 }
}

function drawView(draw: Draw, sizes: Sizes, shapes: readonly Shape[]): TreasuryView {
  const assets = shapes.map((shape) => drawAsset(draw, sizes, shape))
  const pairs = shapes.flatMap((from) =>
    shapes.filter((to) => to !== from).flatMap((to) => drawPairs(draw, sizes, from, to)),
  )
  return { assets, pairs }
}

function drawAsset(draw: Draw, sizes: Sizes, shape: Shape): AssetView {
  const { id, decimals, priceFiat } = shape
  const some = (percent: number, most: number): bigint =>
    draw.chance(percent) ? sizes.unitsOf(shape, 0, most) : 0n
  const cause = { code: "node.silent", message: "No node answers" }
  const balance = draw.rare(3)
    ? { readable: false as const, cause }
    : {
        readable: true as const,
        spendableUnits: sizes.unitsOf(shape, 0, 40),
        inFlightInUnits: some(20, 6),
        inFlightOutUnits: some(20, 6),
        floorUnits: some(30, 3),
      }
  return {
    id,
    decimals,
    balance,
    priceFiat: draw.rare(3) ? null : priceFiat,
    ...(draw.chance(30) ? { isReference: true } : {}),
    ...(draw.chance(5) ? { priceCause: { code: "price.stale", message: "It is old" } } : {}),
    ...(draw.chance(25) ? { holding: drawHolding(draw, sizes, shape) } : {}),
  }
}

function drawHolding(draw: Draw, sizes: Sizes, shape: Shape): readonly HoldingPoint[] {
  const units = Array.from({ length: draw.between(2, 8) }, () => sizes.unitsOf(shape, 0, 40))
  const rising = [...new Set(units)].sort((a, b) => (a < b ? -1 : 1))
  return rising.map((at) => ({ units: at, costFiat: BigInt(draw.between(0, 90)) * 100_000n }))
}

function drawPairs(draw: Draw, sizes: Sizes, from: Shape, to: Shape): PairView[] {
  const cause = { code: "service.down", message: "The service is down" }
  const first = { from: from.id, to: to.id }
  if (draw.rare(5)) return []
  if (draw.rare(4)) return [{ ...first, quote: { readable: false, cause } }]
  const line = (): PairCosts => drawQuote(draw, sizes, from)
  const htlc = { ...first, quote: line() }
  return draw.chance(12) ? [htlc, { ...first, kind: "bridge", quote: line() }] : [htlc]
}

function drawQuote(draw: Draw, sizes: Sizes, from: Shape): PairCosts {
  const fee = (percent: number, most: number): bigint =>
    draw.chance(percent) ? (BigInt(draw.between(0, most)) * 50_000n * BigInt(sizes.fees)) / 60n : 0n
  const own = { fixedFeeFiat: fee(70, 40), bps: BigInt(draw.between(0, 60)) }
  const risk = { refundPpm: BigInt(draw.between(0, 40_000)), lockPpb: BigInt(draw.between(0, 9)) }
  return {
    readable: true,
    available: !draw.rare(4),
    fixedFeeFiat: fee(70, 40),
    bps: BigInt(draw.between(0, sizes.fees)),
    minUnits: draw.rare(50) ? sizes.unitsOf(from, 0, 6) : 0n,
    maxUnits: draw.rare(30) ? sizes.unitsOf(from, 3, 30) : null,
    ...(draw.chance(40) ? { networkFeeFiat: fee(90, 30) } : {}),
    ...(draw.chance(40) ? { refundFeeFiat: fee(90, 30) } : {}),
    ...(draw.chance(20) ? { windowFeesFiat: fee(90, 60) } : {}),
    ...(draw.chance(30) ? { risk } : {}),
    ...(draw.chance(20) ? { bpsParts: BigInt(draw.between(0, 99_999)) } : {}),
    ...(draw.chance(20) ? { toleranceBps: BigInt(draw.between(0, 60)), own } : {}),
  }
}

function drawCorrections(
  draw: Draw,
  rules: readonly PolicyRule[],
): { readonly corrections?: readonly Corrections[] } {
  if (draw.chance(60)) return {}
  const corrections = rules.flatMap((rule): Corrections[] => {
    const assets = rule.kind === "band" ? [rule.asset] : []
    const weighed = rule.kind === "weights" ? rule.weights.map(({ asset }) => asset) : assets
    return weighed.map((asset) => ({
      rule: rule.id,
      asset,
      overMs: 7 * DAY_MS,
      orders: draw.between(0, 5),
      inFiat: BigInt(draw.between(0, 9)) * 300n * FIAT,
      outFiat: BigInt(draw.between(0, 9)) * 300n * FIAT,
    }))
  })
  return { corrections }
}

function drawRule(
  draw: Draw,
  sizes: Sizes,
  shapes: readonly Shape[],
  of: { id: string; theme: Theme },
): PolicyRule {
  const { id, theme } = of
  const [shape, other] = draw.shuffle(shapes)
  if (shape === undefined || other === undefined) throw new Error("a treasury has two assets")
  const shared = {
    id,
    ...(draw.rare(4) ? { enabled: false } : {}),
    ...(draw.chance(30) ? { priority: draw.between(0, 2) } : {}),
    ...(draw.chance(40) ? { maxCost: drawCost(draw) } : {}),
  }
  const least = sizes.unitsOf(shape, 0, 4)
  const some = draw.chance(30) ? { leastUnits: least > 0n ? least : 1n } : {}
  const kind = draw.between(theme === "scheduled" ? 50 : 1, theme === "scheduled" ? 150 : 100)
  if (kind <= 55) return { ...shared, ...some, ...drawBand(draw, sizes, shapes, shape) }
  if (kind <= 70) {
    const destination = draw.chance(25) ? { destination: `${chainOf(other.id)}-address` } : {}
    const keepUnits = sizes.unitsOf(shape, 0, 15)
    const pair = { from: shape.id, to: other.id }
    return { ...shared, ...some, kind: "sweep", ...pair, keepUnits, ...destination }
  }
  if (kind <= 85) {
    const bps = BigInt(draw.between(2, 8)) * 1_000n
    return {
      ...shared,
      kind: "weights",
      weights: [
        { asset: shape.id, bps },
        { asset: other.id, bps: 10_000n - bps },
      ],
      toleranceBps: draw.pick([100n, 500n, 1_000n]),
      ...(draw.chance(40) ? { move: "edge" as const } : {}),
      ...(draw.chance(30) ? { leastFiat: sizes.fiat(0, 4) } : {}),
    }
  }
  return {
    ...shared,
    kind: "recurring",
    from: shape.id,
    to: other.id,
    schedule: "0 9 * * *",
    timezone: "UTC",
    catchUp: "skip",
    amount: draw.pick([
      { kind: "units", units: sizes.unitsOf(shape, 0, 15) },
      { kind: "share", bps: BigInt(draw.between(0, 10)) * 1_000n },
      { kind: "fiat", fiat: sizes.fiat(0, 15) },
    ]),
  }
}

function drawBand(draw: Draw, sizes: Sizes, shapes: readonly Shape[], shape: Shape) {
  const [minUnits = 0n, targetUnits = 0n, maxUnits = 0n] = [0, 1, 2]
    .map(() => sizes.unitsOf(shape, 0, 40))
    .sort((a, b) => (a < b ? -1 : 1))
  const partners = (): AssetId[] =>
    draw.shuffle(shapes.filter((one) => one !== shape).map((one) => one.id)).slice(0, 3)
  return {
    kind: "band" as const,
    asset: shape.id,
    minUnits,
    targetUnits,
    maxUnits,
    sources: partners(),
    sinks: partners(),
    ...(draw.chance(45) ? { move: draw.pick(["edge", "values"] as const) } : {}),
    ...(draw.chance(30) ? { maxCostWhenEmpty: drawCost(draw) } : {}),
    ...(draw.chance(60) ? { everyMs: draw.pick([3_600_000, DAY_MS, 3 * DAY_MS]) } : {}),
  }
}

function drawCost(draw: Draw): CostLimit {
  return draw.chance(65)
    ? { kind: "share", bps: BigInt(draw.between(1, 15)) * 10n * draw.ceilings }
    : { kind: "fiat", fiat: BigInt(draw.between(1, 30)) * 250_000n * draw.ceilings }
}

function drawSold(draw: Draw, sizes: Sizes, shapes: readonly Shape[]): SoldLimit {
  if (draw.chance(60)) return { kind: "fiat", fiat: sizes.fiat(2, 15) }
  const limited = shapes.filter(() => draw.chance(70))
  const byAsset = Object.fromEntries(
    limited.map((shape) => [shape.id, sizes.unitsOf(shape, 2, 15)]),
  )
  return { kind: "units", byAsset }
}

function drawPair(draw: Draw, ids: readonly AssetId[]): { from: AssetId; to: AssetId } {
  const [from, to] = draw.shuffle(ids)
  if (from === undefined || to === undefined) throw new Error("a treasury has two assets")
  return { from, to }
}

function drawBlocked(draw: Draw, ids: readonly AssetId[]) {
  const reasons = [{ code: "limit.cooldown", message: "The pair rests" }]
  return { ...drawPair(draw, ids), rule: draw.pick([null, "r0", "r1"]), reasons }
}

function drawOrderLimit(draw: Draw, sizes: Sizes, shapes: readonly Shape[]) {
  return { destination: null, max: drawSold(draw, sizes, shapes) }
}

function drawWindow(draw: Draw, sizes: Sizes, shapes: readonly Shape[]): WindowRest {
  const maxFiat = sizes.fiat(10, 60)
  const inFiat = draw.chance(70)
  const limited = shapes.filter(() => draw.chance(20))
  return {
    per: "1d",
    maxFiat: inFiat ? maxFiat : null,
    leftFiat: inFiat ? (maxFiat * BigInt(draw.between(0, 10))) / 10n : null,
    leftUnits: Object.fromEntries(limited.map((shape) => [shape.id, sizes.unitsOf(shape, 0, 20)])),
    leftFeesFiat: draw.chance(40) ? BigInt(draw.between(0, 40)) * 250_000n : null,
  }
}

function drawCount(draw: Draw, ids: readonly AssetId[]): OrderCount {
  const left = draw.between(0, 3)
  const reason = { code: "limit.count", message: "As many orders as may be" }
  const pair = drawPair(draw, ids)
  return draw.pick<OrderCount>([
    { pair, left, reason },
    { rule: "r0", left, reason },
    { chain: chainOf(pair.from), left, reason },
    { left, reason },
  ])
}

function drawGas(draw: Draw, sizes: Sizes, shapes: readonly Shape[]): readonly ChainGas[] {
  const chains = [...new Set(shapes.map(({ id }) => chainOf(id)))]
  return chains
    .filter(() => draw.chance(70))
    .map((chain): ChainGas => {
      const coin = shapes.find(({ id }) => chainOf(id) === chain)
      if (coin === undefined || draw.chance(40)) {
        const leftUnits = draw.chance(15) ? null : BigInt(draw.between(0, 30))
        return { chain, coin: null, perOrderUnits: BigInt(draw.between(1, 12)), leftUnits }
      }
      return {
        chain,
        coin: coin.id,
        perOrderUnits: sizes.unitsOf(coin, 0, 2),
        leftUnits: draw.chance(15) ? null : sizes.unitsOf(coin, 0, 8),
        ...(draw.chance(20) ? { placed: draw.between(0, 2) } : {}),
      }
    })
}
