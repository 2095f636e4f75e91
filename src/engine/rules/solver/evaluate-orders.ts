import type { Edge, Model } from "./order-model.ts"
import { Simplex } from "./simplex.ts"
import type { Row } from "./simplex-steps.ts"

/**
 * The cost of the best flow with these numbers of orders, less its rewards. `null`: no flow fits
 * them.
 */
export function evaluateOrders({ edges, nodes }: Model, counts: ArrayLike<number>): number | null {
  const used = edges.flatMap((edge, index) => {
    const count = counts[index] ?? 0
    return count > 0 ? [{ edge, count }] : []
  })
  const cost = used.map(({ edge }) => edge.unit)
  const upper = used.map(({ edge, count }) => Math.min(edge.cap, count * edge.size))
  const rows: Row[] = []
  for (const [node, columns] of columnsAt(used)) {
    const { want = 0, most = 0, reward = 0, perOrder = 0 } = nodes[node] ?? {}
    const values = columns.map(() => 1)
    if (reward > 0) {
      rows.push({ columns: [...columns, cost.length], values: [...values, -1], most: want })
      cost.push(reward)
      upper.push(most - want)
    }
    const orders = columns.reduce((sum, column) => sum + (used[column]?.count ?? 0), 0)
    if (reward === 0 || perOrder > 0)
      rows.push({ columns, values, most: most - (orders - 1) * perOrder })
  }
  const program = new Simplex(cost, upper, rows.length)
  used.forEach(({ edge, count }, column) => {
    program.setBounds(column, count * edge.lo, upper[column] ?? 0)
  })
  for (const row of rows) program.addRow(row)
  if (
    used.some(({ edge, count }) => count * edge.lo > edge.cap) ||
    program.solve() === Number.POSITIVE_INFINITY
  ) {
    return null
  }
  // Rounding errors may end the simplex method before it finds that no flow fits.
  const fits = rows.every(({ columns, values, most }) => {
    let sum = 0
    for (let at = 0; at < columns.length; at += 1)
      sum += (values[at] ?? 0) * (program.x[columns[at] ?? -1] ?? 0)
    return sum <= most + 1e-6
  })
  if (!fits) return null
  const fixed = used.reduce((sum, { edge, count }) => sum + edge.fixed * count, 0)
  return cost.reduce((sum, value, column) => sum + value * (program.x[column] ?? 0), fixed)
}

function columnsAt(used: readonly { readonly edge: Edge }[]): Map<number, number[]> {
  const columns = new Map<number, number[]>()
  used.forEach(({ edge }, column) => {
    for (const node of edge.nodes) {
      const others = columns.get(node)
      if (others === undefined) columns.set(node, [column])
      else others.push(column)
    }
  })
  return columns
}
