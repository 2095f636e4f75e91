import { beforeEach, describe, expect, test } from "vitest"
import type { Reason } from "#domain/reason.ts"
import type { UnfundedProof } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import {
  createWorld,
  type Daemon,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"

/*
 * Contradictions between endpoints are alerts, they release nothing, and they stop no protection of
 * funds.
 */

const ID = "order-1"
const DOUBT: Reason = { code: "chain.disagreement", message: "a.example: 1 · b.example: 2" }

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
})

/**
 * While it is true, the endpoints of the source chain contradict each other about every
 * transaction.
 */
let isSplit = false
function begin(options: StartOptions = {}): void {
  isSplit = false
  const adaptPort = (port: ChainPort): ChainPort => ({
    ...port,
    observeTransaction: async (...asked) => {
      const seen = await port.observeTransaction(...asked)
      return isSplit ? { ...seen, doubts: [DOUBT, { ...DOUBT, message: "c.example: 3" }] } : seen
    },
  })
  daemon = world.start({ adaptPort, ...options })
}
const alerts = (): Reason[] => daemon.context.journal.listAlerts(99).map(({ reason }) => reason)
const tooLate = (): void => world.clock.set(world.clock.now() + 11 * 60_000)

describe("a contradiction about a transaction of ours", () => {
  test("is one alert with its answers, and the order goes on", async () => {
    begin()
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    isSplit = true
    await world.pass(10_000)
    expect(alerts()).toEqual([DOUBT])
    world.autoMine = true
    await daemon.reach("completed")
    expect(alerts()).toEqual([DOUBT])
  })

  test("is an alert also where the transaction is sent again", async () => {
    begin()
    world.autoMine = false
    world.faults.inject("base.broadcastTransaction", { before: failure("transient") }, 3)
    isSplit = true
    await daemon.accept()
    await world.run(() => alerts().length > 0)
    expect(daemon.order(ID).data.transactions.deposit.signed).toHaveLength(1)
    expect(alerts()).toEqual([DOUBT])
  })

  test("is an alert at once where the HTLC should be proven empty", async () => {
    begin()
    const proof: UnfundedProof = { status: "unsure", reasons: [DOUBT] }
    world.faults.inject("base.proveUnfunded", { lie: () => proof }, 1_000_000)
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    tooLate()
    await daemon.reach("void-confirming")
    world.autoMine = true
    await daemon.reach("proving-unfunded")
    await world.pass(60_000)
    expect(alerts()).toEqual([DOUBT])
  })
})

test("a revocation goes on with one endpoint of those that must agree", async () => {
  begin()
  world.faults.inject("base.planTransaction", { delayMs: 1_000 }, 2)
  await daemon.accept(WBTC)
  await daemon.reach("deposit-planning")
  daemon.engine.operate(ID, "abandon", "anna")
  for (const method of ["fetchHeight", "findMissingApproval"])
    world.faults.inject(
      `base.${method}`,
      { before: failure("transient", "evm.agreement_short") },
      1_000_000,
    )
  await daemon.reach("abandoned", ID, 60_000)
  expect(leftAllowance(world)).toBe(0n)
  expect(lostUnits(world, WBTC)).toBe(0n)
})

test("a signature counts as disarmed only with the agreement of enough endpoints", async () => {
  let isShort = true
  const adaptPort = (port: ChainPort): ChainPort => ({
    ...port,
    observeLeg: async (query) => ({
      ...(await port.observeLeg(query)),
      ...(isShort ? { agreed: false } : {}),
    }),
  })
  begin({ adaptPort, policy: { way: "gasless" } })
  world.service.conduct.relays = false
  await daemon.accept(WBTC)
  await daemon.reach("gasless-confirming")
  tooLate()
  await daemon.reach("revoke-confirming")
  await world.pass(5 * 60_000)
  expect(daemon.state(ID)).toBe("gasless-confirming")
  expect(daemon.context.journal.listReserved("lock/").size).toBe(1)
  isShort = false
  await daemon.reach("disarmed")
})
