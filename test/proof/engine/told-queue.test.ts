import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"
import { accountOf } from "../../support/fake-chain.ts"
import {
  ARB,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  type World,
} from "../../support/fake-world.ts"

/*
 * Many told secrets on one account, at a node that answers slowly: their redemptions get their
 * nonces one after another.
 */

const MINUTE_MS = 60_000
const TURN_MS = 8_000
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const LIMITS = { maxOrder: null, maxInFlight: 100, windows: [] }

type Crowd = { readonly world: World; readonly daemon: Daemon; readonly ids: readonly string[] }

/** `isSlow`: from the first telling on a turn takes seconds, and a look too. */
async function begin(family: "evm" | "starknet", count: number, lock: bigint): Promise<Crowd> {
  const world = createWorld({ confirmations: 2, arbitrum: family })
  Object.assign(world.service.conduct, {
    redeems: false,
    takesBack: true,
    takesSource: true,
    sourceTimelock: 4n * lock,
    destinationTimelock: lock,
  })
  const wait = async (): Promise<void> => world.clock.sleep(TURN_MS)
  const slow = (port: ChainPort): ChainPort => {
    const { nonces } = port
    if (port.chain !== chainOf(ARB) || nonces === undefined) return port
    return {
      ...port,
      observeLeg: async (query) => {
        await wait()
        return port.observeLeg(query)
      },
      nonces: {
        ...nonces,
        bindPlan: async (plan, taken) => {
          await wait()
          return nonces.bindPlan(plan, taken)
        },
      },
    }
  }
  const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }
  const settings = { ...defaultSettings(), ownSecrets, limits: LIMITS }
  const daemon = world.start({ settings, adaptPort: slow })
  const ids: string[] = []
  for (let index = 0; index < count; index++)
    ids.push(await daemon.accept(ETH, ARB, 10_000n + BigInt(index)))
  return { world, daemon, ids }
}

const ENDED = ["completed", "refunded"]

describe.each(["evm", "starknet"] as const)("a crowd of payouts on %s", (family) => {
  test("tells no more secrets than it can redeem within their locks", async () => {
    const { world, daemon, ids } = await begin(family, 24, 160n)
    const isOver = (): boolean => ids.every((id) => ENDED.includes(daemon.state(id)))
    await world.run(isOver, 60 * MINUTE_MS)
    const taken = [...world.evm.state().swaps.values()].filter(({ redeemed }) => redeemed !== null)
    const paid = [...world.arbitrum.state().swaps.values()].filter((one) => one.redeemed !== null)
    expect(paid.length).toBe(taken.length)
    expect(paid.length).toBeGreaterThan(5)
    expect(paid.length).toBeLessThan(ids.length)
  })

  test("raises the first redemption in time, whatever stands behind it", async () => {
    const { world, daemon, ids } = await begin(family, 12, 600n)
    const first = (): string | undefined =>
      daemon.context.journal
        .listUnsettled(chainOf(ARB), accountOf(chainOf(ARB)))
        .find(({ purpose }) => purpose === "redeem")?.orderId
    await world.run(() => {
      if (world.arbitrum.heard().some(({ action }) => action.kind === "redeem"))
        world.fees.set(chainOf(ARB), 500n)
      return world.fees.get(chainOf(ARB)) === 500n
    }, 10 * MINUTE_MS)
    const id = first() ?? ""
    const rows = () => daemon.context.journal.listOf(id).filter((one) => one.purpose === "redeem")
    await world.run(() => rows().length > 1, 10 * MINUTE_MS)
    const [sent, raised] = rows()
    expect((raised?.atMs ?? 0) - (sent?.atMs ?? 0)).toBeLessThan(60_000)
    world.fees.set(chainOf(ARB), 10n)
    await world.run(() => ids.every((one) => ENDED.includes(daemon.state(one))), 60 * MINUTE_MS)
    expect(world.arbitrum.mined("redeem").filter(({ ok }) => ok)).toHaveLength(ids.length)
  })
})
