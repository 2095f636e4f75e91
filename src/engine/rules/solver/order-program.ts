import type { FlowLimit } from "./order-cuts.ts"
import type { Model } from "./order-model.ts"
import { Simplex } from "./simplex.ts"
import type { Row } from "./simplex-steps.ts"

type OrderProgram = {
  readonly program: Simplex
  readonly columns: number
  readonly flowLimits: readonly FlowLimit[]
}

/**
 * The relaxation in which orders may be fractions. Column `e` is the filled part of the orders of
 * edge `e`, in orders, and column `edges + e` is their unfilled part, so that an order always
 * carries at most its size. After them comes the part over `want` of each rewarded node. The rows
 * leave out the least of an order and the most orders of an edge; the search adds these rows where
 * the relaxation breaks them.
 */
export function createProgram({ edges, nodes, limits }: Model): OrderProgram {
  const m = edges.length
  const cost = [
    ...edges.map(({ fixed, unit, size }) => fixed + unit * size),
    ...edges.map(({ fixed }) => fixed),
  ]
  const upper = [
    ...edges.map(({ cap, size, orders }) => (orders > 0 ? cap / size : 0)),
    ...edges.map(({ orders }) => orders),
  ]
  const rows: Row[] = []
  const flowLimits: FlowLimit[] = []
  for (const { edges: all, want, most, reward, perOrder } of nodes) {
    const members = all.filter((edge) => (edges[edge]?.orders ?? 0) > 0)
    if (members.length === 0 || most <= 0) continue
    const unfilled = members.map((edge) => m + edge)
    const own = members.map((edge) => {
      const { size = 0, orders = 0 } = edges[edge] ?? {}
      return { size, most: orders, filledAt: edge, unfilledAt: m + edge }
    })
    const plain = own.map(({ size }) => size / most)
    if (reward > 0) {
      const over = cost.length
      cost.push(reward * most)
      upper.push(1 - want / most)
      rows.push({ columns: [...members, over], values: [...plain, -1], most: want / most })
      flowLimits.push({ edges: own, limit: want, overAt: over, overSize: most })
    }
    flowLimits.push({ edges: own, limit: most, overAt: -1, overSize: 1 })
    const kept = perOrder / most
    if (perOrder > 0) {
      const values = [...plain.map((value) => value + kept), ...members.map(() => kept)]
      rows.push({ columns: [...members, ...unfilled], values, most: 1 + kept })
    } else if (reward === 0) rows.push({ columns: members, values: plain, most: 1 })
  }
  for (const { edges: all, most } of limits) {
    const members = [...new Set(all)].filter((edge) => (edges[edge]?.orders ?? 0) > 0)
    const unfilled = members.map((edge) => m + edge)
    rows.push({
      columns: [...members, ...unfilled],
      values: [...members, ...unfilled].map(() => 1),
      most,
    })
  }
  const program = new Simplex(cost, upper)
  for (const row of rows) program.addRow(row)
  return { program, columns: cost.length, flowLimits }
}
