// biome-ignore-all lint/style/noNonNullAssertion: every index stays below the length of its typed array.
import type { FlowProblem } from "#policy/planner/flow-problem.ts"

/**
 * A part of the search: the range of order counts of each edge and each sum, and a bound on the
 * objective.
 */
export type Ranges = { readonly min: Int16Array; readonly max: Int16Array; bound: number }

/** What a search shares with those of other threads on the same problem. */
export type SearchMates = {
  /** A helper begins without parts and takes those of others. */
  readonly isHelper: boolean
  /** The helper can take parts from now on. */
  readonly join: () => void
  /** The least objective that any thread has found, and the plan that has it. */
  readonly best: () => number
  readonly known: () => { readonly orders: readonly number[]; readonly objective: number } | null
  readonly offer: (orders: ArrayLike<number>, objective: number) => void
  /** Whether another thread waits for a part. */
  readonly isAsked: () => boolean
  readonly give: (part: Ranges) => void
  /**
   * A part that another thread gave away. Waits for one; `null` when all parts are done or a thread
   * gave up.
   */
  readonly take: () => Ranges | null
  /** Ends the search in all threads without a proof. */
  readonly giveUp: () => void
  readonly hasGivenUp: () => boolean
}

/** A search that no other thread shares. */
export const ALONE: SearchMates = {
  isHelper: false,
  join: () => undefined,
  best: () => Number.POSITIVE_INFINITY,
  known: () => null,
  offer: () => undefined,
  isAsked: () => false,
  give: () => undefined,
  take: () => null,
  giveUp: () => undefined,
  hasGivenUp: () => false,
}

/**
 * The words of the memory: a lock, numbers of threads and of parts, flags, a count that rises with
 * each change, and the ranges of a part.
 */
const [LOCK, MEMBERS, WAITING, PARTS, DONE, GAVE_UP, CHANGES, LENGTH] = [
  0, 1, 2, 3, 4, 5, 6, 7,
] as const
const OBJECTIVE_AT = 32
const ORDERS_AT = 40
/** The parts that can be on offer at once. */
const ROOM = 8
const PAUSE_MS = 20

/** The memory in which threads meet for this problem. */
export function createSharedSearch(problem: FlowProblem): SharedArrayBuffer {
  const { parts, room } = placesOf(problem)
  const buffer = new SharedArrayBuffer(parts + ROOM * 2 * 2 * room)
  new Float64Array(buffer, OBJECTIVE_AT, 1)[0] = Number.POSITIVE_INFINITY
  // The first thread counts from the start: a helper that is ready before it must not find that all
  // wait.
  new Int32Array(buffer)[MEMBERS] = 1
  return buffer
}

/** Ends the search without a proof, from a thread that does not take part in it. */
export function endSharedSearch(buffer: SharedArrayBuffer): void {
  const words = new Int32Array(buffer, 0, LENGTH + 1)
  Atomics.store(words, GAVE_UP, 1)
  Atomics.add(words, CHANGES, 1)
  Atomics.notify(words, CHANGES)
}

/**
 * Where the bounds and the ranges of the parts begin, and the most ranges of a part: one for each
 * edge, source and sink.
 */
function placesOf({ edges, sources, sinks }: FlowProblem): {
  bounds: number
  parts: number
  room: number
} {
  const bounds = ORDERS_AT + 8 * Math.ceil(edges.length / 4)
  return { bounds, parts: bounds + 8 * ROOM, room: edges.length + sources.length + sinks.length }
}

/**
 * Threads that search the same problem meet in shared memory: they know the best plan so far, and a
 * thread with nothing left gets the largest open part of another one. The search ends when all
 * threads that joined wait and no part is left, so a helper that comes late or never changes
 * nothing.
 */
export class SharedSearch implements SearchMates {
  readonly isHelper: boolean
  private readonly buffer: SharedArrayBuffer
  private readonly words: Int32Array
  private readonly objective: Float64Array
  private readonly orders: Int16Array
  private readonly bounds: Float64Array
  private readonly parts: Int16Array
  private readonly room: number

  constructor(problem: FlowProblem, buffer: SharedArrayBuffer, isHelper: boolean) {
    const { bounds, parts, room } = placesOf(problem)
    this.isHelper = isHelper
    this.buffer = buffer
    this.room = room
    this.words = new Int32Array(buffer, 0, LENGTH + 1)
    this.objective = new Float64Array(buffer, OBJECTIVE_AT, 1)
    this.orders = new Int16Array(buffer, ORDERS_AT, problem.edges.length)
    this.bounds = new Float64Array(buffer, bounds, ROOM)
    this.parts = new Int16Array(buffer, parts)
  }

  join(): void {
    this.locked(() => {
      this.words[MEMBERS]! += 1
    })
  }

  private locked<T>(act: () => T): T {
    while (Atomics.compareExchange(this.words, LOCK, 0, 1) !== 0)
      Atomics.wait(this.words, LOCK, 1, PAUSE_MS)
    try {
      return act()
    } finally {
      Atomics.store(this.words, LOCK, 0)
      Atomics.notify(this.words, LOCK, 1)
    }
  }

  private announce(): void {
    Atomics.add(this.words, CHANGES, 1)
    Atomics.notify(this.words, CHANGES)
  }

  best(): number {
    return this.objective[0]!
  }

  known(): { orders: readonly number[]; objective: number } | null {
    return this.locked(() => {
      const objective = this.objective[0]!
      return objective === Number.POSITIVE_INFINITY
        ? null
        : { orders: Array.from(this.orders), objective }
    })
  }

  offer(orders: ArrayLike<number>, objective: number): void {
    this.locked(() => {
      if (objective >= this.objective[0]!) return
      this.objective[0] = objective
      this.orders.set(orders)
    })
  }

  isAsked(): boolean {
    const parts = Atomics.load(this.words, PARTS)
    return parts < ROOM && Atomics.load(this.words, WAITING) > parts
  }

  give({ min, max, bound }: Ranges): void {
    this.locked(() => {
      const at = this.words[PARTS]!
      this.bounds[at] = bound
      this.parts.set(min, 2 * at * this.room)
      this.parts.set(max, (2 * at + 1) * this.room)
      this.words[LENGTH] = min.length
      this.words[PARTS] = at + 1
    })
    this.announce()
  }

  take(): Ranges | null {
    this.locked(() => {
      this.words[WAITING]! += 1
    })
    for (;;) {
      const seen = Atomics.load(this.words, CHANGES)
      const found = this.locked(() => this.takeNow())
      if (found === null) this.announce()
      if (found !== "wait") return found
      Atomics.wait(this.words, CHANGES, seen, PAUSE_MS)
    }
  }

  private takeNow(): Ranges | "wait" | null {
    const { words, room } = this
    if (words[DONE] === 1 || words[GAVE_UP] === 1) return null
    const at = words[PARTS]! - 1
    if (at >= 0) {
      words[PARTS] = at
      words[WAITING]! -= 1
      const from = 2 * at * room
      const length = words[LENGTH]!
      const read = (start: number): Int16Array => this.parts.slice(start, start + length)
      return { min: read(from), max: read(from + room), bound: this.bounds[at]! }
    }
    if (words[WAITING] !== words[MEMBERS]) return "wait"
    words[DONE] = 1
    return null
  }

  giveUp(): void {
    endSharedSearch(this.buffer)
  }

  hasGivenUp(): boolean {
    return Atomics.load(this.words, GAVE_UP) === 1
  }
}
