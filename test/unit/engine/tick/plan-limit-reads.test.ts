import { beforeEach, describe, expect, test } from "vitest"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { generalLimits, type NeededPair, readPlanLimits } from "#engine/rules/tick/plan-limits.ts"
import type { Limits } from "#guards/limits.ts"
import type { ChainPort } from "#ports/chain.ts"
import { ARB, BTC, createWorld, ETH, WBTC, type World } from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"

const pair = (from: AssetId, to: AssetId, over: Partial<NeededPair> = {}): NeededPair => {
  return { rule: "rule", from, to, destination: null, ...over }
}

let world: World
beforeEach(() => {
  world = createWorld()
})

function contextOf(
  limits: Partial<Limits> = {},
  fees: Readonly<Record<AssetId, bigint | Error>> = {},
): EngineContext {
  const adaptPort = (port: ChainPort): ChainPort => ({
    ...port,
    estimateFees: async (asset) => {
      const units = fees[asset] ?? 10n
      if (units instanceof Error) throw units
      return { depositUnits: units, refundUnits: 0n }
    },
  })
  const none = { maxOrder: null, maxInFlight: 8, windows: [] }
  return world.start({ adaptPort, settings: { limits: { ...none, ...limits } } }).context
}

const read = (context: EngineContext, ...pairs: readonly NeededPair[]) =>
  readPlanLimits(context, generalLimits(context), pairs)

describe("the limits of a plan", () => {
  test("are the general ones without a pair", async () => {
    const context = contextOf({ maxInFlightPerService: 2 })
    const general = generalLimits(context)
    expect(await readPlanLimits(context, general, [])).toBe(general)
    const found = await read(context, pair(ETH, BTC))
    expect(found).toMatchObject({ ...general, gas: [{ chain: chainOf(ETH) }] })
    for (const name of ["blocked", "orderLimits", "windows"]) expect(found).not.toHaveProperty(name)
  })

  test("have the fees of each chain once, the highest of its assets", async () => {
    const context = contextOf({}, { [ETH]: 7n, [WBTC]: 40n, [ARB]: 9n })
    const found = await read(
      context,
      pair(ETH, BTC),
      pair(WBTC, BTC),
      pair(ARB, BTC),
      pair(ETH, ARB),
    )
    expect(found.gas?.map(({ chain }) => chain)).toEqual([chainOf(ETH), chainOf(ARB)])
    expect(found.gas?.map(({ perOrderUnits }) => perOrderUnits)).toEqual([40n, 9n])
    const other = await read(context, pair(WBTC, BTC), pair(ETH, BTC))
    expect(other.gas?.map(({ perOrderUnits }) => perOrderUnits)).toEqual([40n])
    const left = found.gas?.[0]?.leftUnits
    expect([left, other.gas?.[0]?.leftUnits, found.gas?.[1]?.leftUnits]).toEqual([left, left, null])
    expect(left).not.toBeNull()
  })

  test("leave out a chain whose fees cannot be read, and hide no bug", async () => {
    const silent = contextOf({}, { [ETH]: failure("transient", "evm.unreachable") })
    const found = await read(silent, pair(ETH, BTC), pair(ARB, BTC))
    expect(found.gas?.map(({ chain }) => chain)).toEqual([chainOf(ARB)])
    expect(await read(silent, pair(ETH, BTC))).not.toHaveProperty("gas")
    const broken = contextOf({}, { [ETH]: new RangeError("a bug") })
    await expect(read(broken, pair(ETH, BTC))).rejects.toThrow("a bug")
  })

  test("have what each service has room for", async () => {
    const found = await read(contextOf({ maxInFlightPerService: 2 }), pair(ETH, BTC))
    expect(found.counts).toMatchObject([{ left: 2, reason: { code: "limit.in_flight_service" } }])
    expect(await read(contextOf(), pair(ETH, BTC))).not.toHaveProperty("counts")
  })

  test("name a pair that is refused or that has no room, each with its reasons", async () => {
    const daemon = world.start({
      settings: { limits: { maxOrder: null, maxInFlight: 8, windows: [] } },
    })
    await daemon.engine.pause({ kind: "chain", chain: chainOf(ARB) })
    const found = await read(daemon.context, pair(ETH, BTC), pair(ARB, BTC))
    expect(found.blocked).toMatchObject([{ rule: "rule", from: ARB, to: BTC }])
    expect(found.blocked?.[0]?.reasons).toHaveLength(1)
  })

  test("have a limit for an order whose secret the service chooses", async () => {
    const { context } = world.start()
    const max = { kind: "fiat", fiat: 1_000n } as const
    const limitsOf = async (keeper: object | null, destination: string | null) => {
      // CAST: a limit reads only these parts.
      const ownSecrets = { maxServiceSecret: max, keeper, modeOf: () => "auto" } as never
      const settings = { ...context.settings, ownSecrets }
      return (await read({ ...context, settings }, pair(ETH, BTC, { destination }))).orderLimits
    }
    const limited = (destination: string | null) => [
      { from: ETH, to: BTC, destination, max: { kind: "fiat", fiat: 990n } },
    ]
    const { account } = context.chains.get(chainOf(BTC)) ?? {}
    expect(await limitsOf(null, null)).toEqual(limited(null))
    expect(await limitsOf({}, null)).toBeUndefined()
    expect(await limitsOf({}, account ?? "")).toBeUndefined()
    expect(await limitsOf({}, "elsewhere")).toEqual(limited("elsewhere"))
  })
})
