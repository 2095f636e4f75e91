import { describe, expect, test } from "vitest"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { settle } from "../../support/manual-clock.ts"

let world: World

describe("a clock that was ahead and is set back", () => {
  test.each([30_000, 9 * 60_000, 11 * 60_000, 2 * 60 * 60_000])(
    "by %i ms leaves no order waiting until the old time",
    async (aheadMs) => {
      world = createWorld()
      world.service.conduct.fills = false
      world.service.conduct.takesSource = false
      const first = world.start()
      await first.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
      await first.reach("funded")
      first.kill()
      world.clock.set(world.clock.now() - aheadMs)
      const reads = world.faults.countCalls("service.fetchOrder")
      world.start()
      await settle()
      expect(world.faults.countCalls("service.fetchOrder")).toBe(reads + 1)
    },
  )

  test("does not delay the next order request after a lost answer", async () => {
    world = createWorld()
    world.faults.inject("service.submitOrder", { before: failure("uncertain") })
    const first = world.start()
    await first.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await world.run(() => first.order("order-1").data.tries > 0)
    first.kill()
    world.clock.set(world.clock.now() - 2 * 60 * 60_000)
    const second = world.start()
    await world.run(() => second.state("order-1") !== "creating", 5_000)
  })
})
