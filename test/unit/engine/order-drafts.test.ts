import { beforeEach, describe, expect, test } from "vitest"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import {
  admitSwap,
  draftOrder,
  findRefusals,
  judgeSwap,
  readGas,
  type SwapRequest,
} from "#engine/rules/admission.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const REQUEST: SwapRequest = {
  rule: "manual",
  from: ETH,
  to: BTC,
  sourceUnits: 10_000n,
  occurrence: null,
}

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  daemon = world.start()
})

const codesOf = (reasons: readonly { readonly code: string }[]): string[] =>
  reasons.map(({ code }) => code)
const withPort = (asset: AssetId, change: Partial<ChainPort>): EngineContext => {
  const { context } = daemon
  const chain = chainOf(asset)
  const port = context.chains.get(chain)
  if (port === undefined) throw new Error("no chain")
  return { ...context, chains: new Map(context.chains).set(chain, { ...port, ...change }) }
}

describe("a new order", () => {
  const draft = (over: Partial<SwapRequest> = {}) =>
    draftOrder(daemon.context, { ...REQUEST, ...over }, null)

  test("names only what its request does", () => {
    const order = draft()
    expect(order).toMatchObject({
      id: "order-1",
      rule: "manual",
      occurrence: null,
      feeBudget: null,
      nonce: "1",
      createdAt: world.clock.now(),
    })
    expect(order.request).toEqual({
      from: ETH,
      to: BTC,
      sourceUnits: 10_000n,
      sourceOwner: "base_sepolia/wallet",
      destinationOwner: "bitcoin_testnet/wallet",
    })
    for (const name of ["secondRule", "askedBy"]) expect(order).not.toHaveProperty(name)
  })

  test("has the second rule, the occurrence, the caller and the exact payout of its request", () => {
    const exactOut = { units: 7n, mostUnits: null }
    const occurrence = {
      id: "dca@1",
      rule: "dca",
      dueAtMs: 1,
    } as unknown as SwapRequest["occurrence"]
    const order = draft({ secondRule: "other", askedBy: "agent", exactOut, occurrence })
    expect(order).toMatchObject({ secondRule: "other", askedBy: "agent", occurrence: "dca@1" })
    expect(order.request.exactOut).toBe(exactOut)
  })

  test("of a lost chain has no owner there", () => {
    const context = { ...daemon.context, chains: new Map() }
    const settings = { ...context.settings, destinationFor: () => null }
    const { request } = draftOrder({ ...context, settings }, REQUEST, null)
    expect([request.sourceOwner, request.destinationOwner]).toEqual(["", ""])
  })
})

describe("the refusals of a request", () => {
  const refusals = (over: Partial<SwapRequest>, context: EngineContext = daemon.context) =>
    findRefusals(context, { ...REQUEST, ...over })

  test("name an asset that is near the unknown one", () => {
    const [near] = refusals({ to: parseAssetId("bitcoin_testnet:bct") })
    expect(near).toMatchObject({ code: "request.unknown_asset" })
    expect(near?.message).toMatch(/ is not a configured asset; did you mean bitcoin_testnet:btc\?$/)
    const [far] = refusals({ to: parseAssetId("quite:different") })
    expect(far?.message).toMatch(/ is not a configured asset$/)
  })

  test("count an asset whose chain is lost, and an affiliate's address that is none", () => {
    const chains = new Map([...daemon.context.chains].filter(([chain]) => chain !== chainOf(BTC)))
    expect(codesOf(refusals({}, { ...daemon.context, chains }))).toEqual(["request.unknown_asset"])
    const affiliateFees = [{ asset: parseAssetId("base_sepolia:usdc"), address: "0x1", feeBps: 10 }]
    const settings = { ...daemon.context.settings, affiliateFees }
    const told = (isAddress: boolean) => {
      const context = { ...withPort(ETH, { isAddress: () => isAddress }), settings }
      return codesOf(refusals({}, context))
    }
    expect(told(true)).toEqual([])
    expect(told(false)).toEqual(["affiliate.address"])
  })

  test("are those of a paused rule, its chain and everything, but not of the mode", async () => {
    await daemon.engine.pause({ kind: "rule", rule: "dca" })
    expect(refusals({})).toEqual([])
    expect(refusals({ rule: "dca" })).toHaveLength(1)
    const settings = { ...daemon.context.settings, mode: "observe" } as const
    expect(refusals({}, { ...daemon.context, settings })).toEqual([])
    await daemon.engine.pause({ kind: "chain", chain: chainOf(BTC) })
    expect(refusals({})).toEqual([])
    await daemon.engine.pause({ kind: "chain", chain: chainOf(ETH) })
    expect(refusals({})).toHaveLength(1)
  })
})

describe("an agent", () => {
  const agent: SwapRequest["agent"] = {
    maxOrderFiat: 5_000_000_000n,
    maxDayFiat: 5_000_000_000n,
    maxDayCount: 2,
    maxInFlight: 2,
    approveAboveFiat: 0n,
    pairs: [{ from: ETH, to: BTC }],
  }
  const ask = async (over: Partial<SwapRequest>) => {
    let judged: string[] | null = null
    void judgeSwap(daemon.context, { ...REQUEST, agent, ...over }).then((found) => {
      judged = codesOf(found)
    })
    await world.run(() => judged !== null, 60_000)
    return judged
  }

  test("is judged by its limits, and everyone else is not", async () => {
    expect(await ask({ agent: undefined } as never)).toEqual([])
    expect(await ask({ sourceUnits: 5_000n })).toEqual([])
    expect(await ask({ sourceUnits: 5_001n })).toEqual(["agent.order", "agent.day"])
    const { ok } = await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 1n })
    expect([ok, await ask({ sourceUnits: 5_000n })]).toEqual([true, ["agent.day"]])
  })
})

describe("the judgement of a request", () => {
  test("tells the reasons of its blocks beside those of its reads", async () => {
    world.faults.inject("service.fetchQuotes", { before: failure("refused", "service.no_pair") }, 9)
    await daemon.engine.pause({ kind: "rule", rule: "manual" })
    let judged: string[] | null = null
    void judgeSwap(daemon.context, REQUEST).then((found) => {
      judged = codesOf(found)
    })
    await world.run(() => judged !== null, 60_000)
    expect(judged).toContain("service.no_pair")
    expect(judged).toHaveLength(2)
  })

  test("has the key and the decisions of the request written with the order", async () => {
    const beside: unknown[] = []
    const journal = new Proxy(daemon.context.journal, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (key !== "openOrder" || typeof value !== "function") return value
        return (...of: unknown[]) => {
          beside.push(of[4])
          return Reflect.apply(value, target, of.slice(0, 4))
        }
      },
    })
    const context = { ...daemon.context, journal }
    const admit = async (over: Partial<SwapRequest>) => {
      let isOver = false
      void admitSwap(context, { ...REQUEST, ...over }).finally(() => {
        isOver = true
      })
      await world.run(() => isOver, 60_000)
    }
    await admit({})
    expect(beside).toMatchObject([{ decisions: [], requestKey: null }])
    const requestKey = { key: "k", request: "h" }
    await admit({ requestKey, decisions: () => [] })
    expect(beside[1]).toMatchObject({ requestKey })
  })
})

describe("the fees that a chain has left for orders", () => {
  const estimateFees = async () => ({ depositUnits: 30n, refundUnits: 12n })
  const of = (asset: AssetId, over: object = {}, port: Partial<ChainPort> = {}) => {
    const context = withPort(asset, { estimateFees, ...port })
    return readGas({ ...context, settings: { ...context.settings, ...over } }, asset)
  }

  test("are none of an unknown asset or chain", async () => {
    expect(await of(ETH, { assets: new Map() })).toBeNull()
    expect(await readGas({ ...daemon.context, chains: new Map() }, ETH)).toBeNull()
  })

  test("are in the coin of the chain, less the minimum that stays", async () => {
    const minNative = new Map([[chainOf(ETH), 400n]])
    const token = await of(WBTC)
    const kept = await of(WBTC, { minNative })
    expect(await of(ETH)).toMatchObject({ coin: ETH, perOrderUnits: 42n, leftUnits: null })
    expect(token).toMatchObject({ coin: ETH, perOrderUnits: 42n })
    expect((token?.leftUnits ?? 0n) - (kept?.leftUnits ?? 0n)).toBe(400n)
  })

  test("are read from the node where the coin is no asset and a minimum must stay", async () => {
    const assets = new Map([...daemon.context.settings.assets].filter(([id]) => id !== ETH))
    const minNative = new Map([[chainOf(ETH), 400n]])
    // CAST: the fees ask for this balance alone.
    const native = { fetchNativeBalance: async () => 900n } as NonNullable<ChainPort["native"]>
    const some = await of(WBTC, { assets, minNative }, { native })
    const none = await of(WBTC, { assets }, { native })
    expect([some?.leftUnits, none]).toEqual([500n, null])
    const silent = of(WBTC, { assets, minNative })
    await expect(silent).rejects.toThrow(AppError)
    await expect(silent).rejects.toMatchObject({ code: "funds.unreadable", disposition: "hold" })
  })
})
