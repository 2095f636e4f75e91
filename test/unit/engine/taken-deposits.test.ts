import { beforeEach, describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createFakeRoute, type FakeRoute } from "../../support/fake-route.ts"
import { ARB, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

let world: World
let route: FakeRoute
let daemon: Daemon

beforeEach(() => {
  world = createWorld()
  route = createFakeRoute(world)
  daemon = world.start(route.start)
})

const end = (id: string, state: string): Promise<void> => daemon.reach(state, id)
const SLOW_POLLS = { policy: { pollMaxMs: 120_000 } }

describe("a reorganisation takes an attested deposit", () => {
  let id: string
  const takePayout = (): void => route.takeForUs(daemon.order(id).data.voucher?.nonce ?? "")

  /** The issuer attests at the first block, before the deposit is final. */
  beforeEach(async () => {
    world.close()
    world = createWorld({ confirmations: 8, seenDepth: 1 })
    route = createFakeRoute(world)
    daemon = world.start({ ...route.start, ...SLOW_POLLS })
    route.conduct.faults = [{ code: "toy.closed", message: "closed" }]
    id = await daemon.accept(ETH, ARB, 1_000n)
    await world.run(() => daemon.order(id).data.voucher !== undefined)
    world.fees.set("base_sepolia", 10n ** 9n)
    world.evm.reorganise(6, "drop")
  })

  test("and its nonce is taken: the order is held, and its payout is booked", async () => {
    const resources = daemon.order(id).data.transactions.deposit.signed[0]?.plan.resources ?? []
    const rival = { txid: "rival", fee: 10n ** 9n, resources } as const
    world.evm.submit({ ...rival, action: { kind: "void" } })
    await end(id, "held")
    takePayout()
    await world.pass(60_000)
    expect(daemon.reasons(id)).toContain("transaction.foreign_rival")
    expect([daemon.state(id), daemon.order(id).data.receipt?.units]).toEqual(["held", 999n])
  })

  describe("and a transaction of ours takes its nonce for good", () => {
    beforeEach(() => {
      const { journal, clock, chains } = daemon.context
      const chain = chainOf(ETH)
      const account = mustExist(chains.get(chain), "the source chain").account
      const [signed] = daemon.order(id).data.transactions.deposit.signed
      const digest = "aa".repeat(32)
      const plan = { ...mustExist(signed, "the deposit").plan, action: "void", digest } as const
      const { resources } = plan
      const signing = { purpose: "void", attempt: 0, digest } as const
      const of = { orderId: id, chain, account, resources, plan, atMs: clock.now() }
      journal.claimSignature({ ...of, ...signing })
      journal.storeSignature(id, { ...signing, txid: "rival", raw: "00" })
      world.evm.submit({ txid: "rival", fee: 10n ** 9n, resources, action: { kind: "void" } })
    })

    test("the order ends once its voucher is over", async () => {
      await end(id, "proving-unfunded")
      await world.pass(60_000)
      expect(daemon.state(id)).toBe("proving-unfunded")
      route.conduct.isOver = true
      await end(id, "rejected")
      expect(daemon.order(id).data.receipt).toBeNull()
    })

    test("an operator ends it where the voucher never ends, after the alarm", async () => {
      await end(id, "proving-unfunded")
      expect(daemon.engine.operate(id, "abandon", "ann").ok).toBe(false)
      world.tickMs = 20_000
      await world.pass(11 * 60_000)
      expect(daemon.reasons(id)).toContain("ending.unproven")
      expect(daemon.engine.operate(id, "abandon", "ann").ok).toBe(true)
      expect(daemon.state(id)).toBe("abandoned")
    })
  })
})

test("a payout that a stranger takes after its plan is not signed for", async () => {
  world.close()
  world = createWorld()
  route = createFakeRoute(world)
  let isLocked = true
  const { adaptPort: toRouted = (port: ChainPort) => port } = route.start
  const adaptPort = (port: ChainPort): ChainPort => {
    const routed = toRouted(port)
    const signTransaction: ChainPort["signTransaction"] = async (...signing) => {
      if (isLocked && port.chain === chainOf(ARB)) throw failure("transient", "signer.locked")
      return routed.signTransaction(...signing)
    }
    return { ...routed, signTransaction }
  }
  daemon = world.start({ ...route.start, adaptPort })
  const id = await daemon.accept(ETH, ARB, 1_000n)
  await world.run(() => daemon.state(id) === "redeem-signing")
  route.takeForUs(daemon.order(id).data.voucher?.nonce ?? "")
  await world.pass(30_000)
  isLocked = false
  await end(id, "completed")
  expect(daemon.order(id).data.transactions.redeem.signed).toEqual([])
  expect(daemon.order(id).data.receipt?.units).toBe(999n)
})
