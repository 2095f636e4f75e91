import { beforeEach, describe, expect, test } from "vitest"
import type { Asset, AssetId } from "#domain/asset.ts"
import { readPause } from "#domain/pause.ts"
import type { ChainPort } from "#ports/chain.ts"
import { identityOfCode } from "../../support/fake-chain.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import {
  ARB,
  ASSETS,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure, never } from "../../support/faults.ts"
import { withCapability } from "../../support/wrap-port.ts"

const ID = "order-1"
const UNITS = 10_000n

/** Every asset with contracts is pinned, or only those of `pinned`. */
function assets(pinned: readonly AssetId[] = [WBTC, ETH, ARB]): ReadonlyMap<AssetId, Asset> {
  const pin = { pinned: [{ htlc: HTLC, identity: identityOfCode() }] }
  return new Map(
    ASSETS.map((asset) => [asset.id, pinned.includes(asset.id) ? { ...asset, ...pin } : asset]),
  )
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
})

function start(pinned?: readonly AssetId[]): void {
  daemon = world.start({ settings: { assets: assets(pinned) } })
}
const alerts = (code: string): number =>
  daemon.context.journal.listAlerts(100).filter(({ reason }) => reason.code === code).length

describe("a pinned contract", () => {
  test("that is unchanged lets an order complete", async () => {
    start()
    await daemon.accept(WBTC, ARB)
    await daemon.reach("completed")
    expect(alerts("alarm.contract_changed")).toBe(0)
  })

  test.each([
    ["source", WBTC, BTC],
    ["destination", BTC, ETH],
  ])(
    "that changed on the %s side ends the order before anything is signed",
    async (_side, from, to) => {
      start()
      world.codes.set(HTLC, "other code")
      await daemon.accept(from, to)
      await daemon.reach("rejected")
      expect(daemon.reasons()).toEqual(["verify.contract_changed"])
      expect(daemon.order(ID).data.reasons[0]).toMatchObject({
        htlc: HTLC,
        expected: identityOfCode()["code"],
        found: identityOfCode("other code")["code"],
      })
      expect(world.signatures).toEqual([])
    },
  )

  test("that changes before the approval gets no allowance", async () => {
    start()
    world.faults.inject("base.findMissingApproval", { before: failure("transient") })
    await daemon.accept(WBTC)
    await world.run(() => daemon.state(ID) === "allowing" && daemon.order(ID).data.tries > 0)
    world.codes.set(HTLC, "other code")
    await daemon.reach("rejected")
    expect(daemon.reasons()).toContain("verify.contract_changed")
    expect(world.signatures).toEqual([])
  })

  test.each(["onchain", "gasless"] as const)(
    "that changes after the approval gets no %s deposit",
    async (way) => {
      start()
      expect(
        await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: UNITS, way }),
      ).toMatchObject({ ok: true })
      await world.run(() => world.signatures.length === 1)
      world.codes.set(HTLC, "other code")
      await daemon.reach("rejected")
      expect(daemon.reasons()).toContain("verify.contract_changed")
      // The third part is the digest. The allowance is revoked.
      expect(world.signatures.map((each) => each.split(" ")[0])).toEqual(["approve", "approve"])
    },
  )

  test("that was changed and restored serves the next order", async () => {
    start()
    world.codes.set(HTLC, "other code")
    await daemon.accept(WBTC)
    await daemon.reach("rejected")
    world.codes.clear()
    const alarms = readPause(daemon.context.journal)?.alarms.map(({ id }) => id) ?? []
    expect(daemon.engine.resume({ kind: "all" }, alarms)).toEqual({ ok: true })
    await daemon.accept(WBTC)
    await daemon.reach("completed", "order-2")
  })

  test("without a readable identity makes the order wait, and signs nothing meanwhile", async () => {
    start()
    for (const disposition of ["transient", "hold", "refused"] as const) {
      world.faults.inject("base.fetchContractIdentity", { before: failure(disposition) }, 3)
    }
    await daemon.accept(WBTC)
    await world.run(() => daemon.order(ID).data.tries > 1)
    expect(daemon.state(ID)).toBe("verifying")
    expect(world.signatures).toEqual([])
    await daemon.reach("completed")
  })

  test("that stays unreadable ends the order unsigned", async () => {
    start()
    world.faults.inject("base.fetchContractIdentity", { before: failure("hold") }, 1_000_000)
    await daemon.accept(WBTC)
    await daemon.reach("rejected")
    expect(daemon.reasons()).toContain("verify.contract_unreadable")
    expect(world.signatures).toEqual([])
  })

  test("that changes after the deposit raises one alarm, and the order goes on to its refund", async () => {
    start()
    world.service.conduct.fills = false
    world.service.conduct.takesSource = false
    await daemon.accept(WBTC)
    await daemon.reach("funded")
    world.codes.set(HTLC, "other code")
    await world.run(() => alerts("alarm.contract_changed") > 0)
    expect(daemon.state(ID)).not.toBe("held")
    await daemon.reach("refunded")
    expect(alerts("alarm.contract_changed")).toBe(1)
  })
})

test("an asset without pins is not compared", async () => {
  start([])
  world.codes.set(HTLC, "other code")
  world.faults.inject("base.fetchContractIdentity", { before: failure("hold") }, 1_000_000)
  await daemon.accept(WBTC)
  await daemon.reach("completed")
})

test(
  "a pinned contract on a silent destination does not keep the lane of the source account from " +
    "a refund",
  async () => {
    let isSilent = false
    const adaptPort = (port: ChainPort): ChainPort =>
      port.chain === "base_sepolia"
        ? withCapability(port, "contracts", {
            fetchContractIdentity: async () => {
              if (isSilent) return never()
              isSilent = daemon.context.journal.findOrder("order-2") !== null
              return identityOfCode()
            },
          })
        : port
    daemon = world.start({ adaptPort, settings: { assets: assets([ETH]) } })
    Object.assign(world.service.conduct, { fills: false, takesSource: false })
    await daemon.accept(ARB)
    await daemon.reach("funded")
    await daemon.accept(ARB, ETH)
    await daemon.reach("deposit-planning", "order-2")
    const isRefundable = (): boolean => {
      const { refundableAtHeight } = daemon.order(ID).data.seen
      return refundableAtHeight !== null && world.arbitrum.height() >= refundableAtHeight
    }
    await world.run(isRefundable, 3 * 3_600_000)
    await daemon.reach("refunded", ID, 60_000)
  },
)
