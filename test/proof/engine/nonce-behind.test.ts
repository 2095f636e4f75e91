import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  type World,
} from "../../support/fake-world.ts"

/*
 * A redemption or refund whose nonce comes after that of another order's transaction, which no
 * block takes.
 */

const MINUTE_MS = 60_000
const HOURS_MS = 4 * 60 * MINUTE_MS
const [FIRST, SECOND] = ["order-1", "order-2"] as const
const TIMELOCKS = {
  source: { min: 200n, max: 90_000n, secondsPerUnit: 1 },
  destination: { min: 10n, max: 10_000n, secondsPerUnit: 1 },
}
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")

let world: World
let daemon: Daemon

const isBack = (): boolean =>
  [...world.arbitrum.state().swaps.values()].some(({ refunded }) => refunded != null)
const isDepositSent = (): boolean =>
  world.arbitrum
    .heard()
    .some(({ action }) => action.kind === "initiate" && action.payer === "wallet")

/**
 * The secret of the first order is told, and its redemption stands behind the deposit of the second
 * one.
 */
async function begin(
  family: "evm" | "starknet",
  conduct: object,
  options: { paused: boolean; fee: bigint },
) {
  const modeOf = (_service: string, _from: string, to: string) =>
    to === BTC ? ("service" as const) : ("own" as const)
  world = createWorld({ confirmations: 2, arbitrum: family })
  const locks = { sourceTimelock: 43_200n, destinationTimelock: 7_200n }
  Object.assign(world.service.conduct, {
    redeems: false,
    takesBack: true,
    takesSource: false,
    ...locks,
    ...conduct,
  })
  daemon = start(modeOf)
  await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 100_000n })
  await daemon.reach("revealed", FIRST)
  await daemon.engine.submit({ from: ARB, to: BTC, sourceUnits: 10_000n })
  await world.run(() => {
    if (isDepositSent()) world.fees.set(chainOf(ARB), options.fee)
    return isDepositSent()
  }, MINUTE_MS)
  if (options.paused) await daemon.engine.pause({ kind: "all" })
  return modeOf
}

function start(
  modeOf: (service: string, from: string, to: string) => "own" | "service",
  more: StartOptions = {},
): Daemon {
  const ownSecrets = { keeper, modeOf, maxServiceSecret: null }
  const policy = { depositWindowMs: 60 * MINUTE_MS, stuckAfterMs: MINUTE_MS, timelocks: TIMELOCKS }
  return world.start({ ...more, settings: { ownSecrets }, policy })
}

describe.each(["evm", "starknet"] as const)("on %s, a redemption of a told secret", (family) => {
  test.each([
    [{ deadlineAfterMs: 60 * MINUTE_MS }, { paused: true, fee: 50n }],
    [{ deadlineAfterMs: 120 * MINUTE_MS }, { paused: true, fee: 50n }],
    [{ deadlineAfterMs: 60 * MINUTE_MS }, { paused: false, fee: 500n }],
  ])("takes the nonce of a transaction with too low a fee (%o, %o)", async (conduct, options) => {
    await begin(family, conduct, options)
    await world.run(() => daemon.state(FIRST) === "completed" || isBack(), HOURS_MS)
    expect(daemon.state(FIRST)).toBe("completed")
    expect(daemon.alerts()).toContain("nonce.taken_first")
    expect(world.arbitrum.mined("redeem")[0]).toMatchObject({ ok: true })
    // The fee of every transaction in a block is booked once.
    const { journal } = daemon.context
    await world.pass(2 * MINUTE_MS)
    const fees = journal.listEntries({}).filter(({ kind, tx }) => kind === "fee" && tx !== null)
    for (const { txid } of world.arbitrum.mined("redeem"))
      expect(fees.filter(({ tx }) => tx === txid)).toHaveLength(1)
    expect([
      "rejected",
      "deposit-confirming",
      "void-confirming",
      "refunded",
      "proving-unfunded",
    ]).toContain(daemon.state(SECOND))
  })

  test("signs the same bytes again after a crash between claim and signature", async () => {
    const modeOf = await begin(
      family,
      { deadlineAfterMs: 120 * MINUTE_MS },
      { paused: true, fee: 50n },
    )
    const moved = () =>
      daemon.context.journal.listOf(FIRST).filter(({ purpose }) => purpose.startsWith("fill/"))
    const { claimSignature } = daemon.context.journal
    Object.assign(daemon.context.journal, {
      claimSignature: (...args: Parameters<typeof claimSignature>) => {
        claimSignature(...args)
        if (args[0].purpose.startsWith("fill/")) throw new Error("the process died")
      },
    })
    await world.run(() => moved().length > 0, HOURS_MS)
    const [first] = moved()
    daemon.kill()
    daemon = start(modeOf)
    await world.run(() => daemon.state(FIRST) === "completed" || isBack(), HOURS_MS)
    expect(daemon.state(FIRST)).toBe("completed")
    expect(moved()[0]).toMatchObject({ digest: first?.digest, raw: expect.any(String) })
  })
})

describe.each(["before", "after"] as const)("a process that dies %s a write", (when) => {
  test.each(Array.from({ length: 26 }, (_, index) => index + 1))("write %i", async (at) => {
    const conduct = { deadlineAfterMs: 60 * MINUTE_MS }
    const modeOf = await begin("evm", conduct, { paused: true, fee: 50n })
    daemon.kill()
    daemon = start(modeOf, { dies: { at, when } })
    const isOver = () => daemon.state(FIRST) === "completed" || isBack()
    await world.run(() => !daemon.isAlive() || isOver(), HOURS_MS)
    daemon.kill()
    daemon = start(modeOf)
    await world.run(isOver, HOURS_MS)
    expect(daemon.state(FIRST)).toBe("completed")
    expect(daemon.alerts()).toContain("nonce.taken_first")
    expect(world.arbitrum.mined("redeem").filter(({ ok }) => ok)).toHaveLength(1)
  })
})

test("a redemption that the wallet cannot pay for is an alarm, and goes on without a retry", async () => {
  world = createWorld({ confirmations: 2 })
  const locks = { sourceTimelock: 43_200n, destinationTimelock: 7_200n }
  Object.assign(world.service.conduct, { redeems: false, takesSource: false, ...locks })
  daemon = start(() => "own")
  await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
  await daemon.reach("revealed", FIRST)
  const poor = { refused: [{ code: "funds.insufficient", message: "no gas" }] }
  world.faults.inject("arbitrum.planTransaction", { lie: () => poor }, 1_000_000)
  await world.run(() => daemon.alerts().includes("redeem.unaffordable"), 20 * MINUTE_MS)
  expect(daemon.order(FIRST).data.reasons[0]?.message).not.toContain("retry")
  world.faults.clear("arbitrum.planTransaction")
  await daemon.reach("completed", FIRST, 10 * MINUTE_MS)
})
