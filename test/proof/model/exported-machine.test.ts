import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createMachine, initialTransition, transition } from "xstate"
import { encodeJson } from "#lib/json.ts"
import { createOrderData } from "#order/data.ts"
import { orderMachine, orderSetup } from "#order/machine.ts"
import { type Order, toValue } from "#order/step.ts"
import { SAMPLE } from "../../support/order-sample.ts"
import { type Edge, explore } from "./explore.ts"

/* `machine.json` is the machine: with the same guards and actions, XState walks both alike. */

const EXAMPLES = 4

const exported = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../src/core/order/machine.json"), "utf8"),
)
const fromJson = {
  "with the project's setup": orderSetup.createMachine({
    ...exported,
    context: ({ input }) => input,
  }),
  // CAST: XState cannot know the types of a machine that it reads from JSON.
  "as plain XState reads it": createMachine(exported).provide(
    orderMachine.implementations as never,
  ),
} as const

/**
 * A few examples of each kind of transition that the explorer finds: a state, a type of event, the
 * next state.
 */
let examples: ReadonlyMap<string, readonly { readonly order: Order; readonly edge: Edge }[]>
beforeAll(() => {
  const { nodes, edges } = explore()
  const found = new Map<string, { readonly order: Order; readonly edge: Edge }[]>()
  for (const edge of edges) {
    const before = nodes.get(edge.from)
    const after = nodes.get(edge.to)
    if (before === undefined || after === undefined) continue
    const kind = `${before.order.state} ${edge.event.type} ${after.order.state}`
    const alike = found.get(kind) ?? []
    if (alike.length < EXAMPLES) found.set(kind, [...alike, { order: before.order, edge }])
  }
  examples = found
}, 120_000)

describe.each(Object.entries(fromJson))("machine.json %s", (_name, machine) => {
  test("takes every explored transition as the machine does: state, data and work", () => {
    expect(examples.size).toBeGreaterThan(300)
    for (const [kind, alike] of examples) {
      for (const { order, edge } of alike) {
        expect(take(machine, order, edge), kind).toBe(take(orderMachine, order, edge))
      }
    }
  })

  test("takes in each state the same types of events", () => {
    const all = [...examples.values()].flat()
    const orders = new Map(all.map(({ order }) => [order.state, order]))
    const events = new Map(all.map(({ edge: { event } }) => [event.type, event]))
    expect([orders.size, events.size]).toEqual([39, 37])
    for (const [state, order] of orders) {
      for (const [type, event] of events) {
        expect(resolve(machine, order).can(event), `${state} ${type}`).toBe(
          resolve(orderMachine, order).can(event),
        )
      }
    }
  })
})

test("machine.json begins where the machine begins", () => {
  const machine = fromJson["with the project's setup"]
  const data = createOrderData(SAMPLE.input)
  expect(encodeStep(initialTransition(machine, data))).toBe(
    encodeStep(initialTransition(orderMachine, data)),
  )
})

type Machine = typeof orderMachine | (typeof fromJson)[keyof typeof fromJson]

function take(machine: Machine, order: Order, { event }: Edge): string {
  return encodeStep(transition(machine, resolve(machine, order), event))
}

function resolve(machine: Machine, { state, data }: Order) {
  return machine.resolveState({ value: toValue(state), context: data })
}

type Taken = readonly [
  { readonly value: unknown; readonly context: unknown },
  readonly { type: string; params: unknown }[],
]

function encodeStep([{ value, context }, actions]: Taken): string {
  return encodeJson({
    value,
    context,
    actions: actions.map(({ type, params }) => ({ type, params })),
  })
}
