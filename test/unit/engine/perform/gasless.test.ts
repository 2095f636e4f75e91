import { beforeEach, describe, expect, test } from "vitest"
import type { ChainPort } from "#ports/chain.ts"
import { createWorld, type Daemon, WBTC, type World } from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../../support/money.ts"
import { emptyLeg } from "../../../support/sample-job.ts"
import { withSeenDepth } from "../../../support/with-seen-depth.ts"

const ID = "order-1"
const UNITS = 10_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
})

async function submit(
  way: "auto" | "gasless",
  adaptPort = (port: ChainPort): ChainPort => port,
): Promise<void> {
  daemon = world.start({ policy: { way }, adaptPort })
  await daemon.accept(WBTC)
}

/** No lock, nonce or place in flight is left. */
function expectNothingHeld(): void {
  expect(daemon.context.journal.countInFlight()).toBe(0)
  expect(daemon.context.journal.listReserved("").size).toBe(0)
  expect(daemon.context.journal.sumCommitted(WBTC, null)).toBe(0n)
}

function expectPaidOnce(): void {
  expect(lostUnits(world, WBTC)).toBe(UNITS)
  expect(leftAllowance(world)).toBe(0n)
  expect(world.signatures.filter((entry) => entry.startsWith("gasless"))).toHaveLength(1)
}

describe.each(["auto", "gasless"] as const)("a relay, with deposit: %s,", (way) => {
  test("counts as done only when the chain shows the initiation", async () => {
    world.service.conduct.relays = false
    await submit(way)
    await daemon.reach("gasless-confirming")
    await world.pass(5_000)
    expect(daemon.state(ID)).toBe("gasless-confirming")
    world.service.conduct.relays = true
    await daemon.reach("completed")
    expectPaidOnce()
  })

  test("that fails after it accepted the signature initiates once", async () => {
    world.faults.inject("service.submitSignature", { after: failure("uncertain") })
    await submit(way)
    await daemon.reach("completed")
    expectPaidOnce()
    expect(world.evm.mined("initiate")).toEqual([])
  })

  test("that never answers, with the process killed, initiates once", async () => {
    world.faults.inject("service.submitSignature", { delayMs: 3_600_000 })
    await submit(way)
    await world.run(() => world.faults.countCalls("service.submitSignature") === 1)
    daemon.kill()
    daemon = world.start({ policy: { way } })
    await daemon.reach("completed")
    expectPaidOnce()
  })

  test(
    "that loses the signature gets it again, or the deposit is made directly: one deposit " +
      "either way",
    async () => {
      world.faults.inject("service.submitSignature", { lie: () => ({ answer: "accepted" }) })
      await submit(way)
      await daemon.reach("completed")
      expectPaidOnce()
    },
  )
})

test("a refusing relay leads to a direct deposit where the configuration allows it", async () => {
  world.faults.inject("service.submitSignature", { before: failure("refused") }, 1_000)
  await submit("auto")
  await daemon.reach("completed")
  expectPaidOnce()
  expect(world.evm.mined("initiate")).toHaveLength(1)
})

test(
  "a refusing relay leads to no direct deposit when only gasless is allowed: the signature is " +
    "disarmed and observed",
  async () => {
    world.faults.inject("service.submitSignature", { before: failure("refused") }, 1_000)
    await submit("gasless")
    await daemon.reach("disarmed")
    expect(world.evm.mined("initiate")).toEqual([])
    expect(leftAllowance(world)).toBe(0n)
    expect(daemon.context.journal.findOrder(ID)?.outcome).toBeNull()
    expectNothingHeld()
    expect(daemon.alerts()).toEqual(["gasless.disarmed"])
  },
)

test("one of the two lands when a relay initiates beside a direct deposit", async () => {
  world.service.conduct.relays = false
  await submit("auto")
  await world.run(() => world.signatures.some((entry) => entry.startsWith("initiate")))
  world.service.conduct.relays = true
  await daemon.reach("completed")
  expectPaidOnce()
})

test(
  "a deposit that the contract knows and no event shows holds the order instead of repeating " +
    "both ways",
  async () => {
    await submit("auto")
    await world.run(() => world.faults.countCalls("service.submitSignature") === 1)
    const planned = world.faults.countCalls("base.planTransaction")
    const unseen = emptyLeg(1n)
    const exists = {
      code: "evm.order_exists",
      message: "The contract already holds an order with these terms",
    }
    world.faults.inject("base.observeLeg", { lie: () => unseen }, 1_000_000)
    world.faults.inject("base.planTransaction", { lie: () => ({ refused: [exists] }) }, 1_000_000)
    await daemon.reach("held", ID, 5 * 60_000)
    expect(daemon.alerts()).toContain("evm.order_exists")
    expect(world.faults.countCalls("base.planTransaction") - planned).toBe(1)
    // The order is still observed: an event that becomes readable ends the doubt.
    for (const method of ["base.observeLeg", "base.planTransaction"]) world.faults.clear(method)
    await daemon.reach("completed")
    expectPaidOnce()
  },
)

test(
  "a direct deposit that the contract knows already holds the order, because the funds may be " +
    "in it",
  async () => {
    daemon = world.start({ policy: { way: "onchain" } })
    const exists = {
      code: "evm.order_exists",
      message: "The contract already holds an order with these terms",
    }
    await daemon.accept(WBTC)
    await world.run(() => world.evm.mined("approve").length === 1)
    world.faults.inject("base.planTransaction", { lie: () => ({ refused: [exists] }) }, 1_000_000)
    await daemon.reach("held", ID, 5 * 60_000)
    expect(daemon.alerts()).toContain("evm.order_exists")
  },
)

test("a voided direct deposit leaves the signature with the relay: the allowance is revoked", async () => {
  world.service.conduct.relays = false
  await submit("auto")
  await daemon.reach("gasless-confirming")
  world.faults.inject("base.broadcastTransaction", { lie: () => undefined }, 1_000_000)
  await daemon.reach("deposit-confirming")
  world.clock.set(world.clock.now() + 11 * 60_000)
  await daemon.reach("void-sending")
  world.faults.clear("base.broadcastTransaction")
  await daemon.reach("disarmed")
  expect(world.evm.mined("void")).toHaveLength(1)
  expect(leftAllowance(world)).toBe(0n)
  expectNothingHeld()
})

test("a signature that may have been sent before a crash never counts as unsent, however late it is", async () => {
  world.faults.inject("service.submitSignature", { delayMs: 3_600_000 })
  world.service.conduct.relays = false
  await submit("gasless")
  await world.run(() => world.faults.countCalls("service.submitSignature") === 1)
  daemon.kill()
  world.clock.set(world.clock.now() + 20 * 60_000)
  daemon = world.start({ policy: { way: "gasless" } })
  await daemon.reach("disarmed")
  expect(daemon.context.journal.findOrder(ID)?.outcome).toBeNull()
  expect(leftAllowance(world)).toBe(0n)
})

test(
  "after a reorganisation removes an initiation, the order waits for it or submits the same " +
    "signature again",
  async () => {
    world.close()
    world = createWorld({ confirmations: 30 })
    world.serviceActs = false
    await submit("gasless", (port) => withSeenDepth(port, 1))
    await daemon.reach("gasless-confirming")
    // The approval stays in its block.
    await world.pass(10_000)
    world.service.act()
    await daemon.reach("funded")
    world.autoMine = false
    world.evm.reorganise(6, "drop")
    for (let block = 0; block < 6; block++) world.evm.mine()
    await daemon.reach("gasless-confirming")
    expect(daemon.context.journal.findOrder(ID)?.deposited).toBe(false)
    world.autoMine = true
    world.serviceActs = true
    await daemon.reach("completed")
    expectPaidOnce()
  },
)

test("an unreadable chain does not prove that the relay did nothing", async () => {
  world.service.conduct.relays = false
  await submit("auto")
  await daemon.reach("gasless-confirming")
  world.faults.inject("base.observeLeg", { before: failure("transient") }, 1_000_000)
  world.service.conduct.relays = true
  await world.pass(120_000)
  expect(world.signatures.filter((entry) => entry.startsWith("initiate"))).toEqual([])
  world.faults.clear("base.observeLeg")
  await daemon.reach("completed")
  expectPaidOnce()
})

test("a payout completes an order only after our node shows its relayed deposit", async () => {
  world.service.conduct.relays = false
  await submit("gasless")
  await daemon.reach("gasless-confirming")
  world.faults.inject("base.observeLeg", { before: failure("hold") }, 1_000_000)
  world.service.conduct.relays = true
  await world.run(() => daemon.order(ID).data.paidUnits !== null)
  await world.pass(30_000)
  expect(daemon.state(ID)).toBe("held")
  world.faults.clear("base.observeLeg")
  await daemon.reach("completed")
  expect(daemon.order(ID).data.seen.sourceInitiated).toMatchObject({ final: true })
  expectPaidOnce()
})
