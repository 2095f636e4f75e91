export type Arc = { readonly from: number; readonly to: number; readonly capacity: number; readonly cost: number }

const [AT_CAPACITY, IN_TREE, EMPTY] = [-1, 0, 1] as const
const [UP, DOWN] = [1, -1] as const
const TOLERANCE = 1e-12

/**
 * A circulation in floating point: arcs with a capacity and a cost per unit, and the cheapest flow on them.
 *
 * This is the primal network simplex with strongly feasible trees (Cunningham 1976), in the form of the LEMON library. Node 0 is the root.
 * The zero flow is always allowed. When only costs change, the last flow stays allowed and the next solution starts from it.
 */
export class Network {
  readonly flow: Float64Array
  readonly cost: Float64Array
  private readonly tail: Int32Array
  private readonly head: Int32Array
  private readonly capacity: Float64Array
  private readonly state: Int8Array
  private readonly parent: Int32Array
  private readonly link: Int32Array
  private readonly direction: Int8Array
  private readonly depth: Int32Array
  private readonly price: Float64Array
  private readonly order: Int32Array
  private readonly seen: Int32Array
  private readonly path: Int32Array
  private readonly active: Int32Array
  private readonly nodes: number
  private readonly count: number
  private readonly closed: number
  private usable = 0
  private round = 0

  /** `closed` is a cost above that of every cycle: no cheapest flow uses an arc with it. */
  constructor(nodes: number, arcs: readonly Arc[], closed: number) {
    // After the arcs of the caller comes one arc from each node to the root. It carries no flow and makes the first tree.
    const links = Array.from({ length: nodes }, (_, from) => ({
      from,
      to: 0,
      capacity: Number.POSITIVE_INFINITY,
      cost: closed,
    }))
    const all = [...arcs, ...links]
    this.nodes = nodes
    this.count = arcs.length
    this.closed = closed
    this.tail = Int32Array.from(all, ({ from }) => from)
    this.head = Int32Array.from(all, ({ to }) => to)
    this.capacity = Float64Array.from(all, ({ capacity }) => capacity)
    this.cost = Float64Array.from(all, ({ cost }) => cost)
    this.flow = new Float64Array(all.length)
    this.state = new Int8Array(all.length)
    this.parent = new Int32Array(nodes)
    this.link = new Int32Array(nodes)
    this.direction = new Int8Array(nodes)
    this.depth = new Int32Array(nodes)
    this.price = new Float64Array(nodes)
    this.order = new Int32Array(nodes)
    this.seen = new Int32Array(nodes)
    this.path = new Int32Array(nodes)
    this.active = new Int32Array(arcs.length)
    this.reset()
  }

  /** Forgets the last flow, to drop rounding errors. */
  reset(): void {
    this.flow.fill(0)
    this.state.fill(EMPTY)
    for (let node = 1; node < this.nodes; node += 1) {
      this.parent[node] = 0
      this.link[node] = this.count + node
      this.direction[node] = UP
      this.state[this.count + node] = IN_TREE
    }
  }

  /** Sets the price and the depth of each node from those of its parent. */
  private priceNodes(): void {
    this.round += 1
    this.seen[0] = this.round
    for (let start = 1; start < this.nodes; start += 1) {
      let length = 0
      for (let node = start; (this.seen[node] ?? 0) !== this.round; node = this.parent[node] ?? 0) {
        this.order[length] = node
        length += 1
        this.seen[node] = this.round
      }
      while (length > 0) {
        length -= 1
        const node = this.order[length] ?? 0
        const above = this.parent[node] ?? 0
        this.depth[node] = (this.depth[above] ?? 0) + 1
        this.price[node] =
          (this.price[above] ?? 0) - (this.direction[node] ?? 0) * (this.cost[this.link[node] ?? 0] ?? 0)
      }
    }
  }

  /** The cost of one more unit on an arc, with all other flows adapted. */
  reducedCost(arc: number): number {
    return (this.cost[arc] ?? 0) + (this.price[this.tail[arc] ?? 0] ?? 0) - (this.price[this.head[arc] ?? 0] ?? 0)
  }

  private findEntering(): number {
    let [found, most] = [-1, TOLERANCE]
    for (let index = 0; index < this.usable; index += 1) {
      const arc = this.active[index] ?? 0
      const side = this.state[arc] ?? 0
      if (side === IN_TREE) continue
      const gain = -side * this.reducedCost(arc)
      if (gain <= most) continue
      most = gain
      found = arc
    }
    return found
  }

  private findJoin(entering: number): number {
    let [a, b] = [this.tail[entering] ?? 0, this.head[entering] ?? 0]
    while (a !== b) {
      if ((this.depth[a] ?? 0) >= (this.depth[b] ?? 0)) a = this.parent[a] ?? 0
      else b = this.parent[b] ?? 0
    }
    return a
  }

  private pivot(entering: number): void {
    const side = this.state[entering] ?? 0
    const join = this.findJoin(entering)
    const ends = [this.tail[entering] ?? 0, this.head[entering] ?? 0] as const
    const [first, second] = side === EMPTY ? ends : [ends[1], ends[0]]
    let [delta, leaving, isFirst, isFull] = [this.capacity[entering] ?? 0, -1, false, false]
    for (let node = first; node !== join; node = this.parent[node] ?? 0) {
      const arc = this.link[node] ?? 0
      const fills = (this.direction[node] ?? 0) === DOWN
      const room = this.roomOf(arc, fills)
      if (room < delta) [delta, leaving, isFirst, isFull] = [room, node, true, fills]
    }
    for (let node = second; node !== join; node = this.parent[node] ?? 0) {
      const arc = this.link[node] ?? 0
      const fills = (this.direction[node] ?? 0) === UP
      const room = this.roomOf(arc, fills)
      if (room <= delta) [delta, leaving, isFirst, isFull] = [room, node, false, fills]
    }
    this.push(entering, join, Math.max(0, delta))
    if (leaving < 0) {
      this.settle(entering, side === EMPTY)
      return
    }
    this.settle(this.link[leaving] ?? 0, isFull)
    this.state[entering] = IN_TREE
    this.hang(isFirst ? first : second, leaving, entering)
  }

  private roomOf(arc: number, fills: boolean): number {
    const flow = this.flow[arc] ?? 0
    return fills ? (this.capacity[arc] ?? 0) - flow : flow
  }

  /** Puts an arc outside the tree, full or empty. */
  private settle(arc: number, isFull: boolean): void {
    this.state[arc] = isFull ? AT_CAPACITY : EMPTY
    this.flow[arc] = isFull ? (this.capacity[arc] ?? 0) : 0
  }

  /** Moves flow around the cycle that the entering arc closes. */
  private push(entering: number, join: number, amount: number): void {
    const moved = this.state[entering] === EMPTY ? amount : -amount
    this.flow[entering] = (this.flow[entering] ?? 0) + moved
    for (let node = this.tail[entering] ?? 0; node !== join; node = this.parent[node] ?? 0) {
      const arc = this.link[node] ?? 0
      this.flow[arc] = (this.flow[arc] ?? 0) - (this.direction[node] ?? 0) * moved
    }
    for (let node = this.head[entering] ?? 0; node !== join; node = this.parent[node] ?? 0) {
      const arc = this.link[node] ?? 0
      this.flow[arc] = (this.flow[arc] ?? 0) + (this.direction[node] ?? 0) * moved
    }
  }

  /** Turns the path from `node` up to `last` around, and hangs `node` on the other end of the entering arc. */
  private hang(node: number, last: number, entering: number): void {
    let length = 0
    for (let step = node; ; step = this.parent[step] ?? 0) {
      this.path[length] = step
      length += 1
      if (step === last) break
    }
    for (let index = length - 1; index > 0; index -= 1) {
      const [upper, lower] = [this.path[index] ?? 0, this.path[index - 1] ?? 0]
      this.parent[upper] = lower
      this.link[upper] = this.link[lower] ?? 0
      this.direction[upper] = -(this.direction[lower] ?? 0)
    }
    const isTail = (this.tail[entering] ?? 0) === node
    this.parent[node] = isTail ? (this.head[entering] ?? 0) : (this.tail[entering] ?? 0)
    this.link[node] = entering
    this.direction[node] = isTail ? UP : DOWN
  }

  /** Arcs that can carry flow: an empty arc with the cost of a closed one never does. */
  private chooseActive(): void {
    this.usable = 0
    for (let arc = 0; arc < this.count; arc += 1) {
      if ((this.capacity[arc] ?? 0) <= 0) continue
      if ((this.cost[arc] ?? 0) >= this.closed && (this.state[arc] ?? 0) === EMPTY) continue
      this.active[this.usable] = arc
      this.usable += 1
    }
  }

  /** Finds the cheapest flow. `false` when rounding errors keep the search from ending. */
  solve(): boolean {
    this.chooseActive()
    for (let step = 0; step < this.count * 20; step += 1) {
      this.priceNodes()
      const entering = this.findEntering()
      if (entering < 0) return true
      this.pivot(entering)
    }
    return false
  }
}
