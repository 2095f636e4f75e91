import { beforeEach, describe, expect, test } from "vitest"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const ID = "order-1"
const MINUTE_MS = 60_000

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start({ policy: { depositWindowMs: 4 * 60 * MINUTE_MS } })
})

const row = () => daemon.context.journal.findOrder(ID)
const countEvents = (): number => daemon.context.journal.listEvents(ID).length
const countTries = (): number => world.faults.countCalls("service.fetchOrder")

/** The deposit is final, the first look at both legs was made, and no solver pays. */
async function waitForPayout(): Promise<void> {
  world.service.conduct.fills = false
  world.service.conduct.takesSource = false
  world.service.conduct.sourceTimelock = 5_000n
  world.service.conduct.deadlineAfterMs = 6 * 60 * MINUTE_MS
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
  const isLookedAt = (): boolean => {
    const { sourceInitiated, refundableAtHeight } = daemon.order(ID).data.seen
    return sourceInitiated?.final === true && refundableAtHeight !== null
  }
  await world.run(() => daemon.state(ID) === "funded" && isLookedAt())
}

describe("an order that waits", () => {
  test("writes nothing at a try that finds nothing new, and one row in ten minutes", async () => {
    await waitForPayout()
    const events = countEvents()
    const tries = countTries()
    const commits = daemon.commits()
    await world.pass(9 * MINUTE_MS)
    expect(countTries() - tries).toBeGreaterThan(100)
    expect(countEvents()).toBe(events)
    const others = daemon.commits() - commits
    await world.pass(2 * MINUTE_MS)
    expect(countEvents()).toBe(events + 1)
    // The other writes are the engine's notes, such as its clock.
    expect(others).toBeLessThan(60)
  })

  test("waits longer and longer, as if each try was written", async () => {
    await waitForPayout()
    await world.pass(MINUTE_MS)
    const before = countTries()
    await world.pass(MINUTE_MS)
    // `pollMaxMs` is five seconds.
    expect(countTries() - before).toBeLessThanOrEqual(13)
  })

  test("writes the first try that finds something", async () => {
    await waitForPayout()
    await world.pass(5 * MINUTE_MS)
    const events = countEvents()
    world.service.conduct.fills = true
    await world.run(() => daemon.order(ID).data.seen.destinationInitiated !== null, MINUTE_MS)
    expect(countEvents()).toBeGreaterThan(events)
    await daemon.reach("completed", ID, MINUTE_MS)
  })

  test("writes a fact that only the chain shows", async () => {
    await waitForPayout()
    await world.pass(MINUTE_MS)
    world.faults.inject("service.fetchOrder", { before: failure("transient") }, 1_000)
    world.service.conduct.fills = true
    world.service.conduct.redeems = false
    await world.run(() => daemon.order(ID).data.seen.destinationInitiated !== null, MINUTE_MS)
  })

  test("goes on at once after a restart, from what was written last", async () => {
    await waitForPayout()
    await world.pass(5 * MINUTE_MS)
    const written = row()?.snapshot
    const tries = countTries()
    daemon.kill()
    daemon = world.start()
    expect(row()?.snapshot).toBe(written)
    await world.pass(1_000)
    expect(countTries()).toBeGreaterThan(tries)
  })

  test("writes the wait for a payout that is due every minute, because its end is an alarm", async () => {
    await waitForPayout()
    world.service.conduct.reportsRedeemed = true
    world.service.conduct.takesSource = false
    await world.run(() => daemon.order(ID).data.seen.payoutWait != null, MINUTE_MS)
    // Until the alarms of the report are written.
    await world.pass(3 * MINUTE_MS)
    const updated = row()?.updatedAtMs ?? 0
    await world.run(() => (row()?.updatedAtMs ?? 0) > updated, 2 * MINUTE_MS)
    expect((row()?.updatedAtMs ?? 0) - updated).toBeLessThanOrEqual(MINUTE_MS + 6_000)
  })
})
