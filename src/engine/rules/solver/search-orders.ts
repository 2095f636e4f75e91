// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is the innermost loop of the search.
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import { evaluateOrders } from "./evaluate-orders.ts"
import { type FlowLimit, findCut } from "./order-cuts.ts"
import { createModel, type Edge, type Model } from "./order-model.ts"
import { OrderPrices } from "./order-prices.ts"
import { createProgram } from "./order-program.ts"
import { ALONE, type Ranges, type SearchMates } from "./shared-search.ts"
import type { Simplex } from "./simplex.ts"

/**
 * Numbers of orders, their objective in units of the currency, and whether no other numbers are
 * better by `EQUAL_COST`.
 */
type Searched = {
  readonly orders: readonly number[]
  readonly objective: number
  readonly exact: boolean
  readonly nodes: number
}

/** Below this difference in units of the currency, two plans count as equal. */
export const EQUAL_COST = 1e-6

/**
 * Finds the best numbers of orders by branch and cut in floating point.
 *
 * A node of the search is a range of order counts for each edge; its bound is the relaxation in
 * which orders may be fractions (`order-program.ts`), tightened by rounding cuts for each source
 * and sink (`order-cuts.ts`). Dives and exchanges of single orders find good plans early, so that
 * reduced costs decide many edges. The search splits the orders of an edge, or of all edges of a
 * source or a sink together, whose halves raise the bound the most in a trial (Achterberg, Koch and
 * Martin 2005). Other threads can take open parts (`shared-search.ts`). The limit counts nodes and
 * arithmetic, so an answer of one thread does not depend on the speed of the machine. Amounts and
 * limits are judged in exact arithmetic afterwards (`settle-flow.ts`).
 */
export function searchOrders(
  problem: FlowProblem,
  maxNodes: number,
  mates: SearchMates = ALONE,
): Searched {
  return new OrderSearch(createModel(problem), mates).run(maxNodes)
}

/**
 * A number of orders that is not whole in the relaxation: the whole part and the rest. `at`: an
 * edge, or a sum after the edges.
 */
type Fraction = { readonly at: number; readonly count: number; readonly part: number }

/** Edges of which a split may bound the orders together: those of a source or of a sink. */
type Sum = { readonly edges: readonly number[]; readonly most: number }

/**
 * The rounds of cuts at the first node and at the others, and the share of the gap that a round
 * must close to be worth another.
 */
const FIRST_ROUNDS = 20
const ROUNDS = 3
const STALE = 0.005
/**
 * How many edges are tried at one node, with how many pivots, and how often an edge is tried before
 * the average of its trials counts.
 */
const TRIALS = 6
const TRIAL_PIVOTS = 50
const RELIABLE = 4
/** The limits of the exchange of single orders. */
const IMPROVE_ROUNDS = 6
const EXCHANGES = 100
/** The arithmetic that the search of one thread may use: about 1.5 seconds. */
const MAX_EFFORT = 1.8e8
const WHOLE = 1e-6
const MOST_COUNTED = 30_000
/**
 * The score of an edge that was never tried. Sums come before edges, because a bound on a sum also
 * changes what its edges can do for each other.
 */
const UNTRIED = 1e9

class OrderSearch {
  private readonly edges: readonly Edge[]
  private readonly sums: readonly Sum[]
  private readonly model: Model
  private readonly program: Simplex
  private readonly flowLimits: readonly FlowLimit[]
  private readonly columns: number
  private readonly orderRow: Int32Array
  private readonly leastRow: Int32Array
  private readonly ownRows: number
  private readonly top: Ranges
  /** The most orders of each edge and of each sum in any plan. */
  private readonly most: Int16Array
  private readonly tried: Int32Array
  private readonly fewerGain: Float64Array
  private readonly moreGain: Float64Array
  private best: { readonly orders: ArrayLike<number>; readonly objective: number }
  private nodes = 0
  private readonly mates: SearchMates
  /** The least objective of all threads, as far as this one knows. */
  private least = 0
  private isFirst = true
  private readonly tries = new Set<string>()
  /** The prices of the present node, and those of the first one. */
  private readonly prices: OrderPrices
  private readonly firstPrices: OrderPrices

  constructor(model: Model, mates: SearchMates) {
    const { edges } = model
    this.mates = mates
    const m = edges.length
    this.model = model
    this.edges = edges
    this.prices = new OrderPrices(edges)
    this.firstPrices = new OrderPrices(edges)
    this.best = { orders: edges.map(() => 0), objective: 0 }
    this.sums = listSums(model)
    const all = m + this.sums.length
    this.orderRow = new Int32Array(all).fill(-1)
    this.leastRow = new Int32Array(m).fill(-1)
    this.tried = new Int32Array(all)
    this.fewerGain = new Float64Array(all)
    this.moreGain = new Float64Array(all)
    this.most = Int16Array.from([
      ...edges.map(({ orders }) => orders),
      ...this.sums.map(({ most }) => most),
    ])
    this.top = {
      min: new Int16Array(all),
      max: this.most.slice(),
      bound: Number.NEGATIVE_INFINITY,
    }
    const { program, columns, flowLimits } = createProgram(model)
    this.program = program
    this.columns = columns
    this.flowLimits = flowLimits
    this.ownRows = program.rows.length
  }

  /** The orders of an edge or of a sum in the last relaxation. */
  private count(at: number): number {
    const m = this.edges.length
    if (at < m) return this.program.x[at]! + this.program.x[m + at]!
    let count = 0
    for (const edge of this.sums[at - m]!.edges)
      count += this.program.x[edge]! + this.program.x[m + edge]!
    return count
  }

  private openOrderRow(at: number): void {
    if (this.orderRow[at]! >= 0) return
    const m = this.edges.length
    const most = this.most[at]!
    const edges = at < m ? [at] : this.sums[at - m]!.edges
    const columns = [...edges, ...edges.map((edge) => m + edge)]
    this.orderRow[at] = this.program.addRow({ columns, values: columns.map(() => 1), most }, most)
  }

  private boundOrderRow(at: number, least: number, most: number): void {
    const total = this.most[at]!
    const row = this.orderRow[at]!
    if (row >= 0) this.program.setBounds(this.columns + row, total - most, total - least)
  }

  private openRows({ min, max }: Ranges): void {
    const m = this.edges.length
    min.forEach((least, at) => {
      if (least > 0 || (at >= m && max[at]! < this.most[at]!)) this.openOrderRow(at)
    })
  }

  private apply({ min, max }: Ranges): void {
    const m = this.edges.length
    for (let edge = 0; edge < m; edge += 1) {
      const { lo, cap, size, orders } = this.edges[edge]!
      if (orders === 0) continue
      const least = min[edge]!
      const most = max[edge]!
      this.program.setBounds(edge, Math.min(least * lo, cap) / size, Math.min(cap / size, most))
      this.program.setBounds(m + edge, 0, most)
      this.boundOrderRow(edge, least, most)
    }
    for (let at = m; at < min.length; at += 1) this.boundOrderRow(at, min[at]!, max[at]!)
  }

  private dropRows(): void {
    const places = this.program.dropRows((row) => row >= this.ownRows)
    for (const rows of [this.orderRow, this.leastRow])
      rows.set(rows.map((row) => (row < 0 ? -1 : places[row]!)))
  }

  /** Adds rows that the present point violates. */
  private addRows({ min, max }: Ranges): number {
    let added = 0
    const m = this.edges.length
    for (let edge = 0; edge < m; edge += 1) {
      const { lo, size } = this.edges[edge]!
      const count = this.count(edge)
      if (count > max[edge]! + 1e-7 && this.orderRow[edge]! < 0) {
        this.openOrderRow(edge)
        this.boundOrderRow(edge, min[edge]!, max[edge]!)
        added += 1
      }
      if (this.leastRow[edge]! < 0 && this.program.x[edge]! * size < lo * count - 1e-7 * size) {
        const part = lo / size
        this.leastRow[edge] = this.program.addRow({
          columns: [edge, m + edge],
          values: [part - 1, part],
          most: 0,
        })
        added += 1
      }
    }
    return added
  }

  private addCuts(): number {
    const cuts = this.flowLimits.flatMap((limit) => findCut(limit, this.program.x) ?? [])
    for (const cut of cuts) this.program.addRow(cut)
    return cuts.length
  }

  private isOver(bound: number): boolean {
    return bound >= this.least - EQUAL_COST
  }

  private tryCounts(counts: Int16Array): boolean {
    if (this.isOver(this.leastCost(counts)) || !this.fits(counts)) return false
    let key = ""
    for (let edge = 0; edge < counts.length; edge += 1)
      if (counts[edge]! > 0) key += `${edge}:${counts[edge]} `
    if (this.tries.has(key)) return false
    this.tries.add(key)
    const objective = evaluateOrders(this.model, counts)
    if (objective === null || objective >= this.best.objective - EQUAL_COST / 100) return false
    this.best = { orders: counts.slice(), objective }
    if (objective < this.least) {
      this.least = objective
      this.mates.offer(counts, objective)
    }
    return true
  }

  /** No flow with these orders costs less, at the prices of the first node. */
  private leastCost(counts: ArrayLike<number>): number {
    if (this.isFirst) return Number.NEGATIVE_INFINITY
    let sum = this.firstPrices.bound
    for (let edge = 0; edge < counts.length; edge += 1)
      sum += this.firstPrices.extra(edge, counts[edge]!)
    return sum
  }

  private fits(counts: ArrayLike<number>): boolean {
    // A relaxation that rounding errors ended early may lie outside its bounds.
    for (let edge = 0; edge < counts.length; edge += 1)
      if (counts[edge]! < 0 || counts[edge]! > this.edges[edge]!.orders) return false
    return this.model.limits.every(
      ({ edges, most }) => edges.reduce((sum, edge) => sum + counts[edge]!, 0) <= most,
    )
  }

  /** Rounds the present point: the fullest edges first, as far as the limits go. */
  private roundPoint({ min, max }: Ranges): Int16Array {
    const m = this.edges.length
    const counts = min.slice(0, m)
    const open = Array.from({ length: m }, (_, edge) => edge).filter(
      (edge) => this.count(edge) > 1e-6 && max[edge]! > min[edge]!,
    )
    const values = open.map((edge) => this.count(edge) - min[edge]!)
    const order = open.map((_, at) => at).sort((a, b) => values[b]! - values[a]!)
    for (const at of order) {
      const edge = open[at]!
      const wanted = Math.min(max[edge]!, min[edge]! + Math.ceil(values[at]! - 0.3))
      while (counts[edge]! < wanted) {
        counts[edge]! += 1
        if (!this.fits(counts)) {
          counts[edge]! -= 1
          break
        }
      }
    }
    return counts
  }

  private takePrices(prices: OrderPrices): void {
    prices.take(this.program, (edge) =>
      this.orderRow[edge]! < 0 ? -1 : this.columns + this.orderRow[edge]!,
    )
  }

  /**
   * Leaves each edge the orders that the other edges of its groups leave. `false`: too many are
   * decided.
   */
  private tighten({ min, max }: Ranges): boolean {
    const m = this.edges.length
    for (const { edges, most } of this.model.limits) {
      let spare = most
      for (const edge of edges) spare -= min[edge]!
      if (spare < 0) return false
      for (const edge of edges) max[edge] = Math.min(max[edge]!, min[edge]! + spare)
    }
    for (const [at, { edges }] of this.sums.entries()) {
      const least = min[m + at]!
      const most = max[m + at]!
      let fewest = 0
      let greatest = 0
      for (const edge of edges) {
        fewest += min[edge]!
        greatest += max[edge]!
      }
      if (fewest > most || greatest < least) return false
      for (const edge of edges) {
        const own = min[edge]!
        const upTo = max[edge]!
        max[edge] = Math.min(upTo, own + most - fewest)
        min[edge] = Math.max(own, upTo + least - greatest)
      }
    }
    return min.every((least, edge) => least <= max[edge]!)
  }

  /** The bound of a node, with cuts. */
  private relax(node: Ranges, rounds: number): number {
    this.openRows(node)
    this.apply(node)
    let bound = this.program.solve()
    let stale = 0
    for (let round = 0; round < rounds; round += 1) {
      if (this.isOver(bound)) return bound
      if (this.isFirst && round % 4 === 0) this.tryCounts(this.roundPoint(node))
      const added = this.addRows(node) + this.addCuts()
      if (added === 0) break
      const before = bound
      bound = Math.max(bound, this.program.solve())
      stale = bound - before < STALE * (this.least - bound) ? stale + 1 : 0
      if (round % 3 === 2) this.dropRows()
      if (stale > 1 && round < rounds - 1) break
    }
    while (!this.isOver(bound) && this.addRows(node) > 0) bound = this.program.solve()
    return bound
  }

  /** Decides the fullest open edge again and again, and tries the plans on the way. */
  private dive(node: Ranges): void {
    const before = this.program.save()
    const size = this.program.rows.length
    const ranges = { min: node.min.slice(), max: node.max.slice(), bound: node.bound }
    for (let depth = 0; depth < 2 * this.edges.length; depth += 1) {
      const open = this.fractions(ranges)
      if (open.length === 0) {
        this.tryCounts(Int16Array.from(this.edges, (_, edge) => Math.round(this.count(edge))))
        break
      }
      const fullest = open.reduce((a, b) => (b.part > a.part ? b : a))
      if (fullest.part > 0.5 || fullest.count === 0) {
        for (const { at, count, part } of open)
          if (at === fullest.at || part > 0.9) ranges.min[at] = count + 1
      }
      this.openRows(ranges)
      if (!this.tighten(ranges)) break
      this.apply(ranges)
      const bound = this.program.solve()
      if (this.isOver(bound)) break
      if (depth % 2 === 1) this.tryCounts(this.roundPoint(ranges))
    }
    this.apply(node)
    if (this.program.rows.length === size) this.program.restore(before)
    this.program.solve()
  }

  private fractions({ min, max }: Ranges, end = this.edges.length): Fraction[] {
    const found: Fraction[] = []
    for (let at = 0; at < end; at += 1) {
      if (min[at]! >= max[at]!) continue
      const value = this.count(at)
      const count = Math.floor(value + WHOLE)
      // Both halves must be smaller than the node, also where rounding leaves a value outside the
      // range.
      if (value - count > WHOLE && count >= min[at]! && count < max[at]!)
        found.push({ at, count, part: value - count })
    }
    return found.sort((a, b) => Math.abs(a.part - 0.5) - Math.abs(b.part - 0.5))
  }

  private halve({ min, max, bound }: Ranges, at: number, count: number): [Ranges, Ranges] {
    const fewer = { min: min.slice(), max: max.slice(), bound }
    fewer.max[at] = count
    const more = { min: min.slice(), max: max.slice(), bound }
    more.min[at] = count + 1
    return [fewer, more]
  }

  private split(node: Ranges): Ranges[] {
    const candidates = this.fractions(node, node.min.length)
    let chosen: Ranges[] = []
    let highest = -1
    let trials = 0
    const score = (at: number, part: number): number => {
      const n = Math.max(1, this.tried[at]!)
      if (this.tried[at] === 0) return at < this.edges.length ? UNTRIED : 2 * UNTRIED
      return (this.fewerGain[at]! / n) * part * (this.moreGain[at]! / n) * (1 - part)
    }
    candidates.sort((a, b) => score(b.at, b.part) - score(a.at, a.part))
    for (const { at } of candidates.filter(({ at }) => this.tried[at]! < RELIABLE).slice(0, TRIALS))
      this.openOrderRow(at)
    this.openRows(node)
    this.apply(node)
    this.program.solve()
    const basis = this.program.save()
    for (const { at, count, part } of candidates) {
      if (this.tried[at]! >= RELIABLE || trials >= TRIALS) {
        if (this.tried[at] === 0) continue
        const known = score(at, part)
        if (known > highest) [highest, chosen] = [known, this.halve(node, at, count)]
        continue
      }
      trials += 1
      const halves = this.halve(node, at, count).map((half): Ranges => {
        if (!this.tighten(half)) return { ...half, bound: Number.POSITIVE_INFINITY }
        this.apply(half)
        const bound = Math.max(node.bound, this.program.solve(TRIAL_PIVOTS, this.least))
        this.program.restore(basis)
        return { ...half, bound }
      })
      const gains = halves.map(({ bound }) => Math.min(bound, this.least) - node.bound + 1e-6)
      const [down = 0, up = 0] = gains
      this.tried[at]! += 1
      this.fewerGain[at]! += down / part
      this.moreGain[at]! += up / (1 - part)
      const left = halves.filter(({ bound }) => !this.isOver(bound))
      if (left.length < 2) return left
      if (down * up > highest) [highest, chosen] = [down * up, halves]
    }
    return chosen.sort((a, b) => b.bound - a.bound)
  }

  private visit(node: Ranges, open: Ranges[]): void {
    if (!this.tighten(node)) return
    node.bound = Math.max(node.bound, this.relax(node, this.isFirst ? FIRST_ROUNDS : ROUNDS))
    if (this.isOver(node.bound)) return
    if (this.isFirst) this.begin(node)
    else if (this.tryCounts(this.roundPoint(node))) this.improve()
    if (this.isOver(node.bound)) return
    this.takePrices(this.prices)
    if (!this.prices.narrow(node.min, node.max, this.least - EQUAL_COST)) return
    this.dropRows()
    const whole = Int16Array.from(this.edges, (_, edge) => Math.round(this.count(edge)))
    if (this.fractions(node).length > 0) {
      open.push(...this.split(node))
      return
    }
    this.tryCounts(whole)
    if (this.isOver(node.bound)) return
    // Rounding hides the difference: any open edge decides further.
    const edge = this.edges.findIndex((_, at) => node.min[at]! < node.max[at]!)
    if (edge >= 0)
      open.push(
        ...this.halve(
          node,
          edge,
          Math.min(node.max[edge]! - 1, Math.max(node.min[edge]!, whole[edge]!)),
        ),
      )
  }

  /** Finds good plans at the first node. */
  private begin(node: Ranges): void {
    this.dive(node)
    this.tryCounts(this.roundPoint(node))
    this.takePrices(this.firstPrices)
    this.isFirst = false
    this.improve()
  }

  /**
   * Adds, drops and exchanges single orders of the best plan, in the order of their cost at the
   * prices of the first node.
   */
  private improve(): void {
    for (let round = 0; round < IMPROVE_ROUNDS; round += 1) {
      const before = this.best.objective
      const base = Int16Array.from(this.best.orders)
      const least = this.leastCost(base)
      const change = (edge: number, count: number): number =>
        this.firstPrices.extra(edge, count) - this.firstPrices.extra(edge, base[edge]!)
      const more: [number, number][] = [[-1, 0]]
      const fewer: [number, number][] = [[-1, 0]]
      for (let edge = 0; edge < base.length; edge += 1) {
        if (base[edge]! < this.edges[edge]!.orders) more.push([edge, change(edge, base[edge]! + 1)])
        if (base[edge]! > 0) fewer.push([edge, change(edge, base[edge]! - 1)])
      }
      const exchanges = more.flatMap(([added, up]) =>
        fewer.map(([dropped, down]) => ({ added, dropped, bound: least + up + down })),
      )
      const promising = exchanges.filter(
        ({ bound, added, dropped }) => added !== dropped && !this.isOver(bound),
      )
      promising.sort((a, b) => a.bound - b.bound)
      for (const { added, dropped } of promising.slice(0, EXCHANGES)) {
        const counts = base.slice()
        if (added >= 0) counts[added]! += 1
        if (dropped >= 0) counts[dropped]! -= 1
        this.tryCounts(counts)
      }
      if (this.best.objective >= before - EQUAL_COST) break
    }
  }

  run(maxNodes: number): Searched {
    const open = [this.top]
    this.step(open)
    // A helper has the prices and cuts of the first node now, and waits for a part.
    if (this.mates.isHelper) {
      open.length = 0
      this.mates.join()
    }
    let isWhole = true
    for (;;) {
      while (open.length > 1 && this.mates.isAsked()) this.mates.give(open.shift()!)
      if (open.length === 0) {
        const part = this.isFirst ? null : this.mates.take()
        if (part === null) break
        open.push(part)
      }
      isWhole = this.nodes < maxNodes && this.program.effort < MAX_EFFORT
      if (!isWhole) this.mates.giveUp()
      if (!isWhole || this.mates.hasGivenUp()) break
      this.least = Math.min(this.least, this.mates.best())
      this.step(open)
    }
    return { ...this.result(), exact: isWhole && !this.mates.hasGivenUp() }
  }

  private step(open: Ranges[]): void {
    const node = open.pop()
    if (node === undefined || this.isOver(node.bound)) return
    this.nodes += 1
    if (!this.isFirst && !this.firstPrices.narrow(node.min, node.max, this.least - EQUAL_COST))
      return
    this.visit(node, open)
  }

  private result(): Omit<Searched, "exact"> {
    const known = this.mates.known()
    if (known !== null && known.objective < this.best.objective)
      return { ...known, nodes: this.nodes }
    return {
      orders: Array.from(this.best.orders),
      objective: this.best.objective,
      nodes: this.nodes,
    }
  }
}

/**
 * The sources and sinks with several edges that can have orders. A split of more orders than the
 * ranges can count is left out.
 */
function listSums({ edges, nodes }: Model): Sum[] {
  return nodes.flatMap(({ edges: members }) => {
    const used = members.filter((edge) => (edges[edge]?.orders ?? 0) > 0)
    const most = used.reduce((sum, edge) => sum + (edges[edge]?.orders ?? 0), 0)
    return used.length < 2 || most > MOST_COUNTED ? [] : [{ edges: used, most }]
  })
}
