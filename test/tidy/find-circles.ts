/**
 * Groups of files that import each other, directly or through others (strongly connected
 * components, Tarjan 1972). Each group is sorted; a file that imports itself is a group of one.
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []

  function visit(file: string): void {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(rank(lowest, file), rank(lowest, next)))
    }
    if (rank(lowest, file) !== rank(order, file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1 || imports.get(file)?.includes(file)) groups.push(group.sort())
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return groups.sort()
}

function rank(ranks: ReadonlyMap<string, number>, file: string): number {
  const found = ranks.get(file)
  if (found === undefined) throw new Error(`${file} has no rank`)
  return found
}
