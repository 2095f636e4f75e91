import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "../../../src/core/domain/asset.ts"
import { mustExist } from "../../../src/core/lib/assert.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { ledgerOf, leftAllowance, lostUnits } from "../../support/money.ts"
import { emptyLeg } from "../../support/sample-job.ts"

const ID = "order-1"
const UNITS = 10_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

const alerts = (code: string): number =>
  daemon.context.journal.listAlerts(100).filter(({ reason }) => reason.code === code).length

describe("a source that is redeemed without a payout", () => {
  beforeEach(async () => {
    world.service.conduct.fills = false
    await daemon.accept(ETH, ARB)
  })

  test("holds the order and raises one alarm, however long it lasts", async () => {
    await daemon.reach("held")
    await world.pass(5 * 60_000)
    expect(alerts("alarm.source_redeemed")).toBe(1)
    expect(daemon.state(ID)).toBe("held")
    expect(daemon.context.journal.countInFlight()).toBe(1)
  })

  test("raises the alarm once, also across restarts", async () => {
    await daemon.reach("held")
    daemon.kill()
    daemon = world.start()
    await world.pass(60_000)
    expect(alerts("alarm.source_redeemed")).toBe(1)
  })

  test("completes the order by itself when the payout follows", async () => {
    await daemon.reach("held")
    world.service.conduct.fills = true
    await daemon.reach("completed")
  })
})

describe("a destination that shows an older state than the source", () => {
  const emptySince = (height: bigint) => emptyLeg(height)
  const isTaken = (): boolean => daemon.order(ID).data.seen.sourceRedeemed !== null

  test("raises no alarm of a theft, and the order completes when its node has caught up", async () => {
    world.service.conduct.fills = false
    await daemon.accept(ETH, ARB)
    await daemon.reach("funded")
    const height = await mustExist(
      daemon.context.chains.get(chainOf(ARB)),
      "the destination",
    ).fetchHeight()
    world.faults.inject("arbitrum.observeLeg", { lie: () => emptySince(height) }, 1_000_000)
    world.service.conduct.fills = true
    await world.run(isTaken)
    await world.pass(8_000)
    world.faults.clear("arbitrum.observeLeg")
    await daemon.reach("completed")
    expect(alerts("alarm.source_redeemed")).toBe(0)
    await daemon.accept(ARB, ETH)
  })

  test(
    "lets no deposit be signed until it has caught up, also across a restart, and not for " +
      "longer than a minute",
    async () => {
      const patient = { policy: { reportPatienceMs: 15 * 60_000 } }
      daemon.kill()
      daemon = world.start(patient)
      world.service.conduct.fills = false
      await daemon.accept(ETH, ARB)
      await daemon.reach("funded")
      const height = await mustExist(
        daemon.context.chains.get(chainOf(ARB)),
        "the destination",
      ).fetchHeight()
      world.faults.inject("arbitrum.observeLeg", { lie: () => emptySince(height) }, 1_000_000)
      world.service.conduct.fills = true
      await world.run(isTaken)
      await daemon.accept()
      await world.pass(3_000)
      daemon.kill()
      daemon = world.start(patient)
      await world.pass(3_000)
      expect(world.signatures).toHaveLength(1)
      expect(daemon.order("order-2").data.reasons).toMatchObject([
        { code: "payout.awaited", order: ID },
      ])
      // A destination that cannot be read any more stops the other chains no longer.
      world.faults.clear("arbitrum.observeLeg")
      world.faults.inject("arbitrum.observeLeg", { before: failure("transient") }, 1_000_000)
      await daemon.reach("completed", "order-2")
      expect(daemon.order(ID).data.seen.destinationInitiated).toBeNull()
      expect(alerts("alarm.source_redeemed")).toBe(0)
    },
  )

  test("is a theft after ten seconds, however rarely the order is looked at", async () => {
    daemon.kill()
    daemon = world.start({ policy: { pollMaxMs: 600_000 } })
    world.service.conduct.fills = false
    await daemon.accept(ETH, ARB)
    await world.run(isTaken, 30 * 60_000)
    await world.pass(30_000)
    expect(alerts("alarm.source_redeemed")).toBe(1)
  })
})

test("an unreadable destination node does not prove a missing payout", async () => {
  world.faults.inject("arbitrum.observeLeg", { before: failure("transient") }, 1_000_000)
  await daemon.accept(ETH, ARB)
  await world.run(() => daemon.order(ID).data.seen.sourceRedeemed !== null)
  await world.pass(30_000)
  expect(alerts("alarm.source_redeemed")).toBe(0)
  world.faults.clear("arbitrum.observeLeg")
  await daemon.reach("completed")
})

describe("a redemption that the service reports and no chain shows", () => {
  test("does not complete the order: it is held and raises an alarm", async () => {
    Object.assign(world.service.conduct, {
      fills: false,
      takesSource: false,
      reportsRedeemed: true,
    })
    await daemon.accept(ETH, ARB)
    await daemon.reach("held")
    expect(alerts("alarm.report_unproven")).toBe(1)
    expect(daemon.order(ID).data.seen.destinationRedeemed).toBeNull()
  })

  test("has as long as the order's report patience where the payout is funded, and no longer", async () => {
    Object.assign(world.service.conduct, {
      redeems: false,
      takesSource: false,
      reportsRedeemed: true,
    })
    await daemon.accept(ETH, ARB)
    await world.run(() => daemon.order(ID).data.reportedAt !== null)
    const reportedAt = daemon.order(ID).data.reportedAt ?? 0
    await world.run(() => alerts("alarm.report_unproven") === 1, 5 * 60_000)
    const { reportPatienceMs, pollMaxMs } = daemon.order(ID).data.policy
    expect(world.clock.now() - reportedAt).toBeGreaterThan(reportPatienceMs)
    expect(world.clock.now() - reportedAt).toBeLessThanOrEqual(reportPatienceMs + pollMaxMs + 1_000)
    expect(daemon.state(ID)).toBe("held")
  })

  test("leads to a refund when the lock is over", async () => {
    Object.assign(world.service.conduct, {
      fills: false,
      takesSource: false,
      reportsRedeemed: true,
    })
    await daemon.accept(ETH, ARB)
    await daemon.reach("refunded")
    expect(lostUnits(world, ETH)).toBe(0n)
  })
})

test("a redemption that pays too little does not complete the order", async () => {
  world.service.conduct.shortUnits = 1n
  await daemon.accept(ETH, ARB)
  await world.run(() => daemon.order(ID).data.seen.destinationRedeemed !== null)
  await world.pass(5 * 60_000)
  expect(daemon.state(ID)).toBe("held")
  expect(daemon.context.journal.listAlerts(9).length).toBeGreaterThan(0)
})

describe("a refund", () => {
  beforeEach(() => {
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
  })

  test.each([
    { from: ETH, to: BTC },
    { from: BTC, to: WBTC },
  ])(
    "of $from is sent by Ballast when the lock is over, with the service down, also across a " +
      "restart",
    async ({ from, to }) => {
      world.service.conduct.sourceTimelock = 2_000n
      await daemon.accept(from, to)
      await daemon.reach("funded")
      world.faults.inject("service.fetchOrder", { before: failure("transient") }, 1_000_000)
      await daemon.reach("refund-watch")
      expect(alerts("alarm.refund_watch")).toBe(1)
      daemon.kill()
      daemon = world.start()
      await daemon.reach("refunded")
      expect(ledgerOf(world, from).mined("refund")).toHaveLength(1)
      expect(lostUnits(world, from)).toBe(0n)
      expect(daemon.context.journal.listReserved("").size).toBe(0)
    },
  )

  test("is not tried before the chain allows it, and pauses after each refusal", async () => {
    await daemon.accept()
    await daemon.reach("funded")
    daemon.engine.operate(ID, "refund", "anna")
    const before = world.faults.countCalls("base.planTransaction")
    await world.pass(60_000)
    expect(world.faults.countCalls("base.planTransaction") - before).toBe(1)
    expect(world.evm.mined("refund")).toEqual([])
  })

  test("that the plan keeps refusing is planned a few times a minute at most", async () => {
    await daemon.accept()
    await daemon.reach("funded")
    const refused = { refused: [{ code: "refund.not_possible", message: "no" }] }
    await world.run(() => daemon.order(ID).data.seen.refundableAtHeight !== null)
    world.faults.inject("base.planTransaction", { lie: () => refused }, 1_000_000)
    world.clock.set(world.clock.now() + 20 * 60_000)
    for (let i = 0; i < 700; i++) world.evm.mine()
    await world.run(() => world.faults.countCalls("base.planTransaction") > 1)
    const before = world.faults.countCalls("base.planTransaction")
    await world.pass(60_000)
    expect(world.faults.countCalls("base.planTransaction") - before).toBeLessThan(30)
    world.faults.clear("base.planTransaction")
    await daemon.reach("refunded")
  })
})

describe("an order that is held", () => {
  test("for a sent deposit goes on by itself when the deposit is observed", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.faults.inject("base.observeTransaction", { before: failure("hold") })
    await daemon.reach("held")
    world.autoMine = true
    await daemon.reach("completed")
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("and retried goes on with the same deposit", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.faults.inject("base.observeTransaction", { before: failure("hold") })
    await daemon.reach("held")
    expect(daemon.engine.operate(ID, "retry", "anna")).toEqual({
      ok: true,
      state: "deposit-confirming",
    })
    world.autoMine = true
    await daemon.reach("completed")
    expect(world.signatures.filter((entry) => entry.startsWith("initiate"))).toHaveLength(1)
  })

  test("and abandoned is over only when its deposit can never land", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
    world.faults.inject("base.observeTransaction", { before: failure("hold") })
    await daemon.reach("held")
    expect(daemon.engine.operate(ID, "abandon", "anna").ok).toBe(true)
    await world.pass(30_000)
    expect(daemon.context.journal.findOrder(ID)?.outcome).toBeNull()
    world.autoMine = true
    await daemon.reach("abandoned")
    expect(world.evm.mined("void")).toHaveLength(1)
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test.each([
    ["whose deadline at the service is over is created anew", 10 * 60_000],
    ["that the service still has goes on with it", null],
  ])("and unsigned, retried long after its patience, %s", async (_name, deadlineAfterMs) => {
    daemon.kill()
    daemon = world.start({ policy: { depositWindowMs: 4 * 3_600_000 } })
    world.service.conduct.deadlineAfterMs = deadlineAfterMs
    world.faults.inject("base.findMissingApproval", { before: failure("hold") })
    await daemon.accept(WBTC)
    await daemon.reach("held")
    await world.pass(45 * 60_000)
    expect(daemon.engine.operate(ID, "retry", "anna").ok).toBe(true)
    await daemon.reach("completed")
    expect(world.service.orders).toHaveLength(deadlineAfterMs === null ? 1 : 2)
    expect(new Set(world.service.orders.map(({ nonce }) => nonce)).size).toBe(
      world.service.orders.length,
    )
    expect(lostUnits(world, WBTC)).toBe(UNITS)
  })

  test("refuses commands that do not fit its state", async () => {
    await daemon.accept()
    await daemon.reach("completed")
    expect(daemon.engine.operate(ID, "abandon", "anna")).toMatchObject({
      ok: false,
      reasons: [{ code: "operator.not_now", state: "completed" }],
    })
  })
})

test("an order that is abandoned between approval and deposit leaves no allowance", async () => {
  world.faults.inject("base.findMissingApproval", { delayMs: 0 }, 1)
  await daemon.accept(WBTC)
  await world.run(() => world.evm.mined("approve").length === 1)
  world.faults.inject("base.planTransaction", { delayMs: 3_000 })
  await daemon.reach("deposit-planning")
  daemon.engine.operate(ID, "abandon", "anna")
  await daemon.reach("abandoned")
  expect(leftAllowance(world)).toBe(0n)
  expect(lostUnits(world, WBTC)).toBe(0n)
})

describe("an order that waits for an approval", () => {
  beforeEach(async () => {
    daemon.kill()
    daemon = world.start({
      policy: {
        approveAbove: { kind: "units", units: UNITS - 1n },
        depositWindowMs: 4 * 3_600_000,
      },
    })
    world.service.conduct.deadlineAfterMs = null
    await daemon.accept()
    await daemon.reach("awaiting-approval")
  })

  test("signs nothing, and completes when it is approved within its time", async () => {
    await world.pass(45 * 60_000)
    expect(world.signatures).toEqual([])
    daemon.engine.operate(ID, "approve", "anna")
    await daemon.reach("completed")
  })

  test("ends without an answer", async () => {
    await daemon.reach("rejected", ID, 2 * 3_600_000)
    expect(daemon.reasons()).toContain("approval.expired")
    expect(world.signatures).toEqual([])
  })

  test("ends when it is rejected", async () => {
    daemon.engine.operate(ID, "reject", "anna")
    await daemon.reach("rejected")
    expect(world.signatures).toEqual([])
  })
})

describe("a deposit that is first observed while its order is held", () => {
  beforeEach(async () => {
    world.service.conduct.fills = false
    world.service.conduct.takesSource = false
    world.faults.inject("base.observeTransaction", { before: failure("hold") })
    await daemon.accept(ETH, ARB)
    await daemon.reach("funded")
  })

  test("is observed as a transaction before it counts, so that its fee is known", () => {
    const { transactions, networkFeeUnits } = daemon.order(ID).data
    expect(transactions.deposit.mined).toMatchObject({ final: true })
    expect(networkFeeUnits).toBe(10n)
  })

  test(
    "is sent again after a reorganisation removes it from a final block and an operator has " +
      "looked",
    async () => {
      world.evm.reorganise(3, "drop")
      await daemon.reach("held")
      expect(alerts("chain.final_fact_gone")).toBe(1)
      await world.pass(60_000)
      expect(daemon.state(ID)).toBe("held")
      expect(daemon.engine.operate(ID, "retry", "anna")).toEqual({
        ok: true,
        state: "deposit-confirming",
      })
      world.service.conduct.fills = true
      await daemon.reach("completed")
      expect(world.evm.mined("initiate")).toHaveLength(1)
      expect(daemon.order(ID).data.networkFeeUnits).toBe(10n)
    },
  )

  test("stays known while two answers of the node contradict each other", async () => {
    const nothing = emptyLeg(1n)
    world.faults.inject("base.observeLeg", { lie: () => nothing }, 1_000)
    await world.pass(10_000)
    expect(daemon.state(ID)).toBe("funded")
    expect(daemon.order(ID).data.seen.sourceInitiated).not.toBeNull()
  })
})
