import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import { createModel, type Edge, type Model } from "./order-model.ts"

/** Numbers of orders, their objective in units of the currency, and whether no other numbers are better by `EQUAL_COST`. */
export type Searched = {
  readonly orders: readonly number[]
  readonly objective: number
  readonly exact: boolean
  readonly nodes: number
}

/** Below this difference in units of the currency, two plans count as equal. */
export const EQUAL_COST = 1e-6

/** A part of the search: the range of order counts of each edge. */
type Ranges = { readonly min: Int16Array; readonly max: Int16Array; readonly bound: number; readonly price: number }

/** An edge with a fraction of an order in the relaxation. */
type Fraction = { readonly index: number; readonly count: number; readonly gap: number }

/**
 * Finds the best numbers of orders by branch and bound in floating point.
 *
 * A node of the search is a range of order counts for each edge; its bound is the min-cost flow when further orders may be fractions, with a price on
 * each order where `maxOrders` is scarce (as in `solve-flow.ts`). Three things make it fast: the flow of a node starts from that of the last one
 * (`network.ts`); a good first plan, by slope scaling and by replacing single orders, lets reduced costs decide most edges; and the edge to split is the one
 * whose halves raise the bound the most in a trial (Achterberg, Koch and Martin 2005). The limit counts nodes, so an answer does not depend on the speed
 * of the machine. Amounts and limits are judged in exact arithmetic afterwards (`settle-flow.ts`). The model leaves out `perOrder`.
 */
export function searchOrders(problem: FlowProblem, maxNodes: number): Searched {
  return new OrderSearch(createModel(problem), problem.maxOrders).run(maxNodes)
}

/** How often an edge is tried before the average of its trials counts, and how many edges are tried at one node. */
const RELIABLE = 2
const TRIALS = 6
/** By how much the price on orders first moves at a node, and how often. */
const FACTOR = 1.2
const STEPS = 3
/** The limits of the search for a first plan. */
const SCALE_ROUNDS = 15
const IMPROVE_ROUNDS = 8
const ADDED = 20

class OrderSearch {
  private readonly complete: boolean
  private readonly edges: readonly Edge[]
  private readonly limits: Model["limits"]
  private readonly network: Model["network"]
  private readonly rewards: Model["rewards"]
  private readonly forced: number
  private readonly closed: number
  private readonly maxOrders: number
  private readonly flows: Float64Array
  private readonly tried: Int32Array
  private readonly fewerGain: Float64Array
  private readonly moreGain: Float64Array
  private best: { readonly orders: readonly number[]; readonly objective: number }
  private nodes = 0
  private failed = false

  constructor({ complete, edges, limits, network, rewards, forced, closed }: Model, maxOrders: number) {
    this.complete = complete
    this.edges = edges
    this.limits = limits
    this.network = network
    this.rewards = rewards
    this.forced = forced
    this.closed = closed
    this.maxOrders = maxOrders
    this.flows = new Float64Array(edges.length)
    this.tried = new Int32Array(edges.length)
    this.fewerGain = new Float64Array(edges.length)
    this.moreGain = new Float64Array(edges.length)
    this.best = { orders: edges.map(() => 0), objective: 0 }
  }

  /** The cheapest flow within the ranges when further orders may be fractions, with a price on each order. `null`: no plan. */
  private relax({ min, max }: Pick<Ranges, "min" | "max">, price: number): number | null {
    this.edges.forEach((edge, index) => {
      const [least, most] = [min[index] ?? 0, max[index] ?? 0]
      const rest = Math.min(edge.cap, most * edge.hi) - least * edge.hi
      const spread = Math.min((edge.fixed + price) / Math.min(edge.hi, Math.max(rest, 1e-9)), edge.worth)
      for (let count = 0; count < edge.orders; count += 1) {
        const at = edge.arc + 2 * count
        const perUnit = count < least ? edge.slope : count < most ? edge.slope + spread : this.closed
        this.network.cost[at] = count < least ? perUnit - this.forced : perUnit
        this.network.cost[at + 1] = perUnit
      }
      const ofRest = this.network.cost[edge.arc + 1] ?? 0
      this.network.cost[edge.arc + 2 * edge.orders] = least === edge.orders ? edge.slope - this.forced : ofRest
    })
    if (!this.solveNetwork()) return null
    const total = this.addUp(min, price)
    return total === null ? null : total - price * this.maxOrders
  }

  private solveNetwork(): boolean {
    if (this.network.solve()) return true
    this.network.reset()
    this.failed = !this.network.solve() || this.failed
    return !this.failed
  }

  /** Sets the flow of each edge and adds up the cost. `null` when decided orders do not carry their least. */
  private addUp(min: Int16Array, price: number): number | null {
    let total = 0
    for (const reward of this.rewards) total += (this.network.flow[reward.arc] ?? 0) * reward.cost
    let index = -1
    for (const edge of this.edges) {
      index += 1
      const least = min[index] ?? 0
      let sum = 0
      let carried = 0
      for (let count = 0; count < edge.orders; count += 1) {
        const at = edge.arc + 2 * count
        const both = (this.network.flow[at] ?? 0) + (this.network.flow[at + 1] ?? 0)
        sum += both
        if (count < least) {
          carried += this.network.flow[at] ?? 0
          total += edge.slope * both + edge.fixed + price
        } else if (both > 0) total += (this.network.cost[at + 1] ?? 0) * both
      }
      const extra = this.network.flow[edge.arc + 2 * edge.orders] ?? 0
      if (extra > 0) {
        sum += extra
        if (least === edge.orders) carried += extra
        total += (least > 0 ? edge.slope : (this.network.cost[edge.arc + 1] ?? 0)) * extra
      }
      this.flows[index] = sum
      if (carried < least * edge.lo - 1e-7) return null
    }
    return total
  }

  /** The plan of the flow that the relaxation found, when it is one. */
  private takePlan(min: Int16Array): void {
    let objective = 0
    for (const reward of this.rewards) objective += (this.network.flow[reward.arc] ?? 0) * reward.cost
    const counts = this.edges.map(({ hi }, index) => Math.max(min[index] ?? 0, countOf(this.flows[index] ?? 0, hi)))
    for (const [index, { lo, fixed, slope }] of this.edges.entries()) {
      const count = counts[index] ?? 0
      if ((this.flows[index] ?? 0) < count * lo - 1e-7) return
      objective += count * fixed + slope * (this.flows[index] ?? 0)
    }
    if (objective >= this.best.objective - EQUAL_COST / 100 || !this.fits(counts)) return
    this.best = { orders: counts, objective }
  }

  private fits(counts: ArrayLike<number>): boolean {
    return this.limits.every(
      ({ edges: members, most }) => members.reduce((sum, edge) => sum + (counts[edge] ?? 0), 0) <= most,
    )
  }

  /** Leaves each edge the orders that the other edges of its groups leave. `false`: too many are decided. */
  private tighten(min: Int16Array, max: Int16Array): boolean {
    for (const { edges: members, most } of this.limits) {
      let spare = most
      for (const edge of members) spare -= min[edge] ?? 0
      if (spare < 0) return false
      for (const edge of members) max[edge] = Math.min(max[edge] ?? 0, (min[edge] ?? 0) + spare)
    }
    return true
  }

  /** Decides the orders whose other choice cannot lead to a better plan, by the prices of the last relaxation. */
  private fix({ min, max }: Ranges, bound: number, price: number): void {
    const spare = this.best.objective - EQUAL_COST - bound
    this.edges.forEach((edge, index) => {
      const [least, most] = [min[index] ?? 0, max[index] ?? 0]
      if (least >= most) return
      const at = edge.arc + 2 * least
      const spread = (this.network.cost[at + 1] ?? 0) - edge.slope
      const reduced = this.network.reducedCost(at)
      if (reduced >= 0) {
        const bare = reduced - spread
        const atLeast = least === 0 ? edge.lo : 0
        const extra = edge.fixed + price + (bare >= 0 ? bare * atLeast : bare * edge.hi)
        if (extra > spare) max[index] = least
        return
      }
      const rest = Math.min(edge.cap, most * edge.hi) - least * edge.hi
      if (-reduced * rest > spare) min[index] = least + 1
    })
  }

  /** The edges with a fraction of an order, those first from which the relaxation leaves out the largest cost. */
  private fractions({ min, max }: Ranges, price: number): Fraction[] {
    const found: Fraction[] = []
    this.edges.forEach((edge, index) => {
      const least = min[index] ?? 0
      if (least >= (max[index] ?? 0)) return
      const amount = this.flows[index] ?? 0
      const count = countOf(amount, edge.hi)
      if (count <= least) return
      const spread = (this.network.cost[edge.arc + 2 * least + 1] ?? 0) - edge.slope
      const gap = (count - least) * (edge.fixed + price) - spread * (amount - least * edge.hi) + 1e-8
      if (gap > 1e-9) found.push({ index, count, gap })
    })
    return found.sort((a, b) => b.gap - a.gap)
  }

  private halve({ min, max, bound, price }: Ranges, { index, count }: Fraction): [Ranges, Ranges] {
    const fewer = { min: min.slice(), max: max.slice(), bound, price }
    fewer.max[index] = Math.min(fewer.max[index] ?? 0, count - 1)
    const more = { min: min.slice(), max: max.slice(), bound, price }
    more.min[index] = Math.max(more.min[index] ?? 0, count)
    return [fewer, more]
  }

  /** Splits the edge whose two halves raise the bound the most, by a trial or by the average of earlier trials. */
  private split(node: Ranges, price: number, candidates: readonly Fraction[]): Ranges[] {
    let chosen: Ranges[] = []
    let highest = -1
    let trials = 0
    for (const fraction of candidates) {
      const { index } = fraction
      const known = this.tried[index] ?? 0
      if (known >= RELIABLE || trials >= TRIALS) {
        const n = Math.max(1, known)
        const score = known === 0 ? 0 : ((this.fewerGain[index] ?? 0) / n) * ((this.moreGain[index] ?? 0) / n)
        if (score > highest) [highest, chosen] = [score, this.halve(node, fraction)]
        continue
      }
      trials += 1
      const halves = this.halve(node, fraction).map((half): Ranges => {
        if (!isOpen(half, index) || !this.tighten(half.min, half.max))
          return { ...half, bound: Number.POSITIVE_INFINITY }
        const bound = this.relax(half, price) ?? Number.POSITIVE_INFINITY
        if (bound < this.best.objective - EQUAL_COST) this.takePlan(half.min)
        return { ...half, bound: Math.max(bound, node.bound) }
      })
      const gains = halves.map(({ bound }) => Math.min(bound, this.best.objective) - node.bound + 1e-6)
      const [down = 0, up = 0] = gains
      this.tried[index] = known + 1
      this.fewerGain[index] = (this.fewerGain[index] ?? 0) + down
      this.moreGain[index] = (this.moreGain[index] ?? 0) + up
      const left = halves.filter(({ bound }) => bound < this.best.objective - EQUAL_COST)
      if (left.length < 2) return left
      if (down * up > highest) [highest, chosen] = [down * up, halves]
    }
    return chosen.sort((a, b) => b.bound - a.bound)
  }

  /** The orders of the last relaxation, fractions included. */
  private countFractions({ min, max }: Ranges): number {
    let sum = 0
    this.edges.forEach((edge, index) => {
      const [least, most] = [min[index] ?? 0, max[index] ?? 0]
      const open = (this.flows[index] ?? 0) - least * edge.hi
      const rest = Math.min(edge.cap, most * edge.hi) - least * edge.hi
      sum += least + (open > 0 ? open / Math.min(edge.hi, Math.max(rest, 1e-9)) : 0)
    })
    return sum
  }

  /** Moves the price on orders toward a higher bound. The last relaxation is that of the result. */
  private adapt(node: Ranges): { bound: number | null; price: number } {
    let found = { bound: this.relax(node, node.price), price: node.price }
    let factor = FACTOR
    let last = node.price
    for (let step = 0; step < STEPS && node.price > 0; step += 1) {
      if (found.bound === null || found.bound >= this.best.objective - EQUAL_COST) return found
      const over = this.countFractions(node) - this.maxOrders
      if (Math.abs(over) < 0.02) break
      last = over > 0 ? found.price * factor : found.price / factor
      const bound = this.relax(node, last)
      if (bound === null) return { bound, price: last }
      if (bound > found.bound) found = { bound, price: last }
      else {
        factor = Math.sqrt(factor)
        this.relax(node, found.price)
        last = found.price
      }
    }
    if (last !== found.price) this.relax(node, found.price)
    return found
  }

  private visit(node: Ranges, open: Ranges[]): void {
    if (!this.edges.every((_, index) => isOpen(node, index)) || !this.tighten(node.min, node.max)) return
    const adapted = this.adapt(node)
    for (const price of adapted.price > 0 ? [adapted.price, 0] : [0]) {
      const bound = price === adapted.price ? adapted.bound : this.relax(node, price)
      if (bound === null || bound >= this.best.objective - EQUAL_COST) return
      this.takePlan(node.min)
      if (bound >= this.best.objective - EQUAL_COST) return
      this.fix(node, bound, price)
      const candidates = this.fractions(node, price)
      if (candidates.length === 0) continue
      open.push(...this.split({ ...node, bound, price: adapted.price }, price, candidates))
      return
    }
  }

  private root(price = 0): Ranges {
    return {
      min: new Int16Array(this.edges.length),
      max: Int16Array.from(this.edges, ({ orders }) => orders),
      bound: Number.NEGATIVE_INFINITY,
      price,
    }
  }

  /** The price on orders with the highest bound, by bisection. */
  private priceOrders(): number {
    const node = this.root()
    const count = (price: number): number => {
      this.relax(node, price)
      return this.edges.reduce(
        (sum, { cap, hi }, index) => sum + (this.flows[index] ?? 0) / Math.max(1e-9, Math.min(cap, hi)),
        0,
      )
    }
    if (count(0) <= this.maxOrders) return 0
    let [low, high] = [0, Math.max(...this.edges.map(({ worth, cap, hi }) => worth * Math.min(cap, hi)))]
    for (let step = 0; step < 30; step += 1) {
      const middle = (low + high) / 2
      if (count(middle) > this.maxOrders) low = middle
      else high = middle
    }
    return (low + high) / 2
  }

  /** Repeats the relaxation with the fixed costs spread over the last flows (slope scaling, Kim and Pardalos 1999). */
  private scaleSlopes(price: number): void {
    const { min, max } = this.root()
    this.relax({ min, max }, price)
    const last = this.edges.map(({ cap, hi }) => Math.min(cap, hi))
    for (let round = 0; round < SCALE_ROUNDS; round += 1) {
      this.edges.forEach(({ hi }, index) => {
        const amount = this.flows[index] ?? 0
        if (amount > 1e-6) last[index] = amount / Math.max(1, countOf(amount, hi))
      })
      this.edges.forEach((edge, index) => {
        const perUnit = edge.slope + (edge.fixed + price) / (last[index] ?? 0)
        for (let at = edge.arc; at <= edge.arc + 2 * edge.orders; at += 1) this.network.cost[at] = perUnit
      })
      if (!this.network.solve()) {
        this.network.reset()
        return
      }
      this.edges.forEach((edge, index) => {
        let sum = 0
        for (let at = edge.arc; at <= edge.arc + 2 * edge.orders; at += 1) sum += this.network.flow[at] ?? 0
        this.flows[index] = sum
      })
      const counts = Int16Array.from(this.edges, ({ hi }, index) => countOf(this.flows[index] ?? 0, hi))
      this.tryCounts(this.dropOrders(counts))
    }
  }

  /** Takes the smallest orders out until the limits hold. */
  private dropOrders(counts: Int16Array): Int16Array {
    for (const { edges: members, most } of this.limits) {
      let over = -most
      for (const edge of members) over += counts[edge] ?? 0
      while (over > 0) {
        const used = members.filter((edge) => (counts[edge] ?? 0) > 0)
        const size = (edge: number): number => (this.flows[edge] ?? 0) / (counts[edge] ?? 0)
        const least = used.reduce((a, b) => (size(b) < size(a) ? b : a))
        counts[least] = (counts[least] ?? 0) - 1
        over -= 1
      }
    }
    return counts
  }

  private tryCounts(counts: Int16Array): void {
    if (this.fits(counts) && this.relax({ min: counts, max: counts }, 0) !== null) this.takePlan(counts)
  }

  /** Adds, removes and replaces single orders of the best plan while that helps. */
  private improve(): void {
    for (let round = 0; round < IMPROVE_ROUNDS; round += 1) {
      const before = this.best.objective
      const base = Int16Array.from(this.best.orders)
      if (this.relax({ min: base, max: base }, 0) === null) return
      const gains = this.edges.map((edge, index) => {
        const count = base[index] ?? 0
        if (count >= edge.orders) return 0
        const perUnit = this.network.reducedCost(edge.arc + 2 * count) - this.closed + edge.slope
        return edge.fixed + perUnit * Math.min(edge.hi, edge.cap - count * edge.hi)
      })
      const added = this.edges.flatMap((_, index) => ((gains[index] ?? 0) < 0 ? [index] : []))
      added.sort((a, b) => (gains[a] ?? 0) - (gains[b] ?? 0))
      const used = this.edges.flatMap((_, index) => ((base[index] ?? 0) > 0 ? [index] : []))
      for (const more of [-1, ...added.slice(0, ADDED)]) {
        for (const fewer of [-1, ...used]) {
          const counts = base.slice()
          if (more >= 0) counts[more] = (counts[more] ?? 0) + 1
          if (fewer >= 0) counts[fewer] = (counts[fewer] ?? 0) - 1
          this.tryCounts(counts)
        }
      }
      if (this.best.objective >= before - EQUAL_COST) return
    }
  }

  run(maxNodes: number): Searched {
    const price = this.priceOrders()
    this.scaleSlopes(price)
    if (price > 0) this.scaleSlopes(0)
    this.improve()
    const open = [this.root(price)]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (this.nodes === maxNodes || this.failed) return { ...this.best, exact: false, nodes: this.nodes }
      this.nodes += 1
      if (this.nodes % 500 === 0) this.network.reset()
      const before = this.best.objective
      if (node.bound < this.best.objective - EQUAL_COST) this.visit(node, open)
      if (this.best.objective < before - EQUAL_COST) this.improve()
    }
    return { ...this.best, exact: this.complete && !this.failed, nodes: this.nodes }
  }
}

const isOpen = ({ min, max }: Ranges, index: number): boolean => (min[index] ?? 0) <= (max[index] ?? 0)

const countOf = (amount: number, hi: number): number => Math.ceil(amount / hi - 1e-9)
