import { createRequire } from "node:module"
import type { Highs } from "highs"

/**
 * A treasury whose flows, prices and bounds are known in advance. Balances and flows are in usd of
 * the first price, `prices` are relative to it, and orders are in usd of their period.
 */
export type Foresight = {
  readonly start: readonly number[]
  /** The way of each balance back to this goal costs `share` at the end; `null` for no goal. */
  readonly goals: readonly (number | null)[]
  readonly share: number
  readonly pairs: readonly ForesightPair[]
  readonly periods: readonly ForesightPeriod[]
  /** Usd for each usd outside of the bounds; `null` where no balance may be outside. */
  readonly penalty: number | null
}

/** `fixed` in usd for each order, `share` of the amount, and the largest amount of a period. */
export type ForesightPair = {
  readonly from: number
  readonly to: number
  readonly fixed: number
  readonly share: number
}

export type ForesightPeriod = {
  readonly flows: readonly number[]
  readonly prices: readonly number[]
  /** The bounds of each balance at the end of the period. */
  readonly least: readonly number[]
  readonly most: readonly (number | null)[]
  /** The largest order of each pair. */
  readonly largest: readonly number[]
}

/**
 * `usd`: of the best orders found, without penalties. `bound`: all orders cost at least this.
 * `outside`: usd and periods beyond the bounds.
 */
export type ForesightAnswer = {
  readonly usd: number
  readonly bound: number
  readonly outside: number
  readonly isProven: boolean
}

export type AskForesight = (world: Foresight, isWhole: boolean, seconds: number) => ForesightAnswer

/**
 * The least cost of a treasury that knows everything, by HiGHS. With `isWhole` an order pays its
 * fixed cost as a whole: a mixed-integer program. Otherwise an order pays as much of it as its
 * amount is of the largest one, so the answer is a bound below every policy.
 */
export async function createForesight(): Promise<AskForesight> {
  // CAST: the package exports its loader in this form; its ES module form has other types.
  const load = createRequire(import.meta.url)("highs") as () => Promise<Highs>
  const highs = await load()
  return (world, isWhole, seconds) =>
    highs.withModel({ format: "lp", data: programOf(world, isWhole) }, (model) => {
      model.options.set({ output_flag: false, time_limit: seconds, mip_rel_gap: 1e-4 })
      const { modelStatus } = model.run()
      const values = model.getSolution().colValue
      const outside = slacksOf(world).reduce(
        (sum, name) => sum + (values[model.getColByName(name)] ?? 0),
        0,
      )
      const usd = model.getObjectiveValue()
      const penalty = outside * (world.penalty ?? 0)
      const bound = isWhole ? Number(model.info.get("mip_dual_bound")) : usd
      return {
        usd: usd - penalty,
        bound: bound - penalty,
        outside,
        isProven: modelStatus === OPTIMAL,
      }
    })
}

/** The code of a proven end (`HighsModelStatus`). */
const OPTIMAL = 7

/**
 * The program in the LP text format, by period and pair or asset: the amount `x` and the number `y`
 * of orders, the balance `b` at the end of a period, and the slacks `u` and `o` outside its bounds.
 */
function programOf(world: Foresight, isWhole: boolean): string {
  const costs: string[] = []
  const rows: string[] = []
  const bounds: string[] = []
  const binaries: string[] = []
  for (const [t, period] of world.periods.entries()) {
    for (const [e, { fixed, share }] of world.pairs.entries()) {
      const largest = period.largest[e] ?? 0
      const slope = isWhole || largest <= 0 ? share : share + fixed / largest
      costs.push(`${signed(slope)} x${t}_${e}`)
      bounds.push(`0 <= x${t}_${e} <= ${isWhole ? digits(largest) : "+inf"}`)
      if (!isWhole) continue
      costs.push(`${signed(fixed)} y${t}_${e}`)
      rows.push(`x${t}_${e} ${signed(-largest)} y${t}_${e} <= 0`)
      binaries.push(`y${t}_${e}`)
    }
    for (const a of world.start.keys()) {
      rows.push(balanceRow(world, { t, a, isWhole }))
      const least = period.least[a] ?? 0
      const most = period.most[a] ?? null
      if (world.penalty === null) {
        bounds.push(`${digits(least)} <= b${t}_${a} <= ${most === null ? "+inf" : digits(most)}`)
        continue
      }
      bounds.push(`b${t}_${a} >= 0`)
      costs.push(`${signed(world.penalty)} u${t}_${a}`)
      costs.push(`${signed(world.penalty)} o${t}_${a}`)
      rows.push(`b${t}_${a} + u${t}_${a} >= ${digits(least)}`)
      if (most !== null) rows.push(`b${t}_${a} - o${t}_${a} <= ${digits(most)}`)
    }
  }
  for (const [a, goal] of world.goals.entries()) {
    if (goal === null) continue
    const last = `b${world.periods.length - 1}_${a}`
    costs.push(`${signed(world.share)} d${a}`)
    rows.push(`d${a} - ${last} >= ${digits(-goal)}`, `d${a} + ${last} >= ${digits(goal)}`)
  }
  return [
    "Minimize",
    ` cost: ${wrap(costs)}`,
    "Subject To",
    ...rows.map((row, index) => ` c${index}: ${row}`),
    "Bounds",
    ...bounds.map((bound) => ` ${bound}`),
    ...(binaries.length === 0 ? [] : ["Binary", ...binaries.map((name) => ` ${name}`)]),
    "End",
  ].join("\n")
}

/** The balance at the end of a period: that before, the flow, and the orders. */
function balanceRow(
  { start, pairs, periods }: Foresight,
  { t, a, isWhole }: { readonly t: number; readonly a: number; readonly isWhole: boolean },
): string {
  const period = periods[t]
  const price = period?.prices[a] ?? 1
  const flow = period?.flows[a] ?? 0
  const terms = pairs.flatMap(({ from, to, fixed, share }, e) => {
    if (from === a) return [`${signed(1 / price)} x${t}_${e}`]
    if (to !== a) return []
    const payout = `${signed(-(1 - share) / price)} x${t}_${e}`
    return isWhole ? [payout, `${signed(fixed / price)} y${t}_${e}`] : [payout]
  })
  const before = t === 0 ? [] : [`- b${t - 1}_${a}`]
  const right = digits(flow + (t === 0 ? (start[a] ?? 0) : 0))
  return `${[`b${t}_${a}`, ...before, ...terms].join(" ")} = ${right}`
}

function slacksOf({ periods, start, penalty }: Foresight): string[] {
  if (penalty === null) return []
  return periods.flatMap((_, t) => [...start.keys()].flatMap((a) => [`u${t}_${a}`, `o${t}_${a}`]))
}

/** A line of the format has a limit. */
function wrap(terms: readonly string[]): string {
  const lines: string[] = []
  for (let at = 0; at < terms.length; at += 8) lines.push(terms.slice(at, at + 8).join(" "))
  return lines.join("\n  ")
}

function signed(value: number): string {
  return value < 0 ? `- ${digits(-value)}` : `+ ${digits(value)}`
}

function digits(value: number): string {
  return value.toFixed(9)
}
