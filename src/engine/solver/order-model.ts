import type { FlowEdge, FlowProblem, OrderGroup, Side } from "#policy/planner/flow-problem.ts"
import { fewestOrders, lineOf, nodesAt, usefulFlow } from "#policy/planner/flow-problem.ts"
import { type Arc, Network } from "./network.ts"

/** The flow problem in floating point, as a network and the facts about its edges. */
export type Edge = {
  readonly lo: number
  readonly hi: number
  readonly fixed: number
  readonly slope: number
  readonly cap: number
  readonly orders: number
  /** The cost of the relaxation per unit never has to exceed the rewards. */
  readonly worth: number
  /** How much more than the last order's part all orders together must carry, because each carries its least. */
  readonly extra: number
  /** The first arc in the network. Each order has two, for its least and for the rest; `extra` has one after them. */
  readonly arc: number
}

export type Model = {
  /** Whether the network states the problem completely. */
  readonly complete: boolean
  readonly edges: readonly Edge[]
  readonly limits: readonly OrderGroup[]
  readonly network: Network
  /** The arcs of the rewards, and their costs. */
  readonly rewards: readonly { readonly arc: number; readonly cost: number }[]
  readonly forced: number
  readonly closed: number
}

export function createModel(problem: FlowProblem): Model {
  const limits = [{ edges: problem.edges.map((_, index) => index), most: problem.maxOrders }, ...problem.groups]
  const sinkAt = 1 + problem.sources.length
  const nodes = sinkAt + problem.sinks.length
  const arcs: Arc[] = []
  const rewards: { arc: number; cost: number }[] = []
  for (const side of ["source", "sink"] as const) {
    const first = side === "source" ? 1 : sinkAt
    nodesAt(problem, side).forEach(({ want, most, reward, parent }, index) => {
      const outer = parent === undefined ? 0 : first + parent
      const ends = side === "source" ? { from: outer, to: first + index } : { from: first + index, to: outer }
      const rewarded = money(want < most ? want : most)
      rewards.push({ arc: arcs.length, cost: -rate(reward) })
      arcs.push(
        { ...ends, capacity: rewarded, cost: -rate(reward) },
        { ...ends, capacity: money(most) - rewarded, cost: 0 },
      )
    })
  }
  const edges = problem.edges.map((edge, index): Edge => {
    const most = Math.min(...limits.filter((limit) => limit.edges.includes(index)).map((limit) => limit.most))
    const built = buildEdge(problem, edge, most, arcs.length)
    const ends = { from: 1 + edge.source, to: sinkAt + edge.sink }
    for (let count = 0; count < built.orders; count += 1) {
      const size = Math.min(built.hi, built.cap - count * built.hi)
      const least = Math.min(built.lo, size)
      const extra = count === 0 ? built.extra : 0
      arcs.push(
        { ...ends, capacity: least, cost: 0 },
        { ...ends, capacity: Math.max(0, size - least - extra), cost: 0 },
      )
    }
    arcs.push({ ...ends, capacity: built.extra, cost: 0 })
    return built
  })
  const highest = Math.max(0, ...edges.map(({ slope, worth }) => slope + worth), ...rewards.map(({ cost }) => -cost))
  const forced = 1 + 2 * (nodes + 2) * highest
  const closed = 2 * (nodes + 2) * (forced + highest)
  const complete = edges.every(({ orders, extra, lo, hi }) => orders === 0 || extra <= hi - lo + ROUNDING)
  return { complete, edges, limits, network: new Network(nodes, arcs, closed), rewards, forced, closed }
}

function buildEdge(problem: FlowProblem, edge: FlowEdge, most: number, arc: number): Edge {
  const useful = Math.max(0, Math.min(most, fewestOrders(edge, usefulFlow(problem, edge))))
  const cap = usefulFlow(problem, edge, BigInt(useful) * edge.lo)
  const orders = cap < BigInt(useful) * edge.lo ? useful - 1 : useful
  const rewards = (["source", "sink"] as const).map((side) => rewardOf(problem, side, edge[side]))
  const last = Math.min(money(cap), orders * money(edge.hi)) - (orders - 1) * money(edge.hi)
  const built = {
    lo: money(edge.lo),
    hi: money(edge.hi),
    fixed: money(edge.fixed / RATE),
    slope: rate(edge.slope),
    cap: Math.min(money(cap), orders * money(edge.hi)),
    worth: rewards.reduce((sum, { reward }) => sum + reward, 0),
    extra: money(edge.lo) - last > ROUNDING ? money(edge.lo) - last : 0,
    arc,
  }
  // One order alone must be able to earn its cost: without the order, all others stay allowed.
  const amounts = [built.lo, Math.min(built.cap, built.hi), ...rewards.flatMap(({ wants }) => wants)]
  const isWorth = amounts.some((amount) => {
    if (amount < built.lo || amount > Math.min(built.cap, built.hi)) return false
    const earned = rewards.reduce((sum, { parts }) => sum + parts(amount), 0)
    return earned - built.slope * amount - built.fixed > 0
  })
  return isWorth ? { ...built, orders } : { ...built, orders: 0, extra: 0 }
}

function rewardOf(problem: FlowProblem, side: Side, index: number) {
  const nodes = nodesAt(problem, side)
  const line = lineOf(nodes, index).map((node) => ({
    want: money(nodes[node]?.want ?? 0n),
    reward: rate(nodes[node]?.reward ?? 0n),
  }))
  return {
    reward: line.reduce((sum, { reward }) => sum + reward, 0),
    wants: line.map(({ want }) => want),
    parts: (amount: number): number => line.reduce((sum, { want, reward }) => sum + Math.min(want, amount) * reward, 0),
  }
}

const ROUNDING = 1e-9
const RATE = 10n ** 12n
const money = (value: bigint): number => Number(value) / 1e24
const rate = (value: bigint): number => Number(value) / 1e12
