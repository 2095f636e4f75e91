import { describe, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createAssetGate } from "#engine/watches/asset-gate.ts"
import { createRounds, type Rounds } from "#engine/watches/watch.ts"
import { AppError } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import type { AssetFault } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { BTC, createWorld, ETH, WBTC } from "../../support/fake-world.ts"

const FAULT = {
  code: "asset.decimals_differ",
  message: "other decimals",
  expected: "9 decimals",
  found: "8 decimals",
}
const SILENT = new AppError({
  code: "evm.unreachable",
  disposition: "transient",
  message: "no answer",
})

describe("the comparison of assets with their chains", () => {
  test("holds an asset until its chain has answered once, and asks no more after that", async () => {
    const scene = createScene()
    scene.answer = () => Promise.reject(SILENT)
    await scene.gate.check()
    expect(scene.codes()).toEqual(["asset.unchecked", "asset.unchecked"])
    scene.answer = async () => []
    scene.rounds.poll()
    await scene.rounds.idle()
    expect(scene.codes()).toEqual([])
    const { asked } = scene
    scene.nowMs += 3_600_000
    scene.rounds.poll()
    await scene.rounds.idle()
    expect(scene.asked).toBe(asked)
  })

  test("holds an asset that differs, with both values, and lets the others pass", async () => {
    const scene = createScene()
    scene.answer = async (asset) => (asset === WBTC ? [FAULT] : [])
    await scene.gate.check()
    expect(scene.gate.findReasons([WBTC])).toMatchObject([
      {
        code: "asset.mismatch",
        asset: WBTC,
        cause: "asset.decimals_differ",
        expected: "9 decimals",
        found: "8 decimals",
      },
    ])
    expect(scene.gate.findReasons([ETH])).toEqual([])
  })

  test("is no difference where only the wallet's own account is missing", async () => {
    const scene = createScene()
    scene.answer = async () => [{ ...FAULT, ofWallet: true }]
    await scene.gate.check()
    expect(scene.codes()).toEqual([])
  })

  test("starts again for the port that a reload opens", async () => {
    const scene = createScene()
    await scene.gate.check()
    expect(scene.codes()).toEqual([])
    scene.replacePort()
    expect(scene.codes()).toEqual(["asset.unchecked", "asset.unchecked"])
  })
})

test("an order waits before its deposit while its asset is unchecked, and goes on afterwards", async () => {
  const world = createWorld()
  let isUp = false
  const checkAsset = async (): Promise<readonly AssetFault[]> =>
    isUp ? [] : Promise.reject(SILENT)
  const daemon = world.start({
    adaptPort: (port) =>
      port.chain === chainOf(WBTC) ? { ...port, assetChecks: { checkAsset } } : port,
  })
  try {
    const admission = await daemon.engine.submit({ from: WBTC, to: BTC, sourceUnits: 50_000n })
    const id = admission.ok ? admission.id : JSON.stringify(admission.reasons)
    await world.pass(60_000)
    expect(world.signatures).toEqual([])
    isUp = true
    await daemon.reach("completed", id)
    expect(world.signatures.length).toBeGreaterThan(0)
  } finally {
    world.close()
  }
})

function createScene() {
  const scene = {
    nowMs: 1_000_000,
    asked: 0,
    answer: async (_asset: string): Promise<readonly AssetFault[]> => [],
    replacePort: () => chains.set(chainOf(WBTC), openPort()),
    codes: () => scene.gate.findReasons().map(({ code }) => code),
    gate: null as unknown as ReturnType<typeof createAssetGate>,
    rounds: null as unknown as Rounds,
  }
  const openPort = () =>
    ({
      chain: chainOf(WBTC),
      assetChecks: {
        checkAsset: async (asset: string) => {
          scene.asked++
          return scene.answer(asset)
        },
      },
      // CAST: the gate reads no other member of a port.
    }) as unknown as ChainPort
  const chains = new Map([[chainOf(WBTC), openPort()]])
  const clock = { now: () => scene.nowMs, sleep: () => new Promise(() => undefined) }
  const settings = { assets: new Map([WBTC, ETH].map((id) => [id, { id }])) }
  // CAST: the gate uses only this part of the context.
  const context = { chains, clock, settings, log: silentLogger } as unknown as EngineContext
  scene.gate = createAssetGate(context)
  scene.rounds = createRounds(context, [scene.gate.watch], () => undefined)
  return scene
}
