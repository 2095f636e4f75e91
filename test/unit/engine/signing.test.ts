import { beforeEach, describe, expect, test, vi } from "vitest"
import type { OperatorAnswer } from "#engine/engine.ts"
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

const abandon = (): OperatorAnswer => daemon.engine.operate(ID, "abandon", "anna")

async function submit(from: typeof ETH, options: StartOptions = {}): Promise<void> {
  daemon = world.start(options)
  await daemon.accept(from)
}

function expectRefused(): void {
  expect(abandon()).toMatchObject({ ok: false, reasons: [{ code: "operator.signing" }] })
  // Another command ends nothing, so its own answer stands.
  expect(daemon.engine.operate(ID, "retry", "anna")).toMatchObject({
    ok: false,
    reasons: [{ code: "operator.not_now", state: daemon.state(ID) }],
  })
}

/** Nothing is lost or left, even after enough time for every signed transaction to land. */
async function expectNothingLeft(): Promise<void> {
  await world.pass(10_000)
  expect(leftAllowance(world)).toBe(0n)
  expect(lostUnits(world, WBTC)).toBe(0n)
  expect(lostUnits(world, ETH)).toBe(0n)
  expect(daemon.context.journal.listReserved("").size).toBe(0)
}

describe("an order that an operator abandons while the key signs", () => {
  test.each([
    { purpose: "approve", from: WBTC },
    { purpose: "deposit", from: ETH },
  ])(
    "its $purpose does not end before the signature is stored, and then voids it",
    async ({ purpose, from }) => {
      world.autoMine = false
      world.faults.inject("base.signTransaction", { delayMs: 2_000 })
      await submit(from)
      await world.run(() => world.faults.countCalls("base.signTransaction") === 1)
      expect(daemon.state(ID)).toBe(`${purpose}-signing`)
      expectRefused()
      await daemon.reach(`${purpose}-confirming`)
      expect(abandon().ok).toBe(true)
      world.autoMine = true
      await daemon.reach("abandoned")
      expect(world.evm.mined("void")).toHaveLength(1)
      await expectNothingLeft()
    },
  )

  test("the typed data for a relay does not end, because the signature would stay unobserved", async () => {
    world.faults.inject("base.signTypedData", { delayMs: 2_000 })
    await submit(WBTC, { policy: { way: "gasless" } })
    await world.run(() => world.faults.countCalls("base.signTypedData") === 1)
    expectRefused()
    await daemon.reach("completed")
  })

  test("does not end before its signature is stored", async () => {
    world.autoMine = false
    world.faults.inject("base.signTransaction", { delayMs: 2_000 })
    await submit(ETH)
    await world.run(() => world.signatures.length === 1)
    failNextCommit()
    await world.run(() =>
      daemon.order(ID).data.reasons.some(({ code }) => code === "test.transient"),
    )
    expect(daemon.state(ID)).toBe("deposit-signing")
    expectRefused()
    await daemon.reach("deposit-confirming")
    expect(abandon().ok).toBe(true)
    world.autoMine = true
    await daemon.reach("abandoned")
    await expectNothingLeft()
  })

  test("does not end after a restart either, if the process died before it stored the signature", async () => {
    world.faults.inject("base.signTransaction", { delayMs: 2_000 })
    await submit(ETH)
    await world.run(() => world.signatures.length === 1)
    daemon.kill()
    world.faults.inject("base.signTransaction", { before: failure("transient") })
    daemon = world.start()
    expectRefused()
    await daemon.reach("completed")
    expect(new Set(world.signatures).size).toBe(1)
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })
})

test("an order that is abandoned before the key signs ends at once, and nothing is signed", async () => {
  world.faults.inject("base.planTransaction", { delayMs: 2_000 })
  await submit(ETH)
  await daemon.reach("deposit-planning")
  expect(abandon()).toEqual({ ok: true, state: "abandoned" })
  await expectNothingLeft()
  expect(world.signatures).toEqual([])
})

test("an order that waits to sign its typed data ends when it is abandoned", async () => {
  const findObstacles = async () => {
    await world.clock.sleep(2_000)
    return { reasons: [], isLasting: false }
  }
  const adaptPort: StartOptions["adaptPort"] = (port) => ({ ...port, relayed: { findObstacles } })
  await submit(WBTC, { policy: { way: "gasless" }, adaptPort })
  await daemon.reach("gasless-signing")
  // Its allowance stands already, and is taken back.
  expect(abandon()).toEqual({ ok: true, state: "revoke-planning" })
  await daemon.reach("abandoned")
  await expectNothingLeft()
})

/** Simulates a full disk: the journal loses the signature, and later writes succeed. */
function failNextCommit(): void {
  vi.spyOn(daemon.context.journal, "commit").mockImplementationOnce(() => {
    throw failure("transient")
  })
}
