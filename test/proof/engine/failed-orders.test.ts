import { beforeEach, describe, expect, test } from "vitest"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"

const ID = "order-1"
const UNITS = 10_000n
const MINUTE_MS = 60_000

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

const tooLate = (): void => world.clock.set(world.clock.now() + 11 * MINUTE_MS)

/** No allowance, lock, nonce, place in flight or money is left. */
function expectNothingLeft(): void {
  const { journal } = daemon.context
  expect(leftAllowance(world)).toBe(0n)
  expect(journal.listReserved("").size).toBe(0)
  expect(journal.countInFlight()).toBe(0)
  expect(lostUnits(world, WBTC)).toBe(0n)
}

describe("an approval whose order is too late", () => {
  test("and that no block has is voided, so that it can never land", async () => {
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    tooLate()
    await daemon.reach("revoke-confirming")
    expect(daemon.context.journal.countInFlight()).toBe(1)
    world.autoMine = true
    await daemon.reach("rejected")
    expect(world.evm.mined("approve")).toEqual([])
    expect(world.evm.mined("void")).toHaveLength(1)
    expectNothingLeft()
  })

  test("and that lands before its void is revoked", async () => {
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    tooLate()
    world.faults.inject("base.broadcastTransaction", { lie: () => undefined }, 3)
    await daemon.reach("revoke-confirming")
    world.autoMine = true
    await daemon.reach("rejected")
    expect(world.evm.mined("void")).toEqual([])
    expect(world.evm.mined("approve")).toHaveLength(2)
    expectNothingLeft()
  })

  test("and that was never sent ends the order without another transaction", async () => {
    world.faults.inject("base.signTransaction", { delayMs: 2_000 })
    await daemon.accept(WBTC)
    await daemon.reach("approve-signing")
    const paused = daemon.engine.pause({ kind: "all" })
    await daemon.reach("approve-sending")
    await paused
    tooLate()
    daemon.engine.resume({ kind: "all" })
    await daemon.reach("rejected")
    expect(world.faults.countCalls("base.broadcastTransaction")).toBe(0)
    expectNothingLeft()
  })

  test("leaves nothing behind in any of its states, also when the process dies there", async () => {
    for (const state of [
      "approve-sending",
      "approve-confirming",
      "revoke-planning",
      "revoke-sending",
    ]) {
      world.close()
      world = createWorld({ confirmations: 2 })
      daemon = world.start()
      for (const port of ["base.broadcastTransaction", "base.observeTransaction"])
        world.faults.inject(port, { delayMs: 500 }, 1_000)
      world.autoMine = false
      await daemon.accept(WBTC)
      if (state.startsWith("revoke")) {
        await daemon.reach("approve-confirming")
        tooLate()
        world.faults.inject("base.planTransaction", { delayMs: 500 }, 1_000)
      }
      await daemon.reach(state)
      daemon.kill()
      tooLate()
      daemon = world.start()
      world.autoMine = true
      await daemon.reach("rejected")
      expectNothingLeft()
    }
  })
})

describe("a wallet that cannot pay for the gas", () => {
  test(
    "of an approval holds the order with an alert that says what to do; the order goes on " +
      "after a retry",
    async () => {
      daemon.kill()
      daemon = world.start({ policy: { depositWindowMs: 4 * 60 * MINUTE_MS } })
      world.service.conduct.deadlineAfterMs = null
      world.faults.inject(
        "base.broadcastTransaction",
        { before: failure("refused", "evm.rejected") },
        1_000_000,
      )
      await daemon.accept(WBTC)
      await daemon.reach("held")
      expect(daemon.alerts()).toContain("approve.unaffordable")
      expect(daemon.order(ID).data.reasons[0]?.message).toContain("top up the gas")
      world.faults.clear("base.broadcastTransaction")
      daemon.engine.operate(ID, "retry", "anna")
      await daemon.reach("completed")
      expect(world.signatures.filter((entry) => entry.startsWith("approve"))).toHaveLength(1)
    },
  )

  test("of a revocation holds the order, and nothing is left after a retry", async () => {
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    const poor = { refused: [{ code: "funds.insufficient", message: "no gas" }] }
    world.faults.inject("base.planTransaction", { lie: () => poor }, 1_000_000)
    tooLate()
    await daemon.reach("held")
    expect(daemon.alerts()).toContain("revoke.unaffordable")
    world.faults.clear("base.planTransaction")
    daemon.engine.operate(ID, "retry", "anna")
    world.autoMine = true
    await daemon.reach("rejected")
    expectNothingLeft()
  })

  describe("of a signed revocation", () => {
    beforeEach(async () => {
      world.faults.inject("base.planTransaction", { delayMs: 1_000 }, 2)
      await daemon.accept(WBTC)
      await daemon.reach("deposit-planning")
      daemon.engine.operate(ID, "abandon", "anna")
      world.faults.inject(
        "base.broadcastTransaction",
        { before: failure("refused", "evm.not_taken") },
        1_000_000,
      )
      await daemon.reach("revoke-sending")
    })

    test("waits for gas, and goes on without an operator", async () => {
      await world.pass(9 * MINUTE_MS)
      expect(daemon.state(ID)).toBe("revoke-sending")
      world.faults.clear("base.broadcastTransaction")
      await daemon.reach("abandoned")
      expectNothingLeft()
    })

    test("holds the order after ten minutes, with an alert that says what to do", async () => {
      await daemon.reach("held")
      expect(daemon.alerts()).toContain("revoke.unaffordable")
      expect(leftAllowance(world)).toBe(UNITS)
    })
  })
})

test("a refund without gas raises an alert, and is sent without an operator once there is gas", async () => {
  Object.assign(world.service.conduct, { fills: false, takesSource: false, sourceTimelock: 2_000n })
  await daemon.accept(WBTC)
  await daemon.reach("refund-watch")
  const poor = { refused: [{ code: "funds.insufficient", message: "no gas" }] }
  world.faults.inject("base.planTransaction", { lie: () => poor }, 1_000_000)
  await world.run(() => daemon.alerts().includes("refund.unaffordable"))
  world.faults.clear("base.planTransaction")
  await daemon.reach("refunded")
  expectNothingLeft()
})

test("an order that is held and abandoned while its approval waits for a block leaves no allowance", async () => {
  world.autoMine = false
  await daemon.accept(WBTC)
  await daemon.reach("approve-confirming")
  world.faults.inject("base.observeTransaction", { before: failure("hold") })
  await daemon.reach("held")
  daemon.engine.operate(ID, "abandon", "anna")
  world.autoMine = true
  await daemon.reach("abandoned")
  // Any waiting transaction would be in a block by then.
  await world.pass(5_000)
  expectNothingLeft()
})

test(
  "an order that is held while its approval waits for a block goes on with that approval after " +
    "a retry",
  async () => {
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    world.faults.inject("base.observeTransaction", { before: failure("hold") })
    await daemon.reach("held")
    expect(daemon.engine.operate(ID, "retry", "anna")).toEqual({
      ok: true,
      state: "approve-confirming",
    })
    world.autoMine = true
    await daemon.reach("completed")
    expect(world.evm.mined("approve")).toHaveLength(1)
  },
)

test("an order that is abandoned while its approval waits for a block leaves no allowance", async () => {
  world.autoMine = false
  await daemon.accept(WBTC)
  await daemon.reach("approve-confirming")
  expect(daemon.engine.operate(ID, "abandon", "anna").ok).toBe(true)
  world.autoMine = true
  await daemon.reach("abandoned")
  // Any waiting transaction would be in a block by then.
  await world.pass(5_000)
  expectNothingLeft()
})

describe("a reorganisation that drops the approval", () => {
  test("has it sent again for the signature that needs it", async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "gasless" } })
    world.service.conduct.relays = false
    await daemon.accept(WBTC)
    await daemon.reach("gasless-confirming")
    world.evm.reorganise(10, "drop")
    expect(leftAllowance(world)).toBe(0n)
    await world.run(() => leftAllowance(world) === UNITS)
    world.service.conduct.relays = true
    await daemon.reach("completed")
    expect(world.signatures.filter((entry) => entry.startsWith("approve"))).toHaveLength(1)
    expect(world.signatures.filter((entry) => entry.startsWith("gasless"))).toHaveLength(1)
    expect(lostUnits(world, WBTC)).toBe(UNITS)
    expect(leftAllowance(world)).toBe(0n)
  })

  test("and mines a transaction in its place that Ballast did not sign holds the order", async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "gasless" } })
    world.service.conduct.relays = false
    await daemon.accept(WBTC)
    await daemon.reach("gasless-confirming")
    world.evm.reorganise(10, "drop")
    world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:0"], action: { kind: "void" } })
    await daemon.reach("held")
    expect(daemon.alerts()).toContain("transaction.foreign_rival")
    expect(world.signatures.filter((entry) => entry.startsWith("approve"))).toHaveLength(1)
    // After the deadline a retry ends the wait for the relay, because the signature has no
    // allowance.
    tooLate()
    daemon.engine.operate(ID, "retry", "anna")
    await daemon.reach("disarmed")
    expectNothingLeft()
  })

  test("has it sent again so that the deposit behind it can be mined", async () => {
    world.faults.inject("base.planTransaction", { delayMs: 2_000 }, 2)
    await daemon.accept(WBTC)
    await daemon.reach("deposit-planning")
    world.autoMine = false
    await daemon.reach("deposit-confirming")
    world.evm.reorganise(10, "drop")
    world.autoMine = true
    await daemon.reach("completed")
    expect(world.evm.mined("approve").map(({ ok }) => ok)).toEqual([true])
    expect(lostUnits(world, WBTC)).toBe(UNITS)
  })
})

describe("a signature that the relay never used in time", () => {
  beforeEach(async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "gasless" } })
    world.service.conduct.relays = false
    await daemon.accept(WBTC)
    await daemon.reach("disarmed")
  })

  test("does not block other orders", async () => {
    expectNothingLeft()
    daemon.kill()
    daemon = world.start({ policy: { way: "onchain" } })
    await daemon.accept(WBTC)
    await daemon.reach("completed", "order-2")
    expect(lostUnits(world, WBTC)).toBe(UNITS)
  })

  test("and that uses a later order's allowance is observed, and its deposit is refunded", async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "onchain" } })
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    world.faults.inject("base.planTransaction", { delayMs: 5_000 }, 2)
    await daemon.accept(WBTC)
    await world.run(() => world.evm.mined("approve").length === 3)
    world.service.conduct.relays = true
    await daemon.reach("refund-watch")
    expect(daemon.context.journal.findOrder(ID)).toMatchObject({ deposited: true, outcome: null })
    expect(daemon.alerts()).toContain("alarm.refund_watch")
    await daemon.reach("refunded")
    // The other order found its allowance gone and made a new one.
    await daemon.reach("refunded", "order-2")
    expectNothingLeft()
  })

  test("ends only when an operator ends it", async () => {
    await world.pass(120 * MINUTE_MS)
    expect(daemon.state(ID)).toBe("disarmed")
    expect(daemon.engine.operate(ID, "abandon", "anna")).toEqual({
      ok: true,
      state: "proving-unfunded",
    })
    await daemon.reach("abandoned")
  })
})

test(
  "a signature whose allowance cannot be revoked stays in doubt, with its lock and its place " +
    "in flight",
  async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "gasless" } })
    world.service.conduct.relays = false
    await daemon.accept(WBTC)
    await daemon.reach("gasless-confirming")
    world.faults.inject("base.findMissingApproval", { lie: () => ({ setUnits: 0n }) }, 1_000_000)
    await daemon.reach("held")
    expect(daemon.reasons()).toEqual(["gasless.in_doubt"])
    expect(daemon.alerts()).toContain("gasless.in_doubt")
    expect(daemon.context.journal.countInFlight()).toBe(1)
    expect(daemon.context.journal.listReserved("lock/").size).toBe(1)
  },
)

test("an order whose time ended while a node was asked for the nonce signs nothing", async () => {
  await daemon.accept(WBTC)
  world.faults.inject("base.bindPlan", { delayMs: 20_000 })
  await daemon.reach("approve-signing")
  await world.pass(1_000)
  tooLate()
  await daemon.reach("rejected")
  expect(world.signatures).toEqual([])
  expectNothingLeft()
})

test("a revocation that a foreign transaction excluded does not hide the payout of a late relay", async () => {
  daemon.kill()
  daemon = world.start({ policy: { way: "gasless" } })
  world.service.conduct.relays = false
  await daemon.accept(WBTC)
  await daemon.reach("gasless-confirming")
  world.autoMine = false
  await daemon.reach("revoke-confirming")
  world.evm.dropMempool()
  world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:1"], action: { kind: "void" } })
  world.autoMine = true
  await daemon.reach("held")
  expect(daemon.alerts()).toContain("transaction.foreign_rival")
  world.service.conduct.relays = true
  await daemon.reach("completed")
})

test.each([
  ["an approval", WBTC],
  ["a deposit", ETH],
] as const)(
  "an order that may have signed %s never asks the service for another order",
  async (_what, from) => {
    world.faults.inject("base.signTransaction", { before: failure("hold", "test.signer") })
    await daemon.engine.submit({ from, to: BTC, sourceUnits: UNITS })
    await daemon.reach("held")
    tooLate()
    expect(daemon.engine.operate(ID, "retry", "anna")).toMatchObject({ ok: true })
    await world.run(() => ["completed", "rejected"].includes(daemon.state(ID)))
    expect([daemon.state(ID), daemon.reasons()]).toEqual([
      "rejected",
      ["test.signer", "order.stale_plan"],
    ])
    // The signature that was claimed belongs to an HTLC that a new order would not watch.
    expect(world.evm.mined("initiate")).toEqual([])
    expectNothingLeft()
    expect(lostUnits(world, from)).toBe(0n)
  },
)

describe("a transaction that waits behind an unused nonce", () => {
  test(
    "raises one alert while no node tells the missing nonce, and its order goes on once that " +
      "is used",
    async () => {
      const stranger = {
        txid: "stranger",
        fee: 500n,
        resources: ["nonce:0"],
        action: { kind: "void" },
      } as const
      world.evm.submit(stranger)
      world.autoMine = false
      await daemon.accept(WBTC)
      await daemon.reach("approve-confirming")
      world.evm.dropMempool()
      world.faults.inject("base.bindPlan", { before: failure("transient") }, 99)
      world.autoMine = true
      const stuck = (): number => daemon.alerts().filter((code) => code === "approve.stuck").length
      await world.run(() => stuck() > 0)
      await world.pass(2 * MINUTE_MS)
      expect(stuck()).toBe(1)
      world.faults.clear("base.bindPlan")
      world.evm.submit(stranger)
      await daemon.reach("completed")
    },
  )
})
