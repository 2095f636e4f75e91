import { expect, test } from "vitest"
import { viewNextAsk } from "#daemon/views/view-next-ask.ts"
import { applyEvent } from "#engine/orders/stepper.ts"
import { readRouteWait, readUsualTimes } from "#engine/rules/route-waits.ts"
import { mustExist } from "#lib/assert.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

/** From the order's creation until the solver pays. */
const PAID_AFTER_MS = 40_000
const POLICY = {
  pollMinMs: 2_000,
  pollMaxMs: 60_000,
  patienceMs: 24 * 3_600_000,
  deadlineMarginMs: 0,
}

let world: World

const observations = (): number => world.faults.countCalls("arbitrum.observeLeg")

/** No head tells a change, so each order is observed at its own times. */
function start(): Daemon {
  return world.start({
    policy: POLICY,
    adaptPort: (port) => ({
      ...port,
      touched: { listTouchedLegs: () => Promise.reject(new Error("no list")) },
    }),
  })
}

function open(): void {
  world = createWorld()
  world.service.conduct.treat = ({ createdAtMs }) => {
    const pays = world.clock.now() - createdAtMs > PAID_AFTER_MS
    return { fills: pays, redeems: pays, takesSource: pays }
  }
}

/**
 * Completes one order. Returns the number of its observations before the payout, and the time until
 * the payout was seen.
 */
async function complete(
  daemon: Daemon,
  id: string,
): Promise<{ readonly asked: number; readonly seenMs: number }> {
  const startMs = world.clock.now()
  await daemon.accept(ETH, ARB)
  await world.run(() => daemon.order(id).data.seen.sourceInitiated !== null)
  const before = observations()
  await world.run(() => daemon.order(id).data.seen.destinationRedeemed !== null, 5 * 60_000)
  const found = { asked: observations() - before, seenMs: world.clock.now() - startMs }
  await daemon.reach("completed", id, 5 * 60_000)
  return found
}

test(
  "after a few orders of a route the next one is first asked about when its payout is " +
    "expected, and seen as early",
  async () => {
    open()
    const daemon = start()
    const cold = await complete(daemon, "order-1")
    for (const id of ["order-2", "order-3", "order-4"]) await complete(daemon, id)
    const learnt = mustExist(
      readRouteWait(daemon.context.journal, { from: ETH, to: ARB }),
      "the learnt wait",
    )
    expect(learnt.orders).toBe(4)
    expect(Math.abs(learnt.usualMs - PAID_AFTER_MS)).toBeLessThan(20_000)
    expect(readUsualTimes(daemon.context.journal, { from: ETH, to: ARB })?.payoutMs).toBe(
      learnt.usualMs,
    )
    const warm = await complete(daemon, "order-5")
    expect(cold.asked).toBeGreaterThanOrEqual(5)
    expect(warm.asked).toBeLessThanOrEqual(cold.asked / 2)
    expect(warm.seenMs).toBeLessThanOrEqual(cold.seenMs + POLICY.pollMinMs)
  },
)

test(
  "a payout that takes longer than the learnt wait is asked about as before, and one that " +
    "never comes too",
  async () => {
    open()
    const daemon = start()
    for (const id of ["order-1", "order-2", "order-3", "order-4"]) await complete(daemon, id)
    world.service.conduct.treat = () => ({ fills: false, redeems: false, takesSource: false })
    await daemon.accept(ETH, ARB)
    await world.run(() => daemon.order("order-5").data.seen.sourceInitiated !== null)
    await world.pass(5 * 60_000)
    const before = observations()
    await world.pass(4 * 60_000)
    // At poll.max each, as without a learnt wait.
    expect(observations() - before).toBeGreaterThanOrEqual(3)
  },
)

test("a restart learns the waits again from the journal, and tells them with the next time", async () => {
  open()
  const daemon = start()
  for (const id of ["order-1", "order-2", "order-3", "order-4"]) await complete(daemon, id)
  const route = { from: ETH, to: ARB }
  const before = readRouteWait(daemon.context.journal, route)
  daemon.kill()
  const next = start()
  expect(readRouteWait({ ...next.context.journal }, route)).toEqual(before)
  expect(await next.engine.submit({ ...route, sourceUnits: 10_000n })).toMatchObject({ ok: true })
  await world.run(() => next.order("order-5").data.seen.sourceInitiated !== null)
  const nowMs = world.clock.now()
  const view = mustExist(
    viewNextAsk(next.context.journal, next.order("order-5"), nowMs),
    "the next time",
  )
  expect(view.why).toMatch(/^usually paid after \d+ s, from 4 orders/)
  expect(Date.parse(view.at) - nowMs).toBeGreaterThan(10_000)
  expect(Date.parse(view.at) - nowMs).toBeLessThanOrEqual(POLICY.pollMaxMs)
})

test("a wait that a deferral asks for is kept beside a learnt one", async () => {
  open()
  const daemon = start()
  for (const id of ["order-1", "order-2", "order-3", "order-4"]) await complete(daemon, id)
  await daemon.accept(ETH, ARB)
  await world.run(() => daemon.order("order-5").data.seen.sourceInitiated !== null)
  applyEvent(
    daemon.context,
    "order-5",
    { event: { type: "work.deferred", reasons: [], waitMs: 123_000 } },
    null,
  )
  expect(daemon.context.journal.findDueMs("order-5")).toBe(world.clock.now() + 123_000)
})

test("an order tells that its route's wait is not known yet, and one without work has no next time", async () => {
  open()
  const daemon = start()
  await daemon.accept(ETH, ARB)
  await world.run(() => daemon.order("order-1").data.seen.sourceInitiated !== null)
  const { journal } = daemon.context
  expect(viewNextAsk(journal, daemon.order("order-1"), world.clock.now())?.why).toMatch(
    /^too few orders/,
  )
  await daemon.reach("completed", "order-1", 5 * 60_000)
  expect(viewNextAsk(journal, daemon.order("order-1"), world.clock.now())).toBeNull()
})
