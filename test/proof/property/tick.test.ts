import fc from "fast-check"
import { expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import { type DecisionBody, readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { replayDecision } from "#engine/rules/tick/replay-decision.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { type Fault, failure } from "../../support/faults.ts"

/**
 * Random rules on a treasury outside their bounds. The daemon dies and starts again, nodes fail,
 * blocks are reorganised, and answers are late, so that balances change during a read. An honest
 * service fills every order, so the orders of the first plan meet the needs of every rule.
 */
const RUNS = 15
const SETTLED = ["policy.target_satisfied", "policy.within_tolerance", "policy.below_keep"]
const QUIET_MS = 2 * 60_000

const pieceOne: fc.Arbitrary<TimedRule> = fc
  .record({
    part: fc.bigInt(1n, 6n),
    everyMs: fc.constantFrom(1_000, 3_000, 20_000),
    shape: fc.nat(3),
  })
  .map(({ part, everyMs, shape }) => {
    const units = part * 50_000n
    const base = { everyMs, sources: [ETH], sinks: [ETH] }
    const low = {
      minUnits: 1_000_000n + units,
      targetUnits: 1_030_000n + units,
      maxUnits: 1_060_000n + units,
    }
    const high = {
      minUnits: 940_000n - units,
      targetUnits: 970_000n - units,
      maxUnits: 1_000_000n - units,
    }
    if (shape === 0) return { id: "one", kind: "band", asset: BTC, ...low, ...base }
    if (shape === 1) return { id: "one", kind: "band", asset: BTC, ...high, ...base }
    if (shape === 2) return { id: "one", kind: "band", asset: BTC, ...low, ...base, move: "edge" }
    return {
      id: "one",
      kind: "sweep",
      from: ETH,
      keepUnits: 1_000_000n - units,
      leastUnits: 5_000n,
      to: BTC,
      everyMs,
    }
  })

const pieceTwo: fc.Arbitrary<TimedRule> = fc
  .record({
    bps: fc.bigInt(1_500n, 8_500n),
    everyMs: fc.constantFrom(1_000, 5_000),
    shape: fc.nat(2),
  })
  .map(({ bps, everyMs, shape }) => {
    if (shape === 0)
      return {
        id: "two",
        kind: "sweep",
        from: ARB,
        keepUnits: bps * 100n,
        leastUnits: 5_000n,
        to: WBTC,
        everyMs,
      }
    const weights = [
      { asset: WBTC, bps },
      { asset: ARB, bps: 10_000n - bps },
    ]
    const move = shape === 1 ? "target" : "edge"
    return { id: "two", kind: "weights", weights, toleranceBps: 300n, move, everyMs }
  })

type Step =
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "kill"; readonly dies: StartOptions["dies"]; readonly downMs: number }
  | {
      readonly kind: "reorganise"
      readonly chain: "evm" | "arbitrum" | "bitcoin"
      readonly depth: number
    }
  | { readonly kind: "silence"; readonly ms: number }
  | {
      readonly kind: "fault"
      readonly method: string
      readonly fault: Fault
      readonly times: number
    }

const methods = [
  "fetchBalance",
  "observeLeg",
  "observeMove",
  "estimateFees",
  "fetchHeight",
].flatMap((method) => ["base", "arbitrum", "bitcoin"].map((chain) => `${chain}.${method}`))

const faultStep = fc.record({
  kind: fc.constant("fault" as const),
  method: fc.constantFrom(...methods, "service.fetchQuotes"),
  fault: fc.oneof(
    fc.constant({ before: failure("transient") }),
    fc.constantFrom({ delayMs: 700 }, { delayMs: 1_500 }, { delayMs: 4_000 }),
  ),
  times: fc.constantFrom(1, 3, 10),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.constantFrom(300, 1_000, 2_500, 8_000),
    }),
  },
  { weight: 2, arbitrary: faultStep },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("reorganise" as const),
      chain: fc.constantFrom("evm" as const, "arbitrum" as const, "bitcoin" as const),
      depth: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("silence" as const),
      ms: fc.constantFrom(3_000, 20_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("kill" as const),
      dies: fc.option(
        fc.record({
          at: fc.integer({ min: 1, max: 30 }),
          when: fc.constantFrom("after" as const, "before" as const),
        }),
        { nil: undefined },
      ),
      downMs: fc.constantFrom(0, 1_000, 30_000),
    }),
  },
)

test("one plan meets the needs of every rule, also when processes die, reads fail or answers are " +
  "late", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieceOne, { maxLength: 1 }),
      pieceTwo,
      fc.array(step, { maxLength: 40 }),
      async (one, two, steps) => {
        const world = createWorld()
        try {
          await live(world, [...one, two], steps)
        } finally {
          world.close()
        }
      },
    ),
    { numRuns: RUNS },
  )
})

async function live(
  world: World,
  rules: readonly TimedRule[],
  steps: readonly Step[],
): Promise<void> {
  const start = (dies?: StartOptions["dies"]): Daemon =>
    world.start({ settings: { rules, configHash: "hash" }, ...(dies ? { dies } : {}) })
  let daemon = start()
  for (const one of steps) {
    if (one.kind === "pass") await world.pass(one.ms)
    if (one.kind === "reorganise") world[one.chain].reorganise(one.depth, "requeue")
    if (one.kind === "silence") {
      world.serviceActs = false
      await world.pass(one.ms)
      world.serviceActs = true
    }
    if (one.kind === "fault") world.faults.inject(one.method, one.fault, one.times)
    if (one.kind === "kill") {
      daemon.kill()
      world.clock.set(world.clock.now() + one.downMs)
      daemon = start(one.dies)
    }
    if (!daemon.isAlive()) daemon = start()
    check(daemon, rules)
  }
  for (const method of [...methods, "service.fetchQuotes"]) world.faults.clear(method)
  // Planned crashes of a later time are cancelled.
  daemon.kill()
  daemon = start()
  const { journal } = daemon.context
  await world.run(
    () => journal.countInFlight() === 0 && rules.every(({ id }) => isSettled(daemon, id)),
    30 * 60_000,
  )
  const before = journal.listOrders({ limit: 999 }).length
  await world.pass(QUIET_MS)
  check(daemon, rules)
  expect(
    journal.listOrders({ limit: 999 }),
    "nothing more is asked for once every rule has what it wants",
  ).toHaveLength(before)
  for (const decision of journal.listDecisions({ rule: null, limit: 9_999 })) {
    expect(replayDecision(decision, journal.findInputs(decision.inputs ?? "") ?? "")).toMatchObject(
      { same: true },
    )
  }
}

/**
 * An honest service and fees of a few units: no rule needs a second order, and no asset is ever
 * sold back.
 */
function check(daemon: Daemon, rules: readonly TimedRule[]): void {
  const orders = daemon.context.journal.listOrders({ limit: 999 })
  const made = orders.filter(({ outcome }) => outcome !== "rejected")
  for (const { id } of rules) {
    const own = made.filter(({ rule }) => rule === id)
    expect(own.length, `orders of ${id}`).toBeLessThanOrEqual(1)
  }
  const sold = new Set<AssetId>(made.map(({ from }) => from))
  expect(
    made.filter(({ to }) => sold.has(to)),
    "sold and bought",
  ).toEqual([])
  for (const order of orders) {
    const decisions = daemon.context.journal.listDecisions({ rule: order.rule, limit: 999 })
    expect(
      decisions.some(({ orders: ids }) => ids.includes(order.id)),
      `the decision of ${order.id}`,
    ).toBe(true)
  }
}

function isSettled(daemon: Daemon, rule: string): boolean {
  const [decision] = daemon.context.journal.listDecisions({ rule, limit: 1 })
  const body: DecisionBody | null = decision ? readDecisionBody(decision.body) : null
  return (
    body !== null &&
    body.decided.reasons.length > 0 &&
    reasonsIn(body).every(({ code }) => SETTLED.includes(code))
  )
}
