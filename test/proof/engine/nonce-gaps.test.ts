import { DatabaseSync } from "node:sqlite"
import { beforeEach, describe, expect, test } from "vitest"
import { createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"

const UNITS = 10_000n
const [FIRST, SECOND] = ["order-1", "order-2"] as const
const HOURS_MS = 3 * 60 * 60_000

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

const reach = (id: string, state: string): Promise<void> => daemon.reach(state, id, HOURS_MS)
/** A refund that waits also gets fee bumps, with its own nonce. */
const noncesOf = (id: string): string[] => [
  ...new Set(daemon.context.journal.listOf(id).map(({ resources }) => resources.join())),
]

/**
 * The first order is deposited with nonce 0 and never filled: its refund comes later, and needs a
 * nonce.
 */
async function fundUnfilled(): Promise<void> {
  world.service.conduct.fills = false
  world.service.conduct.takesSource = false
  await daemon.accept()
  await reach(FIRST, "funded")
}

/** The second order signs with nonce 1, and a pause comes while the key signs. */
async function pauseWhileSigning(from: typeof ETH, purpose: string): Promise<void> {
  world.faults.inject("base.signTransaction", { delayMs: 2_000 })
  await daemon.accept(from)
  await reach(SECOND, `${purpose}-signing`)
  await world.run(() => daemon.context.journal.listOf(SECOND).length === 1)
  const paused = daemon.engine.pause({ kind: "all" })
  await reach(SECOND, `${purpose}-sending`)
  await paused
}

function bookedFees(id: string): bigint {
  const entries = daemon.context.journal
    .listEntries({ orderId: id })
    .filter(({ kind }) => kind === "fee")
  return entries.reduce(
    (sum, { postings }) => sum + (postings.find(({ units }) => units > 0n)?.units ?? 0n),
    0n,
  )
}

const paidFees = (): bigint =>
  (["void", "refund", "initiate", "approve"] as const)
    .flatMap((kind) => world.evm.mined(kind))
    .reduce((sum, { fee }) => sum + fee, 0n)

describe("a signature that a pause keeps from the network", () => {
  test.each([
    { purpose: "deposit", from: ETH },
    { purpose: "approve", from: WBTC },
  ])(
    "($purpose) is voided when a refund waits behind its nonce, also while the pause goes on",
    async (scene) => {
      await fundUnfilled()
      await pauseWhileSigning(scene.from, scene.purpose)
      await reach(FIRST, "refunded")
      expect(noncesOf(FIRST)).toEqual(["nonce:0", "nonce:2"])
      await reach(SECOND, "rejected")
      expect(daemon.context.journal.readFlag("pause")).not.toBe(null)
      expect(daemon.alerts()).not.toContain("nonce.gap_filled")
      expect(world.evm.mined("initiate")).toHaveLength(1)
      expect(world.evm.mined("approve")).toEqual([])
      expect(lostUnits(world, ETH) + lostUnits(world, WBTC) + leftAllowance(world)).toBe(0n)
      expect(bookedFees(FIRST) + bookedFees(SECOND)).toBe(paidFees())
    },
  )

  test("waits for the end of the pause when nothing waits behind it", async () => {
    world.faults.inject("base.signTransaction", { delayMs: 2_000 })
    await daemon.accept()
    await reach(FIRST, "deposit-signing")
    const paused = daemon.engine.pause({ kind: "all" })
    await reach(FIRST, "deposit-sending")
    await paused
    await world.pass(5 * 60_000)
    expect(daemon.state(FIRST)).toBe("deposit-sending")
    daemon.engine.resume({ kind: "all" })
    await reach(FIRST, "completed")
  })
})

test(
  "two paused deposits that no node has wait for each other's end of the pause, and are not " +
    "voided",
  async () => {
    world.faults.inject("base.broadcastTransaction", { before: failure("transient") }, 2)
    await Promise.all([daemon.accept(), daemon.accept()])
    await world.run(() => [FIRST, SECOND].every((id) => daemon.state(id) === "deposit-sending"))
    await daemon.engine.pause({ kind: "all" })
    await world.pass(5 * 60_000)
    expect([FIRST, SECOND].map(daemon.state)).toEqual(["deposit-sending", "deposit-sending"])
    expect(world.signatures).toHaveLength(2)
    daemon.engine.resume({ kind: "all" })
    await world.run(() => [FIRST, SECOND].every((id) => daemon.state(id) === "completed"))
  },
)

test("a held order's deposit that waits in a mempool is no gap", async () => {
  world.autoMine = false
  await daemon.accept()
  await reach(FIRST, "deposit-confirming")
  world.faults.inject("base.observeTransaction", { before: failure("hold", "test.node") })
  await reach(FIRST, "held")
  await daemon.accept()
  await reach(SECOND, "deposit-confirming")
  await world.pass(3 * 60_000)
  expect(daemon.alerts()).not.toContain("nonce.gap_filled")
  expect(daemon.context.journal.listOf(FIRST).map(({ purpose }) => purpose)).toEqual(["deposit"])
  world.autoMine = true
  await reach(SECOND, "completed")
  expect(world.evm.mined("initiate")).toHaveLength(2)
})

test(
  "a nonce that another program used before a reorganisation removed its transaction is " +
    "filled, with an alarm",
  async () => {
    world.evm.submit({ txid: "foreign", fee: 1n, resources: ["nonce:0"], action: { kind: "void" } })
    world.evm.mine()
    world.autoMine = false
    await daemon.accept()
    await reach(FIRST, "deposit-confirming")
    expect(noncesOf(FIRST)).toEqual(["nonce:1"])
    const deposits = world.evm.mempool()
    world.evm.reorganise(1, "drop")
    for (const deposit of deposits) world.evm.submit(deposit)
    world.autoMine = true
    await reach(FIRST, "completed")
    expect(noncesOf(FIRST)).toContain("nonce:0")
    expect(daemon.alerts().filter((code) => code === "nonce.gap_filled")).toHaveLength(1)
    await world.pass(60_000)
    expect(bookedFees(FIRST)).toBe(paidFees())
  },
)

describe("a claim without a signature", () => {
  test("of an order that is held in deposit-signing stops no other order", async () => {
    await fundUnfilled()
    world.faults.inject("base.signTransaction", { before: failure("hold", "test.signer") })
    await daemon.accept()
    await reach(SECOND, "held")
    await reach(FIRST, "refunded")
    expect(noncesOf(FIRST)).toEqual(["nonce:0", "nonce:2"])
    expect(noncesOf(SECOND)).toEqual(["nonce:1"])
    expect(daemon.alerts().filter((code) => code === "nonce.gap_filled")).toHaveLength(1)
    expect(world.evm.mined("void")).toHaveLength(1)
    await world.pass(60_000)
    expect(bookedFees(FIRST) + bookedFees(SECOND)).toBe(paidFees())
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("of a process that died before a pause is filled without a deposit, also across more crashes", async () => {
    await fundUnfilled()
    world.faults.inject("base.signTransaction", { hang: true })
    await daemon.accept()
    await world.run(() => daemon.context.journal.findOpenClaim(SECOND, "deposit") !== null)
    daemon.context.journal.writeFlag("pause", "now")
    daemon.kill()
    daemon = world.start()
    for (let at = 1; at < 14; at++) {
      await world.run(() => !daemon.isAlive() || daemon.state(FIRST) === "refunded", HOURS_MS)
      if (daemon.isAlive()) break
      daemon = world.start({ dies: { at, when: at % 2 === 0 ? "after" : "before" } })
    }
    await reach(FIRST, "refunded")
    expect(world.evm.mined("initiate")).toHaveLength(1)
    expect(world.evm.mined("void")).toHaveLength(1)
    expect(daemon.state(SECOND)).toBe("deposit-signing")
    await world.pass(60_000)
    expect(bookedFees(FIRST) + bookedFees(SECOND)).toBe(paidFees())
    // The claimed bytes can never land: after the pause the order signs them, and sees that.
    daemon.engine.resume({ kind: "all" })
    await world.run(() => daemon.state(SECOND) !== "deposit-signing")
    await world.pass(60_000)
    expect(world.evm.mined("initiate")).toHaveLength(1)
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("of an order that ended leaves no gap before a later order", async () => {
    world.faults.inject("base.signTransaction", { before: failure("transient") })
    await daemon.accept()
    await world.run(() => daemon.context.journal.findOpenClaim(FIRST, "deposit") !== null)
    await daemon.accept()
    await world.run(() => daemon.context.journal.listOf(SECOND).some(({ raw }) => raw !== null))
    world.faults.inject("base.signTransaction", { before: failure("refused", "test.signer") })
    await reach(FIRST, "rejected")
    await reach(SECOND, "completed")
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })
})

test("a held order's deposit that no node has is filled, and never lands afterwards", async () => {
  await fundUnfilled()
  world.faults.inject("base.broadcastTransaction", { before: failure("hold", "test.node") })
  await daemon.accept()
  await reach(SECOND, "held")
  await reach(FIRST, "refunded")
  expect(daemon.alerts()).toContain("nonce.gap_filled")
  expect(world.evm.mined("initiate")).toHaveLength(1)
  expect(daemon.engine.operate(SECOND, "abandon", "anna").ok).toBe(true)
  await daemon.reach("abandoned", SECOND)
  await world.pass(60_000)
  expect(world.evm.mined("initiate")).toHaveLength(1)
  expect(bookedFees(FIRST) + bookedFees(SECOND)).toBe(paidFees())
})

test("a fill that the key cannot sign at once is signed later with its first plan", async () => {
  let left = 2
  const asked: string[] = []
  daemon.kill()
  daemon = world.start({
    adaptPort: (port) => ({
      ...port,
      planTransaction: async (request, reserved) => {
        asked.push(request.action)
        return port.planTransaction(request, reserved)
      },
      signTransaction: async (plan) => {
        if (plan.action === "void" && left-- > 0) throw failure("transient", "test.signer")
        return port.signTransaction(plan)
      },
    }),
  })
  await fundUnfilled()
  world.faults.inject("base.signTransaction", { before: failure("hold", "test.signer") })
  await daemon.accept()
  await reach(SECOND, "held")
  await reach(FIRST, "refunded")
  expect(left).toBe(-1)
  expect(asked.filter((action) => action === "void")).toHaveLength(1)
  expect(
    daemon.context.journal.listOf(SECOND).filter(({ purpose }) => purpose.startsWith("fill/")),
  ).toHaveLength(1)
})

test("a gap whose claim has no plan is filled by the order's own plan", async () => {
  // With its nonce in the plan, the order's plan is the one that was signed.
  daemon.kill()
  daemon = world.start({
    adaptPort: (port) => ({
      ...port,
      planTransaction: (intent, reserved) => port.planTransaction(intent, reserved),
    }),
  })
  await fundUnfilled()
  world.faults.inject("base.signTransaction", { before: failure("hold", "test.signer") })
  await daemon.accept()
  await reach(SECOND, "held")
  daemon.kill()
  // As a claim that was restored from the signer's record.
  const db = new DatabaseSync(world.journalFile)
  db.exec("drop trigger signing_record_is_final; update signing_record set plan = null")
  db.close()
  daemon = world.start()
  await reach(FIRST, "refunded")
  expect(daemon.alerts()).toContain("nonce.gap_filled")
  expect(lostUnits(world, ETH)).toBe(0n)
})

test("a fill for an order that ended keeps its nonce from other orders", async () => {
  world.faults.inject("base.signTransaction", { before: failure("transient") })
  await daemon.accept()
  await world.run(() => daemon.context.journal.findOpenClaim(FIRST, "deposit") !== null)
  world.faults.inject("base.broadcastTransaction", { before: failure("transient") }, 1_000_000)
  await daemon.accept()
  await world.run(() => daemon.context.journal.listOf(SECOND).some(({ raw }) => raw !== null))
  world.faults.inject("base.signTransaction", { before: failure("refused", "test.signer") })
  await reach(FIRST, "rejected")
  await world.run(() =>
    daemon.context.journal.listOf(SECOND).some(({ purpose }) => purpose.startsWith("fill/")),
  )
  expect(
    [...daemon.context.journal.listReserved("base_sepolia/base_sepolia/wallet/")].sort(),
  ).toEqual(["nonce:0", "nonce:1"])
  world.faults.clear("base.broadcastTransaction")
  await reach(SECOND, "completed")
  expect(lostUnits(world, ETH)).toBe(UNITS)
})

test(
  "a deposit that was sent before the pause is sent again, and not voided, while a refund " +
    "waits behind it",
  async () => {
    let isLost = false
    daemon.kill()
    daemon = world.start({
      adaptPort: (port) => ({
        ...port,
        broadcastTransaction: async (ours) => {
          if (!isLost || ours.plan.action !== "initiate") await port.broadcastTransaction(ours)
        },
      }),
    })
    await fundUnfilled()
    const refundableAt = (): bigint | null => daemon.order(FIRST).data.seen.refundableAtHeight
    await world.run(() => refundableAt() !== null)
    await world.run(() => world.evm.height() > (refundableAt() ?? 0n) - 30n, HOURS_MS)
    isLost = true
    await daemon.accept()
    await reach(SECOND, "deposit-confirming")
    await daemon.engine.pause({ kind: "all" })
    await world.run(() => world.signatures.some((entry) => entry.startsWith("refund ")))
    await world.pass(3 * 60_000)
    expect(world.signatures.filter((entry) => entry.startsWith("void "))).toEqual([])
    isLost = false
    await world.run(() => world.evm.mined("initiate").length === 2)
    await reach(FIRST, "refunded")
  },
)
