/** What went from one chain to another; `value` in the reference currency. */
export type Flow = { readonly from: string; readonly to: string; readonly value: number }
export type Node = {
  readonly chain: string
  readonly value: number
  readonly y: number
  readonly height: number
}
export type Ribbon = Flow & {
  readonly top: number
  readonly bottom: number
  readonly height: number
}
export type FlowLayout = {
  readonly left: readonly Node[]
  readonly right: readonly Node[]
  readonly ribbons: readonly Ribbon[]
  readonly height: number
}

const OTHERS = "others"
const GAP = 10
/** Two lines of a label. */
const PITCH = 34
const LEAST = 2

/**
 * Two columns of chains in a fixed order, heights by value, and one ribbon for each pair; a chain
 * may stand on both sides. Of many chains the smallest become `others`. `top` and `bottom` are the
 * places of a ribbon at its left and right end.
 */
export function layOutFlows(
  given: readonly Flow[],
  order: readonly string[],
  wanted = 220,
  most = 8,
): FlowLayout {
  const flows = mergeSmall(
    given.filter(({ value }) => value > 0),
    most,
  )
  const total = flows.reduce((sum, { value }) => sum + value, 0)
  const scale = total === 0 ? 0 : wanted / total
  const left = placeNodes(flows, "from", order, scale)
  const right = placeNodes(flows, "to", order, scale)
  const used = { from: new Map<string, number>(), to: new Map<string, number>() }
  const place = (side: "from" | "to", nodes: readonly Node[], flow: Flow): number => {
    const start = nodes.find(({ chain }) => chain === flow[side])?.y ?? 0
    const before = used[side].get(flow[side]) ?? 0
    used[side].set(flow[side], before + flow.value * scale)
    return start + before
  }
  const rank = rankBy(order)
  const sorted = flows.toSorted((a, b) => rank(a.from) - rank(b.from) || rank(a.to) - rank(b.to))
  const ribbons = sorted.map((flow) => ({
    ...flow,
    top: place("from", left, flow),
    bottom: place("to", right, flow),
    height: Math.max(LEAST, flow.value * scale),
  }))
  const end = (nodes: readonly Node[]): number => {
    const last = nodes.at(-1)
    return last === undefined ? 0 : Math.max(last.y + last.height, last.y + PITCH)
  }
  return { left, right, ribbons, height: Math.max(end(left), end(right)) }
}

function mergeSmall(flows: readonly Flow[], most: number): readonly Flow[] {
  const sums = new Map<string, number>()
  for (const { from, to, value } of flows)
    for (const chain of new Set([from, to])) sums.set(chain, (sums.get(chain) ?? 0) + value)
  const kept = new Set(
    [...sums]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, sums.size > most ? most - 1 : most)
      .map(([chain]) => chain),
  )
  const nameOf = (chain: string): string => (kept.has(chain) ? chain : OTHERS)
  const merged = new Map<string, Flow>()
  for (const { from, to, value } of flows) {
    const names = { from: nameOf(from), to: nameOf(to) }
    const key = `${names.from} ${names.to}`
    merged.set(key, { ...names, value: (merged.get(key)?.value ?? 0) + value })
  }
  return [...merged.values()]
}

function rankBy(order: readonly string[]): (chain: string) => number {
  return (chain) => (order.includes(chain) ? order.indexOf(chain) : order.length)
}

function placeNodes(
  flows: readonly Flow[],
  side: "from" | "to",
  order: readonly string[],
  scale: number,
): readonly Node[] {
  const sums = new Map<string, number>()
  for (const flow of flows) sums.set(flow[side], (sums.get(flow[side]) ?? 0) + flow.value)
  const rank = rankBy(order)
  const nodes: Node[] = []
  for (const [chain, value] of [...sums].toSorted(([a], [b]) => rank(a) - rank(b))) {
    const last = nodes.at(-1)
    const y = last === undefined ? 0 : Math.max(last.y + last.height + GAP, last.y + PITCH)
    nodes.push({ chain, value, y, height: Math.max(LEAST, value * scale) })
  }
  return nodes
}
