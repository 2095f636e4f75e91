import { beforeEach, describe, expect, test } from "vitest"
import type { ChainPort } from "#ports/chain.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import { createWorld, type Daemon, WBTC, type World } from "../../support/fake-world.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"
import { withSeenDepth } from "../../support/with-seen-depth.ts"

/*
 * An order goes on from its approval long before that is final, and a block may vanish in between.
 */

const [FIRST, SECOND] = ["order-1", "order-2"] as const
const UNITS = 10_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 20 })
})

function start(adaptPort: (port: ChainPort) => ChainPort = (port) => port): void {
  daemon = world.start({ adaptPort: (port) => withSeenDepth(adaptPort(port), 1) })
}
const noncesOf = (id: string): string[] =>
  daemon.context.journal
    .listOf(id)
    .map(({ purpose, resources }) => `${purpose} ${resources.join()}`)
const bookedFees = (): Record<string, bigint> =>
  Object.fromEntries(
    daemon.context.journal
      .listAccounts("expenses:network:")
      .map(({ account, units }) => [account, units]),
  )
const states = (id: string): string[] =>
  daemon.context.journal.listEvents(id).map(({ state }) => state)

test("a deposit never takes the nonce of the order's own approval that a reorganisation removed", async () => {
  start()
  world.faults.inject("base.planTransaction", { delayMs: 2_000 }, 2)
  await daemon.accept(WBTC)
  await daemon.reach("deposit-planning", FIRST)
  world.autoMine = false
  world.evm.reorganise(5, "drop")
  await daemon.reach("deposit-confirming", FIRST)
  expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "deposit nonce:1"])
  world.autoMine = true
  await daemon.reach("completed", FIRST)
  expect(world.evm.mined("approve").map(({ ok }) => ok)).toEqual([true])
  expect(lostUnits(world, WBTC)).toBe(UNITS)
})

test(
  "an approval that a foreign transaction excluded holds its order, and the allowance is free " +
    "for other orders",
  async () => {
    start()
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming", FIRST)
    const { journal } = daemon.context
    expect(journal.listReserved("lock/").size).toBe(1)
    world.evm.dropMempool()
    world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:0"], action: { kind: "void" } })
    world.autoMine = true
    await daemon.reach("held", FIRST)
    expect(journal.listAlerts(9).map(({ reason }) => reason.code)).toEqual([
      "transaction.foreign_rival",
    ])
    expect([
      journal.listReserved("lock/").size,
      journal.listReserved("base_sepolia/").size,
    ]).toEqual([0, 1])
  },
)

test(
  "the fee of an approval that another program replaced before its revocation was final is not " +
    "booked, and the order is held once",
  async () => {
    start()
    world.faults.inject("base.planTransaction", { delayMs: 2_000 }, 2)
    await daemon.accept(WBTC)
    await daemon.reach("deposit-planning", FIRST)
    expect(daemon.engine.operate(FIRST, "abandon", "anna")).toMatchObject({ ok: true })
    await daemon.reach("revoke-confirming", FIRST)
    world.autoMine = false
    world.evm.reorganise(5, "drop")
    world.evm.submit({ txid: "foreign", fee: 0n, resources: ["nonce:0"], action: { kind: "void" } })
    world.autoMine = true
    await daemon.reach("held", FIRST)
    const { journal } = daemon.context
    expect(journal.listAlerts(9).map(({ reason }) => reason.code)).toEqual([
      "transaction.foreign_rival",
    ])
    expect(bookedFees()).toEqual({ "expenses:network:revoke": 10n })
    expect(daemon.engine.operate(FIRST, "abandon", "anna")).toMatchObject({ ok: true })
    await daemon.reach("abandoned", FIRST)
    expect(bookedFees()).toEqual({ "expenses:network:revoke": 10n })
  },
)

describe("a token whose allowance must be set to zero first", () => {
  const zeroFirst = (port: ChainPort): ChainPort => ({
    ...port,
    findMissingApproval: async (asset, spender, units) => {
      const missing = await port.findMissingApproval(asset, spender, units)
      const hasAllowance = (world.evm.state().allowances.get(`${asset}/${spender}`) ?? 0n) > 0n
      return missing !== null && hasAllowance ? { setUnits: 0n } : missing
    },
  })
  beforeEach(() => {
    start(zeroFirst)
    const action = { kind: "approve", asset: WBTC, spender: HTLC, units: 5n } as const
    world.evm.submit({ txid: "an older approval", fee: 0n, resources: [], action })
    world.evm.mine()
  })

  test("gets two approvals, the second one after the first is final, and both fees are counted", async () => {
    await daemon.accept(WBTC)
    await daemon.reach("deposit-confirming", FIRST)
    expect(noncesOf(FIRST)).toEqual(["approve nonce:0", "approve nonce:1", "deposit nonce:2"])
    await daemon.reach("completed", FIRST)
    expect(states(FIRST)).not.toContain("held")
    expect(daemon.order(FIRST).data.networkFeeUnits).toBe(30n)
    expect(leftAllowance(world)).toBe(0n)
  })

  test("gets the first approval again when a reorganisation removes it before the second", async () => {
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming", FIRST)
    await daemon.reach("allowing", FIRST)
    world.evm.reorganise(2, "drop")
    await daemon.reach("completed", FIRST)
    expect(states(FIRST)).not.toContain("held")
    expect(world.evm.mined("approve").map(({ ok }) => ok)).toEqual([true, true])
    expect(leftAllowance(world)).toBe(0n)
    expect(lostUnits(world, WBTC)).toBe(UNITS)
  })

  test("is left without an allowance when the time ends between the two approvals", async () => {
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming", FIRST)
    await daemon.reach("allowing", FIRST)
    world.clock.set(world.clock.now() + 11 * 60_000)
    await daemon.reach("rejected", FIRST)
    expect(leftAllowance(world)).toBe(0n)
    expect(daemon.context.journal.listReserved("").size).toBe(0)
  })
})

test.each(["requeue", "drop"] as const)(
  "an allowance lock that a young deposit freed lets no two deposits share an allowance " +
    "after a reorganisation (%s)",
  async (what) => {
    start()
    await daemon.accept(WBTC)
    await daemon.reach("funded", FIRST)
    expect(daemon.context.journal.listReserved("lock/").size).toBe(0)
    world.faults.inject("base.findMissingApproval", { delayMs: 2_000 })
    await daemon.accept(WBTC)
    await daemon.reach("allowing", SECOND)
    world.evm.reorganise(6, what)
    await world.run(() => [FIRST, SECOND].every((id) => daemon.state(id) === "completed"))
    expect(world.evm.mined("initiate").filter(({ ok }) => ok)).toHaveLength(2)
    expect(lostUnits(world, WBTC)).toBe(2n * UNITS)
    expect(leftAllowance(world)).toBe(0n)
  },
)
