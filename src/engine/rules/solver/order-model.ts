import type { FlowProblem, OrderGroup } from "#policy/planner/flow-problem.ts"
import { fewestOrders, lineOf, nodesAt, usefulFlow } from "#policy/planner/flow-problem.ts"

/**
 * An edge in floating point. All its orders together carry at most `cap`; one carries `lo` to
 * `size`, and more than that is never useful.
 */
export type Edge = {
  readonly lo: number
  readonly size: number
  readonly cap: number
  readonly orders: number
  readonly fixed: number
  /** The cost of a unit, less the rewards at both ends. */
  readonly unit: number
  readonly nodes: readonly number[]
}

/** A source or a sink with the edges that count for it, those of the nodes below it included. */
type Node = {
  readonly edges: readonly number[]
  readonly want: number
  readonly most: number
  readonly reward: number
  readonly perOrder: number
}

export type Model = {
  readonly edges: readonly Edge[]
  readonly nodes: readonly Node[]
  readonly limits: readonly OrderGroup[]
}

/** The flow problem in floating point. */
export function createModel(problem: FlowProblem): Model {
  const members = (["source", "sink"] as const).flatMap((side) => {
    const nodes = nodesAt(problem, side)
    const edges = nodes.map((): number[] => [])
    problem.edges.forEach((edge, index) => {
      for (const node of lineOf(nodes, edge[side])) edges[node]?.push(index)
    })
    return nodes.map((node, index) => ({ node, edges: edges[index] ?? [] }))
  })
  const nodes = members.map(({ node: { want, most, reward, perOrder = 0n }, edges }): Node => {
    const full = money(most)
    const rewarded = money(want < most ? want : most)
    const isRewarded = rewarded > 0 && reward > 0n
    return {
      edges,
      most: full,
      want: isRewarded ? rewarded : full,
      reward: isRewarded ? rate(reward) : 0,
      perOrder: money(perOrder),
    }
  })
  const nodesOf = problem.edges.map((): number[] => [])
  nodes.forEach(({ edges }, node) => {
    for (const edge of edges) nodesOf[edge]?.push(node)
  })
  const edges = problem.edges.map((edge, index): Edge => {
    const flow = usefulFlow(problem, edge)
    const capOf = (orders: number): bigint => usefulFlow(problem, edge, BigInt(orders) * edge.lo)
    let orders = Math.max(0, Math.min(problem.maxOrders, fewestOrders(edge, flow)))
    while (orders > 0 && BigInt(orders) * edge.lo > capOf(orders)) orders -= 1
    const ends = nodesOf[index] ?? []
    return {
      lo: money(edge.lo),
      size: money(flow < edge.hi ? flow : edge.hi),
      cap: money(capOf(orders)),
      orders,
      fixed: money(edge.fixed / RATE),
      unit: ends.reduce((sum, node) => sum - (nodes[node]?.reward ?? 0), rate(edge.slope)),
      nodes: ends,
    }
  })
  const all = { edges: edges.map((_, index) => index), most: problem.maxOrders }
  // A group may name pairs that have no edge.
  const groups = problem.groups.map(({ edges: named, most }) => ({
    edges: named.filter((edge) => edge in edges),
    most,
  }))
  const limits = [all, ...groups].filter((limit) => limit.edges.length > 0 && limit.most < MANY)
  return { edges, nodes, limits }
}

const MANY = 1_000_000
const RATE = 10n ** 12n
const money = (value: bigint): number => Number(value) / 1e24
const rate = (value: bigint): number => Number(value) / 1e12
