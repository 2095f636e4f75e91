import { beforeEach, describe, expect, test } from "vitest"
import { applyEvent } from "#engine/orders/stepper.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { ledgerOf, leftAllowance, lostUnits } from "../../support/money.ts"
import { withSeenDepth } from "../../support/with-seen-depth.ts"

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

describe("a fee bump", () => {
  test.each(SOURCES)(
    "uses the same nonce or outpoint on $name, so that only one of the two is mined",
    async ({ from, to }) => {
      world.autoMine = false
      await daemon.accept(from, to)
      await world.run(() => signaturesOf("initiate").length === 2)
      const ledger = ledgerOf(world, from)
      await world.run(() => ledger.mempool().some(({ fee }) => fee > 10n))
      world.autoMine = true
      await daemon.reach("completed")
      const resources = signaturesOf("initiate").map((entry) => entry.split(" ").slice(1, -1))
      expect(resources[1]).toEqual(resources[0])
      expect(ledger.mined("initiate")).toHaveLength(1)
      expect(lostUnits(world, from)).toBe(UNITS)
    },
  )

  test("also follows a deposit with an uncertain send", async () => {
    world.autoMine = false
    world.faults.inject("base.broadcastTransaction", { after: failure("uncertain") })
    await daemon.accept()
    await world.run(() => signaturesOf("initiate").length === 2, 120_000)
  })

  test("that is impossible is tried again only after pauses", async () => {
    world.autoMine = false
    world.faults.inject("base.planBump", { lie: () => null }, 1_000_000)
    await daemon.accept()
    await world.pass(5 * 60_000)
    const calls = world.faults.countCalls("base.planBump")
    expect(calls).toBeGreaterThan(2)
    expect(calls).toBeLessThan(16)
  })
})

describe("a fee bump that is refused", () => {
  test.each([
    ["by the key, for an approval", "signTransaction", WBTC, "approve"],
    ["by the key, for a deposit", "signTransaction", ETH, "initiate"],
    ["by the plan, for an approval", "planBump", WBTC, "approve"],
    ["by the plan, for a deposit", "planBump", ETH, "initiate"],
  ] as const)("%s, is tried again only after pauses", async (_what, call, from, action) => {
    world.autoMine = false
    await daemon.accept(from)
    await world.run(() => signaturesOf(action).length === 1)
    world.faults.inject(`base.${call}`, { before: failure("refused") }, 1_000_000)
    const before = world.faults.countCalls(`base.${call}`)
    await world.pass(5 * 60_000)
    const calls = world.faults.countCalls(`base.${call}`) - before
    expect(calls).toBeGreaterThan(2)
    expect(calls).toBeLessThan(16)
    expect(signaturesOf(action)).toHaveLength(1)
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

describe("a reorganisation", () => {
  beforeEach(() => {
    world.close()
    world = createWorld({ confirmations: 30 })
    daemon = world.start({ adaptPort: (port) => withSeenDepth(port, 1) })
  })

  test("that removes the deposit makes Ballast send the same bytes again", async () => {
    world.serviceActs = false
    await daemon.accept()
    await daemon.reach("funded")
    world.autoMine = false
    world.evm.reorganise(6, "drop")
    // The other branch has the same length: a node with a shorter chain than before is behind, and
    // proves nothing.
    for (let block = 0; block < 6; block++) world.evm.mine()
    await world.run(() => world.evm.mempool().length === 1)
    expect(daemon.context.journal.findOrder(ID)?.deposited).toBe(false)
    world.autoMine = true
    world.serviceActs = true
    await daemon.reach("completed")
    expect(signaturesOf("initiate")).toHaveLength(1)
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("after which the deposit can never land ends the order without a deposit", async () => {
    world.serviceActs = false
    await daemon.accept()
    await daemon.reach("funded")
    world.autoMine = false
    world.evm.reorganise(6, "drop")
    world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:0"], action: { kind: "void" } })
    world.clock.set(world.clock.now() + 11 * 60_000)
    world.autoMine = true
    await daemon.reach("held")
    expect(daemon.alerts()).toContain("transaction.foreign_rival")
    daemon.engine.operate(ID, "abandon", "anna")
    await daemon.reach("abandoned")
    expect(daemon.context.journal.findOrder(ID)?.deposited).toBe(false)
    expect(lostUnits(world, ETH)).toBe(0n)
  })
})

describe("two orders at once", () => {
  test.each(SOURCES)(
    "never use the same nonce or outpoint on $name",
    async ({ from, to, port }) => {
      world.faults.inject(`${port}.planTransaction`, { delayMs: 700 }, 1_000)
      const all = Array.from({ length: 6 }, () =>
        daemon.engine.submit({ from, to, sourceUnits: UNITS }),
      )
      expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true)
      await world.run(() => daemon.context.journal.countInFlight() === 0)
      const resources = signaturesOf("initiate").flatMap((entry) => entry.split(" ").slice(1, -1))
      expect(new Set(resources).size).toBe(resources.length)
      expect(ledgerOf(world, from).mined("initiate")).toHaveLength(6)
      expect(lostUnits(world, from)).toBe(6n * UNITS)
    },
  )

  test(
    "do not wait for each other's coins: an order that cannot send keeps its coins reserved, " +
      "and the next order uses others",
    async () => {
      world.faults.inject("bitcoin.broadcastTransaction", { hang: true })
      await daemon.accept(BTC, WBTC)
      await world.run(() => world.faults.countCalls("bitcoin.broadcastTransaction") === 1)
      await daemon.accept(BTC, WBTC)
      await daemon.reach("completed", "order-2", 60_000)
      expect(world.faults.countCalls("bitcoin.planTransaction")).toBe(2)
    },
  )

  test("of the same token take turns with the allowance, and leave none", async () => {
    const all = [UNITS, UNITS + 1n, UNITS].map((sourceUnits) =>
      daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits }),
    )
    await Promise.all(all)
    await world.run(() => daemon.context.journal.countInFlight() === 0)
    const transactions = [...world.evm.mined("approve"), ...world.evm.mined("initiate")].sort(
      (a, b) => nonceOf(a.resources) - nonceOf(b.resources),
    )
    expect(transactions.map(({ action, ok }) => `${action.kind} ${ok}`)).toEqual(
      Array.from({ length: 3 }, () => ["approve true", "initiate true"]).flat(),
    )
    expect(leftAllowance(world)).toBe(0n)
    expect(lostUnits(world, WBTC)).toBe(3n * UNITS + 1n)
  })

  test("of the same token do not use each other's allowance, even if a node answers late", async () => {
    world.faults.inject("base.planTransaction", { delayMs: 3_000 }, 2)
    await daemon.accept(WBTC)
    await daemon.reach("deposit-planning")
    await daemon.accept(WBTC)
    // The answer is read while the first order's approval stands, and arrives after that order has
    // used it.
    world.faults.inject("base.findMissingApproval", { delayMs: 60_000 })
    await world.run(() => daemon.context.journal.countInFlight() === 0)
    expect(world.evm.mined("initiate").map(({ ok }) => ok)).toEqual([true, true])
    expect(leftAllowance(world)).toBe(0n)
    expect(lostUnits(world, WBTC)).toBe(2n * UNITS)
  })

  test("with the same secret hash are never both paid", async () => {
    world.service.conduct.secretHash = "cd".repeat(32)
    await Promise.all([daemon.accept(BTC, WBTC), daemon.accept(BTC, WBTC)])
    await world.run(() => daemon.context.journal.countInFlight() === 0)
    expect(lostUnits(world, BTC)).toBeLessThanOrEqual(UNITS)
  })
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

function nonceOf(resources: readonly string[]): number {
  return Number((resources[0] ?? "").replace("nonce:", ""))
}
