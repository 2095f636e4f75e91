import { expect, test } from "vitest"
import { readFlight, readRedemptionFees } from "#daemon/views/read-flight.ts"
import { chainOf } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import { readPayoutDeadline } from "#order/payout-deadline.ts"
import { viewOrder } from "#order/view.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { sampleData } from "../../support/sample-job.ts"

let world: World

const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

const deadlineOf = (daemon: Daemon) =>
  viewOrder(daemon.order("order-1"), new Map(), 0).payoutDeadline

test("an order with a told secret shows the time for its redemption, and its offer", async () => {
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, takesBack: true, takesSource: false })
  const daemon = world.start({ settings: { ownSecrets } })
  await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
  await daemon.reach("funded")
  expect(deadlineOf(daemon)).toBeUndefined()
  // No endpoint takes the redemption.
  world.faults.inject("arbitrum.broadcastTransaction", { before: failure("transient") }, 10_000)
  await daemon.reach("revealed")
  const [payout] = [...world.arbitrum.state().swaps.values()]
  const endHeight = (payout?.initiated.height ?? 0n) + (payout?.timelock ?? 0n)
  const shown = deadlineOf(daemon)
  // The payout is of the coin that pays the fee, so the cap ends at its worth.
  const capUnits = daemon.order("order-1").data.terms?.destinationUnits.toString()
  expect(shown).toMatchObject({ height: endHeight.toString(), offerUnits: null, capUnits })
  const endMs = Date.parse(shown?.at ?? "")
  // The fake chain makes a block a second.
  const leftMs = Number(endHeight - world.arbitrum.height()) * 1_000
  expect(Math.abs(endMs - world.clock.now() - leftMs)).toBeLessThan(10_000)
  const [flight] = readFlight(daemon.context.journal, null, [])
  expect(flight?.deadline).toMatchObject({ atMs: endMs, kind: "payout" })
  expect(flight?.deadline?.what).toContain("must be redeemed before its lock ends")
  await world.run(() => (deadlineOf(daemon)?.offerUnits ?? null) !== null, 120_000)
  const signed = daemon.order("order-1").data.transactions.redeem.signed.at(-1)
  expect(deadlineOf(daemon)?.offerUnits).toBe(signed?.plan.maxFeeUnits.toString())
  const labels = { chain: chainOf(ARB) }
  expect(readRedemptionFees(daemon.context.journal)).toEqual([
    { labels: { ...labels, bound: "offer" }, value: Number(signed?.plan.maxFeeUnits) },
    { labels: { ...labels, bound: "cap" }, value: Number(capUnits) },
  ])
})

test("an order whose payout is redeemed shows none", async () => {
  world = createWorld({ confirmations: 2 })
  const daemon = world.start({ settings: { ownSecrets } })
  await daemon.engine.submit({ from: ETH, to: ARB, sourceUnits: 10_000n })
  await daemon.reach("completed")
  expect(deadlineOf(daemon)).toBeUndefined()
  expect(readRedemptionFees(daemon.context.journal)).toEqual([])
})

test("a told secret has no deadline once our node shows the redemption", () => {
  const own = { nonce: "1", hash: "ab", revealedAt: 5, isTold: true } as const
  const data = sampleData({}, { ownSecret: { ...own, status: "revealed" } })
  expect(readPayoutDeadline(data)).not.toBeNull()
  const destinationRedeemed = { txid: "paid", height: 5n, final: false, at: 0 }
  const shown = { ...data, seen: { ...data.seen, destinationRedeemed } }
  expect(readPayoutDeadline(shown)).toBeNull()
  // One endpoint alone may have invented it.
  const lone = { ...destinationRedeemed, isAlone: true } as const
  const doubted = { ...data, seen: { ...data.seen, destinationRedeemed: lone } }
  expect(readPayoutDeadline(doubted)).not.toBeNull()
})
