import { beforeAll, describe, expect, test } from "vitest"
import { isFinal, STATES } from "#order/states.ts"
import { type Explored, explore, type Node } from "./explore.ts"

/** States in which no order rests. */
const UNREACHABLE = {
  closing: "the machine leaves it within the same step",
  // Own secrets have their own walks: test/proof/engine/own-secret.test.ts dies at every write, and
  // the fault simulator draws the rest.
  ...Object.fromEntries(
    [
      "revealing",
      "revealed",
      ...["planning", "signing", "sending", "confirming", "bumping"].map(
        (step) => `redeem-${step}`,
      ),
    ].map((state) => [state, "in this exploration the services choose the secrets"]),
  ),
}

let explored: Explored
beforeAll(() => {
  explored = explore()
}, 120_000)

describe("the order machine, explored from end to end", () => {
  test("reaches every state of its table", () => {
    const reached = new Set<string>([...explored.nodes.values()].map(({ order }) => order.state))
    const missing = Object.keys(STATES).filter((state) => !reached.has(state))
    expect(explored.nodes.size).toBeGreaterThan(1_000)
    expect(missing.sort()).toEqual(Object.keys(UNREACHABLE).sort())
  })

  test("never ends an order as not deposited while a deposit or signature of it is out", () => {
    expect(
      violations(
        ({ order: { state }, truth }) =>
          (state === "rejected" || state === "abandoned") &&
          (truth.depositLive || truth.depositLanded || truth.signatureOut),
      ),
    ).toEqual([])
  })

  test("never plans another deposit while an earlier one may still land", () => {
    expect(
      violations(({ order, truth }) => order.state === "deposit-planning" && truth.depositLive),
    ).toEqual([])
  })

  test("never deposits for an abandoned order", () => {
    const plans = ["deposit-planning", "gasless-signing"]
    expect(
      violations(({ order }) => plans.includes(order.state) && order.data.ending === "abandoned"),
    ).toEqual([])
  })

  test("never deposits anything but the approved intent", () => {
    const plans = ["allowing", "deposit-planning", "gasless-signing"]
    expect(
      violations(
        ({ order }) => plans.includes(order.state) && order.data.intent?.hash === "another",
      ),
    ).toEqual([])
  })

  test("leads every order to an end without the service", () => {
    const fromService = [
      "quote.accepted",
      "order.created",
      "quote.outdated",
      "deposit.verified",
      "gasless.submitted",
    ]
    const alive = leadingToAnEnd((by) => !fromService.includes(by))
    expect(violations((_, key) => !alive.has(key))).toEqual([])
  })

  test("leads every order to an end without an operator", () => {
    const alive = leadingToAnEnd((by) => !by.startsWith("operator."))
    expect(violations((node, key) => !alive.has(key) && node.order.state !== "held")).toEqual([])
  })
})

/** The shortest paths to a few violations. */
function violations(isBad: (node: Node, key: string) => boolean): string[] {
  const bad = [...explored.nodes].filter(([key, node]) => isBad(node, key))
  return bad.slice(0, 3).map(([, { order, path }]) => [...path, order.state].join(" → "))
}

/** The orders from which an end can be reached by events of this kind. */
function leadingToAnEnd(mayHappen: (by: string) => boolean): ReadonlySet<string> {
  const back = new Map<string, string[]>()
  for (const { from, to, event } of explored.edges)
    if (mayHappen(event.type)) back.set(to, [...(back.get(to) ?? []), from])
  // A disarmed order reserves nothing and waits for nothing.
  const ends = [...explored.nodes]
    .filter(([, { order }]) => isFinal(order.state) || order.state === "disarmed")
    .map(([key]) => key)
  const alive = new Set(ends)
  for (let key = ends.pop(); key !== undefined; key = ends.pop()) {
    for (const from of back.get(key) ?? []) {
      if (alive.has(from)) continue
      alive.add(from)
      ends.push(from)
    }
  }
  return alive
}
