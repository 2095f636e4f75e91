import { beforeEach, expect, test } from "vitest"
import { admitSwap } from "#engine/rules/admission.ts"
import type { PricePort } from "#ports/prices.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  type World,
} from "../../support/fake-world.ts"

const FIAT = 1_000_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
})

function start(policy: StartOptions["policy"] = {}): void {
  daemon = world.start({ policy, prices })
}

/**
 * A source for the coin of the network fees alone: the quote is judged by its own values. One
 * smallest unit of it is worth one.
 */
const prices: PricePort = {
  fetchPrice: async (asset) => {
    const decimals = daemon.context.settings.assets.get(asset)?.decimals ?? 0
    return asset === ETH ? { fiat: FIAT * 10n ** BigInt(decimals), sources: 1 } : null
  },
}

/** The codes against an order, and the costs beside the quote that its refusal names. */
async function ask(
  sourceUnits: bigint,
): Promise<{ codes: readonly string[]; extra: string | undefined }> {
  const request = { rule: "manual", occurrence: null, from: ETH, to: BTC, sourceUnits }
  const answer = await admitSwap(daemon.context, request)
  const reasons = answer.ok ? [] : answer.reasons
  return {
    codes: reasons.map(({ code }) => code),
    extra: reasons.find(({ code }) => code === "price.total_cost")?.["extra"],
  }
}

test("an order whose network fee breaks the ceiling is refused, and a larger one is accepted", async () => {
  start()
  expect((await ask(1_000n)).codes).toEqual(["price.total_cost"])
  expect((await ask(100_000n)).codes).toEqual([])
})

test("a relay pays the network fee, so it does not count", async () => {
  start({ way: "gasless" })
  expect((await ask(1_000n)).codes).toEqual([])
})

test("where a relay is only preferred, a coin's own deposit has its fee", async () => {
  start({ way: "auto" })
  expect((await ask(1_000n)).codes).toEqual(["price.total_cost"])
})

test("refunds of the pair raise the cost of its next order, also after a restart", async () => {
  start()
  const first = Number((await ask(1_000n)).extra)
  world.serviceActs = false
  const accepted = await admitSwap(daemon.context, {
    rule: "manual",
    occurrence: null,
    from: ETH,
    to: BTC,
    sourceUnits: 200_000n,
  })
  expect(accepted.ok).toBe(true)
  expect(daemon.order("order-1").data.policy.risk).toEqual({ refundPpm: 10_000n, lockPpb: 0n })
  await world.run(
    () => daemon.context.journal.listOrders({}).every(({ outcome }) => outcome !== null),
    6 * 3_600_000,
  )
  expect(daemon.context.journal.listOrders({})[0]?.outcome).toBe("refunded")
  daemon.kill()
  start()
  expect(daemon.context.journal.countEndings({ from: ETH, to: BTC }, 200)).toEqual({
    completed: 0,
    refunded: 1,
  })
  expect(daemon.context.journal.countEndings({ from: ARB, to: BTC }, 200)).toEqual({
    completed: 0,
    refunded: 0,
  })
  expect(Number((await ask(1_000n)).extra)).toBeGreaterThan(first)
})

test("the locked money counts by its price a year", async () => {
  start({ way: "auto", capitalBps: 1_000_000n })
  expect((await ask(100_000n)).codes).toEqual(["price.total_cost"])
  daemon.kill()
  start({ way: "auto", capitalBps: 1_000n })
  expect((await ask(100_000n)).codes).toEqual([])
})
