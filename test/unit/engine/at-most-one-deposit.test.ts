import { beforeEach, describe, expect, test } from "vitest"
import { applyEvent } from "#engine/orders/stepper.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { ledgerOf, leftAllowance, lostUnits } from "../../support/money.ts"

const ID = "order-1"
const UNITS = 10_000n
const SOURCES = [
  { name: "Bitcoin", from: BTC, to: WBTC, port: "bitcoin" },
  { name: "an account chain", from: ETH, to: BTC, port: "base" },
] as const

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

const signaturesOf = (purpose: string): string[] =>
  world.signatures.filter((entry) => entry.startsWith(`${purpose} `))

describe("a lost answer", () => {
  test(
    "to the creation of an order leaves an order that is never funded, and a second order is " +
      "paid",
    async () => {
      world.faults.inject("service.submitOrder", { after: failure("uncertain") })
      await daemon.accept()
      await daemon.reach("completed")
      expect(world.service.orders).toHaveLength(2)
      const nonces = world.service.orders.map(({ nonce }) => nonce)
      expect(new Set(nonces).size).toBe(2)
      const [first] = world.service.orders
      expect(
        [...world.evm.state().swaps.values()].some(
          ({ secretHash }) => secretHash === first?.secretHash,
        ),
      ).toBe(false)
      expect(lostUnits(world, ETH)).toBe(UNITS)
    },
  )

  test("to the creation of an order does the same when the process died before the answer", async () => {
    world.faults.inject("service.submitOrder", { hang: true })
    await daemon.accept()
    await world.run(() => world.faults.countCalls("service.submitOrder") === 1)
    daemon.kill()
    daemon = world.start()
    await daemon.reach("completed")
    expect(world.faults.countCalls("service.submitOrder")).toBe(2)
    expect(new Set(noncesAsked()).size).toBe(1)
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test(
    "is followed by a request under another nonce when the service refuses the repetition as a " +
      "duplicate (ADR 5)",
    async () => {
      world.faults.inject("service.submitOrder", { delayMs: 3_600_000 })
      await daemon.accept()
      await world.run(() => world.service.orders.length === 1)
      daemon.kill()
      daemon = world.start()
      world.faults.inject("service.submitOrder", {
        before: failure("refused", "service.duplicate"),
      })
      await daemon.reach("completed")
      const [first, second, third] = noncesAsked()
      expect([first === second, second === third]).toEqual([true, false])
      expect(lostUnits(world, ETH)).toBe(UNITS)
    },
  )

  test.each(SOURCES)(
    "to a send that the node accepted means one deposit on $name",
    async ({ from, to, port }) => {
      world.faults.inject(`${port}.broadcastTransaction`, { after: failure("uncertain") })
      await daemon.accept(from, to)
      await daemon.reach("completed")
      expect(ledgerOf(world, from).mined("initiate")).toHaveLength(1)
      expect(world.faults.countCalls(`${port}.broadcastTransaction`)).toBe(1)
      expect(lostUnits(world, from)).toBe(UNITS)
    },
  )
})

describe("a deposit that no node knows", () => {
  test.each(SOURCES)(
    "is sent again with the same bytes on $name, without a new signature",
    async ({ from, to, port }) => {
      world.autoMine = false
      await daemon.accept(from, to)
      await daemon.reach("deposit-confirming")
      ledgerOf(world, from).dropMempool()
      await world.run(() => world.faults.countCalls(`${port}.broadcastTransaction`) === 2)
      world.autoMine = true
      await daemon.reach("completed")
      const sent = world.faults.calls
        .filter(({ method }) => method === `${port}.broadcastTransaction`)
        .map(({ args }) => args[0])
      expect(sent[1]).toEqual(sent[0])
      expect(signaturesOf("initiate")).toHaveLength(1)
      expect(lostUnits(world, from)).toBe(UNITS)
    },
  )

  test("is neither sent again nor released while its node cannot be read", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.faults.inject("base.observeTransaction", { before: failure("transient") }, 1_000)
    await world.pass(60_000)
    expect(world.faults.countCalls("base.broadcastTransaction")).toBe(1)
    expect(daemon.state(ID)).toBe("deposit-confirming")
    world.faults.clear("base.observeTransaction")
    world.autoMine = true
    await daemon.reach("completed")
  })

  test("is observed again within minutes, even if a node asks for a longer wait", async () => {
    const details = { retryAfterMs: 365 * 24 * 3_600_000 }
    const busy = new AppError({
      code: "test.busy",
      disposition: "transient",
      message: "Later",
      details,
    })
    world.faults.inject("base.observeTransaction", { before: busy }, 2)
    await daemon.accept()
    await daemon.reach("completed", ID, 5 * 60_000)
  })

  test("is not sent again when the service reports the order as over", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.evm.dropMempool()
    const real = await world.service.port.fetchOrder(world.service.orders[0]?.orderId ?? "")
    const over = { ...real, source: { ...real.source, refundTx: "aa" } }
    world.faults.inject("service.fetchOrder", { lie: () => over }, 1_000)
    world.autoMine = true
    await daemon.reach("rejected")
    expect(world.evm.mined("initiate")).toEqual([])
    expect(world.evm.mined("void")).toHaveLength(1)
  })
})

describe("a deposit that comes too late", () => {
  test.each(SOURCES)(
    "is voided on $name before its resources are released",
    async ({ from, to, port }) => {
      world.autoMine = false
      await daemon.accept(from, to)
      await daemon.reach("deposit-confirming")
      world.faults.inject(`${port}.broadcastTransaction`, { lie: () => undefined }, 1_000_000)
      ledgerOf(world, from).dropMempool()
      world.clock.set(world.clock.now() + 11 * 60_000)
      await daemon.reach("void-confirming")
      expect(daemon.context.journal.listReserved("").size).toBe(1)
      await world.pass(60_000)
      // No block has the void either: nothing is proven, so nothing is released.
      expect(daemon.context.journal.listReserved("").size).toBe(1)
      expect(daemon.context.journal.countInFlight()).toBe(1)
      world.faults.clear(`${port}.broadcastTransaction`)
      world.autoMine = true
      await daemon.reach("rejected")
      expect(ledgerOf(world, from).mined("void")).toHaveLength(1)
      expect(daemon.context.journal.listReserved("").size).toBe(0)
      expect(lostUnits(world, from)).toBe(0n)
    },
  )

  test("keeps its reservation and waits while nothing can void it", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    // As on Solana, where a transaction expires with its blockhash.
    world.faults.inject(
      "base.planTransaction",
      { before: failure("refused", "solana.void_unsupported") },
      1_000_000,
    )
    world.clock.set(world.clock.now() + 11 * 60_000)
    await daemon.reach("void-planning")
    const before = world.faults.countCalls("base.planTransaction")
    await world.pass(60_000)
    expect(daemon.state(ID)).toBe("void-planning")
    expect(world.faults.countCalls("base.planTransaction") - before).toBeLessThan(30)
    expect(daemon.context.journal.listReserved("").size).toBe(1)
    ledgerOf(world, ETH).dropMempool()
    world.faults.clear("base.planTransaction")
    world.autoMine = true
    await daemon.reach("rejected")
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("is observed like any other when it lands before its void", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.clock.set(world.clock.now() + 9.5 * 60_000)
    world.faults.inject("base.planTransaction", { delayMs: 5_000 })
    await daemon.reach("void-planning")
    world.autoMine = true
    await daemon.reach("completed")
    expect(world.evm.mined("void")).toEqual([])
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("costs nothing when it is not planned yet", async () => {
    world.faults.inject("base.planTransaction", { before: failure("transient") }, 1_000_000)
    await daemon.accept()
    await daemon.reach("deposit-planning")
    await daemon.reach("rejected")
    expect(daemon.reasons()).toContain("deposit.too_late")
    expect(world.signatures).toEqual([])
  })
})

describe("a deposit that fails", () => {
  test(
    "on chain because another party used the order's place is watched there, and its allowance " +
      "is revoked",
    async () => {
      world.faults.inject("base.planTransaction", { delayMs: 2_000 }, 2)
      await daemon.accept(WBTC)
      await daemon.reach("deposit-planning")
      // Another party uses the order's place in the contract.
      const { secretHash } = world.service.orders[0] ?? { secretHash: "" }
      const key = `${secretHash}/base_sepolia/wallet`
      const swap = { key, asset: ETH, units: 1n, secretHash, timelock: 1n, token: false }
      world.evm.submit({
        txid: "foreign",
        fee: 0n,
        resources: [],
        action: { kind: "initiate", payer: "solver", swap },
      })
      world.service.conduct.fills = false
      world.service.conduct.takesSource = false
      // The contract refunds the initiator of the order, which is our wallet.
      await daemon.reach("refunded")
      expect(daemon.context.journal.listEvents(ID).map(({ state }) => state)).toContain("funded")
      expect(world.evm.mined("initiate").map(({ ok }) => ok)).toEqual([false])
      expect(signaturesOf("initiate")).toHaveLength(1)
      expect(leftAllowance(world)).toBe(0n)
      expect(lostUnits(world, WBTC)).toBe(0n)
    },
  )

  test(
    "because a transaction that Ballast did not sign used its nonce is an alarm, and is not " +
      "made again",
    async () => {
      world.autoMine = false
      await daemon.accept()
      await daemon.reach("deposit-confirming")
      world.evm.dropMempool()
      world.evm.submit({
        txid: "foreign",
        fee: 0n,
        resources: ["nonce:0"],
        action: { kind: "void" },
      })
      world.autoMine = true
      await daemon.reach("held")
      const { journal } = daemon.context
      expect(journal.listAlerts(9).map(({ reason }) => reason.code)).toEqual([
        "transaction.foreign_rival",
      ])
      expect(journal.listReserved("base_sepolia/").size).toBe(1)
      await world.pass(60_000)
      expect([daemon.state(ID), ...signaturesOf("initiate")]).toEqual(["held", expect.anything()])
      // An operator knows the rival and ends the order; the proof of an empty HTLC still comes
      // first.
      daemon.engine.operate(ID, "abandon", "anna")
      await daemon.reach("abandoned")
      expect(journal.listEvents(ID).map(({ state }) => state)).toContain("proving-unfunded")
      expect(journal.listReserved("").size).toBe(0)
      expect(signaturesOf("initiate")).toHaveLength(1)
      expect(lostUnits(world, ETH)).toBe(0n)
    },
  )

  test("is not made again after an operator has abandoned the order", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.evm.dropMempool()
    world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:0"], action: { kind: "void" } })
    world.evm.mine()
    world.evm.mine()
    world.evm.mine()
    daemon.engine.operate(ID, "abandon", "anna")
    world.autoMine = true
    await daemon.reach("held")
    daemon.engine.operate(ID, "abandon", "anna")
    await daemon.reach("abandoned")
    expect(signaturesOf("initiate")).toHaveLength(1)
    expect(lostUnits(world, ETH)).toBe(0n)
  })
})

test("a second send of work that an operator has replaced meanwhile does not happen", async () => {
  world.faults.inject("base.broadcastTransaction", { before: failure("transient") })
  world.faults.inject("base.observeTransaction", { delayMs: 1_000 })
  await daemon.accept()
  await world.run(() => world.faults.countCalls("base.observeTransaction") === 1)
  expect(daemon.state(ID)).toBe("deposit-sending")
  daemon.engine.operate(ID, "abandon", "anna")
  await daemon.reach("abandoned")
  expect(ledgerOf(world, ETH).mined("initiate")).toEqual([])
  const sent = world.signatures.filter((entry) => entry.startsWith("initiate "))
  expect([sent.length, lostUnits(world, ETH)]).toEqual([1, 0n])
  expect(world.faults.countCalls("base.broadcastTransaction")).toBe(2)
})

test("a second signature for one purpose is refused when the first does not exclude it", async () => {
  await daemon.accept()
  await daemon.reach("deposit-confirming")
  const { journal } = daemon.context
  const { chain, account } = mustExist(journal.listOf(ID).at(-1), "the deposit")
  const signature = {
    orderId: ID,
    purpose: "deposit",
    chain,
    account,
    attempt: 1,
    plan: null,
    atMs: 0,
  }
  expect(() =>
    journal.claimSignature({ ...signature, digest: "another", resources: ["nonce:99"] }),
  ).toThrow(expect.objectContaining({ code: "journal.signature_claimed", disposition: "hold" }))
  expect(() =>
    journal.claimSignature({ ...signature, digest: "bump", resources: ["nonce:0"] }),
  ).not.toThrow()
})

test("an operator's command for an unknown order is an error", () => {
  expect(() =>
    applyEvent(
      daemon.context,
      "nobody",
      { event: { type: "operator.retried", by: "a", nonce: "3" } },
      null,
    ),
  ).toThrow(AppError)
})

function noncesAsked(): string[] {
  const asked = world.faults.calls.filter(({ method }) => method === "service.submitOrder")
  // CAST: the argument of that call.
  return asked.map(({ args }) => (args[0] as { nonce: string }).nonce)
}
