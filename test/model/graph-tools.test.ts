import { expect, test } from "vitest"
import { toDirectedGraph } from "xstate/graph"
import { orderMachine } from "#order/machine.ts"
import { isFinal, STATES } from "#order/states.ts"

/**
 * What XState itself sees of the machine, without our explorer's idea of the world: a check from the other side. Guards are not asked here, so
 * this is necessary and not sufficient; `order-machine.test.ts` asks them.
 */
const graph = toDirectedGraph(orderMachine)
const edges = graph.children.flatMap(({ stateNode, edges: drawn }) => [
  ...drawn.map(({ source, target, label }) => ({ from: source.key, to: target.key, by: label.text })),
  // The graph leaves out what happens without an event.
  ...(stateNode.always ?? []).flatMap(({ target }) =>
    (target ?? []).map(({ key }) => ({ from: stateNode.key, to: key, by: "" })),
  ),
])
/** What needs the service's cooperation. */
const FROM_THE_SERVICE = ["quote.accepted", "order.created", "gasless.submitted"]

test("XState's graph has every state and every transition is between two of them", () => {
  expect(graph.children.map(({ stateNode }) => stateNode.key).sort()).toEqual(Object.keys(STATES).sort())
  expect(edges.length).toBeGreaterThan(150)
})

test("every state can be reached from the first, and left unless it is final", () => {
  const reached = walk(["quoting"], ({ from, to }) => [from, to])
  expect(Object.keys(STATES).filter((state) => !reached.has(state))).toEqual([])
  for (const state of Object.keys(STATES)) {
    const leaves = edges.some(({ from, to }) => from === state && to !== state)
    // CAST: the keys of the table of states are the states' names.
    expect(leaves, state).toBe(!isFinal(state as keyof typeof STATES))
  }
})

test("from every state a final one can be reached without the service", () => {
  // CAST: the keys of the table of states are the states' names.
  const finals = Object.keys(STATES).filter((state) => isFinal(state as keyof typeof STATES))
  const own = edges.filter(({ by }) => !FROM_THE_SERVICE.includes(by))
  const reaching = walk(finals, ({ from, to }) => [to, from], own)
  expect(Object.keys(STATES).filter((state) => !reaching.has(state))).toEqual([])
})

type Edge = (typeof edges)[number]

function walk(
  start: readonly string[],
  direction: (edge: Edge) => readonly [string, string],
  over: readonly Edge[] = edges,
): ReadonlySet<string> {
  const seen = new Set(start)
  for (let before = -1; before !== seen.size; ) {
    before = seen.size
    for (const edge of over) {
      const [near, far] = direction(edge)
      if (seen.has(near)) seen.add(far)
    }
  }
  return seen
}
