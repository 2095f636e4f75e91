import { beforeEach, expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import {
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  type World,
} from "../../support/fake-world.ts"
import { lostUnits } from "../../support/money.ts"

const ID = "order-1"

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
})

const inCluster: StartOptions = {
  adaptContext: (context): EngineContext => ({ ...context, proveLease: async () => undefined }),
}

/**
 * A leader claims a deposit, loses PostgreSQL before its key signs, and closes the nonce. The next
 * leader knows the claim alone.
 */
async function takeOver(options: StartOptions, action: "void" | "steal"): Promise<void> {
  daemon = world.start(options)
  world.faults.inject("base.signTransaction", { hang: true })
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
  await world.run(() => daemon.context.journal.findOpenClaim(ID, "deposit") !== null)
  daemon.kill()
  const units = action === "void" ? {} : { asset: ETH, spender: "thief", units: 1n }
  world.evm.submit({
    txid: "another",
    fee: 0n,
    resources: ["nonce:0"],
    // CAST: both kinds are complete.
    action: { kind: action === "void" ? "void" : "approve", ...units } as Parameters<
      World["evm"]["submit"]
    >[0]["action"],
  })
  world.evm.mine()
  daemon = world.start(options)
}

test("a void with the nonce of an unsigned deposit ends the order, and the next leader goes on", async () => {
  await takeOver(inCluster, "void")
  await daemon.reach("rejected")
  expect(daemon.alerts()).not.toContain("transaction.foreign_rival")
  expect(daemon.alerts()).toContain("nonce.gap_filled")
  expect(world.evm.mined("initiate")).toEqual([])
  expect(lostUnits(world, ETH)).toBe(0n)
})

test("a transaction that does more than a void is an alarm in a cluster too", async () => {
  await takeOver(inCluster, "steal")
  await daemon.reach("held")
  expect(daemon.alerts()).toContain("transaction.foreign_rival")
})

test("the same void is an alarm where no other machine has the key", async () => {
  await takeOver({}, "void")
  await daemon.reach("held")
  expect(daemon.alerts()).toContain("transaction.foreign_rival")
})
