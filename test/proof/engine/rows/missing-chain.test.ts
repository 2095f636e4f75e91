import { expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import {
  ARB,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  type World,
} from "../../../support/fake-world.ts"

/* The two legs of an order are independent, also when the configuration has lost one chain. */

const ID = "order-1"
const MINUTE_MS = 60_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

let world: World
let daemon: Daemon

const without =
  (chain: string) =>
  (context: EngineContext): EngineContext => ({
    ...context,
    chains: new Map([...context.chains].filter(([id]) => id !== chain)),
  })

async function restartWithout(chain: string | null): Promise<void> {
  daemon.kill()
  const settings = { ...defaultSettings(), ownSecrets }
  daemon = world.start({
    settings,
    ...(chain === null ? {} : { adaptContext: without(chain) }),
  })
}

test("a deposit is refunded although its payout's chain is not configured any more", async () => {
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { fills: false, takesSource: false, sourceTimelock: 200n })
  daemon = world.start({ settings: { ...defaultSettings(), ownSecrets } })
  await daemon.accept(ETH, ARB)
  await daemon.reach("funded")
  await restartWithout(chainOf(ARB))
  await daemon.reach("refunded", ID, 30 * MINUTE_MS)
  expect(daemon.alerts()).toContain("config.chain_missing")
})

test("a told secret's payout is redeemed although its deposit's chain is not configured", async () => {
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, takesBack: true, takesSource: false })
  daemon = world.start({ settings: { ...defaultSettings(), ownSecrets } })
  await daemon.accept(ETH, ARB)
  await daemon.reach("revealed")
  await restartWithout(chainOf(ETH))
  await world.run(() => world.arbitrum.mined("redeem").some(({ ok }) => ok), 10 * MINUTE_MS)
  expect(daemon.alerts()).toContain("config.chain_missing")
  await restartWithout(null)
  await daemon.reach("completed")
})

test("a payout without its chain is not tried again and again, and goes on with it", async () => {
  world = createWorld({ confirmations: 2 })
  Object.assign(world.service.conduct, { redeems: false, takesSource: false })
  daemon = world.start({ settings: { ...defaultSettings(), ownSecrets } })
  await daemon.accept(ETH, ARB)
  await daemon.reach("revealed")
  await restartWithout(chainOf(ARB))
  await world.pass(MINUTE_MS)
  const commits = daemon.commits()
  await world.pass(2 * MINUTE_MS)
  expect(daemon.commits() - commits).toBeLessThan(60)
  expect(daemon.alerts()).toContain("alarm.leg_unreadable")
  await restartWithout(null)
  await daemon.reach("completed", ID, 10 * MINUTE_MS)
})
