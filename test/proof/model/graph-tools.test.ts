import { expect, test } from "vitest"
import { type DirectedGraphNode, toDirectedGraph } from "xstate/graph"
import { orderMachine } from "#order/machine.ts"
import { isFinal, STATE_NAMES } from "#order/states.ts"

/**
 * The machine as XState's own graph tools see it, without our explorer's model of the world. The
 * tools ask no guards, so these checks are necessary and not sufficient; `order-machine.test.ts`
 * asks the guards.
 */
const graph = toDirectedGraph(orderMachine)
const frames = graph.children.filter(({ children }) => children.length > 0)
const leaves = graph.children.flatMap((node) => (node.children.length > 0 ? node.children : [node]))
const edges = graph.children.flatMap((node) => [
  ...edgesOf(node, node.children.length > 0 ? node.children : [node]),
  ...node.children.flatMap((child) => edgesOf(child, [child])),
])
/** Events that need the service's cooperation. */
const FROM_THE_SERVICE = ["quote.accepted", "order.created", "gasless.submitted"]

test("XState's graph has every state, and every transition connects two of them", () => {
  expect(leaves.map(({ stateNode }) => stateNode.id).sort()).toEqual([...STATE_NAMES].sort())
  expect(frames.map(({ stateNode }) => stateNode.key)).toEqual([
    "approve",
    "gasless",
    "deposit",
    "void",
    "redeem",
    "refund",
    "revoke",
  ])
  expect(edges.filter(({ to }) => !STATE_NAMES.some((name) => name === to))).toEqual([])
  expect(edges.length).toBeGreaterThan(150)
})

test("every state can be reached from the first, and left unless it is final", () => {
  const reached = walk(["quoting"], ({ from, to }) => [from, to])
  expect(STATE_NAMES.filter((state) => !reached.has(state))).toEqual([])
  for (const state of STATE_NAMES) {
    const leaves = edges.some(({ from, to }) => from === state && to !== state)
    expect(leaves, state).toBe(!isFinal(state))
  }
})

test("from every state a final one can be reached without the service", () => {
  const own = edges.filter(({ by }) => !FROM_THE_SERVICE.includes(by))
  const reaching = walk(STATE_NAMES.filter(isFinal), ({ from, to }) => [to, from], own)
  expect(STATE_NAMES.filter((state) => !reaching.has(state))).toEqual([])
})

type Edge = { readonly from: string; readonly to: string; readonly by: string }

/** The node's own transitions, from each of the states in which they are valid. */
function edgesOf(
  { stateNode, edges }: DirectedGraphNode,
  sources: readonly DirectedGraphNode[],
): Edge[] {
  const drawn = edges.map(({ target, label }) => ({ to: target.id, by: label.text }))
  // The graph leaves out the transitions that need no event.
  const always = (stateNode.always ?? []).flatMap(({ target }) =>
    (target ?? []).map(({ id }) => ({ to: id, by: "" })),
  )
  return sources.flatMap((source) =>
    [...drawn, ...always].map((edge) => ({ from: source.stateNode.id, ...edge })),
  )
}

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
