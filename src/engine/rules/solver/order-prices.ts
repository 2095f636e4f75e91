// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array, and this is an inner loop of the search.
import type { Edge } from "./order-model.ts"
import type { Simplex } from "./simplex.ts"

/**
 * What numbers of orders cost at the prices of a relaxation. The relaxation charges each column and
 * each slack at its cheapest bound; `extra` is what an edge with exactly this number of orders
 * costs beyond that. So no plan with these orders costs less than `bound` plus the extra costs of
 * all edges, and a number of orders whose extra cost closes the gap to a known plan is out of the
 * question.
 */
export class OrderPrices {
  /** The bound of the relaxation that these prices are from. */
  bound = Number.NEGATIVE_INFINITY
  private readonly edges: readonly Edge[]
  private readonly filled: Float64Array
  private readonly unfilled: Float64Array
  private readonly slack: Float64Array
  private readonly charged: Float64Array

  constructor(edges: readonly Edge[]) {
    this.edges = edges
    this.filled = new Float64Array(edges.length)
    this.unfilled = new Float64Array(edges.length)
    this.slack = new Float64Array(edges.length)
    this.charged = new Float64Array(edges.length)
  }

  /**
   * Takes the prices of the last solution of the program. `slackOf`: the slack of the row that
   * counts an edge's orders, or -1.
   */
  take(program: Simplex, slackOf: (edge: number) => number): void {
    const m = this.edges.length
    this.bound = program.bound
    for (let edge = 0; edge < m; edge += 1) {
      const slack = slackOf(edge)
      this.filled[edge] = program.reduced[edge]!
      this.unfilled[edge] = program.reduced[m + edge]!
      this.slack[edge] = slack < 0 ? 0 : program.reduced[slack]!
      this.charged[edge] =
        program.charge(edge) + program.charge(m + edge) + (slack < 0 ? 0 : program.charge(slack))
    }
  }

  extra(edge: number, count: number): number {
    const { lo, cap, size, orders } = this.edges[edge]!
    const price = this.filled[edge]! - this.unfilled[edge]!
    const flow = price > 0 ? count * lo : Math.min(count * size, cap)
    const cost = orders === 0 ? 0 : (price * flow) / size
    return (
      cost +
      this.unfilled[edge]! * count +
      this.slack[edge]! * (orders - count) -
      this.charged[edge]!
    )
  }

  /** Leaves each edge the numbers of orders that cost at most `most`. `false`: an edge has none. */
  narrow(min: Int16Array, max: Int16Array, most: number): boolean {
    const spare = most - this.bound
    for (let edge = 0; edge < this.edges.length; edge += 1) {
      let least = min[edge]!
      let greatest = max[edge]!
      while (least <= greatest && this.extra(edge, least) > spare) least += 1
      while (least <= greatest && this.extra(edge, greatest) > spare) greatest -= 1
      if (least > greatest) return false
      min[edge] = least
      max[edge] = greatest
    }
    return true
  }
}
