import { describe, expect, test } from "vitest"
import { createFakeRoute } from "../../support/fake-route.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

let world: World
let daemon: Daemon

// No file names the second kind: an order of it has the fewest abilities.
describe.each(["cctp", "toy"])("an order of the kind %s", (kind) => {
  test.each(["after", "before"] as const)(
    "a process that dies %s any write neither deposits nor redeems twice",
    async (when) => {
      let deaths = 0
      for (let at = 1; at < 40; at++) {
        world = createWorld()
        const route = createFakeRoute(world, kind)
        daemon = world.start({ ...route.start, dies: { at, when } })
        const id = await daemon.accept(ETH, ARB, 1_000n).catch(() => null)
        await world.run(
          () => !daemon.isAlive() || (id !== null && daemon.state(id) === "completed"),
        )
        if (daemon.isAlive()) break
        deaths += 1
        world.forgetIds()
        daemon = world.start(route.start)
        const again = id ?? (await daemon.accept(ETH, ARB, 1_000n).catch(() => "order-1"))
        await daemon.reach("completed", again)
        const digests = (action: string): number =>
          new Set(world.signatures.filter((one) => one.startsWith(action))).size
        expect([digests("initiate"), digests("redeem")]).toEqual([1, 1])
        world.close()
      }
      expect(deaths).toBeGreaterThan(10)
    },
  )
})
