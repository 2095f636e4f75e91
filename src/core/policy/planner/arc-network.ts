/**
 * A directed network. Each arc has a residual capacity, a cost per unit, and a reverse arc that
 * cancels flow.
 */
export type ArcNetwork = { readonly out: readonly FlowArc[][] }

export type FlowArc = {
  readonly to: number
  readonly cost: bigint
  capacity: bigint
  readonly back: FlowArc
}

export function createNetwork(nodes: number): ArcNetwork {
  return { out: Array.from({ length: nodes }, () => []) }
}

export function addArc(
  network: ArcNetwork,
  from: number,
  to: number,
  capacity: bigint,
  cost: bigint,
): FlowArc {
  const forward = { to, cost, capacity } satisfies Omit<FlowArc, "back">
  const back = { to: from, cost: -cost, capacity: 0n } satisfies Omit<FlowArc, "back">
  // CAST: the two arcs of a pair refer to each other, so the first gets its `back` after both
  // exist.
  const pair = forward as Omit<FlowArc, "back"> & { back: FlowArc }
  pair.back = { ...back, back: pair }
  if (capacity > 0n) {
    network.out[from]?.push(pair)
    network.out[to]?.push(pair.back)
  }
  return pair
}

/**
 * Pushes flow along the cheapest path from `start` to `end` while the path has a negative cost, and
 * returns the sum of the costs.
 *
 * Successive shortest paths (Ford and Fulkerson 1962; Busacker and Gowen 1960) with label
 * correction, since costs may be negative. The network must have no cycle before the first push.
 */
export function pushCheapest(network: ArcNetwork, start: number, end: number): bigint {
  let total = 0n
  for (;;) {
    const path = findPath(network, start, end)
    if (path === null || path.cost >= 0n) return total
    let capacity = path.arcs[0]?.capacity ?? 0n
    for (const arc of path.arcs) if (arc.capacity < capacity) capacity = arc.capacity
    for (const arc of path.arcs) {
      arc.capacity -= capacity
      arc.back.capacity += capacity
    }
    total += capacity * path.cost
  }
}

function findPath(
  { out }: ArcNetwork,
  start: number,
  end: number,
): { arcs: FlowArc[]; cost: bigint } | null {
  const costs: (bigint | undefined)[] = new Array(out.length)
  const via: (FlowArc | undefined)[] = new Array(out.length)
  const queued = new Array<boolean>(out.length).fill(false)
  const queue = [start]
  costs[start] = 0n
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    queued[node] = false
    const base = costs[node] ?? 0n
    for (const arc of out[node] ?? []) {
      if (arc.capacity === 0n) continue
      const cost = base + arc.cost
      const known = costs[arc.to]
      if (known !== undefined && known <= cost) continue
      costs[arc.to] = cost
      via[arc.to] = arc
      if (queued[arc.to]) continue
      queued[arc.to] = true
      queue.push(arc.to)
    }
  }
  const cost = costs[end]
  if (cost === undefined) return null
  const arcs: FlowArc[] = []
  for (let arc = via[end]; arc !== undefined; arc = via[arc.back.to]) arcs.push(arc)
  return { arcs, cost }
}
