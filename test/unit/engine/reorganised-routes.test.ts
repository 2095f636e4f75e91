import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { createFakeRoute, type FakeRoute } from "../../support/fake-route.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { lostUnits } from "../../support/money.ts"

let world: World
let route: FakeRoute
let daemon: Daemon

const end = (id: string, state: string): Promise<void> => daemon.reach(state, id)
/** The world and the engine look at the order every two minutes. */
async function passHours(hours: number): Promise<void> {
  world.tickMs = 120_000
  await world.pass(hours * 60 * 60_000)
  world.tickMs = 1_000
}
const SLOW_POLLS = { policy: { pollMaxMs: 120_000 } }

describe("a reorganisation takes an attested deposit", () => {
  let id: string
  const takePayout = (): void => route.takeForUs(daemon.order(id).data.voucher?.nonce ?? "")

  /** The issuer attests at the first block, before the deposit is final. */
  beforeEach(async () => {
    world = createWorld({ confirmations: 8, seenDepth: 1 })
    route = createFakeRoute(world)
    daemon = world.start({ ...route.start, ...SLOW_POLLS })
    route.conduct.faults = [{ code: "toy.closed", message: "closed" }]
    id = await daemon.accept(ETH, ARB, 1_000n)
    await world.run(() => daemon.order(id).data.voucher !== undefined)
    world.fees.set("base_sepolia", 10n ** 9n)
    world.evm.reorganise(6, "drop")
  })

  test.each(["before", "after"] as const)(
    "%s its payout: the deposit is neither voided nor late, and completes",
    async (when) => {
      if (when === "after") takePayout()
      await passHours(1 / 30)
      expect(daemon.engine.operate(id, "abandon", "ann").ok).toBe(false)
      await passHours(0.6)
      world.fees.clear()
      route.conduct.faults = []
      world.tickMs = 20_000
      await end(id, "completed")
      expect(daemon.order(id).data.receipt?.units).toBe(999n)
      expect([world.evm.mined("initiate").length, world.evm.mined("void").length]).toEqual([1, 0])
    },
  )

  test.each(["before", "after"] as const)(
    "for good, since another program has its nonce: %s its payout the order is held with its " +
      "mint, and a person may abandon it",
    async (when) => {
      if (when === "after") takePayout()
      const none = { resources: ["nonce:0"], action: { kind: "void" } } as const
      world.evm.submit({ txid: "foreign", fee: 10n ** 10n, ...none })
      await end(id, "held")
      route.conduct.faults = []
      await passHours(0.3)
      const { journal } = daemon.context
      expect([daemon.state(id), daemon.order(id).data.receipt?.units]).toEqual(["held", 999n])
      expect(daemon.engine.operate(id, "abandon", "ann").ok).toBe(true)
      await end(id, "abandoned")
      expect(journal.listAlerts(9).map(({ reason }) => reason.code)).toContain(
        "transaction.foreign_rival",
      )
      expect([world.evm.mined("initiate").length, lostUnits(world, ETH)]).toEqual([0, 0n])
    },
  )
})

test("a reorganisation takes an attested deposit whose payout waits for lower fees: it is sent again", async () => {
  world = createWorld({ confirmations: 8, seenDepth: 1 })
  route = createFakeRoute(world)
  daemon = world.start({ ...route.start, ...SLOW_POLLS })
  const legs = mustExist(daemon.context.chains.get(chainOf(ARB))?.routeLegs, "its legs")
  const leg = mustExist(legs.get("cctp"), "the destination's leg")
  const { planRedemption } = leg
  const refused = [{ code: "fees.above_cap", message: "above the cap" }]
  Object.assign(leg, { planRedemption: async () => ({ refused }) })
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await daemon.reach("redeem-planning", id)
  world.evm.reorganise(6, "drop")
  expect(world.evm.mined("initiate")).toHaveLength(0)
  await world.pass(30_000)
  expect([daemon.state(id), world.evm.mined("initiate").length]).toEqual(["redeem-planning", 1])
  Object.assign(leg, { planRedemption })
  await end(id, "completed")
  expect(world.evm.mined("initiate")).toHaveLength(1)
})
