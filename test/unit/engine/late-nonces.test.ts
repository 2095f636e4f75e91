import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { encodePause, PAUSE_FLAG } from "#domain/pause.ts"
import { mustExist } from "#lib/assert.ts"
import { ARB, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"

const [FIRST, SECOND, THIRD] = ["order-1", "order-2", "order-3"] as const
const ACCOUNT = "base_sepolia/base_sepolia/wallet/"

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

const reserved = (): string[] => [...daemon.context.journal.listReserved(ACCOUNT)].sort()

/** The first order is deposited and never filled, so that its refund becomes possible. */
async function fundUnfilled(): Promise<void> {
  world.service.conduct.fills = false
  world.service.conduct.takesSource = false
  await daemon.accept()
  await daemon.reach("funded", FIRST)
}

test(
  "signatures of one account are made side by side, each with a nonce of its own from its " +
    "claim on",
  async () => {
    world.faults.inject("base.signTransaction", { delayMs: 5_000 }, 2)
    await daemon.accept()
    await daemon.accept()
    await daemon.accept()
    await world.run(() => world.faults.countCalls("base.signTransaction") === 3)
    expect(reserved()).toEqual(["nonce:0", "nonce:1", "nonce:2"])
    // The third one was not slow. Its transaction waits at the node for the nonces before it.
    await daemon.reach("deposit-confirming", THIRD, 4_000)
    expect([daemon.state(FIRST), daemon.state(SECOND)]).toEqual([
      "deposit-signing",
      "deposit-signing",
    ])
    for (const id of [FIRST, SECOND, THIRD]) await daemon.reach("completed", id)
    expect(world.signatures).toHaveLength(3)
  },
)

describe("a planned deposit", () => {
  test("that a pause keeps from its signature stops no refund", async () => {
    await fundUnfilled()
    world.faults.inject("base.planTransaction", { delayMs: 2_000 })
    await daemon.accept()
    await daemon.reach("deposit-planning", SECOND)
    const paused = daemon.engine.pause({ kind: "all" })
    await daemon.reach("deposit-signing", SECOND)
    await paused
    expect(reserved()).toEqual(["nonce:0"])
    await daemon.reach("refunded", FIRST, 3 * 60 * 60_000)
    expect(daemon.state(SECOND)).toBe("deposit-signing")
    expect(lostUnits(world, ETH)).toBe(0n)
  })

  test("that an operator abandons while its nonce is asked for signs nothing, and leaves no gap", async () => {
    world.faults.inject("base.bindPlan", { delayMs: 5_000 })
    await daemon.accept()
    await world.run(() => world.faults.countCalls("base.bindPlan") === 1)
    expect(daemon.engine.operate(FIRST, "abandon", "anna")).toEqual({
      ok: true,
      state: "abandoned",
    })
    await world.pass(10_000)
    expect(world.signatures).toEqual([])
    expect(daemon.context.journal.listOf(FIRST)).toEqual([])
    expect(reserved()).toEqual([])
    await daemon.accept()
    await daemon.reach("completed", SECOND)
  })

  test(
    "that a pause meets while its nonce is asked for waits for the end of the pause, and " +
      "leaves no gap",
    async () => {
      world.faults.inject("base.bindPlan", { delayMs: 5_000 })
      await daemon.accept()
      await world.run(() => world.faults.countCalls("base.bindPlan") === 1)
      await Promise.all([daemon.engine.pause({ kind: "all" }), world.pass(10_000)])
      expect(daemon.state(FIRST)).toBe("deposit-signing")
      expect(world.signatures).toEqual([])
      expect(reserved()).toEqual([])
      daemon.engine.resume({ kind: "all" })
      await daemon.reach("completed", FIRST)
    },
  )

  test("that waits in a pause until it is too late ends without a transaction", async () => {
    world.faults.inject("base.planTransaction", { delayMs: 2_000 })
    await daemon.accept()
    await daemon.reach("deposit-planning", FIRST)
    const paused = daemon.engine.pause({ kind: "all" })
    await daemon.reach("deposit-signing", FIRST)
    await paused
    world.clock.set(world.clock.now() + 11 * 60_000)
    daemon.engine.resume({ kind: "all" })
    await daemon.reach("rejected", FIRST)
    expect(world.signatures).toEqual([])
  })

  test("gets another nonce than one that was planned at the same time", async () => {
    await Promise.all([daemon.accept(), daemon.accept(), daemon.accept(WBTC)])
    await world.run(() => [FIRST, SECOND, THIRD].every((id) => daemon.state(id) === "completed"))
    const nonces = [FIRST, SECOND, THIRD]
      .flatMap((id) => daemon.context.journal.listOf(id))
      .map(({ resources }) => resources.join())
    expect(nonces.sort()).toEqual(["nonce:0", "nonce:1", "nonce:2", "nonce:3"])
    expect(leftAllowance(world)).toBe(0n)
    // Nothing of an ended order is live, so the search for gaps does not grow with the orders.
    const chain = mustExist(daemon.context.chains.get(chainOf(ETH)), "the chain")
    expect(daemon.context.journal.listUnsettled(chain.chain, chain.account)).toEqual([])
  })
})

describe("a claim whose process dies before it signs", () => {
  test("is signed by the next process with the same nonce, although another order came in between", async () => {
    world.faults.inject("base.signTransaction", { hang: true })
    await daemon.accept()
    await world.run(() => daemon.context.journal.findOpenClaim(FIRST, "deposit") !== null)
    const registered = daemon.context.journal.findOpenClaim(FIRST, "deposit")
    daemon.kill()
    daemon = world.start()
    await daemon.accept(ETH, ARB)
    await world.run(
      () => daemon.state(FIRST) === "completed" && daemon.state(SECOND) === "completed",
    )
    expect(daemon.context.journal.listOf(FIRST)).toMatchObject([
      { digest: registered?.digest, plan: registered?.plan },
    ])
    expect(daemon.order(FIRST).data.transactions.deposit.signed[0]?.plan).toEqual(registered?.plan)
    expect(daemon.context.journal.listOf(SECOND)).toMatchObject([{ resources: ["nonce:1"] }])
  })

  test("of a bound plan that the signer could not sign at first keeps its nonce", async () => {
    world.faults.inject("base.signTransaction", { before: failure("transient") }, 3)
    await daemon.accept()
    await daemon.reach("completed", FIRST)
    expect(daemon.context.journal.listOf(FIRST)).toHaveLength(1)
  })

  /**
   * The signer fails once. When the claim is read again, an alarm of another order has just paused
   * everything.
   */
  async function failOnceThenPause(): Promise<void> {
    const { journal } = daemon.context
    const { findOpenClaim } = journal
    world.faults.inject("base.signTransaction", { before: failure("transient") })
    await world.run(() => findOpenClaim(FIRST, "deposit") !== null, 120_000)
    const reads: string[] = []
    Object.assign(journal, {
      findOpenClaim: (...claim: Parameters<typeof findOpenClaim>) => {
        if (reads.push(claim[0]) === 1)
          journal.writeFlag(PAUSE_FLAG, encodePause({ by: "alarm", reason: null }, 0))
        return findOpenClaim(...claim)
      },
    })
    await world.run(() => reads.length > 0)
    await world.pass(30_000)
  }

  test("of a deposit is not signed in a pause that has just begun", async () => {
    await daemon.accept()
    await failOnceThenPause()
    expect([world.signatures, daemon.state(FIRST), reserved()]).toEqual([
      [],
      "deposit-signing",
      ["nonce:0"],
    ])
    daemon.engine.resume({ kind: "all" })
    await daemon.reach("completed", FIRST)
  })

  test("of a fee bump is not signed in a pause that has just begun, and the deposit is observed", async () => {
    world.autoMine = false
    await daemon.accept()
    await daemon.reach("deposit-confirming", FIRST)
    await failOnceThenPause()
    expect([world.signatures.length, daemon.state(FIRST)]).toEqual([1, "deposit-confirming"])
    daemon.engine.resume({ kind: "all" })
    // The next bump may have another fee than the claim that is still open.
    await world.run(() => world.signatures.length === 2, 120_000)
    world.autoMine = true
    await daemon.reach("completed", FIRST)
  })
})
