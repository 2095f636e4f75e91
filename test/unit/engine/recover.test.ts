import { beforeEach, expect, test } from "vitest"
import type { ServicePort } from "#ports/service.ts"
import { createWorld, type Daemon, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start()
})

const listWith = (findOrders: ServicePort["findOrders"]): void => {
  const known = world.services.get("main")
  if (known !== undefined)
    world.services.set("main", { ...known, port: { ...known.port, findOrders } })
  daemon.kill()
  daemon = world.start()
}

test("a service without a list is not one with an empty list", async () => {
  listWith(async () => null)
  const { orders, unread } = await daemon.engine.recover(false)
  expect(orders).toEqual([])
  expect(unread.map(({ service, chain, reasons }) => [service, chain, reasons[0]?.code])).toEqual(
    [...daemon.context.chains.keys()].map((chain) => ["main", chain, "recover.no_list"]),
  )
  listWith(async () => [])
  expect(await daemon.engine.recover(false)).toEqual({ orders: [], unread: [], leftOut: 0 })
})

test("a service that does not answer leaves the lists of the others", async () => {
  world.addService("beta")
  listWith(async () => {
    throw failure("transient")
  })
  const { unread } = await daemon.engine.recover(false)
  // The fake service "beta" has no list.
  expect(unread.map(({ service, reasons }) => `${service} ${reasons[0]?.code}`).sort()).toEqual(
    [...daemon.context.chains.keys()]
      .flatMap(() => ["beta recover.no_list", `main ${failure("transient").code}`])
      .sort(),
  )
})
