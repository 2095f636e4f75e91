import { beforeEach, describe, expect, test } from "vitest"
import { createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"

const ID = "order-1"
const UNITS = 10_000n
const FEE = 10n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

const tooLate = (): void => world.clock.set(world.clock.now() + 11 * 60_000)
const signaturesOf = (purpose: string): number =>
  world.signatures.filter((entry) => entry.startsWith(`${purpose} `)).length

/** No allowance, lock, nonce, place in flight or money is left. */
function expectNothingLeft(): void {
  expect(leftAllowance(world)).toBe(0n)
  expect(daemon.context.journal.listReserved("").size).toBe(0)
  expect(daemon.context.journal.countInFlight()).toBe(0)
  expect(lostUnits(world, WBTC)).toBe(0n)
  expect(lostUnits(world, ETH)).toBe(0n)
}

describe("a refusal of the node or the key", () => {
  const no = { before: failure("refused", "evm.no") }
  const METHODS = ["base.planTransaction", "base.signTransaction"]

  test.each(METHODS)(
    "to revoke (%s) holds the order with an alert and its allowance, " +
      "until the allowance is revoked",
    async (method) => {
      world.faults.inject("base.planTransaction", { delayMs: 1_000 }, 2)
      await daemon.accept(WBTC)
      await daemon.reach("deposit-planning")
      daemon.engine.operate(ID, "abandon", "anna")
      world.faults.inject(method, no, 1_000_000)
      await daemon.reach("held")
      expect(daemon.alerts()).toContain("evm.no")
      expect(leftAllowance(world)).toBe(UNITS)
      world.faults.clear(method)
      daemon.engine.operate(ID, "abandon", "anna")
      await daemon.reach("abandoned")
      expectNothingLeft()
    },
  )

  test(
    "to void a deposit holds the order with an alert and its nonce, until the deposit can " +
      "never land",
    async () => {
      world.autoMine = false
      await daemon.accept()
      await daemon.reach("deposit-confirming")
      world.faults.inject("base.signTransaction", no, 1_000_000)
      tooLate()
      await daemon.reach("held")
      expect(daemon.alerts()).toContain("evm.no")
      expect(daemon.context.journal.listReserved("").size).toBe(1)
      world.faults.clear("base.signTransaction")
      daemon.engine.operate(ID, "retry", "anna")
      await daemon.reach("void-confirming")
      world.autoMine = true
      await daemon.reach("rejected")
      expectNothingLeft()
    },
  )

  test.each(METHODS)(
    "to refund (%s) holds the order with an alert, and the refund follows when the refusal ends",
    async (method) => {
      Object.assign(world.service.conduct, { fills: false, takesSource: false })
      await daemon.accept()
      await daemon.reach("funded")
      world.faults.inject(method, no, 1_000_000)
      await daemon.reach("held")
      expect(daemon.alerts()).toContain("evm.no")
      world.faults.clear(method)
      await daemon.reach("refunded")
      expectNothingLeft()
    },
  )
})

test("a void that no node accepts for ten minutes holds its order, and is sent after a retry", async () => {
  world.autoMine = false
  await daemon.accept()
  await daemon.reach("deposit-confirming")
  world.faults.inject(
    "base.broadcastTransaction",
    { before: failure("uncertain", "chain.conflict") },
    1_000_000,
  )
  tooLate()
  await daemon.reach("void-sending")
  await daemon.reach("held")
  expect(daemon.alerts()).toContain("void.stuck")
  world.faults.clear("base.broadcastTransaction")
  daemon.engine.operate(ID, "retry", "anna")
  await daemon.reach("void-confirming")
  world.autoMine = true
  await daemon.reach("rejected")
  expect(signaturesOf("void")).toBe(1)
  expectNothingLeft()
})

test(
  "a refund whose node answers nonsense is signed once, observed with pauses, and confirmed " +
    "with its fee",
  async () => {
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    await daemon.accept()
    await daemon.reach("funded")
    await world.run(() => signaturesOf("refund") === 1)
    world.autoMine = false
    world.faults.inject("base.observeTransaction", { before: failure("hold") }, 1_000_000)
    await daemon.reach("held")
    const before = world.faults.countCalls("base.observeTransaction")
    await world.pass(20_000)
    expect(world.faults.countCalls("base.observeTransaction") - before).toBeLessThan(24)
    world.autoMine = true
    await world.run(() => world.evm.mined("refund").length === 1)
    await world.pass(10_000)
    expect(daemon.context.journal.findOrder(ID)?.outcome).toBeNull()
    world.faults.clear("base.observeTransaction")
    await daemon.reach("refunded")
    expect(signaturesOf("refund")).toBe(1)
    expect(daemon.order(ID).data.networkFeeUnits).toBe(2n * FEE)
    expectNothingLeft()
  },
)
