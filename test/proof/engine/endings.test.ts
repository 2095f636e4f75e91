import { beforeEach, describe, expect, test } from "vitest"
import { readBalance } from "#engine/rules/tick/read-balance.ts"
import type { UnfundedProof } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { StartOptions } from "../../support/fake-world.ts"
import { ARB, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"
import { withSeenDepth } from "../../support/with-seen-depth.ts"

/* No order ends before its HTLC was read, and no ending counts before it is final (ADR 0019). */

const ID = "order-1"
const UNITS = 10_000n
const MINUTE_MS = 60_000

let world: World
let daemon: Daemon

function begin(confirmations: number, options: StartOptions = {}): void {
  world = createWorld({ confirmations })
  daemon = world.start(options)
}
const tooLate = (): void => world.clock.set(world.clock.now() + 11 * MINUTE_MS)
const states = (): string[] => daemon.context.journal.listEvents(ID).map(({ state }) => state)
const signatures = (action: string): string[] =>
  world.signatures.filter((entry) => entry.startsWith(`${action} `))
const onBase =
  (change: (port: ChainPort) => Partial<ChainPort>) =>
  (port: ChainPort): ChainPort =>
    port.chain === "base_sepolia" ? { ...port, ...change(port) } : port

describe("an order whose deposit counts as excluded", () => {
  /**
   * While it is true, every endpoint says that the void is final, and shows the deposit nowhere.
   */
  let lies = false
  beforeEach(async () => {
    lies = false
    begin(2, {
      adaptPort: onBase((port) => ({
        broadcastTransaction: async (ours) => (lies ? undefined : port.broadcastTransaction(ours)),
        observeTransaction: async (ours, stake) => {
          if (!lies) return port.observeTransaction(ours, stake)
          if (ours.plan.action === "initiate") return { status: "unseen" }
          return {
            status: "mined",
            ok: true,
            height: 1n,
            confirmations: 9,
            seen: true,
            final: true,
            feeUnits: 21n,
          }
        },
      })),
    })
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming")
  })

  async function reachVoid(): Promise<void> {
    tooLate()
    await daemon.reach("void-confirming")
  }

  test("does not end while its HTLC holds the deposit: it is watched, and completed", async () => {
    lies = true
    tooLate()
    world.service.conduct.fillsLate = true
    world.evm.mine()
    world.evm.mine()
    await daemon.reach("held")
    expect(states()).toContain("proving-unfunded")
    lies = false
    world.autoMine = true
    await daemon.reach("completed")
    expect(states()).not.toContain("rejected")
    expect(daemon.alerts()).toContain("chain.final_fact_gone")
    expect(signatures("initiate")).toHaveLength(1)
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("ends when the HTLC is proven empty, and only then frees its nonces", async () => {
    world.faults.inject(
      "base.proveUnfunded",
      { lie: () => ({ status: "unsure", reasons: [] }) satisfies UnfundedProof },
      5,
    )
    await reachVoid()
    world.autoMine = true
    await daemon.reach("proving-unfunded")
    const { journal } = daemon.context
    expect(journal.listReserved("base_sepolia/").size).toBe(1)
    expect(journal.countInFlight()).toBe(0)
    expect(journal.sumWindow(0, ETH, null).units).toBe(UNITS)
    await daemon.reach("rejected")
    expect(journal.listReserved("").size).toBe(0)
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("never ends by time: after ten minutes without a proof it raises one alarm, and waits", async () => {
    const reasons = [{ code: "evm.agreement_short", message: "one endpoint is silent" }]
    world.faults.inject(
      "base.proveUnfunded",
      { lie: () => ({ status: "unsure", reasons }) satisfies UnfundedProof },
      1e6,
    )
    await reachVoid()
    world.autoMine = true
    await daemon.reach("proving-unfunded")
    await world.pass(9 * MINUTE_MS)
    expect(daemon.alerts()).toEqual([])
    await world.pass(5 * 60 * MINUTE_MS)
    expect(daemon.state(ID)).toBe("proving-unfunded")
    expect(daemon.alerts()).toEqual(["ending.unproven"])
    expect(daemon.order(ID).data.reasons.at(-1)?.message).toContain("one endpoint is silent")
    daemon.kill()
    daemon = world.start()
    world.faults.clear("base.proveUnfunded")
    await daemon.reach("rejected")
    expect(daemon.alerts()).toEqual(["ending.unproven"])
  })

  test("waits in the same way for a chain that cannot be read", async () => {
    world.faults.inject("base.proveUnfunded", { before: failure("transient") }, 1e6)
    await reachVoid()
    world.autoMine = true
    await daemon.reach("proving-unfunded")
    await world.pass(15 * MINUTE_MS)
    expect([daemon.state(ID), ...daemon.alerts()]).toEqual(["proving-unfunded", "ending.unproven"])
    world.faults.clear("base.proveUnfunded")
    await daemon.reach("rejected")
  })

  test("is held when the proof names a rival that Ballast did not sign", async () => {
    const proof: UnfundedProof = { status: "unfunded", height: 9n, rivals: ["foreign"] }
    world.faults.inject("base.proveUnfunded", { lie: () => proof }, 1e6)
    await reachVoid()
    world.autoMine = true
    await daemon.reach("held")
    expect(daemon.alerts()).toEqual(["transaction.foreign_rival"])
    expect(daemon.context.journal.listReserved("base_sepolia/").size).toBe(1)
  })
})

describe("the proof of an empty HTLC", () => {
  test("asks about every transaction that the order ever signed", async () => {
    const asked: (readonly string[])[] = []
    begin(2, {
      adaptPort: onBase((port) => ({
        proveUnfunded: async (query) => {
          asked.push(query.signed.map(({ plan }) => plan.action))
          return port.proveUnfunded(query)
        },
      })),
    })
    world.autoMine = false
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    for (let block = 0; block < 3; block++) world.evm.mine()
    await daemon.reach("deposit-confirming")
    tooLate()
    await daemon.reach("void-confirming")
    world.autoMine = true
    await daemon.reach("rejected")
    expect(asked.at(-1)?.toSorted()).toEqual(["approve", "approve", "initiate", "void"])
    expect(leftAllowance(world)).toBe(0n)
  })

  test("comes before the end of a signature that was never handed over", async () => {
    begin(2, { policy: { way: "gasless" } })
    await daemon.accept(WBTC)
    world.faults.inject("base.signTypedData", { delayMs: 2_000 })
    await daemon.reach("gasless-signing")
    const paused = daemon.engine.pause({ kind: "all" })
    await daemon.reach("gasless-submitting")
    await paused
    tooLate()
    daemon.engine.resume({ kind: "all" })
    await daemon.reach("rejected")
    // A late signature stays here: the relay could use it for as long as an allowance
    // exists.
    expect(world.faults.countCalls("service.submitSignature")).toBe(0)
    expect(states()).toContain("proving-unfunded")
    expect(leftAllowance(world)).toBe(0n)
  })

  test("is not needed by an order that signed nothing for a deposit", async () => {
    begin(2)
    world.faults.inject("base.findMissingApproval", { delayMs: 5_000 })
    await daemon.accept(WBTC)
    await daemon.reach("allowing")
    daemon.engine.operate(ID, "abandon", "anna")
    expect(daemon.state(ID)).toBe("abandoned")
  })
})

describe("a payout that a block shows", () => {
  beforeEach(() => {
    begin(30, { adaptPort: (port) => withSeenDepth(port, 1) })
  })

  test("settles the order without a slot, and completes it only when payout and deposit are final", async () => {
    await daemon.accept(ETH, ARB)
    await daemon.reach("settling")
    const { journal } = daemon.context
    expect(journal.countInFlight()).toBe(0)
    expect(journal.sumWindow(0, ETH, null).units).toBe(UNITS)
    expect(journal.findOrder(ID)).toMatchObject({ outcome: null, deposited: true })
    expect(daemon.order(ID).data.seen.destinationRedeemed).toMatchObject({ final: false })
    // The next order takes the free slot.
    await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: UNITS })
    await daemon.reach("settling", "order-2")
    await daemon.reach("completed")
    const { seen, networkFeeUnits, transactions } = daemon.order(ID).data
    expect([seen.destinationRedeemed?.final, seen.sourceInitiated?.final]).toEqual([true, true])
    expect(networkFeeUnits).toBe(10n)
    expect(transactions.deposit).toMatchObject({ settled: true, mined: { final: true } })
  })

  test("counts as arrived in the balance, and no longer as in flight", async () => {
    await daemon.accept(ETH, ARB)
    await daemon.reach("settling")
    const view = await readBalance(daemon.context, ARB)
    expect(view).toMatchObject({
      readable: true,
      inFlightInUnits: 0n,
      spendableUnits: 1_000_000n + 9_970n,
    })
  })

  test("waits for its finality for longer than the patience with a report, and asks no person", async () => {
    await daemon.accept(ETH, ARB)
    await daemon.reach("settling")
    const { reportPatienceMs } = daemon.order(ID).data.policy
    daemon.kill()
    daemon = world.start({
      adaptPort: (port) => withSeenDepth({ ...port, observeLeg: withoutFinality(port) }, 1),
    })
    await world.pass(reportPatienceMs + 2 * MINUTE_MS)
    expect(daemon.state(ID)).toBe("settling")
  })

  test("and vanishes is waited for again", async () => {
    await daemon.accept(ETH, ARB)
    await daemon.reach("settling")
    world.serviceActs = false
    world.arbitrum.reorganise(8, "drop")
    for (let block = 0; block < 9; block++) world.arbitrum.mine()
    await daemon.reach("funded")
    expect(daemon.context.journal.countInFlight()).toBe(1)
    world.serviceActs = true
    await daemon.reach("completed")
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("leaves the books when the deposit vanishes with it", async () => {
    await daemon.accept(ETH, ARB)
    await daemon.reach("settling")
    expect(daemon.order(ID).data.receipt).not.toBeNull()
    world.serviceActs = false
    daemon.kill()
    for (const ledger of [world.arbitrum, world.evm]) {
      ledger.reorganise(12, "drop")
      for (let block = 0; block < 14; block++) ledger.mine()
    }
    daemon = world.start({ adaptPort: (port) => withSeenDepth(port, 1) })
    tooLate()
    await daemon.reach("rejected", ID, 60 * MINUTE_MS)
    expect(daemon.order(ID).data.receipt).toBeNull()
    expect(lostUnits(world, ETH)).toBe(0n)
  })
})

/** The payout never becomes final. */
function withoutFinality(port: ChainPort): ChainPort["observeLeg"] {
  return async (query) => {
    const leg = await port.observeLeg(query)
    return { ...leg, redeemed: leg.redeemed && { ...leg.redeemed, seen: true, final: false } }
  }
}

test("a final payout that vanishes holds the order with its numbers, and does not complete it", async () => {
  // The source never becomes final, so the order waits in `settling` while the payout is final.
  const neverFinal = onBase((port) => ({
    observeLeg: async (query) => {
      const leg = await port.observeLeg(query)
      return { ...leg, initiated: leg.initiated && { ...leg.initiated, seen: true, final: false } }
    },
  }))
  begin(2, { adaptPort: neverFinal })
  await daemon.accept(ETH, ARB)
  await world.run(() => daemon.order(ID).data.seen.destinationRedeemed?.final === true)
  expect(daemon.state(ID)).toBe("settling")
  world.serviceActs = false
  world.arbitrum.reorganise(20, "drop")
  for (let block = 0; block < 20; block++) world.arbitrum.mine()
  await daemon.reach("held")
  const gone = daemon.order(ID).data.reasons.find(({ code }) => code === "chain.final_fact_gone")
  expect(gone).toMatchObject({
    what: "payout",
    txid: expect.any(String),
    height: expect.any(String),
  })
  await world.pass(5 * MINUTE_MS)
  expect(daemon.state(ID)).toBe("held")
})

describe("a refund that a reorganisation removes", () => {
  async function refund(confirmations: number, seen: number | null): Promise<void> {
    begin(confirmations, seen === null ? {} : { adaptPort: (port) => withSeenDepth(port, seen) })
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    await daemon.accept()
  }
  const removeRefund = (): void => {
    world.evm.reorganise(3, "drop")
    for (let block = 0; block < 3; block++) world.evm.mine()
  }

  test("before its finality is sent again with the same bytes", async () => {
    await refund(30, 1)
    await daemon.reach("settling")
    expect(daemon.context.journal.countInFlight()).toBe(0)
    world.autoMine = false
    removeRefund()
    await daemon.reach("refund-confirming")
    world.autoMine = true
    await daemon.reach("refunded")
    expect(signatures("refund")).toHaveLength(1)
    expect(daemon.order(ID).data.networkFeeUnits).toBe(20n)
    expect(lostUnits(world, ETH)).toBe(0n)
    expect(daemon.alerts()).toEqual(["alarm.refund_watch"])
  })

  test("after its finality holds the order, which sends the same bytes again by itself", async () => {
    await refund(1, null)
    // The HTLC is read later than the refund's receipt, so the order is not over yet.
    await daemon.reach("refund-confirming")
    world.faults.inject("base.observeLeg", { before: failure("transient") }, 8)
    await world.run(() => daemon.order(ID).data.transactions.refund.mined?.final === true)
    world.autoMine = false
    removeRefund()
    await daemon.reach("held")
    expect(daemon.order(ID).data.reasons).toContainEqual(
      expect.objectContaining({ what: "refund" }),
    )
    world.autoMine = true
    await daemon.reach("refunded")
    expect(signatures("refund")).toHaveLength(1)
    expect(daemon.order(ID).data.networkFeeUnits).toBe(20n)
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("leaves the books when the deposit vanishes with it", async () => {
    await refund(3_000, 1)
    await daemon.reach("settling")
    expect(daemon.order(ID).data.returned).not.toBeNull()
    world.serviceActs = false
    const { height = 0n } =
      daemon.order(ID).data.mined.find(({ purpose }) => purpose === "deposit") ?? {}
    daemon.kill()
    const depth = Number(world.evm.height() - height) + 1
    world.evm.reorganise(depth, "drop")
    for (let block = 0; block < depth; block++) world.evm.mine()
    daemon = world.start({ adaptPort: (port) => withSeenDepth(port, 1) })
    tooLate()
    await daemon.reach("rejected", ID, 120 * MINUTE_MS)
    expect(daemon.order(ID).data).toMatchObject({ returned: null, rentReturned: null })
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("is observed again when an operator asks, and never twice on its way", async () => {
    await refund(1, null)
    await daemon.reach("refund-confirming")
    world.faults.inject("base.observeLeg", { before: failure("transient") }, 8)
    await daemon.reach("refund-watch")
    expect(daemon.engine.operate(ID, "refund", "anna")).toEqual({
      ok: true,
      state: "refund-confirming",
    })
    await daemon.reach("refunded")
    expect(signatures("refund")).toHaveLength(1)
  })
})

describe("facts without agreement", () => {
  /** Both chains answer truthfully, and too few endpoints answer. */
  const short = (port: ChainPort): ChainPort => ({
    ...port,
    observeLeg: async (query) => {
      const leg = await port.observeLeg(query)
      const young = <Part extends object>(part: Part | null) =>
        part && { ...part, seen: true, final: false }
      const doubts = [{ code: "chain.agreement_short", message: "one of two endpoints is silent" }]
      const parts = {
        initiated: young(leg.initiated),
        redeemed: young(leg.redeemed),
        refunded: young(leg.refunded),
      }
      return { ...leg, ...parts, agreed: false, doubts }
    },
  })
  let isShort = true
  const maybeShort = (port: ChainPort): ChainPort => ({
    ...port,
    observeLeg: (query) => (isShort ? short(port) : port).observeLeg(query),
  })
  beforeEach(() => {
    isShort = true
    begin(2, { adaptPort: maybeShort })
  })

  test("end nothing and raise an alert; with agreement the order completes", async () => {
    await daemon.accept(ETH, ARB)
    await world.run(() => daemon.order(ID).data.seen.destinationRedeemed !== null)
    await world.pass(2 * MINUTE_MS)
    expect(daemon.state(ID)).toBe("redeem-reported")
    expect(new Set(daemon.alerts())).toEqual(new Set(["chain.agreement_short"]))
    isShort = false
    await daemon.reach("completed")
  })

  test("conclude no theft: the alarm comes, and the order goes on watching", async () => {
    world.service.conduct.fills = false
    await daemon.accept(ETH, ARB)
    await world.run(() => daemon.alerts().includes("alarm.source_redeemed"))
    await world.pass(MINUTE_MS)
    expect(daemon.state(ID)).toBe("funded")
    isShort = false
    await daemon.reach("held")
  })

  test("conclude no lapse, and do not stop a refund; the refund ends the order only with agreement", async () => {
    Object.assign(world.service.conduct, {
      fills: false,
      takesSource: false,
      sourceTimelock: 1_200n,
    })
    await daemon.accept(ETH, ARB)
    await daemon.reach("funded")
    await world.run(() => world.evm.mined("refund").length === 1)
    await world.pass(2 * MINUTE_MS)
    expect(states()).not.toContain("refunded")
    isShort = false
    await daemon.reach("refunded")
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("do not make a deposit vanish", async () => {
    isShort = false
    world.serviceActs = false
    await daemon.accept(ETH, ARB)
    await daemon.reach("funded")
    const empty = {
      height: 1_000n,
      initiated: null,
      redeemed: null,
      refunded: null,
      refundableAt: null,
      agreed: false,
    }
    world.faults.inject("base.observeLeg", { lie: () => empty }, 1_000)
    world.faults.inject("base.observeTransaction", { lie: () => ({ status: "unseen" }) }, 1_000)
    await world.pass(MINUTE_MS)
    expect(daemon.state(ID)).toBe("funded")
    expect(daemon.order(ID).data.seen.sourceInitiated).toMatchObject({ final: true })
  })
})

describe("an approval that the order went on from before it is final", () => {
  beforeEach(() => {
    begin(30, { adaptPort: (port) => withSeenDepth(port, 1) })
  })

  test("lets the deposit go out at once, and both fees are counted at the end", async () => {
    await daemon.accept(WBTC)
    await daemon.reach("settling", ID, 20_000)
    await daemon.reach("completed")
    expect(daemon.order(ID).data.networkFeeUnits).toBe(20n)
    expect(daemon.order(ID).data.transactions.approve).toMatchObject({
      settled: true,
      mined: { final: true },
    })
  })

  test("is not made again while a lagging endpoint misses it", async () => {
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    world.faults.inject("base.findMissingApproval", { lie: () => ({ setUnits: UNITS }) }, 3)
    await daemon.reach("completed")
    expect(signatures("approve")).toHaveLength(1)
  })

  test("is sent again when a reorganisation removes it", async () => {
    await daemon.accept(WBTC)
    await daemon.reach("approve-confirming")
    world.faults.inject("base.findMissingApproval", { lie: () => ({ setUnits: UNITS }) }, 1e6)
    await world.run(() => daemon.state(ID) === "allowing" && daemon.order(ID).data.tries > 0)
    world.evm.reorganise(3, "drop")
    await world.run(() => states().filter((state) => state === "approve-sending").length > 1)
    world.faults.clear("base.findMissingApproval")
    await daemon.reach("completed")
    expect(signatures("approve")).toHaveLength(1)
    expect(leftAllowance(world)).toBe(0n)
  })
})
