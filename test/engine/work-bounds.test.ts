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

test("a completed order takes a bounded number of steps, bytes and calls", async () => {
  const commit = vi.spyOn(daemon.context.journal, "commit")
  await completeOrder()
  const steps = commit.mock.calls.map(([row]) => row)
  const bytes = steps.reduce((sum, { order, event }) => sum + bytesOf(order.snapshot) + bytesOf(event.body), 0)
  expect(steps.length).toBeLessThanOrEqual(11)
  expect(daemon.context.journal.listEvents("order-1")).toHaveLength(steps.length + 1)
  // Most of it is the snapshot, which each step writes as a whole.
  expect(bytes).toBeLessThanOrEqual(80_000)
  const once = ["service.submitOrder", "base.planTransaction", "base.signTransaction", "base.broadcastTransaction"]
  expect(once.map((name) => world.faults.countCalls(name))).toEqual([1, 1, 1, 1])
  const often = ["service.fetchOrder", "base.observeTransaction", "service.fetchQuotes"]
  expect(often.map((name) => world.faults.countCalls(name))).toEqual([4, 2, 1])
})

async function completeOrder(): Promise<void> {
  expect(await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })).toMatchObject({ ok: true })
  await world.run(() => daemon.state("order-1") === "completed")
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
