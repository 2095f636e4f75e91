import { afterEach, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { BTC, createWorld, WBTC, type World } from "../../support/fake-world.ts"

let world: World
afterEach(() => world.close())

test("an order whose payout cannot arrive ends unsigned, with the reason of the destination's port", async () => {
  world = createWorld()
  const daemon = world.start()
  const port = daemon.context.chains.get(chainOf(BTC))
  const fault = { code: "x.account_missing", message: "create the account", expected: "an account", found: "none" }
  if (port !== undefined) Object.assign(port, { checkPayout: async () => [fault] })
  await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: 10_000n })
  await world.run(() => daemon.state("order-1") === "rejected")
  expect(daemon.order("order-1").data.reasons).toMatchObject([fault])
  expect(world.signatures).toEqual([])
})
