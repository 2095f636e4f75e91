import { beforeEach, describe, expect, test } from "vitest"
import {
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { leftAllowance, lostUnits } from "../../support/money.ts"

const ID = "order-1"
const UNITS = 10_000n

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
})

async function submit(from: typeof ETH, options: StartOptions = {}): Promise<void> {
  daemon = world.start(options)
  await daemon.accept(from)
}

const begun = (): number | undefined =>
  daemon.context.journal
    .listDueWork(Number.MAX_SAFE_INTEGER, 9)
    .find(({ orderId }) => orderId === ID)?.begun
const locks = (): readonly string[] => [...daemon.context.journal.listReserved("lock/")]

describe("the start of a write is in the journal before the write", () => {
  test.each([
    { write: "approve", method: "base.broadcastTransaction", from: WBTC, way: "onchain" },
    { write: "deposit", method: "base.broadcastTransaction", from: ETH, way: "onchain" },
    { write: "typed data", method: "service.submitSignature", from: WBTC, way: "gasless" },
  ] as const)("of the $write", async ({ method, from, way, write }) => {
    if (write === "typed data") world.faults.inject("base.broadcastTransaction", { delayMs: 0 }, 9)
    world.faults.inject(method, { hang: true })
    await submit(from, { policy: { way } })
    await world.run(() => world.faults.countCalls(method) === 1)
    expect(begun()).toBe(1)
  })

  test("so that an approval in doubt is observed before it is sent again, and none counts as unsent", async () => {
    world.autoMine = false
    world.faults.inject("base.broadcastTransaction", { delayMs: 60_000 })
    await submit(WBTC)
    await world.run(() => world.faults.countCalls("base.broadcastTransaction") === 1)
    daemon.kill()
    world.clock.set(world.clock.now() + 11 * 60_000)
    daemon = world.start()
    await daemon.reach("revoke-confirming")
    world.autoMine = true
    await daemon.reach("rejected")
    expect(world.faults.countCalls("base.broadcastTransaction")).toBe(2)
    expect(leftAllowance(world)).toBe(0n)
  })
})

describe("a relay that may have the signature after a crash", () => {
  test("stays in doubt when the next process cannot read the chain", async () => {
    world.service.conduct.relays = false
    world.faults.inject("service.submitSignature", { delayMs: 60_000 })
    await submit(WBTC, { policy: { way: "gasless" } })
    await world.run(() => world.faults.countCalls("service.submitSignature") === 1)
    daemon.kill()
    world.faults.inject("base.observeLeg", { before: failure("refused", "test.refused") }, 2)
    daemon = world.start({ policy: { way: "gasless" } })
    await world.run(() => daemon.state(ID) !== "gasless-submitting")
    expect(daemon.state(ID)).toBe("gasless-confirming")
    expect(daemon.order(ID).data.gasless).not.toBe(null)
    world.service.conduct.relays = true
    await daemon.reach("completed")
    expect(lostUnits(world, WBTC)).toBe(UNITS)
  })
})

describe("the allowance lock", () => {
  test("is held from the plan of the approval to the deposit", async () => {
    world.faults.inject("base.signTransaction", { hang: true })
    await submit(WBTC)
    await daemon.reach("approve-signing")
    expect(locks()).toHaveLength(1)
  })

  test("is held also when the allowance is exact already, so that no other order changes it", async () => {
    daemon = world.start()
    world.evm.submit({
      txid: "earlier",
      fee: 0n,
      resources: ["nonce:0"],
      action: { kind: "approve", asset: WBTC, spender: "0xhtlc", units: UNITS },
    })
    await world.pass(5_000)
    // The plan of an approval, which begins beside the read of the allowance, and the deposit's.
    world.faults.inject("base.planTransaction", { hang: true }, 2)
    await daemon.accept(WBTC)
    await daemon.reach("deposit-planning")
    expect(world.evm.mined("approve")).toHaveLength(1)
    expect(locks()).toHaveLength(1)
  })
})
