import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { BTC, createWorld, type Daemon, ETH, type World } from "../support/fake-world.ts"

/* Bounds on the work for one order that do not depend on the machine. */

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start()
})
afterEach(() => {
  vi.restoreAllMocks()
  world.close()
})

test("the engine decodes no order that it wrote itself", async () => {
  const parse = vi.spyOn(JSON, "parse")
  await completeOrder()
  const snapshots = parse.mock.calls.filter(([text]) => text.startsWith('{"version":'))
  expect(snapshots).toEqual([])
})

async function completeOrder(): Promise<void> {
  expect(await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })).toMatchObject({ ok: true })
  await world.run(() => daemon.state("order-1") === "completed")
}
