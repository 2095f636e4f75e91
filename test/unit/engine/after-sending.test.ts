import { beforeEach, describe, expect, test } from "vitest"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  world.autoMine = false
})

const ORDER = "order-1"
const UNITS = 10_000n
const submit = () => daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })

describe("a deposit that was just sent", () => {
  test("is seen within a second where the chain makes a block at once", async () => {
    daemon = world.start({
      adaptPort: (port) => ({
        ...port,
        broadcastTransaction: async (transaction) => {
          await port.broadcastTransaction(transaction)
          world.evm.mine()
        },
      }),
    })
    await submit()
    await daemon.reach("deposit-confirming", ORDER)
    const sentMs = world.clock.now()
    await daemon.reach("funded", ORDER)
    expect(world.clock.now() - sentMs).toBeLessThanOrEqual(1_000)
  })

  test("is not sent again because a node does not show it at once", async () => {
    let sent = 0
    let asked = 0
    daemon = world.start({
      adaptPort: (port) => ({
        ...port,
        broadcastTransaction: async (transaction) => {
          sent += 1
          await port.broadcastTransaction(transaction)
        },
        // The node behind the balancer that gets the first question has not heard of the
        // transaction.
        observeTransaction: async (transaction) =>
          asked++ === 0 ? { status: "unseen" } : port.observeTransaction(transaction),
      }),
    })
    await submit()
    await daemon.reach("deposit-confirming", ORDER)
    const sentMs = world.clock.now()
    await world.run(() => asked === 2)
    expect([sent, daemon.state(ORDER)]).toEqual([1, "deposit-confirming"])
    expect(world.clock.now() - sentMs).toBeLessThanOrEqual(2_000)
  })

  test("is sent again when no node shows it after a second", async () => {
    let sent = 0
    daemon = world.start({
      adaptPort: (port) => ({
        ...port,
        broadcastTransaction: async () => {
          sent += 1
        },
        observeTransaction: async () => ({ status: "unseen" }),
      }),
    })
    await submit()
    await world.run(() => sent === 2)
    expect(sent).toBe(2)
  })
})
