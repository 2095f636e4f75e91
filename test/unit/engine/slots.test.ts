import { expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const LIMITS = { maxOrder: null, maxInFlight: 100, windows: [] }
const ORDERS = 30
const CALL_MS = 200

let world: World

test("a node that answers gets more work at once, and 16 pieces at most once it has refused many", async () => {
  world = createWorld()
  const node = { answers: true, calls: 0, most: 0 }
  const adaptPort = (port: ChainPort): ChainPort =>
    port.chain === chainOf(BTC) ? { ...port, observeLeg: observeSlowly(port, node) } : port
  const daemon = world.start({ settings: { limits: LIMITS }, adaptPort })
  world.serviceActs = false
  for (let opened = 0; opened < ORDERS; opened++) await daemon.accept(ETH, BTC, 1_000n)
  const ids = Array.from({ length: ORDERS }, (_, index) => `order-${index + 1}`)
  await world.run(() => ids.every((id) => daemon.state(id) === "funded"), 3_600_000)

  node.most = 0
  await world.pass(20_000)
  expect(node.most).toBeGreaterThan(16)

  node.answers = false
  await world.pass(20_000)
  node.most = 0
  await world.pass(20_000)
  expect(node.most).toBeGreaterThan(1)
  expect(node.most).toBeLessThanOrEqual(16)
})

/** Each call takes a while; `most` is the largest number of calls at once. */
function observeSlowly(
  port: ChainPort,
  node: { answers: boolean; calls: number; most: number },
): ChainPort["observeLeg"] {
  return async (...args) => {
    node.calls += 1
    node.most = Math.max(node.most, node.calls)
    await world.clock.sleep(CALL_MS)
    node.calls -= 1
    if (!node.answers) throw failure("transient")
    return port.observeLeg(...args)
  }
}
