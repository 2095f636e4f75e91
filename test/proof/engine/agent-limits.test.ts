import fc from "fast-check"
import { expect, test } from "vitest"
import type { AgentLimits } from "../../../src/core/domain/agent.ts"
import { BTC, createWorld, ETH } from "../../support/fake-world.ts"
import { SEED } from "../../support/fixed-seed.ts"

const DAY_MS = 86_400_000
const RULE = "agent.desk"

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("ask"),
      units: fc.integer({ min: 1, max: 30 }),
      back: fc.boolean(),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("approve"),
      by: fc.constantFrom("anna", "ops.socket", "ops.token", RULE, "agent.other"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reject") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("pass"),
      ms: fc.constantFrom(5_000, 60_000, DAY_MS / 3, DAY_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart") }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** What the world allows, counted from the answers alone. */
type Opened = { readonly id: string; readonly atMs: number; readonly units: bigint }

async function play(steps: readonly Step[]): Promise<number> {
  const world = createWorld()
  world.service.conduct.deadlineAfterMs = null
  let daemon = world.start()
  const opened: Opened[] = []
  try {
    const price = await priceOf(world, daemon)
    const limits: AgentLimits = {
      pairs: [{ from: ETH, to: BTC }],
      maxOrderFiat: price * 20n,
      maxDayFiat: price * 45n,
      maxDayCount: 4,
      maxInFlight: 2,
      approveAboveFiat: price * 5n,
    }
    for (const one of steps) {
      if (one.kind === "restart") {
        daemon.kill()
        daemon = world.start()
      } else if (one.kind === "pass" && "ms" in one) await pass(one.ms)
      else if (one.kind === "ask" && "units" in one)
        await ask(one.units, one.back, one.twice, limits)
      else for (const { id } of opened) judge(id, one)
      check(limits, price)
    }
    return opened.length
  } finally {
    daemon.kill()
    world.close()
  }

  /** The daemon is down for most of a long time. */
  async function pass(ms: number): Promise<void> {
    if (ms > 60_000) {
      daemon.kill()
      world.clock.set(world.clock.now() + ms)
      daemon = world.start()
    }
    await world.pass(5_000)
  }

  async function ask(
    units: number,
    back: boolean,
    twice: boolean,
    agent: AgentLimits,
  ): Promise<void> {
    const sourceUnits = BigInt(units) * 1_000n
    const [from, to] = back ? [BTC, ETH] : [ETH, BTC]
    const request = { from, to, sourceUnits, rule: RULE, askedBy: RULE, agent, needsQuote: true }
    const answers: Awaited<ReturnType<typeof daemon.engine.submit>>[] = []
    const count = twice ? 2 : 1
    for (let index = 0; index < count; index++)
      void daemon.engine.submit(request).then((answer) => answers.push(answer))
    // A request may wait for the clock, which moves only in a run.
    await world.run(() => answers.length === count)
    for (const answer of answers)
      if (answer.ok) {
        expect(back).toBe(false)
        opened.push({ id: answer.id, atMs: world.clock.now(), units: sourceUnits })
      }
  }

  function judge(id: string, one: Step): void {
    const { state, data } = daemon.order(id)
    if (state !== "awaiting-approval") return
    if (one.kind === "reject") daemon.engine.operate(id, "reject", "anna")
    else if ("by" in one) {
      const answer = daemon.engine.operate(id, "approve", one.by, data.intent?.hash ?? null)
      expect(answer.ok).toBe(one.by === "anna")
    }
  }

  function check(limits: AgentLimits, price: bigint): void {
    const orders = opened.map((one) => ({ ...one, ...daemon.order(one.id) }))
    const sold = orders.filter(({ state }) => state !== "rejected" && state !== "abandoned")
    const now = world.clock.now()
    for (const { units, data, state } of orders) {
      const fiat = (units / 1_000n) * price
      expect(fiat).toBeLessThanOrEqual(limits.maxOrderFiat)
      const isApproved = data.approvedBy === "anna"
      const moved = data.transactions.deposit.signed.length > 0
      if (fiat > limits.approveAboveFiat && moved) expect(isApproved, state).toBe(true)
    }
    const today = sold.filter(({ atMs }) => atMs > now - DAY_MS)
    const fiat = today.reduce((sum, { units }) => sum + (units / 1_000n) * price, 0n)
    expect(fiat).toBeLessThanOrEqual(limits.maxDayFiat)
    expect(orders.filter(({ atMs }) => atMs > now - DAY_MS).length).toBeLessThanOrEqual(4)
    const open = orders.filter(({ state }) => !ENDED.includes(state))
    expect(open.length).toBeLessThanOrEqual(limits.maxInFlight)
  }
}

const ENDED = ["completed", "refunded", "rejected", "abandoned"]

/** The value of 1 000 units in this world. */
async function priceOf(
  world: ReturnType<typeof createWorld>,
  daemon: ReturnType<ReturnType<typeof createWorld>["start"]>,
): Promise<bigint> {
  const { readOffer, valueOffer } = await import("../../../src/engine/rules/offer.ts")
  const request = { from: ETH, to: BTC, sourceUnits: 1_000n, affiliateFees: [] }
  const policy = daemon.context.settings.policyFor(ETH, BTC)
  const offer = await readOffer(daemon.context, request, policy, null)
  const fiat = offer === null ? null : valueOffer(daemon.context, offer).sourceFiat
  if (fiat === null) throw new Error(`the world at ${world.clock.now()} has no value`)
  return fiat
}

/** Sequences of the campaign: `BALLAST_AGENT_RUNS=5000`, of about twenty steps each. */
const RUNS = Number(process.env["BALLAST_AGENT_RUNS"] ?? 20)

test("no sequence of requests, approvals, restarts and days passes an agent's limits", {
  timeout: 60_000 + RUNS * 1_000,
}, async () => {
  let opened = 0
  const sequence = fc.array(step, { minLength: 12, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      opened += await play(steps)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  // The sequences reach the limits.
  expect(opened).toBeGreaterThan(RUNS)
})
