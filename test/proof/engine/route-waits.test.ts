import { beforeEach, expect, test } from "vitest"
import { createFakeRoute, type FakeRoute } from "../../support/fake-route.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

/* Hours with a silent issuer. test/unit/engine/other-routes.test.ts has the rest of its orders. */

let world: World
let route: FakeRoute
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  route = createFakeRoute(world)
  daemon = world.start(route.start)
})

const end = (id: string, state: string): Promise<void> => daemon.reach(state, id)

test("an order waits for its voucher, and neither lapses nor refunds", async () => {
  daemon.kill()
  daemon = world.start({ ...route.start, policy: { pollMaxMs: 30_000 } })
  route.conduct.attests = false
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "funded")
  // The world and the engine look at the order every half minute.
  world.tickMs = 30_000
  await world.pass(60 * 60_000)
  world.tickMs = 1_000
  expect([daemon.state(id), daemon.order(id).data.alerted]).toEqual(["funded", []])
  expect(daemon.engine.operate(id, "refund", "ann").ok).toBe(false)
  await world.pass(60_000)
  expect([daemon.state(id), world.signatures.filter((one) => one.startsWith("refund"))]).toEqual([
    "funded",
    [],
  ])
  route.conduct.attests = true
  await end(id, "completed")
})

test.each([
  ["gives no voucher", { attests: false }],
  ["does not answer", { isSilent: true }],
])("an issuer that %s for ever is one alarm, and the order waits on", async (_how, conduct) => {
  Object.assign(route.conduct, conduct)
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await end(id, "funded")
  const alarms = () =>
    daemon.context.journal
      .listAlerts(99)
      .filter(({ reason }) => reason.code === "alarm.issuer_silent")
  await world.pass(60_000)
  expect(alarms()).toEqual([])
  for (const hours of [7, 30]) {
    daemon.kill()
    await world.pass(hours * 3_600_000)
    daemon = world.start(route.start)
    await world.pass(60_000)
    expect([daemon.state(id), alarms().length]).toEqual(["funded", 1])
  }
  Object.assign(route.conduct, { attests: true, isSilent: false })
  await end(id, "completed")
  expect(daemon.order(id).data.reasons).toEqual([])
})
