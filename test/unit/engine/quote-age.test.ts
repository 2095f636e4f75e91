import { beforeEach, describe, expect, test } from "vitest"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"

let world: World
beforeEach(() => {
  world = createWorld()
})

/**
 * Restarts the daemon while an accepted quote waits for its order, and returns what the service was
 * asked after that.
 */
async function restartAfter(ms: number): Promise<readonly string[]> {
  const first = world.start()
  world.faults.inject("service.submitOrder", { hang: true })
  await first.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
  await world.run(() => world.faults.countCalls("service.submitOrder") === 1)
  first.kill()
  const before = world.faults.calls.length
  await world.pass(ms)
  const next = world.start()
  await next.reach("completed")
  return world.faults.calls
    .slice(before)
    .map(({ method }) => method)
    .filter((method) => method === "service.fetchQuotes" || method === "service.submitOrder")
}

describe("an accepted quote", () => {
  test("of one minute still leads to its order", async () => {
    expect(await restartAfter(59_000)).toEqual(["service.submitOrder"])
  })

  test.each([61_000, 10 * 60_000])(
    "of %i ms is replaced before an order is created",
    async (ms) => {
      expect(await restartAfter(ms)).toEqual(["service.fetchQuotes", "service.submitOrder"])
    },
  )
})
