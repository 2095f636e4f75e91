import { beforeEach, describe, expect, test } from "vitest"
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
    world.tickMs = 5_000
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
    world.tickMs = 5_000
    await world.pass(5 * 60_000)
    const calls = world.faults.countCalls(`base.${call}`) - before
    expect(calls).toBeGreaterThan(2)
    expect(calls).toBeLessThan(16)
    expect(signaturesOf(action)).toHaveLength(1)
  })
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

function nonceOf(resources: readonly string[]): number {
  return Number((resources[0] ?? "").replace("nonce:", ""))
}
